import type * as z from "zod";
import type { Json } from "../model/json.ts";
import { readLenient } from "./lenient-json.ts";

/** UTF-16 units of an answer that are looked at. */
const longest = 50_000;
/** Objects and lists that are looked at, of one answer. */
const most = 200;

/**
 * What a schema makes of a model's answer; undefined when nothing in it fits. Looks behind what was only thought, inside of
 * fences and prose, and takes the longest object or list that fits: shorter ones are examples, and drafts come first.
 */
export function readJson<T>(answer: string, schema: z.ZodType<T>): T | undefined {
  const whole = parse(answer.slice(0, longest), schema);
  if (whole !== undefined) return whole.data;
  const text = withoutThoughts(answer.slice(0, longest));
  let found: { readonly data: T; readonly length: number } | undefined;
  let looks = 0;
  for (let at = nextBracket(text, 0); at >= 0 && looks < most; looks++) {
    const read = readLenient(text, at);
    const fitting = read === undefined ? undefined : fitted(read.value, schema);
    if (read === undefined || fitting === undefined) {
      // An object that does not fit may have one that does inside of it.
      at = nextBracket(text, at + 1);
      continue;
    }
    const length = read.end - at;
    if (length >= (found?.length ?? 0)) found = { ...fitting, length };
    at = nextBracket(text, read.end);
  }
  return found?.data;
}

function parse<T>(text: string, schema: z.ZodType<T>): { readonly data: T } | undefined {
  try {
    return fitted(JSON.parse(text) as Json, schema);
  } catch {
    return undefined;
  }
}

function fitted<T>(value: Json, schema: z.ZodType<T>): { readonly data: T } | undefined {
  const { success, data } = schema.safeParse(value);
  return success ? { data } : undefined;
}

/** An end without a beginning comes from templates that open the thoughts themselves. */
function withoutThoughts(text: string): string {
  const end = text.lastIndexOf("</think>");
  return end < 0 ? text : text.slice(end + "</think>".length);
}

function nextBracket(text: string, from: number): number {
  const bracket = /[{[]/g;
  bracket.lastIndex = from;
  return bracket.exec(text)?.index ?? -1;
}
