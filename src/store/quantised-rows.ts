import { Best } from "./best.ts";
import { dotProduct } from "./dot-product.ts";
import { SimdMemory } from "./simd-memory.ts";

/** The largest whole number of a row, and of a vector that is compared with rows. */
const most = 127;
const mostOfQuery = 32_767;
/** More than what rounding to 64 bits can do to a product of two vectors of length 1, and to what bounds it. */
const rounding = 1e-11;
/** The smallest number of 32 bits that has all of its digits, and what smaller ones may be off by. */
const leastStep = 2 ** -126;
const underflow = 2 ** -149;

/**
 * Vectors in whole numbers of 8 bits, each with a scale of its own: a quarter of the memory, which is what comparing costs. What
 * that leaves out of a vector is known by its length, and so how far a product may be from the true one at most.
 */
export class QuantisedRows {
  readonly #dimensions: number;
  readonly #memory: SimdMemory;
  readonly #query: Int16Array;
  /** Length at most of the longest that was ever set, and of that as it is kept. */
  #longest = 0;

  private constructor(dimensions: number, memory: SimdMemory) {
    this.#dimensions = dimensions;
    this.#memory = memory;
    this.#query = new Int16Array(dimensions);
  }

  /** Undefined where there is no room, or no WebAssembly. */
  static open(dimensions: number, rows: number): QuantisedRows | undefined {
    const memory = SimdMemory.open(dimensions, rows);
    return memory && new QuantisedRows(dimensions, memory);
  }

  get byteLength(): number {
    return this.#memory.byteLength;
  }

  /** Makes room for so many; whether there is any. */
  reserve(rows: number): boolean {
    return this.#memory.reserve(rows);
  }

  set(row: number, vector: Float32Array): void {
    const { rows, scales, stride } = this.#memory;
    const scale = Math.fround(largest(vector) / most);
    const error = quantise(vector, scale, rows, row * stride);
    scales[2 * row] = scale;
    // Length at most of what is left out: rounded up.
    scales[2 * row + 1] = error * (1 + 2 ** -20) + underflow;
    this.#longest = Math.max(this.#longest, lengthOf(vector) + error);
  }

  /**
   * Those of the first so many rows that may be among the nearest of those that count: all others are farther than `limit` of
   * them, by the product with a vector in numbers of 64 bits.
   */
  nearest(vector: Float32Array, count: number, limit: number, counts: (row: number) => boolean): number[] {
    const memory = this.#memory;
    // A sum of products must fit 32 bits.
    const steps = Math.min(mostOfQuery, Math.floor((2 ** 31 - 1) / (most * this.#dimensions)));
    const scale = largest(vector) / steps;
    const left = quantise(vector, scale, this.#query, 0);
    // A product is off by what is left out of the row, times the vector, and by the row, times what is left out of the vector.
    const perError = lengthOf(vector) * (1 + rounding);
    const always = (left * (1 + rounding) + lengthOf(vector) * rounding) * this.#longest;
    const tolerance = { scale, perError, always };
    const { scales, found } = memory;
    memory.ask(this.#query);
    const least = new Best(limit);
    let floor = least.floor;
    const rows: number[] = [];
    const bounds: number[] = [];
    for (let first = 0; first < count; first += SimdMemory.block) {
      const some = Math.min(count - first, SimdMemory.block);
      const end = 2 * memory.reach(first, some, tolerance, floor);
      for (let i = 0; i < end; i += 2) {
        const row = first + (found[i] as number);
        const product = (found[i + 1] as number) * scale * (scales[2 * row] as number);
        const off = perError * (scales[2 * row + 1] as number) + always;
        if (product + off < floor || !counts(row)) continue;
        rows.push(row);
        bounds.push(product + off);
        least.add(row, product - off);
        floor = least.floor;
      }
    }
    return rows.filter((_, i) => (bounds[i] as number) >= floor);
  }
}

/**
 * Writes a vector in whole numbers, of which the largest is that of its numbers in steps.
 *
 * @param step so small a one that it may have lost digits counts as none, and all is left out
 * @returns the length of what is left out
 */
function quantise(vector: Float32Array, step: number, into: Int8Array | Int16Array, start: number): number {
  const perStep = step < leastStep ? 0 : 1 / step;
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    const whole = Math.round(value * perStep);
    into[start + i] = whole;
    const left = value - whole * step;
    squares += left * left;
  }
  return Math.sqrt(squares);
}

function largest(vector: Float32Array): number {
  let most = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i] as number);
    if (size > most) most = size;
  }
  return most;
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, vector));
}
