import fc from "fast-check";
import { expect, test } from "vitest";
import { collected, inParts } from "../../../test/support/import-source.ts";
import { jsonValues } from "./json-values.ts";

const read = (text: string, { units = 1, longest }: { units?: number; longest?: number } = {}) =>
  collected(jsonValues(inParts(text, units), "entry", longest));

const values = async (text: string) =>
  (await read(text)).map((found) => (found.type === "value" ? found.value : found.problem));

test("any list is read as JSON.parse reads it, wherever its parts begin", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(undefined, 2),
      async (list, units, indent) => {
        const text = JSON.stringify(list, undefined, indent);
        const found = await read(text, { units });
        expect(found.map((entry) => (entry.type === "value" ? entry.value : entry))).toEqual(
          JSON.parse(text),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test("objects that follow each other are read without a list around them", async () => {
  expect(await values('{"a": 1}\n{"a": "}]{["}\n\n{\n"a": 3}')).toEqual([{ a: 1 }, { a: "}]{[" }, { a: 3 }]);
});

test("a damaged value is a problem, and the next one is read", async () => {
  expect(await values('[{"a": 1}, {a: 2}, nonsense, {"a": "\\"]"}]')).toEqual([
    ...[{ a: 1 }, "is no JSON", "is no JSON"],
    { a: '"]' },
  ]);
});

test("a file that ends too early says so", async () => {
  expect(await read('[{"a": 1}, {"a": "tw')).toMatchObject([
    { type: "value", number: 1 },
    { place: "entry 2", problem: "the file ends in the middle of it" },
  ]);
  expect(await values('[{"a": 1}')).toEqual([{ a: 1 }, "the file ends in the middle of it"]);
  expect(await values('{"a": 1')).toEqual(["the file ends in the middle of it"]);
});

test("a value that is too long is left out", async () => {
  const found = await read(`[{"a": 1}, {"a": "${"x".repeat(100)}"}, {"a": 3}]`, { longest: 20, units: 5 });
  expect(found).toMatchObject([
    { number: 1, value: { a: 1 } },
    { place: "entry 2", problem: "is too long" },
    { number: 3, value: { a: 3 } },
  ]);
});

test("no list and no object is refused", async () => {
  await expect(read("hello")).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(read('"hello"')).rejects.toMatchObject({ code: "invalid_argument" });
  expect(await read("")).toEqual([]);
  expect(await read("[]")).toEqual([]);
});
