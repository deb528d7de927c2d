import { rowName } from "./batch-reads.ts";
import type { RowRead } from "./driver.ts";
import type { Row } from "./table.ts";

/** Answers reads with rows that others found already in the same transaction. */
export class KnownRows {
  readonly #rows = new Map<string, Row>();

  /** @param rows of each read, which are whole where they are records */
  constructor(reads: readonly RowRead[], rows: readonly (readonly Row[])[]) {
    reads.forEach((read, i) => {
      if (read.type !== "get" && read.type !== "find") return;
      if (!("schema" in read.table) || read.columns !== undefined) return;
      for (const row of rows[i] ?? []) this.#rows.set(rowName(read.table.name, row.id as string), row);
    });
  }

  /** The reads that it has no answer to. */
  missing(reads: readonly RowRead[]): readonly RowRead[] {
    return reads.filter((read) => this.#answer(read) === undefined);
  }

  /** The rows of all reads, given those of the missing ones. */
  merge(reads: readonly RowRead[], found: readonly (readonly Row[])[]): readonly (readonly Row[])[] {
    let next = 0;
    return reads.map((read) => {
      const known = this.#answer(read);
      return known === undefined ? (found[next++] ?? []) : [known];
    });
  }

  #answer(read: RowRead): Row | undefined {
    if (read.type !== "get" || !("schema" in read.table)) return undefined;
    return this.#rows.get(rowName(read.table.name, read.key[0] as string));
  }
}
