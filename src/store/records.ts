import type * as z from "zod";
import { type ErrorCode, errorCodes, FluxError, FluxTypeError } from "../model/errors.ts";
import { canonicalJson, type Json, repairJson } from "../model/json.ts";
import type { Stored } from "../model/record.ts";
import { repairText, utf8Length } from "../model/unicode.ts";
import type { Kind, Kinds } from "./schema.ts";
import { type ColumnType, isOptional, type RecordTable, type Row, type Table } from "./table.ts";

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
export function checkContent(table: RecordTable, value: unknown): Content {
  let repaired = false;
  const row: Record<string, unknown> = {};
  const canonical: Record<string, unknown> = {};
  for (const [column, item] of Object.entries(check(table.schema, value, table.name))) {
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
  const before = Object.entries(decodeRow(table, row)).filter(([column]) =>
    Object.hasOwn(table.schema.shape, column),
  );
  return checkContent(table, { ...Object.fromEntries(before), ...changes });
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

/** A row as it is handed out: without the ledger's own account of its size, and frozen. */
export function toRecord<K extends Kind>(table: RecordTable, row: Row): Stored<Kinds[K]> {
  const { bytes: _bytes, ...record } = decodeRow(table, row);
  return Object.freeze(record) as unknown as Stored<Kinds[K]>;
}

/** The row with its JSON parsed and absent columns left out. */
function decodeRow(table: Table, row: Row): Row {
  const decoded: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value === undefined) continue;
    decoded[column] = isJson(table.columns[column]) ? JSON.parse(value as string) : value;
  }
  return decoded;
}

function isJson(type: ColumnType | undefined): boolean {
  return type === "json" || type === "json?";
}
