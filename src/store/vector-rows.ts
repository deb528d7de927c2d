import { dotProduct, dotProducts } from "./dot-product.ts";
import { SimdMemory } from "./simd-memory.ts";

/** Bytes of numbers from which on a memory of their own pays. It reserves 8 GB of addresses, and there are not endlessly many. */
const large = 2 ** 20;

/** Vectors of one length, one behind the other in memory. */
export class VectorRows {
  readonly #dimensions: number;
  #stride: number;
  #values = new Float32Array(0);
  #simd: SimdMemory | undefined;
  /** Length of the longest vector that was ever set. */
  #longest = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#stride = dimensions;
  }

  get byteLength(): number {
    return this.#values.byteLength;
  }

  /** Makes room for so many, and some more for those that come next. */
  reserve(rows: number): void {
    if (rows * this.#stride <= this.#values.length) return;
    const room = Math.ceil(rows * 1.25);
    const [before, stride] = [this.#values, this.#stride];
    this.#simd = room * stride * 4 < large ? undefined : SimdMemory.open(this.#dimensions, room);
    this.#stride = this.#simd?.stride ?? this.#dimensions;
    this.#values = this.#simd?.rows ?? new Float32Array(room * this.#dimensions);
    if (this.#stride === stride) this.#values.set(before);
    else
      for (let row = 0; row * stride < before.length; row++)
        this.#values.set(before.subarray(row * stride, row * stride + this.#dimensions), row * this.#stride);
  }

  set(row: number, vector: Float32Array): void {
    this.#values.set(vector, row * this.#stride);
    this.#longest = Math.max(this.#longest, lengthOf(vector));
  }

  clear(row: number): void {
    this.#values.fill(0, row * this.#stride, (row + 1) * this.#stride);
  }

  /** Of a vector with a row. */
  product(vector: Float32Array, row: number): number {
    return dotProduct(vector, this.#values, row * this.#stride);
  }

  /** Of a vector with the first so many rows, and how far at most each is from what `product` says. */
  products(
    vector: Float32Array,
    count: number,
  ): { readonly products: Float32Array | Float64Array; readonly error: number } {
    if (this.#simd === undefined) return { products: dotProducts(vector, this.#values, count), error: 0 };
    return {
      products: this.#simd.products(vector, count),
      error: this.#simd.error(lengthOf(vector), this.#longest),
    };
  }
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, vector));
}
