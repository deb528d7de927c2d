import fc from "fast-check";
import { expect, test } from "vitest";
import { findQuotes } from "./quotes.ts";

test.each<[string, string[]]>([
  ['I read "Charlotte\'s Web" twice', ["Charlotte's Web"]],
  ["she said “don’t go” and ‘it’s late’", ["don’t go", "it’s late"]],
  ["er las „Der Prozess“ und »Das Schloss«", ["Der Prozess", "Das Schloss"]],
  ["hon läste ”Pippi” igår", ["Pippi"]],
  ["il a lu « Le Petit Prince » hier", ["Le Petit Prince"]],
  ["彼は「ノルウェイの森」と『雪国』を読んだ", ["ノルウェイの森", "雪国"]],
  ["我读了《三体》和“活着”", ["三体", "活着"]],
  ["use 'npm install' or `npm ci`", ["npm install", "npm ci"]],
  ["it's John's and the dogs' food", []],
  ["5' 10\" tall", []],
  ['an "unclosed phrase\nover lines"', []],
  ['""', []],
  [`"${"x".repeat(300)}" "${"y".repeat(301)}"`, ["x".repeat(300)]],
  ["'a' 'dogs' 'it's", ["a", "dogs"]],
])("%s", (text, phrases) => {
  expect(findQuotes(text).map((quote) => quote.text)).toEqual(phrases);
});

test("quotes stand where they say, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('"', "'", "’", "“", "”", "«", "»", "「", "」", " ", "a", "\n", "\ud800", "`"),
      }),
      (text) => {
        for (const { text: phrase, start } of findQuotes(text))
          expect(text.slice(start, start + phrase.length)).toBe(phrase);
      },
    ),
  );
});
