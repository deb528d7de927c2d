import { isMainThread } from "node:worker_threads";
import { productsModule } from "./products-module.ts";

/** Numbers that are multiplied in one step; rows are filled up with zeros to a multiple of them. */
const step = 8;
/** Rows whose products are worked out in one call. */
const block = 1024;
const bytesOfNumber = 4;
const bytesOfPage = 65_536;
/** Two of the four gigabytes that a memory may have. */
const mostNumbers = 2 ** 29;
/** How much a number of 32 bits may be off by being rounded, as a share of it. */
const rounding = 2 ** -24;
/** More than what is lost of numbers that are too small to be rounded to a share of them. */
const underflow = 1e-30;

/** What is used of WebAssembly, which TypeScript declares for browsers alone. It is not there in a process without a compiler. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
    readonly Instance: new (
      module: object,
      imports: object,
    ) => { readonly exports: { readonly products: Products } };
  };
};

type Products = (query: number, row: number, bytes: number, count: number, out: number) => void;

let compiled: object | undefined;
/** A memory that there is no room for costs V8 several collections of garbage: none is asked for after the first. */
let isUsable = isMainThread;

/**
 * Rows of numbers in a memory of their own, whose products with a vector a WebAssembly module works out: a fifth of the time that a loop
 * takes. Its numbers are of 32 bits, so that products are nearly right, and `error` says how nearly.
 */
export class SimdMemory {
  /** From the beginning of a row to that of the next one, in numbers. */
  readonly stride: number;
  readonly rows: Float32Array<ArrayBuffer>;
  readonly #query: Float32Array;
  readonly #out: Float32Array;
  readonly #products: Products;

  private constructor(dimensions: number, rows: number) {
    this.stride = Math.ceil(dimensions / step) * step;
    const sizes = [this.stride, block, rows * this.stride];
    const bytes = bytesOfNumber * sizes.reduce((sum, size) => sum + size);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / bytesOfPage) });
    const [query, out] = [0, bytesOfNumber * this.stride];
    this.#query = new Float32Array(memory.buffer, query, dimensions);
    this.#out = new Float32Array(memory.buffer, out, block);
    this.rows = new Float32Array(memory.buffer, out + bytesOfNumber * block, rows * this.stride);
    compiled ??= new WebAssembly.Module(Buffer.from(productsModule, "base64"));
    const { exports } = new WebAssembly.Instance(compiled, { rows: { memory } });
    this.#products = exports.products;
  }

  /**
   * Room for so many rows, all zero. Undefined where there is or was none, where WebAssembly is switched off, and in threads other than
   * the main one, which V8 was seen to crash with (docs/decisions/0012).
   */
  static open(dimensions: number, rows: number): SimdMemory | undefined {
    if (!isUsable || rows * dimensions > mostNumbers) return undefined;
    try {
      return new SimdMemory(dimensions, rows);
    } catch {
      isUsable = false;
      return undefined;
    }
  }

  /** Products of a vector with the first so many rows. */
  products(vector: Float32Array, count: number): Float32Array {
    const products = new Float32Array(count);
    this.#query.set(vector);
    const bytes = bytesOfNumber * this.stride;
    for (let first = 0; first < count; first += block) {
      const some = Math.min(block, count - first);
      this.#products(
        ...([this.#query.byteOffset, this.rows.byteOffset + first * bytes] as const),
        ...([bytes, some, this.#out.byteOffset] as const),
      );
      products.set(this.#out.subarray(0, some), first);
    }
    return products;
  }

  /**
   * How far a product of two vectors of these lengths may be from the true one. Each number goes through a multiplication and the
   * additions of its lane, and lanes are added in three steps; see N. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.
   */
  error(length: number, other: number): number {
    const roundings = this.stride / step + 4;
    return ((roundings * rounding) / (1 - roundings * rounding)) * length * other + underflow;
  }
}
