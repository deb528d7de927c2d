import { FluxError } from "../model/errors.ts";
import type { IndexValue } from "./driver.ts";

/** An opaque cursor: a position, and what it is a position in. */
export function encodeCursor(place: string, position: readonly IndexValue[]): string {
  // Escaped, JSON is ASCII, which is all that btoa takes.
  const text = JSON.stringify([place, ...position]).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * The position that a cursor holds.
 *
 * @param types what each value of the position must be
 * @throws FluxError `invalid_cursor` when it was made for another place or altered
 */
export function decodeCursor(
  cursor: unknown,
  place: string,
  types: readonly ("string" | "number" | "boolean")[],
): IndexValue[] {
  try {
    const values: unknown = JSON.parse(atob(String(cursor).replaceAll("-", "+").replaceAll("_", "/")));
    if (Array.isArray(values) && values.length === types.length + 1 && values[0] === place) {
      const position = values.slice(1);
      // The numbers in an order are all whole.
      const fits = (value: unknown, i: number): boolean =>
        typeof value === types[i] && (typeof value !== "number" || Number.isSafeInteger(value));
      if (position.every(fits)) return position;
    }
  } catch {
    // Falls through to the one error for every malformed cursor.
  }
  throw new FluxError("invalid_cursor", "The cursor does not belong to this query", {
    hint: "Pass the cursor of the page before, with the same kind, index and order.",
  });
}
