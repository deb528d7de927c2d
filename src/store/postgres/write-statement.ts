import type { NewChange, Outcome, RowWrite } from "../driver.ts";
import { columnName } from "../sql/select.ts";
import { systemTables } from "../system-tables.ts";
import type { ColumnType, Row, Table } from "../table.ts";
import type { SchemaNames } from "./names.ts";
import type { Pgvector } from "./search/pgvector.ts";
import { addToIndex, removeFromIndex } from "./search/write-index.ts";
import type { Statement } from "./session.ts";
import { StatementBuilder } from "./statement-builder.ts";

/**
 * The statements of an outcome: one for what goes, if anything does, so that its keys are free, and one for all the rest.
 * Rows travel as JSON, one parameter a table.
 */
export function writeStatements(
  names: SchemaNames,
  pgvector: Pgvector | undefined,
  partition: number,
  { head, writes, changes }: Outcome<unknown>,
): Statement[] {
  const removals = removalStatement(names, partition, writes, changes);
  const rest = new StatementBuilder(partition);
  for (const [table, rows] of rowsByTable(writes, "replace")) rest.add(replaceSql(names, table, rows, rest));
  for (const [table, rows] of rowsByTable(writes, "insert")) rest.add(insertSql(names, table, rows, rest));
  addToIndex(names, pgvector, writes, rest);
  if (changes.length > 0) {
    const rows = rest.bind(JSON.stringify(changes));
    rest.add(`insert into ${names.change} ("partition", "seq", "kind", "id", "operation", "at")
      select $1, c."seq", c."kind", c."id", c."operation", ${rest.bind(head.recordedAt)}
      from json_to_recordset(${rows}) as c("seq" bigint, "kind" text, "id" text, "operation" text)`);
  }
  const { seq, generation, salt, recordedAt, records, bytes, grains, policy } = head;
  const texts = { grains: JSON.stringify(grains), policy: JSON.stringify(policy) };
  const values = { seq, generation, salt, recordedAt, records, bytes, ...texts };
  const assignments = Object.entries(values).map(
    ([column, value]) => `${columnName(column)} = ${rest.bind(value)}`,
  );
  rest.add(`update ${names.partitions} set ${assignments.join(", ")} where "id" = $1`);
  return removals === undefined ? [rest.statement()] : [removals, rest.statement()];
}

function removalStatement(
  names: SchemaNames,
  partition: number,
  writes: readonly RowWrite[],
  changes: readonly NewChange[],
): Statement | undefined {
  const builder = new StatementBuilder(partition);
  const cleared = new Set(writes.flatMap((write) => (write.type === "clear" ? [write.table] : [])));
  for (const table of cleared) builder.add(`delete from ${names.table(table)} where "partition" = $1`);

  const removed = new Map<Table, Row[]>();
  for (const write of writes) {
    if (write.type !== "remove" || cleared.has(write.table)) continue;
    const { table, key } = write;
    const keys = removed.get(table) ?? [];
    keys.push(Object.fromEntries(table.key.map((column, i) => [column, key[i]])));
    removed.set(table, keys);
  }
  for (const [table, keys] of removed) {
    builder.add(`delete from ${names.table(table)} t
      using ${keyed(names, table, table.key, builder.bind(JSON.stringify(keys)))}`);
  }
  removeFromIndex(names, writes, builder);
  if (writes.some(({ type }) => type === "scrub")) {
    const operations = names.table(systemTables.operation);
    builder.add(`update ${operations} set "result" = null where "partition" = $1 and "result" is not null`);
  }
  // What came before an erasure of everything is of no use to a follower any more.
  const erasure = changes.find(({ operation }) => operation === "erase_all");
  if (erasure !== undefined)
    builder.add(
      `delete from ${names.change} where "partition" = $1 and "seq" < ${builder.bind(erasure.seq)}`,
    );
  return builder.empty ? undefined : builder.statement();
}

function rowsByTable(writes: readonly RowWrite[], type: "insert" | "replace"): Map<Table, Row[]> {
  const rows = new Map<Table, Row[]>();
  for (const write of writes) {
    if (write.type !== type) continue;
    const list = rows.get(write.table);
    if (list === undefined) rows.set(write.table, [write.row]);
    else list.push(write.row);
  }
  return rows;
}

function insertSql(
  names: SchemaNames,
  table: Table,
  rows: readonly Row[],
  builder: StatementBuilder,
): string {
  const columns = Object.keys(table.columns);
  return `insert into ${names.table(table)} ("partition", ${columns.map(columnName).join(", ")})
    select $1, ${columns.map((column) => storedValue(table, column)).join(", ")}
    from ${recordset(table, columns, builder.bind(encodeRows(table, rows)))}`;
}

function replaceSql(
  names: SchemaNames,
  table: Table,
  rows: readonly Row[],
  builder: StatementBuilder,
): string {
  const columns = Object.keys(table.columns);
  const assignments = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${columnName(column)} = ${storedValue(table, column)}`);
  return `update ${names.table(table)} t set ${assignments.join(", ")}
    from ${keyed(names, table, columns, builder.bind(encodeRows(table, rows)))}`;
}

/** The absence of an optional id is stored as the empty string. */
function storedValue(table: Table, column: string): string {
  return table.columns[column] === "id?" ? `coalesce(r."${column}", '')` : `r."${column}"`;
}

/**
 * Rows of a parameter as `r`, with those of the table that have their key as `t`. Each is looked up by itself, and then found
 * where it lies: in a plain join the planner would rather read the whole of a partition once, when it takes it for smaller
 * than it is.
 */
function keyed(names: SchemaNames, table: Table, columns: readonly string[], parameter: string): string {
  const key = table.key.map((column) => `${columnName(column)} = r."${column}"`).join(" and ");
  return `${recordset(table, columns, parameter)} cross join lateral (
      select ctid from ${names.table(table)} where "partition" = $1 and ${key} offset 0
    ) k where t.ctid = k.ctid`;
}

/** Rows of a parameter as `r`, its columns named as the properties are. */
function recordset(table: Table, columns: readonly string[], parameter: string): string {
  const types = columns.map((column) => `"${column}" ${sqlType(table.columns[column] as ColumnType)}`);
  return `json_to_recordset(${parameter}) as r(${types.join(", ")})`;
}

function sqlType(type: ColumnType): string {
  switch (type) {
    case "integer":
    case "integer?":
      return "bigint";
    case "real":
    case "real?":
      return "double precision";
    case "boolean":
    case "boolean?":
      return "boolean";
    default:
      return "text";
  }
}

/** JSON has no negative zero of its own, but PostgreSQL reads it from a string. */
function encodeRows(table: Table, rows: readonly Row[]): string {
  const reals = Object.keys(table.columns).filter((column) => table.columns[column]?.startsWith("real"));
  return JSON.stringify(
    rows.map((row) => {
      const zeros = reals.filter((column) => Object.is(row[column], -0));
      return zeros.length === 0
        ? row
        : { ...row, ...Object.fromEntries(zeros.map((column) => [column, "-0"])) };
    }),
  );
}
