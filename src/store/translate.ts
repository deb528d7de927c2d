import { checkWhole } from "../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import { checkNames } from "../model/options.ts";
import type { Source } from "../model/record.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { FindRows, Head, IndexRange, IndexValue, RowRead } from "./driver.ts";
import { parseFilter } from "./filter.ts";
import type { PartitionHead } from "./ledger.ts";
import { readNames } from "./option-names.ts";
import type { FindOp, ReadOp } from "./read.ts";
import { recordColumns, toRecord } from "./records.ts";
import { type Kind, recordTables } from "./schema.ts";
import { systemTables } from "./system-tables.ts";
import { type ColumnType, indexOrder, project, type RecordTable, type Row } from "./table.ts";
import { translateAround, translateMatch, translateNearest } from "./translate-search.ts";

export const maxPage = 1000;
const defaultPage = 100;

/** The table of a kind. */
export function tableOf(kind: unknown): RecordTable {
  if (typeof kind === "string" && Object.hasOwn(recordTables, kind)) return recordTables[kind as Kind];
  throw new FluxError("invalid_argument", "There is no such kind of record", {
    hint: `Known: ${Object.keys(recordTables).join(", ")}.`,
  });
}

/** A checked read, as a driver runs it, and how to turn its rows into the result. */
export interface TranslatedRead {
  readonly read: RowRead | undefined;
  result(rows: readonly Row[], head: Head | undefined): unknown;
}

/** How rows of records are read and handed out. */
interface RowUse {
  readonly columns: (table: RecordTable) => Pick<FindRows, "columns">;
  readonly toRecord: (table: RecordTable, row: Row) => unknown;
}

/** They become the records. */
const consumed: RowUse = { columns: (table) => ({ columns: recordColumns(table) }), toRecord };

/** They are whole and stay as they are. */
const kept: RowUse = {
  columns: () => ({}),
  toRecord: (table, row) => toRecord(table, project(row, recordColumns(table))),
};

/** Translates the reads of a call; `now` decides what has expired. */
export function translateReads(ops: readonly ReadOp[], now: number): readonly TranslatedRead[] {
  return translateAll(ops, now, consumed);
}

/** Translates the reads of a plan, whose rows are wanted again when what it decided is written. */
export function translatePlanReads(ops: readonly ReadOp[], now: number): readonly TranslatedRead[] {
  return translateAll(ops, now, kept);
}

function translateAll(ops: readonly ReadOp[], now: number, use: RowUse): readonly TranslatedRead[] {
  if (!Array.isArray(ops))
    throw new FluxTypeError("invalid_argument", `reads must be a list, not ${describe(ops)}`);
  return ops.map((op) => translate(op, now, use));
}

function translate(op: ReadOp, now: number, use: RowUse): TranslatedRead {
  const names = readNames[op?.type];
  if (names !== undefined) checkNames(op, "A read", names);
  switch (op?.type) {
    case "head":
      return {
        read: undefined,
        result: (_rows, head) => (head === undefined ? undefined : publicHead(head)),
      };
    case "get": {
      const table = tableOf(op.kind);
      return {
        read: { type: "get", table, key: [checkId(op.id, "id")], ...use.columns(table), now },
        result: ([row]) => (row === undefined ? undefined : use.toRecord(table, row)),
      };
    }
    case "sources":
      return {
        read: {
          type: "find",
          table: systemTables.link,
          index: "byId",
          prefix: [linkable(op.kind), checkId(op.id, "id")],
        },
        result: (rows) => rows.map(toSource),
      };
    case "derived":
      return {
        read: {
          type: "find",
          table: systemTables.link,
          index: "bySource",
          prefix: [tableOf(op.kind).name, checkId(op.id, "id")],
        },
        result: (rows) => rows.map((row) => ({ kind: row.derivedKind, id: row.derivedId, role: row.role })),
      };
    case "find":
      return translateFind(op, now, use);
    case "match":
      return translateMatch(op, now);
    case "nearest":
      return translateNearest(op, now);
    case "around":
      return translateAround(op, now);
    default:
      throw new FluxError("invalid_argument", "There is no such read", {
        hint: "Make reads with get, find, sourcesOf, derivedFrom, head, match, nearest and around.",
      });
  }
}

function linkable(kind: string): string {
  return kind === systemTables.job.name ? kind : tableOf(kind).name;
}

/** A link as the source that it names. */
export function toSource(link: Row): Source & { readonly role: string } {
  const { start, end } = link as { readonly start?: number; readonly end?: number };
  return {
    kind: link.sourceKind as string,
    id: link.sourceId as string,
    role: link.role as string,
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
  };
}

/** An index by its name, the columns that it is ordered by, and the values of a prefix of them. */
function checkIndex(
  table: RecordTable,
  { index = "byId", prefix = [] }: Pick<FindOp, "index" | "prefix">,
): { readonly index: string; readonly order: readonly string[]; readonly values: readonly IndexValue[] } {
  if (index !== "byId" && !Object.hasOwn(table.indexes, index)) {
    throw new FluxError("invalid_argument", `There is no such index of ${table.name}`, {
      hint: `Known: ${["byId", ...Object.keys(table.indexes)].join(", ")}.`,
    });
  }
  const order = indexOrder(table, index);
  if (!Array.isArray(prefix) || prefix.length > order.length) {
    throw new FluxError("invalid_argument", `prefix must be a list of at most ${order.length} values`);
  }
  return { index, order, values: prefix.map((value, i) => indexValue(table, order[i] as string, value)) };
}

function translateFind(op: FindOp, now: number, use: RowUse): TranslatedRead {
  const table = tableOf(op.kind);
  const { reverse = false, limit = defaultPage } = op;
  const { index, order, values } = checkIndex(table, op);
  checkWhole(limit, "limit", 1, maxPage);
  if (typeof reverse !== "boolean") {
    throw new FluxTypeError("invalid_argument", `reverse must be a boolean, not ${describe(reverse)}`);
  }
  const rest = order.slice(values.length);
  const place = (): string => JSON.stringify([table.name, index, values, reverse]);
  const find: FindRows = {
    type: "find",
    table,
    index,
    prefix: values,
    reverse,
    // One more than asked for tells whether there is another page.
    limit: limit + 1,
    ...use.columns(table),
    now,
    ...(op.range === undefined ? {} : { range: checkRange(table, rest[0], op.range) }),
    ...(op.after === undefined
      ? {}
      : {
          after: decodeCursor(
            op.after,
            place(),
            rest.map((column) => scalarType(table.columns[column] as ColumnType)),
          ),
        }),
    ...(op.filter === undefined ? {} : { filter: checkedFilter(table, op.filter) }),
  };
  return {
    read: find,
    result: (rows) => {
      const items = rows.slice(0, limit).map((row) => use.toRecord(table, row));
      const last = rows[limit - 1];
      if (rows.length <= limit || last === undefined) return { items };
      const position = rest.map((column) => orderValue(table, last, column));
      return { items, cursor: encodeCursor(place(), position) };
    },
  };
}

/** The value by which an index orders a row: absence of an optional id is the empty string. */
export function orderValue(
  table: { readonly columns: Readonly<Record<string, ColumnType>> },
  row: Row,
  column: string,
): IndexValue {
  const value = row[column];
  return value === undefined && table.columns[column] === "id?" ? "" : (value as IndexValue);
}

function checkedFilter(table: RecordTable, filter: unknown): NonNullable<FindRows["filter"]> {
  if (!("metadata" in table.columns))
    throw new FluxError("invalid_filter", `${table.name} has no metadata to filter by`);
  return parseFilter(filter);
}

function checkRange(table: RecordTable, column: string | undefined, range: IndexRange): IndexRange {
  if (column === undefined)
    throw new FluxError("invalid_argument", "There is no column after the prefix to bound");
  if (!isPlainObject(range)) {
    throw new FluxTypeError("invalid_argument", `range must be a plain object, not ${describe(range)}`);
  }
  const entries = Object.entries(range).filter(([, value]) => value !== undefined);
  if (entries.some(([bound]) => !["gt", "gte", "lt", "lte"].includes(bound))) {
    throw new FluxError("invalid_argument", "range takes gt, gte, lt and lte");
  }
  return Object.fromEntries(entries.map(([bound, value]) => [bound, indexValue(table, column, value)]));
}

function indexValue(table: RecordTable, column: string, value: unknown): IndexValue {
  const type = table.columns[column] as ColumnType;
  if (type === "id?" && value === null) return "";
  const expected = scalarType(type);
  if (typeof value !== expected || (expected === "number" && !Number.isSafeInteger(value))) {
    throw new FluxTypeError(
      "invalid_argument",
      `${table.name}.${column} is found by ${expected === "number" ? "a whole number" : `a ${expected}`}, not ${describe(value)}`,
    );
  }
  return expected === "string" ? checkId(value, `${table.name}.${column}`) : (value as IndexValue);
}

function scalarType(type: ColumnType): "string" | "number" | "boolean" {
  if (type === "boolean") return "boolean";
  return type === "integer" ? "number" : "string";
}

function publicHead({ salt: _salt, ...head }: Head): PartitionHead {
  return head;
}
