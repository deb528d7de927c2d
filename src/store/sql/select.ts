import type { IndexValue, TableRead } from "../driver.ts";
import type { Predicate } from "../filter.ts";
import { indexOrder, type Table } from "../table.ts";

/** Where SQL differs from one database to the next. */
export interface Dialect {
  /** The table's name, quoted and qualified. */
  table(table: Table): string;
  /** A placeholder for the parameter with this number, from 1. */
  placeholder(number: number): string;
  /** A parameter as the driver takes it. */
  parameter(value: IndexValue): unknown;
  /** A condition on the `metadata` column that agrees with `matches`; `bind` adds a parameter and returns its placeholder. */
  filter(predicate: Predicate, bind: (value: unknown) => string): string;
}

const columnNames = new Map<string, string>();

/** The name of a column in SQL: `sessionId` becomes `"session_id"`. */
export function columnName(column: string): string {
  let name = columnNames.get(column);
  if (name === undefined) {
    name = `"${column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
    columnNames.set(column, name);
  }
  return name;
}

/**
 * The statement of a read inside a partition. Only names from the schema become part of its text; every value is a
 * parameter, and reads of one shape have the same text.
 *
 * @param offset how many parameters come before those of this statement
 */
export function selectRows(
  dialect: Dialect,
  partition: number | string,
  read: TableRead,
  offset = 0,
): { readonly text: string; readonly parameters: readonly unknown[] } {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => {
    parameters.push(value);
    return dialect.placeholder(offset + parameters.length);
  };
  const { table } = read;
  const value = (item: IndexValue): string => bind(dialect.parameter(item));
  const conditions = [`"partition" = ${bind(partition)}`];

  if (read.type === "count") {
    if (read.upTo !== undefined) conditions.push(`"seq" <= ${bind(read.upTo)}`);
    return {
      text: `select count(*) as "count" from ${dialect.table(table)} where ${conditions.join(" and ")}`,
      parameters,
    };
  }
  if (read.type === "get") {
    table.key.forEach((column, i) => {
      conditions.push(`${columnName(column)} = ${value(read.key[i] as string)}`);
    });
  } else {
    const order = indexOrder(table, read.index).map(columnName);
    read.prefix.forEach((item, i) => {
      conditions.push(`${order[i]} = ${value(item)}`);
    });
    const rest = order.slice(read.prefix.length);
    for (const [bound, operator] of bounds) {
      const limit = read.range?.[bound];
      if (limit !== undefined) conditions.push(`${rest[0]} ${operator} ${value(limit)}`);
    }
    if (read.after !== undefined && rest.length > 0) {
      const position = read.after.map(value).join(", ");
      conditions.push(`(${rest.join(", ")}) ${read.reverse ? "<" : ">"} (${position})`);
    }
  }
  if (read.now !== undefined && "expiresAt" in table.columns) {
    conditions.push(`("expires_at" is null or "expires_at" > ${bind(read.now)})`);
  }
  if (read.type === "find" && read.filter !== undefined) conditions.push(dialect.filter(read.filter, bind));
  const columns = selectedColumns(read).map(columnName).join(", ");
  let text = `select ${columns} from ${dialect.table(table)} where ${conditions.join(" and ")}`;
  if (read.type === "find") {
    const direction = read.reverse ? " desc" : "";
    const order = indexOrder(table, read.index).map((column) => columnName(column) + direction);
    text += ` order by ${order.join(", ")}`;
    if (read.limit !== undefined) text += ` limit ${bind(read.limit)}`;
  }
  return { text, parameters };
}

/** The columns of a read's rows, in the order in which they are selected. */
export function selectedColumns(read: TableRead): readonly string[] {
  if (read.type === "count") return ["count"];
  return read.columns ?? Object.keys(read.table.columns);
}

const bounds = [
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
] as const;
