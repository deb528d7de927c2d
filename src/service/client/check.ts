import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";
import { checkNames } from "../../model/options.ts";
import type { GrainConditions } from "../../store/search.ts";
import { names } from "./option-names.ts";

// The checks of the SDK come with zod, which is not worth its size in a page.

/**
 * Options with known properties only. What their values may be, the service checks.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`
 */
export function known<T extends object>(options: T, names: ReadonlySet<string>, what = "options"): T {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new FluxTypeError("invalid_argument", `${what} must be an object, not ${describe(options)}`);
  checkNames(options, what, names);
  const { signal } = options as { readonly signal?: unknown };
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new FluxTypeError("invalid_argument", `signal must be an AbortSignal, not ${describe(signal)}`);
  return options;
}

/** Conditions of a recall. @throws FluxTypeError or FluxError `invalid_filter` */
export function checkWhere(where: GrainConditions): GrainConditions {
  if (typeof where !== "object" || where === null || Array.isArray(where))
    throw new FluxTypeError("invalid_filter", `where must be a plain object, not ${describe(where)}`);
  if (Object.keys(where).every((name) => names.where.has(name))) return where;
  throw new FluxError("invalid_filter", "There is no such condition on grains", {
    hint: `Known: ${[...names.where].join(", ")}.`,
  });
}

/** @throws FluxTypeError unless it is a list */
export function checkList<T>(items: readonly T[], what: string): readonly T[] {
  if (Array.isArray(items)) return items;
  throw new FluxTypeError("invalid_argument", `${what} must be a list, not ${describe(items)}`);
}

/** @throws FluxTypeError unless it is an object that can be iterated over */
export function checkIterable<T extends object>(value: T, what: string): T {
  if (
    typeof value === "object" &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value)
  )
    return value;
  throw new FluxTypeError("invalid_argument", `${what} must be iterable, not ${describe(value)}`);
}
