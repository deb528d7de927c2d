import { FluxError } from "../../model/errors.ts";
import type { RowWrite, TableRead } from "../driver.ts";
import { columnName, type Dialect, selectedColumns, selectRows } from "../sql/select.ts";
import type { ColumnType, RecordTable, Row, Table } from "../table.ts";
import type { Connection } from "./connection.ts";
import { isTaken } from "./errors.ts";
import { writeIndex } from "./search/write-index.ts";

const dialect: Dialect = {
  table: (table) => `"${table.name}"`,
  // Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call.
  placeholder: () => "+?",
  parameter: (value) => (typeof value === "boolean" ? Number(value) : value),
  filter: (predicate, bind) => `flux_matches(${bind(JSON.stringify(predicate))}, "metadata")`,
};

/** The statements of a table, and how its rows become values and back. */
class TableAccess {
  readonly get: string;
  /** With the present as one more parameter, where rows expire. */
  readonly getUnexpired: string | undefined;
  readonly insert: string;
  readonly replace: string;
  readonly remove: string;
  readonly clear: string;
  readonly #columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly #key: readonly string[];
  readonly #replaced: readonly (readonly [name: string, type: ColumnType])[];

  constructor(table: Table) {
    this.#columns = Object.entries(table.columns);
    this.#key = table.key;
    this.#replaced = this.#columns.filter(([name]) => changes(table, name));
    const name = dialect.table(table);
    const names = this.#columns.map(([column]) => columnName(column));
    const key = ["partition", ...table.key].map((column) => `${columnName(column)} = ?`).join(" and ");
    this.get = `select ${names.join(", ")} from ${name} where ${key}`;
    this.getUnexpired =
      "expiresAt" in table.columns ? `${this.get} and ("expires_at" is null or "expires_at" > ?)` : undefined;
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

  decode(values: readonly unknown[]): Row {
    return decodeRow(this.#columns, values);
  }
}

/** A row from its values, which are those of the columns in their order. */
export function decodeRow(
  columns: readonly (readonly [name: string, type: ColumnType])[],
  values: readonly unknown[],
): Row {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null) continue;
    const [name, type] = columns[i] as readonly [string, ColumnType];
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

const accesses = new Map<Table, TableAccess>();

function accessTo(table: Table): TableAccess {
  let access = accesses.get(table);
  if (access === undefined) {
    access = new TableAccess(table);
    accesses.set(table, access);
  }
  return access;
}

/** The rows of one read inside a partition, which may not exist yet. */
export function readRows(
  connection: Connection,
  partition: number | undefined,
  read: TableRead,
): readonly Row[] {
  if (partition === undefined) return read.type === "count" ? [{ count: 0 }] : [];
  switch (read.type) {
    case "get":
      return getRow(connection, partition, read);
    case "find":
      return selectSome(connection, partition, read);
    case "count": {
      const { text, parameters } = selectRows(dialect, partition, read);
      return [{ count: connection.statement(text).get(...parameters)?.[0] }];
    }
  }
}

function getRow(
  connection: Connection,
  partition: number,
  read: Extract<TableRead, { readonly type: "get" }>,
): readonly Row[] {
  if (read.columns !== undefined) return selectSome(connection, partition, read);
  const { table, key, now } = read;
  const access = accessTo(table);
  const values =
    now === undefined || access.getUnexpired === undefined
      ? connection.statement(access.get).get(partition, ...key)
      : connection.statement(access.getUnexpired).get(partition, ...key, now);
  return values === undefined ? [] : [access.decode(values)];
}

/** The rows of a read that comes in too many forms to keep a statement of its own for each table. */
function selectSome(
  connection: Connection,
  partition: number,
  read: Exclude<TableRead, { readonly type: "count" }>,
): readonly Row[] {
  const columns = selectedColumns(read).map(
    (name) => [name, read.table.columns[name] as ColumnType] as const,
  );
  const { text, parameters } = selectRows(dialect, partition, read);
  return connection
    .statement(text)
    .all(...parameters)
    .map((values) => decodeRow(columns, values));
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
