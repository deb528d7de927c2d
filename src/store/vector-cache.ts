import { Best } from "./best.ts";
import { dotProduct } from "./dot-product.ts";
import { goneFrom, leastLive, type Positions } from "./gone.ts";
import { VectorRows } from "./vector-rows.ts";

/** What a store holds of a partition's vectors in a space, as it stands in one snapshot. */
export interface VectorSource extends Positions {
  /** Vectors there are. */
  readonly count: number;
  /** Vectors behind a position, in its order. */
  load(after: number): Iterable<StoredVector>;
}

export interface StoredVector {
  /** Rises with every vector that is added. */
  readonly position: number;
  readonly grainId: string;
  readonly vector: Float32Array;
}

interface Matrix {
  removed: number;
  /** Undefined for a vector that is gone. */
  readonly grainIds: (string | undefined)[];
  readonly positions: number[];
  /** Vectors that are not gone. */
  live: number;
  position: number;
  readonly rows: VectorRows;
}

/** Where fewer than one in so many vectors is allowed, these are compared one by one, and the others not at all. */
const fewAllowed = 8;

export interface VectorCacheOptions {
  /** Bytes of vectors that are kept. Those of one partition may take half as much again, for a first look and for more of them. Default 128 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Vectors of the partitions that were searched last, so that an exact search is one pass over memory: two hundredths of a
 * microsecond for a vector of 128 numbers. What was added since is read from the store, and what went is found out by the positions
 * that are left.
 */
export class VectorCache {
  readonly maxBytes: number;
  // In the order of their last use.
  readonly #matrices = new Map<string, Matrix>();

  constructor({ maxBytes = 128 * 1024 * 1024 }: VectorCacheOptions = {}) {
    this.maxBytes = maxBytes;
  }

  /** Whether the vectors of a source, of so many dimensions, may be kept. */
  fits({ count }: VectorSource, dimensions: number): boolean {
    return count * dimensions * 4 <= this.maxBytes;
  }

  /**
   * The nearest vectors by dot product, the nearest first, and of equal ones the one that was added last.
   *
   * @param key one string for one partition and space
   * @param allowed ids of grains that may be found; all when absent
   */
  nearest(
    key: string,
    source: VectorSource,
    query: Float32Array,
    { limit, allowed }: { readonly limit: number; readonly allowed?: ReadonlySet<string> | undefined },
  ): readonly { readonly grainId: string; readonly similarity: number }[] {
    const dimensions = query.length;
    if (!this.fits(source, dimensions)) {
      this.#matrices.delete(key);
      const best = new Best(limit);
      const ids: string[] = [];
      for (const { grainId, vector } of source.load(0)) {
        if (allowed !== undefined && !allowed.has(grainId)) continue;
        best.add(ids.length, dotProduct(query, vector, 0));
        ids.push(grainId);
      }
      return neighbours(best, ids);
    }
    const { rows, grainIds } = this.#matrix(key, source, dimensions);
    const count = grainIds.length;
    const isFound = (row: number): boolean =>
      grainIds[row] !== undefined && (allowed === undefined || allowed.has(grainIds[row] as string));
    if (allowed === undefined || allowed.size * fewAllowed >= count)
      return neighbours(rows.nearest(query, { count, limit }, isFound), grainIds);
    const best = new Best(limit);
    for (let row = 0; row < count; row++) if (isFound(row)) best.add(row, rows.product(query, row));
    return neighbours(best, grainIds);
  }

  /** What is kept of a key's vectors, as of a source: how many, and up to which position. */
  known(key: string): (Pick<VectorSource, "count" | "removed"> & { readonly position: number }) | undefined {
    const matrix = this.#matrices.get(key);
    if (matrix === undefined) return undefined;
    const { removed, position, live } = matrix;
    return { count: live, removed, position };
  }

  #matrix(key: string, source: VectorSource, dimensions: number): Matrix {
    let matrix = this.#matrices.get(key);
    this.#matrices.delete(key);
    if (matrix !== undefined && matrix.removed !== source.removed && !forget(matrix, source))
      matrix = undefined;
    if (
      matrix === undefined ||
      matrix.live > source.count ||
      matrix.live < matrix.grainIds.length * leastLive
    ) {
      // What went before is of no account any more.
      source.removedHere?.();
      matrix = {
        ...{ removed: source.removed, grainIds: [], positions: [] },
        ...{ live: 0, position: 0, rows: new VectorRows(dimensions) },
      };
    }
    if (matrix.live < source.count) {
      matrix.rows.reserve(matrix.grainIds.length + source.count - matrix.live);
      for (const { position, grainId, vector } of source.load(matrix.position)) {
        matrix.rows.set(matrix.grainIds.length, vector);
        matrix.grainIds.push(grainId);
        matrix.positions.push(position);
        matrix.live += 1;
        matrix.position = position;
      }
    }
    this.#matrices.set(key, matrix);
    this.#evict();
    return matrix;
  }

  #evict(): void {
    let bytes = 0;
    for (const { rows } of this.#matrices.values()) bytes += rows.byteLength;
    for (const [key, { rows }] of this.#matrices) {
      if (bytes <= this.maxBytes || this.#matrices.size === 1) return;
      this.#matrices.delete(key);
      bytes -= rows.byteLength;
    }
  }

  clear(): void {
    this.#matrices.clear();
  }
}

/** Takes out what is not there any more; whether the store can tell. */
function forget(matrix: Matrix, source: VectorSource): boolean {
  const gone = goneFrom(matrix.positions, matrix.removed, source);
  if (gone === undefined) return false;
  for (const place of gone) {
    if (matrix.grainIds[place] === undefined) continue;
    matrix.grainIds[place] = undefined;
    matrix.rows.clear(place);
    matrix.live -= 1;
  }
  matrix.removed = source.removed;
  return true;
}

function neighbours(
  best: Best,
  grainIds: readonly (string | undefined)[],
): readonly { readonly grainId: string; readonly similarity: number }[] {
  return best.list().map(({ item, score }) => ({ grainId: grainIds[item] as string, similarity: score }));
}
