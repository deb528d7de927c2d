import { expect, test } from "vitest";
import { copyMetadata } from "../../model/metadata.ts";
import { metadataOf, timeOf, wordsOf } from "./fields.ts";

const moment = Date.UTC(2025, 2, 9, 8, 7, 6);

test.each([
  ["seconds", moment / 1000, moment],
  ["seconds with a fraction", moment / 1000 + 0.5, moment + 500],
  ["milliseconds", moment, moment],
  ["a number as text", String(moment / 1000), moment],
  ["an ISO date with Z", "2025-03-09T08:07:06Z", moment],
  ["an ISO date with an offset", "2025-03-09T09:07:06+01:00", moment],
  ["an ISO date without a zone", "2025-03-09T08:07:06", moment],
  ["a date with a space", "2025-03-09 08:07:06", moment],
  ["fractions of a second", "2025-03-09T08:07:06.123456Z", moment + 123],
  ["a day", "2025-03-09", Date.UTC(2025, 2, 9)],
  ["before 1970", -86_400, -86_400_000],
])("%s is a time", (_, value, at) => {
  expect(timeOf(value)).toBe(at);
});

test.each([
  undefined,
  null,
  "",
  "yesterday",
  "2025-13-45",
  "9 March 2025",
  Number.NaN,
  Infinity,
  1e300,
  true,
  {},
  [],
])("%s is no time", (value) => {
  expect(timeOf(value)).toBeUndefined();
});

test("words are those of a text, or of parts that have one", () => {
  expect(wordsOf("hello")).toBe("hello");
  expect(
    wordsOf([
      "one",
      { type: "text", text: "two" },
      { type: "tool_use", text: "no" },
      null,
      5,
      { text: "three" },
    ]),
  ).toBe("one\n\ntwo\n\nthree");
  for (const none of [undefined, null, 5, {}, "", "  \n", [], [{ type: "image" }]])
    expect(wordsOf(none)).toBeUndefined();
});

test("metadata of anything can be stored", () => {
  const { metadata } = metadataOf({
    ...{ title: `\ud800\0${"é".repeat(5000)}`, tags: Array.from({ length: 500 }, () => "tag ".repeat(200)) },
    ...{ missing: undefined, count: 5 },
  });
  expect(copyMetadata(metadata).problem).toBeUndefined();
  expect(Object.keys(metadata)).toEqual(["title", "tags", "count"]);
});
