import { compareUtf8 } from "../../model/unicode.ts";
import type { FindRows, IndexValue } from "../driver.ts";
import { indexOrder, type Row, type Table } from "../table.ts";
import { orderValue } from "../translate.ts";

/** Rows kept in the order of an index. */
export class SortedRows {
  readonly #table: Table;
  readonly #order: readonly string[];
  readonly #rows: Row[] = [];

  constructor(table: Table, index: string) {
    this.#table = table;
    this.#order = indexOrder(table, index);
  }

  add(row: Row): void {
    this.#rows.splice(this.#search(this.#values(row), "first"), 0, row);
  }

  delete(row: Row): void {
    const at = this.#search(this.#values(row), "first");
    if (this.#rows[at] === row) this.#rows.splice(at, 1);
  }

  /** Whether a row has these leading values. */
  has(values: readonly IndexValue[]): boolean {
    const row = this.#rows[this.#search(values, "first")];
    return row !== undefined && this.#compare(row, values) === 0;
  }

  /** The rows that a find asks for, before its filter and limit. */
  *scan({ prefix, range, after, reverse = false }: FindRows): Generator<Row> {
    let start = this.#search(prefix, "first");
    let end = this.#search(prefix, "last");
    if (range?.gt !== undefined) start = Math.max(start, this.#search([...prefix, range.gt], "last"));
    if (range?.gte !== undefined) start = Math.max(start, this.#search([...prefix, range.gte], "first"));
    if (range?.lt !== undefined) end = Math.min(end, this.#search([...prefix, range.lt], "first"));
    if (range?.lte !== undefined) end = Math.min(end, this.#search([...prefix, range.lte], "last"));
    if (after !== undefined) {
      const position = [...prefix, ...after];
      if (reverse) end = Math.min(end, this.#search(position, "first"));
      else start = Math.max(start, this.#search(position, "last"));
    }
    if (reverse) for (let i = end - 1; i >= start; i--) yield this.#rows[i] as Row;
    else for (let i = start; i < end; i++) yield this.#rows[i] as Row;
  }

  /** Where rows that start with the values begin ("first"), or where those behind them begin ("last"). */
  #search(values: readonly IndexValue[], side: "first" | "last"): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(this.#rows[middle] as Row, values);
      if (order < 0 || (order === 0 && side === "last")) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #values(row: Row): IndexValue[] {
    return this.#order.map((column) => orderValue(this.#table, row, column));
  }

  #compare(row: Row, values: readonly IndexValue[]): number {
    for (const [i, value] of values.entries()) {
      const order = compareValues(orderValue(this.#table, row, this.#order[i] as string), value);
      if (order !== 0) return order;
    }
    return 0;
  }
}

function compareValues(a: IndexValue, b: IndexValue): number {
  return typeof a === "string" && typeof b === "string" ? compareUtf8(a, b) : Number(a) - Number(b);
}
