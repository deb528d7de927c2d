import { endianness } from "node:os";
import { isMainThread } from "node:worker_threads";
import { productsModule } from "./products-module.ts";

/** Numbers that are multiplied in one step; rows are filled up with zeros to a multiple of them. */
const step = 16;
const bytesOfPage = 65_536;
/** Half of what a memory may have. */
const mostPages = 2 ** 15;

/** What is used of WebAssembly, which TypeScript declares for browsers alone. It is not there in a process without a compiler. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Memory: new (size: { readonly initial: number }) => Memory;
    readonly Instance: new (
      module: object,
      imports: object,
    ) => { readonly exports: { readonly products: Products } };
  };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

type Products = (query: number, row: number, bytes: number, count: number, out: number) => void;

let compiled: object | undefined;
/**
 * A memory that there is no room for costs V8 several collections of garbage: none is asked for after the first. WebAssembly has the
 * lower byte of a number first on every machine.
 */
let isUsable = isMainThread && endianness() === "LE";

/** Rows of whole numbers of 8 bits in a memory of their own, whose products with a vector of 16 bits a WebAssembly module works out. */
export class SimdMemory {
  /** Most rows whose products are worked out at once: so few that their products are near when they are looked at. */
  static readonly block = 1024;
  /** From the beginning of a row to that of the next one, in numbers. */
  readonly stride: number;
  readonly #memory: Memory;
  readonly #products: Products;
  #query = new Int16Array();
  #out = new Int32Array();
  #rows = new Int8Array();

  private constructor(dimensions: number, rows: number) {
    this.stride = strideOf(dimensions);
    this.#memory = new WebAssembly.Memory({ initial: pagesFor(rows, this.stride) });
    compiled ??= new WebAssembly.Module(Buffer.from(productsModule, "base64"));
    const { exports } = new WebAssembly.Instance(compiled, { rows: { memory: this.#memory } });
    this.#products = exports.products;
    this.#look();
  }

  /**
   * Room for so many rows, all zero. Undefined where there is or was none, where WebAssembly is switched off, and in threads other than
   * the main one, which V8 was seen to crash with (docs/decisions/0012).
   */
  static open(dimensions: number, rows: number): SimdMemory | undefined {
    if (!isUsable || pagesFor(rows, strideOf(dimensions)) > mostPages) return undefined;
    try {
      return new SimdMemory(dimensions, rows);
    } catch {
      isUsable = false;
      return undefined;
    }
  }

  get byteLength(): number {
    return this.#memory.buffer.byteLength;
  }

  /** All rows, one behind the other; another array once there is room for more. */
  get rows(): Int8Array {
    return this.#rows;
  }

  /** Makes room for so many rows, of which those behind the ones before are zero; whether there is any. */
  reserve(rows: number): boolean {
    const [before, pages] = [this.byteLength / bytesOfPage, pagesFor(rows, this.stride)];
    if (pages <= before) return true;
    if (pages > mostPages) return false;
    try {
      this.#memory.grow(pages - before);
    } catch {
      isUsable = false;
      return false;
    }
    this.#look();
    return true;
  }

  /**
   * Products of a vector with rows from one on, at most a block of them, as long as each product fits 32 bits. They stand at the
   * beginning of what is returned, until the next ones do.
   */
  products(vector: Int16Array, first: number, count: number): Int32Array {
    this.#query.set(vector);
    const [query, out] = [this.#query.byteOffset, this.#out.byteOffset];
    this.#products(query, this.#rows.byteOffset + first * this.stride, this.stride, count, out);
    return this.#out;
  }

  /** A memory that has grown is another buffer. */
  #look(): void {
    const { buffer } = this.#memory;
    this.#query = new Int16Array(buffer, 0, this.stride);
    this.#out = new Int32Array(buffer, 2 * this.stride, SimdMemory.block);
    this.#rows = new Int8Array(buffer, 2 * this.stride + 4 * SimdMemory.block);
  }
}

function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / step) * step;
}

function pagesFor(rows: number, stride: number): number {
  return Math.ceil((2 * stride + 4 * SimdMemory.block + rows * stride) / bytesOfPage);
}
