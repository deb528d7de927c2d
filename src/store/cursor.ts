import { FluxError } from "../model/errors.ts";
import type { IndexValue } from "./driver.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An opaque cursor: a position, and what it is a position in. */
export function encodeCursor(place: string, position: readonly IndexValue[]): string {
  const bytes = encoder.encode(JSON.stringify([place, ...position]));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
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
    const binary = atob(String(cursor).replaceAll("-", "+").replaceAll("_", "/"));
    const values: unknown = JSON.parse(decoder.decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
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
