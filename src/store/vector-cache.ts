import { Best } from "./best.ts";
import { goneFrom, leastLive, type Positions } from "./gone.ts";

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
  values: Float32Array;
}

/** Where fewer than one in so many vectors is allowed, these are compared one by one, and the others not at all. */
const fewAllowed = 8;

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
    const { values, grainIds } = this.#matrix(key, source, dimensions);
    const products =
      allowed !== undefined && allowed.size * fewAllowed < grainIds.length
        ? undefined
        : dotProducts(query, values, grainIds.length);
    for (let i = 0; i < grainIds.length; i++)
      if (grainIds[i] !== undefined && (allowed === undefined || allowed.has(grainIds[i] as string)))
        best.add(i, products?.[i] ?? dotProduct(query, values, i * dimensions));
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
    ) {
      // What went before is of no account any more.
      source.removedHere?.();
      matrix = {
        ...{ removed: source.removed, grainIds: [], positions: [] },
        ...{ live: 0, position: 0, values: new Float32Array(0) },
      };
    }
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
  const gone = goneFrom(matrix.positions, matrix.removed, source);
  if (gone === undefined) return false;
  for (const place of gone) {
    if (matrix.grainIds[place] === undefined) continue;
    matrix.grainIds[place] = undefined;
    matrix.values.fill(0, place * dimensions, (place + 1) * dimensions);
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

/** Of a vector with one that begins at a place of a larger array. */
export function dotProduct(vector: Float32Array, values: Float32Array, start = 0): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (values[start + i] as number);
  return sum;
}

/**
 * Of a vector with each of the first `count` that lie one behind the other in an array; the same numbers as `dotProduct`. Four
 * vectors at a time, whose sums do not wait for each other, and four numbers of each take half of the time.
 */
function dotProducts(vector: Float32Array, values: Float32Array, count: number): Float64Array {
  const products = new Float64Array(count);
  const size = vector.length;
  const factors = Float64Array.from(vector);
  const wholeRows = count - (count % 4);
  const whole = size - (size % 4);
  for (let row = 0; row < wholeRows; row += 4) {
    const first = row * size;
    const second = first + size;
    const third = second + size;
    const fourth = third + size;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < whole; i += 4) {
      const w = factors[i] as number;
      const x = factors[i + 1] as number;
      const y = factors[i + 2] as number;
      const z = factors[i + 3] as number;
      a = sum4(a, w, x, y, z, values, first + i);
      b = sum4(b, w, x, y, z, values, second + i);
      c = sum4(c, w, x, y, z, values, third + i);
      d = sum4(d, w, x, y, z, values, fourth + i);
    }
    for (let i = whole; i < size; i++) {
      const factor = factors[i] as number;
      a += factor * (values[first + i] as number);
      b += factor * (values[second + i] as number);
      c += factor * (values[third + i] as number);
      d += factor * (values[fourth + i] as number);
    }
    products[row] = a;
    products[row + 1] = b;
    products[row + 2] = c;
    products[row + 3] = d;
  }
  for (let row = wholeRows; row < count; row++) products[row] = dotProduct(vector, values, row * size);
  return products;
}

/** A sum and four products more, added in their order. */
function sum4(
  sum: number,
  w: number,
  x: number,
  y: number,
  z: number,
  values: Float32Array,
  at: number,
): number {
  return (
    sum +
    w * (values[at] as number) +
    x * (values[at + 1] as number) +
    y * (values[at + 2] as number) +
    z * (values[at + 3] as number)
  );
}
