import * as z from "zod";
import { isPlainObject } from "./json.ts";
import { isStorable, utf8Length } from "./unicode.ts";

export type MetadataValue = string | number | boolean | readonly string[];

/** Flat data of the caller's own beside a record; what a filter can ask for. Never read as a scope or an id. */
export type Metadata = { readonly [key: string]: MetadataValue };

export const metadataLimits = { keys: 64, keyBytes: 128, bytes: 16_384 } as const;

/** Words of the filter grammar, which therefore cannot be keys. */
const reservedMetadataKeys = ["and", "or", "not"] as const;

type Copied =
  | { readonly copy: Metadata; readonly problem?: undefined }
  | { readonly copy?: undefined; readonly problem: string };

/**
 * Copies metadata, or says what is wrong with it. Each property is read once: what a getter or a proxy would say at a second
 * look does not count.
 */
export function copyMetadata(value: unknown): Copied {
  if (!isPlainObject(value)) return { problem: "must be a plain object" };
  const entries = Object.entries(value).map(
    ([key, item]) => [key, Array.isArray(item) ? Array.from(item) : item] as const,
  );
  const problem = entriesProblem(entries);
  // Object.fromEntries defines properties, so a key called __proto__ stays a key.
  return problem === undefined ? { copy: Object.fromEntries(entries) as Metadata } : { problem };
}

function entriesProblem(entries: readonly (readonly [string, unknown])[]): string | undefined {
  if (entries.length > metadataLimits.keys) return `must have at most ${metadataLimits.keys} keys`;
  let bytes = 0;
  for (const [key, item] of entries) {
    if (key === "" || !isStorable(key) || utf8Length(key) > metadataLimits.keyBytes) {
      return `keys must be 1 to ${metadataLimits.keyBytes} UTF-8 bytes of well-formed Unicode without NUL`;
    }
    if ((reservedMetadataKeys as readonly string[]).includes(key))
      return `key "${key}" is a word of the filter grammar`;
    const list = Array.isArray(item) ? item : [item];
    if (Array.isArray(item) && list.some((entry) => typeof entry !== "string")) {
      return "lists must contain strings only";
    }
    for (const entry of list) {
      if (typeof entry === "string") bytes += utf8Length(entry);
      else if (typeof entry === "number" ? !Number.isFinite(entry) : typeof entry !== "boolean") {
        return "values must be strings, finite numbers, booleans or lists of strings";
      } else bytes += 8;
    }
    bytes += utf8Length(key);
  }
  return bytes > metadataLimits.bytes ? `must be at most ${metadataLimits.bytes} bytes` : undefined;
}

export const metadataSchema = z.unknown().transform((value, context): Metadata => {
  const { copy, problem } = copyMetadata(value);
  if (problem === undefined) return copy;
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
});
