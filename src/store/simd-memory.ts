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
    ) => { readonly exports: { readonly reach: Reach } };
  };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

type Reach = (
  query: number,
  row: number,
  bytes: number,
  count: number,
  scales: number,
  out: number,
  scale: number,
  perError: number,
  always: number,
  floor: number,
) => number;

/** What a product times `scale` may be off by: `perError` times the error of the row, and `always`. */
export interface Tolerance {
  readonly scale: number;
  readonly perError: number;
  readonly always: number;
}

let compiled: object | undefined;
/**
 * A memory that there is no room for costs V8 several collections of garbage: none is asked for after the first. WebAssembly has the
 * lower byte of a number first on every machine.
 */
let isUsable = isMainThread && endianness() === "LE";

/**
 * Rows of whole numbers of 8 bits in a memory of their own, each with a scale and an error, which a WebAssembly module multiplies with a
 * vector of 16 bits.
 */
export class SimdMemory {
  /** Most rows that are looked at in one call: a higher floor is for the next one. */
  static readonly block = 1024;
  /** From the beginning of a row to that of the next one, in numbers. */
  readonly stride: number;
  readonly #memory: Memory;
  readonly #reach: Reach;
  #room: number;
  #query = new Int16Array();
  #out = new Int32Array();
  #scales = new Float32Array();
  #rows = new Int8Array();

  private constructor(dimensions: number, rows: number) {
    this.stride = strideOf(dimensions);
    this.#room = rows;
    this.#memory = new WebAssembly.Memory({ initial: pagesFor(rows, this.stride) });
    compiled ??= new WebAssembly.Module(Buffer.from(productsModule, "base64"));
    const { exports } = new WebAssembly.Instance(compiled, { rows: { memory: this.#memory } });
    this.#reach = exports.reach;
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

  /** All rows, one behind the other. Another array once there is room for more, as `scales` is. */
  get rows(): Int8Array {
    return this.#rows;
  }

  /** Of each row its scale and its error. */
  get scales(): Float32Array {
    return this.#scales;
  }

  /** Makes room for so many rows; whether there is any. */
  reserve(rows: number): boolean {
    if (rows <= this.#room) return true;
    const pages = pagesFor(rows, this.stride);
    if (pages > mostPages) return false;
    try {
      this.#memory.grow(Math.max(0, pages - this.byteLength / bytesOfPage));
    } catch {
      isUsable = false;
      return false;
    }
    const [before, length] = [offsetOfRows(this.#room, this.stride), this.#room * this.stride];
    this.#room = rows;
    this.#look();
    // Rows make place for the scales of those that come.
    const start = this.#rows.byteOffset;
    new Int8Array(this.#memory.buffer).copyWithin(start, before, before + length).fill(0, before, start);
    return true;
  }

  /** Sets the vector that rows are multiplied with. */
  ask(vector: Int16Array): void {
    this.#query.set(vector);
  }

  /**
   * Looks which of the rows from one on, a block at most, may have a product that reaches a floor, as long as all products fit 32 bits.
   *
   * @returns how many do; `found` has which
   */
  reach(first: number, count: number, { scale, perError, always }: Tolerance, floor: number): number {
    const row = this.#rows.byteOffset + first * this.stride;
    const scales = this.#scales.byteOffset + 8 * first;
    const [query, out] = [this.#query.byteOffset, this.#out.byteOffset];
    return this.#reach(query, row, this.stride, count, scales, out, scale, perError, always, floor);
  }

  /** What `reach` has found, until it is called again: of each row its place among those, and its product with the vector as it is. */
  get found(): Int32Array {
    return this.#out;
  }

  /** A memory that has grown is another buffer. */
  #look(): void {
    const { buffer } = this.#memory;
    this.#query = new Int16Array(buffer, 0, this.stride);
    this.#out = new Int32Array(buffer, 2 * this.stride, 2 * SimdMemory.block);
    this.#scales = new Float32Array(buffer, offsetOfScales(this.stride), 2 * this.#room);
    const start = offsetOfRows(this.#room, this.stride);
    this.#rows = new Int8Array(buffer, start, this.#room * this.stride);
  }
}

function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / step) * step;
}

function offsetOfScales(stride: number): number {
  return 2 * stride + 8 * SimdMemory.block;
}

function offsetOfRows(rows: number, stride: number): number {
  return offsetOfScales(stride) + 8 * rows;
}

function pagesFor(rows: number, stride: number): number {
  return Math.ceil((offsetOfRows(rows, stride) + rows * stride) / bytesOfPage);
}
