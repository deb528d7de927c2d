import type { IndexRange, IndexValue, TableRead } from "../driver.ts";
import type { Predicate } from "../filter.ts";
import { columnNames, indexOrder, ofColumns, type Table } from "../table.ts";

/** Where SQL differs from one database to the next. */
export interface Dialect {
  /** The table's name, quoted and qualified. */
  table(table: Table): string;
  /** A placeholder for the parameter with this number, from 1, which is the partition. */
  placeholder(number: number): string;
  /** A parameter as the driver takes it. */
  parameter(value: IndexValue): unknown;
  /** A condition on the `metadata` column that agrees with `matches`; `bind` adds a parameter and returns its placeholder. */
  filter(predicate: Predicate, bind: (value: unknown) => string): string;
}

export interface Selection {
  readonly text: string;
  /** The first is the partition. */
  readonly parameters: readonly unknown[];
}

export type RowSelector = (partition: number | string, read: TableRead) => Selection;

const quotedNames = new Map<string, string>();

/** The name of a column in SQL: `sessionId` becomes `"session_id"`. */
export function columnName(column: string): string {
  let name = quotedNames.get(column);
  if (name === undefined) {
    name = `"${column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
    quotedNames.set(column, name);
  }
  return name;
}

/**
 * Makes the statements of reads inside a partition. Only names from the schema become part of their text; every value is a
 * parameter. Reads of one form have the same text, which is made once, unless they have a filter: of those there are too
 * many.
 */
export function rowSelector(dialect: Dialect): RowSelector {
  const textsOf = ofColumns(() => new Map<string, string>());
  const known = (read: TableRead): string => {
    const texts = textsOf(read.table, selectedColumns(read));
    const form = formOf(read);
    let text = texts.get(form);
    if (text === undefined) {
      text = textOf(dialect, read);
      texts.set(form, text);
    }
    return text;
  };
  return (partition, read) => {
    const parameters: unknown[] = [partition];
    for (const value of valuesOf(read)) parameters.push(dialect.parameter(value));
    const { filter, limit } = read.type === "find" ? read : unbounded;
    let text: string;
    if (filter === undefined) text = known(read);
    else {
      const condition = dialect.filter(filter, (value) => dialect.placeholder(parameters.push(value)));
      text = textOf(dialect, read, { condition, limit: parameters.length + 1 });
    }
    if (limit !== undefined) parameters.push(limit);
    return { text, parameters };
  };
}

const unbounded: { readonly filter?: Predicate; readonly limit?: number } = {};

/** The values of a read, without its filter's and its limit, in the order of their placeholders. */
function valuesOf(read: TableRead): readonly IndexValue[] {
  const values: IndexValue[] = [];
  if (read.type === "count") return read.upTo === undefined ? [] : [read.upTo];
  if (read.type === "get") values.push(...read.key);
  else {
    values.push(...read.prefix);
    if (read.range !== undefined)
      for (const [bound] of boundsOf(read.range)) values.push(read.range[bound] as IndexValue);
    if (read.after !== undefined) values.push(...read.after);
  }
  if (read.now !== undefined && "expiresAt" in read.table.columns) values.push(read.now);
  return values;
}

/** What tells the texts of reads of the same columns from one another. */
function formOf(read: TableRead): string {
  switch (read.type) {
    case "count":
      return `count ${read.upTo === undefined}`;
    case "get":
      return `get ${read.now === undefined}`;
    case "find": {
      const { index, prefix, range, after, reverse, now, limit } = read;
      const given = `${after === undefined} ${now === undefined} ${limit === undefined} ${reverse === true}`;
      const bounds = range === undefined ? "" : boundsOf(range).join();
      return `${index} ${prefix.length} ${bounds} ${given}`;
    }
  }
}

function textOf(
  dialect: Dialect,
  read: TableRead,
  filter?: { readonly condition: string; readonly limit: number },
): string {
  const { table } = read;
  let number = 0;
  const next = (): string => {
    number += 1;
    return dialect.placeholder(number);
  };
  const conditions = [`"partition" = ${next()}`];
  if (read.type === "count") {
    if (read.upTo !== undefined) conditions.push(`"seq" <= ${next()}`);
    return `select count(*) as "count" from ${dialect.table(table)} where ${conditions.join(" and ")}`;
  }
  const order = (read.type === "get" ? table.key : indexOrder(table, read.index)).map(columnName);
  const fixed = read.type === "get" ? order.length : read.prefix.length;
  for (const column of order.slice(0, fixed)) conditions.push(`${column} = ${next()}`);
  if (read.type === "find") {
    const rest = order.slice(fixed);
    for (const [, operator] of boundsOf(read.range ?? {}))
      conditions.push(`${rest[0]} ${operator} ${next()}`);
    if (read.after !== undefined && rest.length > 0) {
      const position = rest.map(next).join(", ");
      conditions.push(`(${rest.join(", ")}) ${read.reverse ? "<" : ">"} (${position})`);
    }
  }
  if (read.now !== undefined && "expiresAt" in table.columns) {
    conditions.push(`("expires_at" is null or "expires_at" > ${next()})`);
  }
  if (filter !== undefined) conditions.push(filter.condition);
  const columns = selectedColumns(read).map(columnName).join(", ");
  let text = `select ${columns} from ${dialect.table(table)} where ${conditions.join(" and ")}`;
  if (read.type === "find") {
    const direction = read.reverse ? " desc" : "";
    text += ` order by ${order.map((column) => column + direction).join(", ")}`;
    if (read.limit !== undefined) {
      text += ` limit ${filter === undefined ? next() : dialect.placeholder(filter.limit)}`;
    }
  }
  return text;
}

/** The columns of a read's rows, in the order in which they are selected. */
export function selectedColumns(read: TableRead): readonly string[] {
  if (read.type === "count") return counted;
  return read.columns ?? columnNames(read.table);
}

const counted = ["count"];

function boundsOf(range: IndexRange): readonly (readonly [keyof IndexRange, string])[] {
  return bounds.filter(([bound]) => range[bound] !== undefined);
}

const bounds = [
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
] as const;
