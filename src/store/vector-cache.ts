import { Best } from "./best.ts";

/** What a store holds of a partition's vectors in a space, as it stands in one snapshot. */
export interface VectorSource {
  /** Vectors there are. */
  readonly count: number;
  /** How often one was removed or replaced. */
  readonly removed: number;
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
  readonly removed: number;
  readonly grainIds: string[];
  position: number;
  values: Float32Array;
}

export interface VectorCacheOptions {
  /** Bytes of vectors that are kept. Default 128 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Vectors of the partitions that were searched last, so that an exact search is one pass over memory: a tenth of a
 * microsecond for a vector of 128 numbers. What was added since is read from the store, and all of it where something went.
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
    const best = new Best(limit);
    const dimensions = query.length;
    if (!this.fits(source, dimensions)) {
      this.#matrices.delete(key);
      const ids: string[] = [];
      for (const { grainId, vector } of source.load(0)) {
        if (allowed !== undefined && !allowed.has(grainId)) continue;
        best.add(ids.length, dotProduct(query, vector, 0));
        ids.push(grainId);
      }
      return neighbours(best, ids);
    }
    const { values, grainIds } = this.#matrix(key, source, dimensions);
    for (let i = 0; i < grainIds.length; i++) {
      const grainId = grainIds[i] as string;
      if (allowed === undefined || allowed.has(grainId))
        best.add(i, dotProduct(query, values, i * dimensions));
    }
    return neighbours(best, grainIds);
  }

  /** What is kept of a key's vectors, as of a source: how many, and up to which position. */
  known(key: string): (Pick<VectorSource, "count" | "removed"> & { readonly position: number }) | undefined {
    const matrix = this.#matrices.get(key);
    if (matrix === undefined) return undefined;
    const { removed, position, grainIds } = matrix;
    return { count: grainIds.length, removed, position };
  }

  #matrix(key: string, source: VectorSource, dimensions: number): Matrix {
    let matrix = this.#matrices.get(key);
    this.#matrices.delete(key);
    if (matrix?.removed !== source.removed || matrix.grainIds.length > source.count)
      matrix = { removed: source.removed, grainIds: [], position: 0, values: new Float32Array(0) };
    if (matrix.grainIds.length < source.count) {
      if (matrix.values.length < source.count * dimensions) {
        // Some room for those that come next.
        const larger = new Float32Array(Math.ceil(source.count * 1.25) * dimensions);
        larger.set(matrix.values);
        matrix.values = larger;
      }
      for (const { position, grainId, vector } of source.load(matrix.position)) {
        matrix.values.set(vector, matrix.grainIds.length * dimensions);
        matrix.grainIds.push(grainId);
        matrix.position = position;
      }
    }
    this.#matrices.set(key, matrix);
    this.#evict();
    return matrix;
  }

  #evict(): void {
    let bytes = 0;
    for (const { values } of this.#matrices.values()) bytes += values.byteLength;
    for (const [key, { values }] of this.#matrices) {
      if (bytes <= this.maxBytes || this.#matrices.size === 1) return;
      this.#matrices.delete(key);
      bytes -= values.byteLength;
    }
  }

  clear(): void {
    this.#matrices.clear();
  }
}

function neighbours(
  best: Best,
  grainIds: readonly string[],
): readonly { readonly grainId: string; readonly similarity: number }[] {
  return best.list().map(({ item, score }) => ({ grainId: grainIds[item] as string, similarity: score }));
}

/** Of a vector with one that begins at a place of a larger array. */
export function dotProduct(vector: Float32Array, values: Float32Array, start = 0): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const size = vector.length;
  const whole = size - (size % 4);
  // Four sums do not wait for each other.
  for (let i = 0; i < whole; i += 4) {
    const at = start + i;
    a += (vector[i] as number) * (values[at] as number);
    b += (vector[i + 1] as number) * (values[at + 1] as number);
    c += (vector[i + 2] as number) * (values[at + 2] as number);
    d += (vector[i + 3] as number) * (values[at + 3] as number);
  }
  for (let i = whole; i < size; i++) a += (vector[i] as number) * (values[start + i] as number);
  return a + b + c + d;
}
