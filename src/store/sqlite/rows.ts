import { FluxError } from "../../model/errors.ts";
import type { RowWrite, TableRead } from "../driver.ts";
import { memoize } from "../memoize.ts";
import { columnName, selectedColumns } from "../sql/select.ts";
import { type ColumnType, ofColumns, type RecordTable, type Row, type Table } from "../table.ts";
import type { Connection } from "./connection.ts";
import { isTaken } from "./errors.ts";
import { writeIndex } from "./search/write-index.ts";
import { dialect, selectById } from "./selection.ts";

/** The statements of a table, and how its rows become values and back. */
class TableAccess {
  readonly insert: string;
  readonly replace: string;
  readonly remove: string;
  readonly clear: string;
  readonly #columns: readonly Column[];
  readonly #key: readonly string[];
  readonly #replaced: readonly Column[];

  constructor(table: Table) {
    this.#columns = Object.entries(table.columns);
    this.#key = table.key;
    this.#replaced = this.#columns.filter(([name]) => changes(table, name));
    const name = dialect.table(table);
    const names = this.#columns.map(([column]) => columnName(column));
    const key = ["partition", ...table.key].map((column) => `${columnName(column)} = ?`).join(" and ");
    this.insert = `insert into ${name} ("partition", ${names.join(", ")}) values (?${", ?".repeat(names.length)})`;
    const set = this.#replaced.map(([column]) => `${columnName(column)} = ?`).join(", ");
    this.replace = `update ${name} set ${set} where ${key}`;
    this.remove = `delete from ${name} where ${key}`;
    this.clear = `delete from ${name} where "partition" = ?`;
  }

  insertValues(partition: number, row: Row): unknown[] {
    const values: unknown[] = [partition];
    for (const [name, type] of this.#columns) values.push(encode(row[name], type));
    return values;
  }

  replaceValues(partition: number, row: Row): unknown[] {
    const values = this.#replaced.map(([name, type]) => encode(row[name], type));
    values.push(partition);
    for (const name of this.#key) values.push(row[name]);
    return values;
  }
}

/** Columns with their types, as `decodeRow` takes them. */
export const decodedColumns = ofColumns((table, columns) =>
  columns.map((name): Column => [name, table.columns[name] as ColumnType]),
);

type Column = readonly [name: string, type: ColumnType];

/** A row from its values, which are those of the columns in their order. */
export function decodeRow(columns: readonly Column[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null) continue;
    const [name, type] = columns[i] as Column;
    if (type === "boolean" || type === "boolean?") row[name] = value === 1;
    else if (value !== "" || type !== "id?") row[name] = value;
  }
  return row;
}

/** Whether the column of a stored row can change: not the key, and of records only what a patch and its stamp touch. */
function changes(table: Table | RecordTable, column: string): boolean {
  if (!("mutable" in table)) return !table.key.includes(column);
  return table.mutable.includes(column) || ["updatedSeq", "repaired", "bytes"].includes(column);
}

function encode(value: unknown, type: ColumnType): unknown {
  if (value === undefined) return type === "id?" ? "" : null;
  return typeof value === "boolean" ? Number(value) : value;
}

const accessTo = memoize((table: Table) => new TableAccess(table));

/**
 * The rows of one read inside a partition, which is named by its id; or by its key, where it is not known whether it exists.
 * Code that is too old for the database finds nothing by a key.
 */
export function readRows(
  connection: Connection,
  partition: number | string,
  read: TableRead,
): readonly Row[] {
  const select = typeof partition === "number" ? selectById : connection.selectByKey;
  const { text, parameters } = select(partition, read);
  const statement = connection.statement(text);
  if (read.type === "count") return [{ count: statement.get(...parameters)?.[0] }];
  const columns = decodedColumns(read.table, selectedColumns(read));
  if (read.type === "get") {
    const values = statement.get(...parameters);
    return values === undefined ? [] : [decodeRow(columns, values)];
  }
  return statement.all(...parameters).map((values) => decodeRow(columns, values));
}

/** Makes the writes of one outcome: what goes first, so that unique keys are free before others take them. */
export function writeRows(connection: Connection, partition: number, writes: readonly RowWrite[]): void {
  for (const write of writes)
    if (write.type !== "insert" && write.type !== "replace") writeRow(connection, partition, write);
  for (const write of writes) if (write.type === "replace") writeRow(connection, partition, write);
  for (const write of writes) if (write.type === "insert") writeRow(connection, partition, write);
  writeIndex(connection, partition, writes);
}

const scrub = `update "operation" set "result" = null where "partition" = ? and "result" is not null`;

function writeRow(connection: Connection, partition: number, write: RowWrite): void {
  if (write.type === "scrub") {
    connection.statement(scrub).run(partition);
    return;
  }
  // The index follows, once its grains are there.
  if (write.type === "index" || write.type === "unindex") return;
  const access = accessTo(write.table);
  switch (write.type) {
    case "clear":
      connection.statement(access.clear).run(partition);
      return;
    case "remove":
      connection.statement(access.remove).run(partition, ...write.key);
      return;
    case "replace":
      connection.statement(access.replace).run(access.replaceValues(partition, write.row));
      return;
    case "insert":
      try {
        connection.statement(access.insert).run(access.insertValues(partition, write.row));
      } catch (error) {
        if (!isTaken(error)) throw error;
        const message = `There is already a ${write.table.name} with this key`;
        throw new FluxError("already_exists", message, { cause: error });
      }
  }
}

const searched = ["id", "id?", "text", "text?", "json", "json?"];

/** How many places in the partition's rows of a table hold a text, in JSON as JSON writes it. */
export function searchRows(connection: Connection, partition: number, table: Table, text: string): number {
  const names = Object.entries(table.columns)
    .filter(([, type]) => searched.includes(type))
    .map(([column]) => columnName(column));
  const holds = (name: string): string =>
    `(coalesce(instr(${name}, ?), 0) > 0 or coalesce(instr(${name}, ?), 0) > 0)`;
  const forms = [text, JSON.stringify(text).slice(1, -1)];
  const [count] =
    connection
      .statement(
        `select coalesce(sum(${names.map(holds).join(" + ")}), 0) from ${dialect.table(table)} where "partition" = ?`,
      )
      .get(...names.flatMap(() => forms), partition) ?? [];
  return count as number;
}
