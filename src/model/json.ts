import * as z from "zod";
import { FluxError } from "./errors.ts";
import { isStorable, repairText } from "./unicode.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** How deep a JSON value may nest, so that no reader of it overflows its stack. */
export const maxJsonDepth = 64;

/** A JSON value, copied: no undefined, NaN, bigint, function, class instance or cycle; at most 64 levels deep. */
export const jsonSchema = z.unknown().transform((value, context): Json => {
  const { copy, problem } = copyJson(value);
  if (problem === undefined) return copy;
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
});

/** How many values one JSON value may hold. Parts that are shared count each time, as they would be written. */
const maxJsonValues = 2_000_000;

type Copied =
  | { readonly copy: Json; readonly problem?: undefined }
  | { readonly copy?: undefined; readonly problem: string };

/**
 * Copies a value, or says why it is not JSON. Each property is read once: what a getter or a proxy would say at a second
 * look does not count.
 */
export function copyJson(value: unknown): Copied {
  const state: CopyState = { values: 0, problem: undefined };
  const copy = copyValue(value, 0, state);
  return state.problem === undefined ? { copy } : { problem: state.problem };
}

interface CopyState {
  values: number;
  problem: string | undefined;
}

function copyValue(value: unknown, depth: number, state: CopyState): Json {
  const refuse = (problem: string): null => {
    state.problem ??= problem;
    return null;
  };
  if (state.problem !== undefined) return null;
  state.values += 1;
  if (state.values > maxJsonValues) return refuse(`holds more than ${maxJsonValues} values`);
  if (depth > maxJsonDepth) return refuse(`nests deeper than ${maxJsonDepth} levels, or refers to itself`);
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : refuse("contains a number that is not finite");
    case "object":
      break;
    default:
      return refuse(
        `contains ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}, which is not JSON`,
      );
  }
  if (value === null) return null;
  // Array.from turns the holes of a sparse array into undefined, which is refused.
  if (Array.isArray(value)) return Array.from(value, (item) => copyValue(item, depth + 1, state));
  if (!isPlainObject(value) || ("toJSON" in value && typeof value.toJSON === "function"))
    return refuse("contains an object that is not plain");
  // Object.fromEntries defines properties, so a key called __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, copyValue(item, depth + 1, state)]),
  );
}

/** Whether a value is an object of properties alone: no list, map, date or instance of a class, which would lose what they hold. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A copy in which every string, keys included, can be stored; the value itself when nothing had to change. */
export function repairJson(value: Json): Json {
  if (typeof value === "string") return repairText(value);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const items = value.map(repairJson);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value);
  const repaired = entries.map(([key, item]) => [repairText(key), repairJson(item)] as const);
  const same = repaired.every(([key, item], i) => key === entries[i]?.[0] && item === entries[i]?.[1]);
  return same ? value : Object.fromEntries(repaired);
}

/** JSON text that is the same for the same value: keys sorted, no white space; properties that are undefined left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string")
    return isStorable(value) ? JSON.stringify(value) : JSON.stringify(repairText(value));
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value);
    if (text === undefined)
      throw new FluxError("invalid_argument", `A ${typeof value} cannot be part of a payload`);
    return text;
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${parts.join(",")}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
