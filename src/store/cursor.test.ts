import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "./cursor.ts";

test("a cursor gives back its position, whatever the characters", () => {
  const position = ['a"\u{1f600}中', 17, true];
  const cursor = encodeCursor("place", position);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(decodeCursor(cursor, "place", ["string", "number", "boolean"])).toEqual(position);
});

test.each([
  ["of another query", encodeCursor("elsewhere", ["a"])],
  ["with another number of values", encodeCursor("place", ["a", "b"])],
  ["with values of another type", encodeCursor("place", [1])],
  ["that was altered", `${encodeCursor("place", ["a"])}x`],
  ["that is no base 64", "%%%"],
  ["that is empty", ""],
  ["that is no string", 42],
])("a cursor %s is refused", (_name, cursor) => {
  expect(() => decodeCursor(cursor, "place", ["string"])).toThrow(
    expect.objectContaining({ code: "invalid_cursor" }),
  );
});

test("positions are whole numbers", () => {
  expect(() => decodeCursor(encodeCursor("place", [1.5]), "place", ["number"])).toThrow(/does not belong/);
});
