import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import type { Metadata, MetadataValue } from "../model/metadata.ts";
import { compareUtf8, isStorable } from "../model/unicode.ts";

export type Scalar = string | number | boolean;

/** Conditions on one key; all of them must hold. A plain scalar means `eq`. */
export interface Condition {
  /** The value is this one, of the same type. Never true of a list or an absent key. */
  readonly eq?: Scalar;
  /** The value is one of these. */
  readonly in?: readonly Scalar[];
  /** Comparisons hold only between two numbers, or two strings by their UTF-8 bytes. */
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
  /** Whether the key is there at all. */
  readonly exists?: boolean;
  /** The value is a list that contains this string. */
  readonly contains?: string;
}

/**
 * A filter on metadata: conditions by key, which must all hold, with `and`, `or` and `not` around filters. Applied before
 * any limit, and with the same outcome on every backend.
 */
export type Filter = {
  readonly and?: readonly Filter[];
  readonly or?: readonly Filter[];
  readonly not?: Filter;
} & { readonly [key: string]: Scalar | Condition | readonly Filter[] | Filter | undefined };

export type Test =
  | { readonly op: "eq"; readonly value: Scalar }
  | { readonly op: "in"; readonly value: readonly Scalar[] }
  | { readonly op: "gt" | "gte" | "lt" | "lte"; readonly value: string | number }
  | { readonly op: "exists" }
  | { readonly op: "contains"; readonly value: string };

/** A checked filter in its smallest form, which adapters translate. */
export type Predicate =
  | { readonly type: "and" | "or"; readonly items: readonly Predicate[] }
  | { readonly type: "not"; readonly item: Predicate }
  | { readonly type: "test"; readonly key: string; readonly test: Test };

/** Units of a key that a message repeats. */
const longestNamed = 64;
const maxDepth = 16;
const maxItems = 1000;
const operators = ["eq", "in", "gt", "gte", "lt", "lte", "exists", "contains"];

/**
 * Checks a filter and brings it into the form that adapters translate.
 *
 * @throws FluxTypeError or FluxError `invalid_filter`, naming the place
 */
export function parseFilter(filter: unknown): Predicate {
  const predicate = parse(filter, "filter", 0);
  if (size(predicate) > maxItems)
    throw new FluxError("invalid_filter", `A filter has at most ${maxItems} conditions`);
  return predicate;
}

function size(predicate: Predicate): number {
  if (predicate.type === "test") return 1;
  if (predicate.type === "not") return 1 + size(predicate.item);
  return predicate.items.reduce((sum, item) => sum + size(item), 1);
}

function parse(filter: unknown, path: string, depth: number): Predicate {
  if (!isPlainObject(filter)) {
    throw new FluxTypeError("invalid_filter", `${path} must be an object, not ${describe(filter)}`);
  }
  if (depth > maxDepth) throw new FluxError("invalid_filter", `${path} nests deeper than ${maxDepth} levels`);
  const items: Predicate[] = [];
  for (const [key, value] of Object.entries(filter)) {
    const place = `${path}.${key.length > longestNamed ? `${key.slice(0, longestNamed)}…` : key}`;
    if (value === undefined) continue;
    if (key === "and" || key === "or") {
      if (!Array.isArray(value)) {
        throw new FluxTypeError(
          "invalid_filter",
          `${place} must be a list of filters, not ${describe(value)}`,
        );
      }
      items.push({
        type: key,
        // The holes of a sparse array become undefined, which is refused like any other.
        items: Array.from(value, (item, i) => parse(item, `${place}[${i}]`, depth + 1)),
      });
    } else if (key === "not") items.push({ type: "not", item: parse(value, place, depth + 1) });
    else items.push(...parseCondition(key, value, place));
  }
  return items.length === 1 && items[0] !== undefined ? items[0] : { type: "and", items };
}

function parseCondition(key: string, condition: unknown, path: string): Predicate[] {
  if (!isStorable(key)) throw new FluxError("invalid_filter", `${path} is not a well-formed key`);
  const test = (test: Test): Predicate => ({ type: "test", key, test });
  if (isScalar(condition)) return [test({ op: "eq", value: condition })];
  if (!isPlainObject(condition)) {
    throw new FluxTypeError(
      "invalid_filter",
      `${path} must be a string, a finite number, a boolean or conditions, not ${describe(condition)}`,
    );
  }
  const given = Object.entries(condition).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw new FluxError("invalid_filter", `${path} has no condition`);
  return given.map(([op, value]): Predicate => {
    const wrong = (expected: string): FluxTypeError =>
      new FluxTypeError("invalid_filter", `${path}.${op} must be ${expected}, not ${describe(value)}`);
    switch (op) {
      case "eq":
        if (!isScalar(value)) throw wrong("a string, a finite number or a boolean");
        return test({ op, value });
      case "in":
        if (!Array.isArray(value) || !Array.from(value).every(isScalar))
          throw wrong("a list of strings, finite numbers or booleans");
        if (value.length > maxItems)
          throw new FluxError("invalid_filter", `${path}.in takes at most ${maxItems} values`);
        return test({ op, value });
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        if (!isScalar(value) || typeof value === "boolean") throw wrong("a string or a finite number");
        return test({ op, value });
      case "exists":
        if (typeof value !== "boolean") throw wrong("a boolean");
        return value ? test({ op }) : { type: "not", item: test({ op }) };
      case "contains":
        if (typeof value !== "string" || !isStorable(value)) throw wrong("a well-formed string");
        return test({ op, value });
      default:
        throw new FluxError("invalid_filter", `${path}.${op} is not known`, {
          hint: `Known: ${operators.join(", ")}.`,
        });
    }
  });
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === "string") return isStorable(value);
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

/** Whether metadata passes a predicate: what every adapter's translation must agree with. */
export function matches(predicate: Predicate, metadata: Metadata | undefined): boolean {
  switch (predicate.type) {
    case "and":
      return predicate.items.every((item) => matches(item, metadata));
    case "or":
      return predicate.items.some((item) => matches(item, metadata));
    case "not":
      return !matches(predicate.item, metadata);
    case "test":
      return passes(
        predicate.test,
        metadata !== undefined && Object.hasOwn(metadata, predicate.key)
          ? metadata[predicate.key]
          : undefined,
      );
  }
}

function passes(test: Test, value: MetadataValue | undefined): boolean {
  if (value === undefined) return false;
  switch (test.op) {
    case "exists":
      return true;
    case "eq":
      return value === test.value;
    case "in":
      return !Array.isArray(value) && test.value.includes(value as Scalar);
    case "contains":
      return Array.isArray(value) && value.includes(test.value);
    default: {
      const order = compareSame(value, test.value);
      if (order === undefined) return false;
      if (test.op === "gt") return order > 0;
      if (test.op === "gte") return order >= 0;
      return test.op === "lt" ? order < 0 : order <= 0;
    }
  }
}

function compareSame(a: MetadataValue, b: string | number): number | undefined {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? compareUtf8(a, b) : undefined;
}
