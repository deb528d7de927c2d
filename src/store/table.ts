import type * as z from "zod";
import type { RowWrite } from "./driver.ts";
import { memoize } from "./memoize.ts";

/**
 * How a column is stored. `?` marks it optional: an absent value reads back as undefined, and is different from a JSON
 * null. `id` columns are compared by their UTF-8 bytes; only `id`, `integer` and `boolean` columns can be indexed, and
 * of the optional ones only `id?`, where absence is stored as the empty string, which is no id.
 */
export type ColumnType =
  | "id"
  | "id?"
  | "text"
  | "text?"
  | "integer"
  | "integer?"
  | "real"
  | "real?"
  | "boolean"
  | "boolean?"
  | "json"
  | "json?";

export interface Index {
  /** Leading columns; the table's key follows, so that every index has a total order. */
  readonly columns: readonly string[];
  readonly unique?: true;
}

/** A table as every adapter lays it out. All tables but the change feed and the partitions are scoped to a partition. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Primary key within the partition. */
  readonly key: readonly string[];
  readonly indexes: Readonly<Record<string, Index>>;
}

/** A table of records: stamped, validated, erased by walk. */
export interface RecordTable extends Table {
  readonly schema: z.ZodObject;
  /** Properties that a patch may change; what was said stays as it was said. Never part of a unique index. */
  readonly mutable: readonly string[];
  /** Whether records carry `expiresAt`. Such a table has no unique index: an expired record still holds its key. */
  readonly expires: boolean;
  /** Whether the partition's time to live bounds them; of grains, see `isAged`. A fact lasts as long as what it rests on. */
  readonly aged: boolean;
  /** What becomes of a record when one of its sources is erased: it goes, or it stays while any source remains. */
  readonly onSourceErased: "erase" | "survive";
  /** Records that this one goes with, and without which it cannot be. */
  readonly follows: readonly Follow[];
  /** Whether an erasure leaves a marker of the record. */
  readonly marked: boolean;
  /** Whether records count against the partition's limits. Telemetry, which reading leaves behind, does not. */
  readonly counted: boolean;
  /** A column that versions of one thing share, named in the job to derive anew. */
  readonly thread?: string;
}

/** A pointer to another record: in the leading columns of an index, [kind and] id. */
export interface Follow {
  readonly index: string;
  /** The kind pointed to; absent where the index begins with a column of it. */
  readonly kind?: string;
}

/** A row as the adapters see it: JSON columns hold JSON text, absent optional columns are undefined or missing. */
export type Row = { readonly [column: string]: unknown };

export function isOptional(type: ColumnType): boolean {
  return type.endsWith("?");
}

/** Something that follows from some columns of a table, worked out at the first use of the list that names them. */
export function ofColumns<T>(
  make: (table: Table, columns: readonly string[]) => T,
): (table: Table, columns: readonly string[]) => T {
  const lists = memoize((table: Table) => memoize((columns: readonly string[]) => make(table, columns)));
  return (table, columns) => lists(table)(columns);
}

/** The columns by which an index orders its rows. */
export function indexOrder(table: Table, index: string): readonly string[] {
  const order = indexOrders(table).get(index);
  if (order === undefined) throw new RangeError(`${table.name} has no index ${index}`);
  return order;
}

const indexOrders = memoize((table: Table) => {
  const indexes = Object.entries({ byId: { columns: [] }, ...table.indexes });
  return new Map(
    indexes.map(([index, { columns }]: [string, Index]) => [
      index,
      [...columns, ...table.key.filter((column) => !columns.includes(column))],
    ]),
  );
});

/** The names of all columns, in their order. */
export const columnNames = memoize((table: Table): readonly string[] => Object.keys(table.columns));

/** A new row of some columns; absent ones are left out. */
export function project(row: Row, columns: readonly string[]): Record<string, unknown> {
  const projected: Record<string, unknown> = {};
  for (const column of columns) {
    const value = row[column];
    if (value !== undefined) projected[column] = value;
  }
  return projected;
}

/** The write that removes a row. */
export function removal(table: Table, row: Row): RowWrite {
  return { type: "remove", table, key: table.key.map((column) => row[column] as string) };
}
