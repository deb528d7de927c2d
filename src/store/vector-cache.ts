import { Best } from "./best.ts";
import { goneFrom, leastLive } from "./gone.ts";

/** What a store holds of a partition's vectors in a space, as it stands in one snapshot. */
export interface VectorSource {
  /** Vectors there are. */
  readonly count: number;
  /** How often one was removed or replaced. */
  readonly removed: number;
  /** Vectors behind a position, in its order. */
  load(after: number): Iterable<StoredVector>;
  /** Positions of all vectors, rising, where a store can tell them; else all are read again once one is gone. */
  positions?(): readonly number[];
}

export interface StoredVector {
  /** Rises with every vector that is added. */
  readonly position: number;
  readonly grainId: string;
  readonly vector: Float32Array;
}

interface Matrix {
  removed: number;
  readonly grainIds: string[];
  /** Undefined for a vector that is gone. */
  readonly positions: (number | undefined)[];
  /** Vectors that are not gone. */
  live: number;
  position: number;
  values: Float32Array;
}

export interface VectorCacheOptions {
  /** Bytes of vectors that are kept. Default 128 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Vectors of the partitions that were searched last, so that an exact search is one pass over memory: a tenth of a
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
    const { values, grainIds, positions } = this.#matrix(key, source, dimensions);
    const products = dotProducts(query, values, grainIds.length);
    for (let i = 0; i < products.length; i++)
      if (positions[i] !== undefined && (allowed === undefined || allowed.has(grainIds[i] as string)))
        best.add(i, products[i] as number);
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
    if (matrix !== undefined && matrix.removed !== source.removed && !forget(matrix, source, dimensions))
      matrix = undefined;
    if (
      matrix === undefined ||
      matrix.live > source.count ||
      matrix.live < matrix.grainIds.length * leastLive
    )
      matrix = {
        ...{ removed: source.removed, grainIds: [], positions: [] },
        ...{ live: 0, position: 0, values: new Float32Array(0) },
      };
    if (matrix.live < source.count) {
      const rows = matrix.grainIds.length + source.count - matrix.live;
      if (matrix.values.length < rows * dimensions) {
        // Some room for those that come next.
        const larger = new Float32Array(Math.ceil(rows * 1.25) * dimensions);
        larger.set(matrix.values);
        matrix.values = larger;
      }
      for (const { position, grainId, vector } of source.load(matrix.position)) {
        matrix.values.set(vector, matrix.grainIds.length * dimensions);
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

/** Takes out what is not there any more; whether the store can tell. */
function forget(matrix: Matrix, source: VectorSource, dimensions: number): boolean {
  if (source.positions === undefined) return false;
  const gone = goneFrom(matrix.positions, source.positions());
  for (const place of gone) {
    matrix.positions[place] = undefined;
    matrix.values.fill(0, place * dimensions, (place + 1) * dimensions);
  }
  matrix.live -= gone.size;
  matrix.removed = source.removed;
  return true;
}

function neighbours(
  best: Best,
  grainIds: readonly string[],
): readonly { readonly grainId: string; readonly similarity: number }[] {
  return best.list().map(({ item, score }) => ({ grainId: grainIds[item] as string, similarity: score }));
}

/** Of a vector with one that begins at a place of a larger array. */
export function dotProduct(vector: Float32Array, values: Float32Array, start = 0): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (values[start + i] as number);
  return sum;
}

/**
 * Of a vector with each of the first `count` that lie one behind the other in an array; the same numbers as `dotProduct`. Eight
 * sums at a time, which do not wait for each other, take a third of the time.
 */
function dotProducts(vector: Float32Array, values: Float32Array, count: number): Float64Array {
  const products = new Float64Array(count);
  const size = vector.length;
  const factors = Float64Array.from(vector);
  const whole = count - (count % 8);
  for (let row = 0; row < whole; row += 8) {
    const first = row * size;
    const second = first + size;
    const third = second + size;
    const fourth = third + size;
    const fifth = fourth + size;
    const sixth = fifth + size;
    const seventh = sixth + size;
    const eighth = seventh + size;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    for (let i = 0; i < size; i++) {
      const factor = factors[i] as number;
      a += factor * (values[first + i] as number);
      b += factor * (values[second + i] as number);
      c += factor * (values[third + i] as number);
      d += factor * (values[fourth + i] as number);
      e += factor * (values[fifth + i] as number);
      f += factor * (values[sixth + i] as number);
      g += factor * (values[seventh + i] as number);
      h += factor * (values[eighth + i] as number);
    }
    products.set([a, b, c, d, e, f, g, h], row);
  }
  for (let row = whole; row < count; row++) products[row] = dotProduct(vector, values, row * size);
  return products;
}
