import { describe, expect, test } from "vitest";
import { analyseQuery } from "./query.ts";
import { sampleAnalyser as analyser, sampleNow as now } from "./sample-memory.ts";

const day = 24 * 3_600_000;
const analyse = (text: string, more = {}) => analyseQuery(text, { analyser, now, ...more });

describe("analyseQuery", () => {
  test("reads terms, words and phrases", () => {
    const { terms, words, phrases, searched } = analyse(
      'When did Caroline paint "the old tree", or paint it again?',
    );
    expect(terms).toEqual(["carolin", "paint", "old", "tree"]);
    expect(searched).toEqual(terms);
    expect(words.has("caroline")).toBe(true);
    expect(phrases).toEqual(["the old tree"]);
  });

  test("adds the terms of related words, none twice and none of its own", () => {
    const asked: string[] = [];
    const embedder = {
      related: (word: string) => {
        asked.push(word);
        return word === "doctors"
          ? [
              { word: "physicians", similarity: 0.9 },
              { word: "physician", similarity: 0.85 },
              { word: "visits", similarity: 0.8 },
              { word: "nurse", similarity: 0.7 },
              { word: "hospital", similarity: 0.5 },
            ]
          : [{ word: "nurses", similarity: 0.65 }];
      },
    };
    const { terms, searched, related } = analyse("doctors visited", { embedder });
    expect(asked).toEqual(["doctors", "visited"]);
    expect(terms).toEqual(["doctor", "visit"]);
    expect(searched).toEqual(["doctor", "visit", "physician", "nurs"]);
    expect(related).toEqual([
      { at: 2, of: 0, similarity: 0.9 },
      { at: 3, of: 0, similarity: 0.7 },
      { at: 3, of: 1, similarity: 0.65 },
    ]);
  });

  test("takes at most five related words a term, and none for a long text", () => {
    const related = () => Array.from({ length: 10 }, (_, i) => ({ word: `w${i}`, similarity: 0.9 }));
    expect(analyse("doctor", { embedder: { related } }).related).toHaveLength(5);
    const long = Array.from({ length: 30 }, (_, i) => `x${i}`).join(" ");
    expect(analyse(long, { embedder: { related } }).related).toEqual([]);
  });

  test("a name has no related words", () => {
    const related = (word: string) => [{ word: word === "tom" ? "greg" : "physician", similarity: 0.9 }];
    const { searched } = analyse("What did the doctor tell Tom?", { embedder: { related } });
    expect(searched).toContain("physician");
    expect(searched).not.toContain("greg");
  });

  test("resolves times from when and where it is asked", () => {
    expect(analyse("What did I do yesterday?").ranges).toEqual([
      { start: Date.UTC(2023, 4, 23), end: Date.UTC(2023, 4, 24) },
    ]);
    expect(analyse("What did I do yesterday?", { zone: "Asia/Tokyo" }).ranges).toEqual([
      { start: Date.UTC(2023, 4, 22, 15), end: Date.UTC(2023, 4, 23, 15) },
    ]);
  });

  test("a bound makes a time open to one side", () => {
    const may = Date.UTC(2023, 4, 1);
    expect(analyse("since May 2023").ranges).toEqual([{ start: may, end: 8.64e15 }]);
    expect(analyse("before May 2023").ranges).toEqual([{ start: -8.64e15, end: may }]);
    expect(analyse("after May 2023").ranges).toEqual([{ start: may + 31 * day, end: 8.64e15 }]);
    expect(analyse("until May 2023").ranges).toEqual([{ start: -8.64e15, end: may + 31 * day }]);
  });

  test("bounds what it takes of a text", () => {
    const many = Array.from({ length: 3000 }, (_, i) => `word${i}`).join(" ");
    const { text, searched } = analyse(many);
    expect(text.length).toBeLessThanOrEqual(8000);
    expect(searched.length).toBe(128);
    expect(analyse("in 2001, 2002, 2003, 2004, 2005 and 2006").ranges.length).toBeLessThanOrEqual(4);
  });

  test("takes any text", () => {
    for (const text of [
      "",
      " ",
      "\0\0",
      "\ud800a\udfff",
      "👩‍👩‍👧",
      "。。。",
      "“”",
      "ﷺ",
      "\u202e abc",
      "-".repeat(9000),
    ]) {
      const { terms, text: read } = analyse(text);
      expect(read.isWellFormed()).toBe(true);
      expect(terms.every((term) => term !== "")).toBe(true);
    }
  });
});
