import { isPlainObject, maxJsonDepth } from "./json.ts";

/** Values that are copied: more than any call may be given. */
const mostValues = 200_000;

/**
 * A copy of what a call is given, for calls that wait before they look at it: what the caller does to his objects meanwhile has no
 * effect. Lists and plain objects are copied, whatever else is in them stays as it is. What is too large to be valid is copied in part, to
 * be refused later.
 */
export function copyGiven<T>(given: T): T {
  let left = mostValues;
  const copy = (value: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0 || depth > maxJsonDepth) return value;
    if (Array.isArray(value)) return Array.from(value, (item: unknown) => copy(item, depth + 1));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(item, depth + 1)]));
  };
  return copy(given, 0) as T;
}
