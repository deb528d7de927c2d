import type * as z from "zod";
import { type ErrorCode, errorCodes, FluxError, FluxTypeError } from "../model/errors.ts";
import { canonicalJson, type Json, repairJson } from "../model/json.ts";
import { repairText, utf8Length } from "../model/unicode.ts";
import { isOptional, type RecordTable, type Row } from "./table.ts";

/** The most bytes one record may take. */
export const maxRecordBytes = 16 * 1024 * 1024;

/**
 * Checks a record's content against its kind's schema and repairs its text, the same for every backend.
 *
 * @throws FluxError `invalid_record`, `invalid_id` or `invalid_metadata`, naming the property; `too_large`
 */
export function checkContent(
  table: RecordTable,
  value: unknown,
): { readonly content: Row; readonly repaired: boolean } {
  const parsed = check(table.schema, value, table.name);
  let repaired = false;
  const content: Record<string, unknown> = {};
  for (const [column, item] of Object.entries(parsed)) {
    if (item === undefined) continue;
    const type = table.columns[column];
    const stored =
      type === "text" || type === "text?"
        ? repairText(item as string)
        : type === "json" || type === "json?"
          ? repairJson(item as Json)
          : item;
    if (stored !== item) repaired = true;
    content[column] = stored;
  }
  return { content, repaired };
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

/** What a record counts in its partition's account: UTF-8 bytes of ids, text and JSON, eight for a number, one for a boolean. */
export function rowBytes(table: RecordTable, row: Row): number {
  let bytes = 0;
  for (const column of Object.keys(table.columns)) {
    const value = row[column];
    if (column === "bytes" || value === undefined) continue;
    const type = table.columns[column];
    if (type === "json" || type === "json?") bytes += utf8Length(JSON.stringify(value));
    else if (typeof value === "string") bytes += utf8Length(value);
    else bytes += typeof value === "number" ? 8 : 1;
  }
  if (bytes > maxRecordBytes) {
    throw new FluxError("too_large", `A ${table.name} may take at most ${maxRecordBytes} bytes`);
  }
  return bytes;
}

/** Removes what a patch sets to undefined, refusing it for what every record of the kind has. */
export function applyPatch(table: RecordTable, row: Row, changes: Row): Row {
  const patched: Record<string, unknown> = {};
  for (const column of Object.keys(table.schema.shape)) {
    const value = Object.hasOwn(changes, column) ? changes[column] : row[column];
    if (value !== undefined) patched[column] = value;
    else if (!isOptional(table.columns[column] ?? "text?")) {
      throw new FluxError("invalid_record", `${table.name}.${column} cannot be removed`);
    }
  }
  for (const column of Object.keys(changes)) {
    if (!Object.hasOwn(table.schema.shape, column)) {
      throw new FluxError("invalid_record", `${table.name} has no property of this name to change`, {
        hint: `Known: ${Object.keys(table.schema.shape).join(", ")}.`,
      });
    }
  }
  return patched;
}

/** Bytes of a result or payload as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Length(canonicalJson(value));
}
