import { Best } from "./best.ts";
import { dotProduct, dotProducts } from "./dot-product.ts";
import { QuantisedRows } from "./quantised-rows.ts";

/** Bytes of numbers from which on a first look pays. Its memory reserves 8 GB of addresses, and there are not endlessly many. */
const large = 2 ** 20;

/** Vectors of one length, one behind the other in memory. */
export class VectorRows {
  readonly #dimensions: number;
  #values = new Float32Array(0);
  #rows = 0;
  /** Where there are many, the same vectors once more, for a first look that leaves few. */
  #quantised: QuantisedRows | undefined;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  get byteLength(): number {
    return this.#values.byteLength + (this.#quantised?.byteLength ?? 0);
  }

  /** Makes room for so many, and some more for those that come next. */
  reserve(rows: number): void {
    if (rows * this.#dimensions <= this.#values.length) return;
    const room = Math.ceil(rows * 1.2);
    const before = this.#values;
    this.#values = new Float32Array(room * this.#dimensions);
    this.#values.set(before);
    if (this.#quantised !== undefined) {
      if (!this.#quantised.reserve(room)) this.#quantised = undefined;
    } else if (this.#values.byteLength >= large) {
      this.#quantised = QuantisedRows.open(this.#dimensions, room);
      for (let row = 0; row < this.#rows; row++) this.#quantised?.set(row, this.#vector(row));
    }
  }

  set(row: number, vector: Float32Array): void {
    this.#vector(row).set(vector);
    this.#quantised?.set(row, vector);
    this.#rows = Math.max(this.#rows, row + 1);
  }

  clear(row: number): void {
    this.set(row, new Float32Array(this.#dimensions));
  }

  /** The product of a vector with a row. */
  product(vector: Float32Array, row: number): number {
    return dotProduct(vector, this.#values, row * this.#dimensions);
  }

  /**
   * The nearest of the first so many rows by `product`, to the last bit.
   *
   * @param counts which rows may be among them
   */
  nearest(
    vector: Float32Array,
    { count, limit }: { readonly count: number; readonly limit: number },
    counts: (row: number) => boolean,
  ): Best {
    const rows = this.#quantised?.nearest(vector, count, limit, counts);
    const products = dotProducts(vector, this.#values, rows?.length ?? count, rows);
    const best = new Best(limit);
    let floor = best.floor;
    for (let i = 0; i < products.length; i++) {
      const [row, product] = [rows === undefined ? i : (rows[i] as number), products[i] as number];
      if (product < floor || (rows === undefined && !counts(row))) continue;
      best.add(row, product);
      floor = best.floor;
    }
    return best;
  }

  #vector(row: number): Float32Array {
    return this.#values.subarray(row * this.#dimensions, (row + 1) * this.#dimensions);
  }
}
