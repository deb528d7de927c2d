import type { RowWrite } from "../../driver.ts";
import type { IndexEntry } from "../../search.ts";
import { encodeVector } from "../../vector-bytes.ts";
import type { Connection } from "../connection.ts";
import { forgetLaterText, removeEntryText, removeTokensText } from "./clean-index.ts";
import { tokens } from "./terms.ts";

const findEntryText = `select "position", "length", "terms" from "entry"
  where "partition" = ? and "grain_id" = ? and "space" = ?`;
const insertEntryText = `insert into "entry" ("position", "partition", "grain_id", "space", "length", "terms")
  values (?, ?, ?, ?, ?, ?)`;
// A position that was once given is never given again, so that a copy of the index can tell by them what went.
const lastPositionText = `select max("last_entry", coalesce((select max("position") from "entry"), 0)) from "meta"`;
const keepLastText = `update "meta" set "last_entry" = ?`;
const listEntriesText = `select "position", "length", "terms", "space" from "entry"
  where "partition" = ? and "grain_id" = ?`;
const listAllEntriesText = `select "position", "length", "terms", "space" from "entry" where "partition" = ?`;
const insertTokensText = `insert into "entry_tokens" (rowid, "tokens") values (?, ?)`;
const insertVectorText = `insert into "vector" ("partition", "grain_id", "space", "vector") values (?, ?, ?, ?)`;
const removeVectorText = `delete from "vector" where "partition" = ? and "grain_id" = ? and "space" = ?
  returning "space", "position"`;
const removeVectorsText = `delete from "vector" where "partition" = ? and "grain_id" = ?
  returning "space", "position"`;
const clearVectorsText = `delete from "vector" where "partition" = ?`;
const emptySizesText = `update "index_size" set "entries" = 0, "terms" = 0, "removed" = "removed" + "entries"
  where "partition" = ?`;
const resizeText = `insert into "index_size" ("partition", "space", "entries", "terms", "removed") values (?, ?, ?, ?, ?)
  on conflict ("partition", "space") do update set "entries" = "entries" + excluded."entries",
  "terms" = "terms" + excluded."terms", "removed" = "removed" + excluded."removed"`;

/** From how many entries on it is cheaper to leave their terms to the next cleaning than to overwrite each one. */
const manyEntries = 100;

interface Resize {
  entries: number;
  terms: number;
  removed: number;
}

/** Makes the changes of one outcome to the index. */
export function writeIndex(connection: Connection, partition: number, writes: readonly RowWrite[]): void {
  let writer: IndexWriter | undefined;
  // What goes, goes first, as elsewhere.
  for (const write of writes) {
    if (write.type !== "unindex") continue;
    writer ??= new IndexWriter(connection, partition);
    if (write.grainId === undefined) writer.clear();
    else writer.remove(write.grainId);
  }
  for (const write of writes) {
    if (write.type !== "index") continue;
    writer ??= new IndexWriter(connection, partition);
    writer.put(write.grainId, write.entry);
  }
  writer?.finish();
}

class IndexWriter {
  readonly #connection: Connection;
  readonly #partition: number;
  readonly #resizes = new Map<number, Resize>();
  #removed = 0;
  /** The last position that was given to an entry. */
  #last: number;

  constructor(connection: Connection, partition: number) {
    this.#connection = connection;
    this.#partition = partition;
    this.#last = (connection.statement(lastPositionText).get()?.[0] ?? 0) as number;
  }

  put(grainId: string, entry: IndexEntry): void {
    const key = [this.#partition, grainId, entry.space] as const;
    const resize = this.#resize(entry.space);
    if ("vector" in entry) {
      this.#removeVectors(removeVectorText, key);
      resize.entries += 1;
      this.#connection.statement(insertVectorText).run(...key, encodeVector(entry.vector));
      return;
    }
    const before = this.#connection.statement(findEntryText).get(...key);
    if (before !== undefined) this.#removeEntry([...before, entry.space]);
    const terms = entry.terms.join(" ");
    this.#last += 1;
    this.#connection.statement(insertEntryText).run(this.#last, ...key, entry.terms.length, terms);
    this.#connection.statement(insertTokensText).run(this.#last, tokens(this.#partition, entry.space, terms));
    resize.entries += 1;
    resize.terms += entry.terms.length;
  }

  remove(grainId: string): void {
    const key = [this.#partition, grainId] as const;
    for (const row of this.#connection.statement(listEntriesText).all(...key)) this.#removeEntry(row);
    this.#removeVectors(removeVectorsText, key);
  }

  #removeVectors(text: string, key: readonly unknown[]): void {
    for (const [space, position] of this.#connection.statement(text).all(...key) as [number, number][]) {
      this.#connection.removed.vector.add(this.#partition, space, position);
      const resize = this.#resize(space);
      resize.entries -= 1;
      resize.removed += 1;
    }
  }

  #removeEntry([position, length, terms, space]: readonly unknown[]): void {
    this.#removed += 1;
    if (this.#removed === manyEntries) this.#connection.statement(forgetLaterText).run();
    const text = tokens(this.#partition, space as number, terms as string);
    this.#connection.statement(removeTokensText).run(position, text);
    this.#connection.statement(removeEntryText).run(position);
    this.#connection.removed.entry.add(this.#partition, space as number, position as number);
    const resize = this.#resize(space as number);
    resize.entries -= 1;
    resize.terms -= length as number;
    resize.removed += 1;
  }

  clear(): void {
    const rows = this.#connection.statement(listAllEntriesText).all(this.#partition);
    if (rows.length >= manyEntries) this.#connection.statement(forgetLaterText).run();
    for (const row of rows) this.#removeEntry(row);
    this.#connection.statement(clearVectorsText).run(this.#partition);
    // The spaces keep their count of removals, by which others notice that what they remember is gone, and how much of it.
    this.#connection.statement(emptySizesText).run(this.#partition);
    this.#resizes.clear();
  }

  #resize(space: number): Resize {
    let resize = this.#resizes.get(space);
    if (resize === undefined) {
      resize = { entries: 0, terms: 0, removed: 0 };
      this.#resizes.set(space, resize);
    }
    return resize;
  }

  finish(): void {
    for (const [space, { entries, terms, removed }] of this.#resizes)
      this.#connection.statement(resizeText).run(this.#partition, space, entries, terms, removed);
    if (this.#removed > 0) this.#connection.statement(keepLastText).run(this.#last);
  }
}
