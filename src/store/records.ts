import type * as z from "zod";
import { type ErrorCode, errorCodes, FluxError, FluxTypeError } from "../model/errors.ts";
import { canonicalJson, type Json, repairJson } from "../model/json.ts";
import type { Stored } from "../model/record.ts";
import { repairText, utf8Length } from "../model/unicode.ts";
import { memoize } from "./memoize.ts";
import type { Kind, Kinds } from "./schema.ts";
import { type ColumnType, columnNames, isOptional, project, type RecordTable, type Row } from "./table.ts";

/** The most bytes one record may take. */
export const maxRecordBytes = 16 * 1024 * 1024;

/** The content of a record as it is stored: checked, repaired, and sharing nothing with the caller's objects. */
export interface Content {
  readonly row: Row;
  readonly repaired: boolean;
  /** JSON columns in a form that does not depend on the order of keys, to tell one payload from another. */
  readonly canonical: Row;
}

/**
 * Checks a record's content against its kind's schema and repairs its text, the same for every backend.
 *
 * @throws FluxError `invalid_record`, `invalid_id` or `invalid_metadata`, naming the property; `too_large`
 */
export function checkContent(table: RecordTable, value: unknown, schema = table.schema): Content {
  let repaired = false;
  const row: Record<string, unknown> = {};
  const canonical: Record<string, unknown> = {};
  for (const [column, item] of Object.entries(check(schema, value, table.name))) {
    if (item === undefined) continue;
    const type = table.columns[column];
    const stored = type?.startsWith("text")
      ? repairText(item as string)
      : isJson(type)
        ? repairJson(item as Json)
        : // Stores differ in whether they keep the sign of a zero.
          item === 0
          ? 0
          : item;
    if (stored !== item) repaired = true;
    row[column] = isJson(type) ? JSON.stringify(stored) : stored;
    if (isJson(type)) canonical[column] = canonicalJson(stored);
  }
  return { row, repaired, canonical };
}

/** Parses with a schema, turning its issues into one FluxError. */
export function check<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [name, ...(issue?.path ?? [])].join(".");
  const custom: unknown = issue?.code === "custom" ? issue.params?.code : undefined;
  const code: ErrorCode =
    typeof custom === "string" && custom in errorCodes
      ? (custom as ErrorCode)
      : issue?.path.at(-1) === "metadata"
        ? "invalid_metadata"
        : "invalid_record";
  const type = issue?.code === "invalid_type" ? FluxTypeError : FluxError;
  throw new type(code, `${path}: ${issue?.message ?? "is not valid"}`);
}

/**
 * The content of a record after a patch; an explicit undefined removes an optional property.
 *
 * @throws FluxError `invalid_record` for a property that is unknown, fixed, or cannot be missing
 */
export function patchContent(table: RecordTable, row: Row, changes: unknown): Content {
  if (typeof changes !== "object" || changes === null) {
    throw new FluxTypeError("invalid_record", `The changes to a ${table.name} must be an object`);
  }
  for (const [column, value] of Object.entries(changes)) {
    if (!table.mutable.includes(column)) {
      throw new FluxError("invalid_record", `A ${table.name} has no such property that can change`, {
        hint: `What can change: ${table.mutable.join(", ")}.`,
      });
    }
    if (value === undefined && !isOptional(table.columns[column] as ColumnType)) {
      throw new FluxError("invalid_record", `${table.name}.${column} cannot be removed`);
    }
  }
  // What does not change was checked when it came.
  const { row: changed, ...content } = checkContent(table, { ...changes }, changeSchema(table));
  const kept = contentColumns(table).filter((column) => !Object.hasOwn(changes, column));
  return { ...content, row: { ...project(row, kept), ...changed } };
}

/**
 * What a record counts in its partition's account: UTF-8 bytes of ids, text and JSON, eight for a number, one for a
 * boolean.
 *
 * @throws FluxError `too_large`
 */
export function rowBytes(table: RecordTable, row: Row): number {
  let bytes = 0;
  for (const value of Object.values(row)) {
    if (typeof value === "string") bytes += utf8Length(value);
    else if (value !== undefined) bytes += typeof value === "number" ? 8 : 1;
  }
  if (bytes > maxRecordBytes) {
    throw new FluxError("too_large", `A ${table.name} may take at most ${maxRecordBytes} bytes`);
  }
  return bytes;
}

/** The columns of a record that are handed out: all but the ledger's own account of its size. */
export const recordColumns = memoize((table: RecordTable) =>
  columnNames(table).filter((column) => column !== "bytes"),
);

/** A row of `recordColumns`, which nobody else holds, as the record that is handed out: JSON parsed, and frozen. */
export function toRecord<K extends Kind>(table: RecordTable, row: Row): Stored<Kinds[K]> {
  const record = row as Record<string, unknown>;
  for (const column of jsonColumns(table)) {
    const text = record[column];
    if (text !== undefined) record[column] = JSON.parse(text as string);
  }
  return Object.freeze(record) as unknown as Stored<Kinds[K]>;
}

const jsonColumns = memoize((table: RecordTable) =>
  columnNames(table).filter((column) => isJson(table.columns[column])),
);
const contentColumns = memoize((table: RecordTable) => Object.keys(table.schema.shape));
const changeSchema = memoize((table: RecordTable) => table.schema.partial());

function isJson(type: ColumnType | undefined): boolean {
  return type === "json" || type === "json?";
}
