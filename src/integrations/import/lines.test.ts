import { expect, test } from "vitest";
import { collected, inParts } from "../../../test/support/import-source.ts";
import { linesOf } from "./lines.ts";

const texts = async (text: string, longest?: number) =>
  (await collected(linesOf(inParts(text, 3), longest))).map((line) => line.text);

test("lines end with LF or CRLF, and the last one with the file", async () => {
  expect(await texts("one\ntwo\r\n\r\nfour")).toEqual(["one", "two", "", "four"]);
  expect(await texts("one\n")).toEqual(["one"]);
  expect(await texts("")).toEqual([]);
});

test("a line that is too long has no text, and those behind it have their numbers", async () => {
  const lines = await collected(linesOf(inParts(`a\n${"x".repeat(50)}\nb\n${"y".repeat(50)}`, 3), 10));
  expect(lines).toEqual([
    { number: 1, text: "a" },
    { number: 2, text: undefined },
    { number: 3, text: "b" },
    { number: 4, text: undefined },
  ]);
});
