import { FluxError } from "../../model/errors.ts";
import type { Metadata } from "../../model/metadata.ts";
import type { GrainSearch, RowRead, RowWrite } from "../driver.ts";
import { matches } from "../filter.ts";
import { meets } from "../meets.ts";
import { recordTables, tables } from "../schema.ts";
import { systemTables } from "../system-tables.ts";
import { project, type Row, type Table } from "../table.ts";
import { orderValue } from "../translate.ts";
import { GrainIndex } from "./grain-index.ts";
import { SortedRows } from "./sorted-rows.ts";

/** The rows of one partition. */
export class PartitionRows {
  readonly #tables = new Map(tables.map((table) => [table.name, new TableRows(table)]));

  readonly #index = new GrainIndex();

  read(read: Exclude<RowRead, { readonly type: "spaces" }>): readonly Row[] {
    switch (read.type) {
      case "get":
        return this.#of(read.table)
          .get(read.key, read.now)
          .map((row) => projected(row, read.columns));
      case "match":
        return this.#index.match(read, this.#grains(read));
      case "nearest":
        return this.#index.nearest(read, this.#grains(read));
      case "around":
        return this.#around(read);
      case "indexed":
        return [{ count: this.#index.count(read.grainIds) }];
      case "find": {
        const { limit = Number.POSITIVE_INFINITY, filter, now, columns } = read;
        const found: Row[] = [];
        for (const stored of this.#of(read.table).index(read.index).scan(read)) {
          if (found.length >= limit) break;
          if (expired(stored, now)) continue;
          if (filter !== undefined && !matches(filter, metadataOf(stored))) continue;
          found.push(projected(stored, columns));
        }
        return found;
      }
      case "count": {
        const { upTo = Number.POSITIVE_INFINITY } = read;
        let count = 0;
        for (const row of this.#of(read.table).all())
          if (((row.seq as number | undefined) ?? 0) <= upTo) count += 1;
        return [{ count }];
      }
    }
  }

  /** Looks up grains, as far as a search may return them. */
  #grains({ where, now }: GrainSearch): (id: string) => Row | undefined {
    const grains = this.#of(recordTables.grain);
    return (id) => {
      const [row] = grains.get([id], now);
      return row !== undefined && meets(row, where, now) ? row : undefined;
    };
  }

  #around({ points, reach, now }: Extract<RowRead, { readonly type: "around" }>): readonly Row[] {
    const bySession = this.#of(recordTables.grain).index("bySession");
    return points.flatMap(({ id, sessionId, ownerKind, seq }) =>
      [-1, 1].flatMap((side) => {
        const found: Row[] = [];
        const range = side < 0 ? { lt: seq } : { gt: seq };
        const find = {
          type: "find",
          table: recordTables.grain,
          index: "bySession",
          prefix: [sessionId],
        } as const;
        for (const row of bySession.scan({ ...find, range, reverse: side < 0 })) {
          if (found.length >= reach) break;
          if (row.ownerKind !== ownerKind || expired(row, now)) continue;
          found.push({ grain: row, of: id, distance: side * (found.length + 1) });
        }
        return found;
      }),
    );
  }

  /** Drops what a space holds. */
  dropSpace(space: number): void {
    this.#index.drop(space);
  }

  /** Applies all writes, or none if one of them violates a key. */
  write(writes: readonly RowWrite[]): void {
    const undo: (() => void)[] = [];
    try {
      // Keys that go must be free before others take them.
      for (const write of writes)
        if (write.type !== "insert" && write.type !== "replace") this.#apply(write, undo);
      for (const write of writes) if (write.type === "replace") this.#apply(write, undo);
      for (const write of writes) if (write.type === "insert") this.#apply(write, undo);
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    }
  }

  #apply(write: RowWrite, undo: (() => void)[]): void {
    switch (write.type) {
      case "insert":
        this.#of(write.table).insert(write.row, undo);
        break;
      case "replace":
        this.#of(write.table).remove(
          write.table.key.map((column) => write.row[column] as string),
          undo,
        );
        this.#of(write.table).insert(write.row, undo);
        break;
      case "remove":
        this.#of(write.table).remove(write.key, undo);
        break;
      case "clear":
        this.#of(write.table).clear(undo);
        break;
      case "index":
        this.#index.put(write.grainId, write.entry, undo);
        break;
      case "unindex":
        if (write.grainId === undefined) this.#index.clear(undo);
        else this.#index.delete(write.grainId, undo);
        break;
      case "scrub": {
        const operations = this.#of(systemTables.operation);
        for (const row of [...operations.all()]) {
          if (row.result === undefined) continue;
          operations.remove([row.id as string], undo);
          operations.insert({ ...row, result: undefined }, undo);
        }
      }
    }
  }

  #of(table: Table): TableRows {
    const rows = this.#tables.get(table.name);
    if (rows === undefined) throw new RangeError(`There is no table ${table.name}`);
    return rows;
  }

  *expired(
    table: Table,
    { after, until }: { readonly after: number; readonly until: number },
  ): Generator<string> {
    for (const row of this.#of(table).all())
      if (expired(row, until) && !expired(row, after)) yield row.id as string;
  }

  /** Places that hold one of the texts, in JSON as JSON writes it. */
  search(texts: readonly string[]): number {
    const forms = texts.map((text) => [text, JSON.stringify(text).slice(1, -1)]);
    let hits = this.#index.search(texts);
    for (const rows of this.#tables.values()) {
      for (const row of rows.all()) {
        for (const value of Object.values(row)) {
          if (typeof value !== "string") continue;
          hits += forms.filter((form) => form.some((text) => value.includes(text))).length;
        }
      }
    }
    return hits;
  }
}

class TableRows {
  readonly #table: Table;
  readonly #rows = new Map<string, Row>();
  #indexes: ReadonlyMap<string, SortedRows>;

  constructor(table: Table) {
    this.#table = table;
    this.#indexes = this.#newIndexes();
  }

  #newIndexes(): ReadonlyMap<string, SortedRows> {
    const names = ["byId", ...Object.keys(this.#table.indexes)];
    return new Map(names.map((name) => [name, new SortedRows(this.#table, name)]));
  }

  all(): Iterable<Row> {
    return this.#rows.values();
  }

  index(name: string): SortedRows {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new RangeError(`${this.#table.name} has no index ${name}`);
    return index;
  }

  get(key: readonly string[], now: number | undefined): readonly Row[] {
    const row = this.#rows.get(JSON.stringify(key));
    return row === undefined || expired(row, now) ? [] : [row];
  }

  insert(row: Row, undo: (() => void)[]): void {
    const key = JSON.stringify(this.#table.key.map((column) => row[column]));
    const taken = [...this.#indexes].some(([name, index]) => {
      const { columns, unique } = this.#table.indexes[name] ?? { columns: this.#table.key, unique: true };
      return unique === true && index.has(columns.map((column) => orderValue(this.#table, row, column)));
    });
    if (taken) throw new FluxError("already_exists", `There is already a ${this.#table.name} with this key`);
    this.#rows.set(key, row);
    for (const index of this.#indexes.values()) index.add(row);
    undo.push(() => this.#drop(key, row));
  }

  remove(key: readonly string[], undo: (() => void)[]): void {
    const name = JSON.stringify(key);
    const row = this.#rows.get(name);
    if (row === undefined) return;
    this.#drop(name, row);
    undo.push(() => {
      this.#rows.set(name, row);
      for (const index of this.#indexes.values()) index.add(row);
    });
  }

  #drop(key: string, row: Row): void {
    this.#rows.delete(key);
    for (const index of this.#indexes.values()) index.delete(row);
  }

  clear(undo: (() => void)[]): void {
    const rows = new Map(this.#rows);
    const indexes = this.#indexes;
    this.#rows.clear();
    this.#indexes = this.#newIndexes();
    undo.push(() => {
      for (const [key, row] of rows) this.#rows.set(key, row);
      this.#indexes = indexes;
    });
  }
}

function projected(row: Row, columns: readonly string[] | undefined): Row {
  return columns === undefined ? row : project(row, columns);
}

function metadataOf(row: Row): Metadata | undefined {
  return row.metadata === undefined ? undefined : JSON.parse(row.metadata as string);
}

function expired(row: Row, now: number | undefined): boolean {
  return now !== undefined && row.expiresAt !== undefined && (row.expiresAt as number) <= now;
}
