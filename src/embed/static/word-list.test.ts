import { expect, test } from "vitest";
import { packWords } from "../../../scripts/word-vectors/pack.ts";
import { WordList } from "./word-list.ts";

const words = Array.from({ length: 1000 }, (_, i) =>
  i.toString(36).replace(/\d/g, (d) => "qrstuvwxyz"[Number(d)] ?? ""),
);
const sorted = [...new Set(words)].sort();
const { bytes, starts } = packWords(sorted);
const list = new WordList(bytes, starts, sorted.length);

test("every word has its place, and every place its word", () => {
  expect(sorted.map((word) => list.indexOf(word))).toEqual(sorted.map((_, i) => i));
  expect(sorted.map((_, i) => list.at(i))).toEqual(sorted);
});

test.each(["", "a0", "zzzz", "\0", "\ud800", "日本", "é", `${sorted[500]}x`, "AB", "__proto__"])(
  "%j is not in the list",
  (word) => {
    expect(list.indexOf(word)).toBe(-1);
  },
);

test("a list of one word, and one of none", () => {
  const one = packWords(["only"]);
  expect(new WordList(one.bytes, one.starts, 1).indexOf("only")).toBe(0);
  expect(new WordList(one.bytes, one.starts, 1).indexOf("a")).toBe(-1);
  expect(new WordList(new Uint8Array(), new Uint32Array(), 0).indexOf("a")).toBe(-1);
});
