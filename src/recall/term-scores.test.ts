import { describe, expect, test } from "vitest";
import { inverseFrequency, saturation } from "../store/bm25.ts";
import { sampleGrain } from "./sample-memory.ts";
import { rowSums, scoreTerms } from "./term-scores.ts";
import { defaultWeights } from "./weights.ts";

const query = {
  ...{ text: "doctor visit", terms: ["doctor", "visit"], searched: ["doctor", "visit", "physician"] },
  related: [{ at: 2, of: 0, similarity: 0.8 }],
  ...{ words: new Set<string>(), phrases: [], ranges: [] },
};

const candidate = (id: string, counts: readonly number[], length = 4) => ({
  ...{ grain: sampleGrain(id), counts, length, similarity: 0, arms: new Map<string, number>() },
});

describe("scoreTerms", () => {
  test("is BM25 with the statistics of the partition", () => {
    const pool = {
      ...{ documents: 10, averageLength: 5, frequencies: [2, 4, 1], links: [] },
      candidates: [candidate("a", [2, 1, 0], 8), candidate("b", [])],
    };
    const { exact, best, idf, terms } = scoreTerms(query, pool, defaultWeights);
    // Worked by hand: idf = ln(1 + 8.5 / 2.5), and 2 × 2.2 / (2 + 1.2 × (0.25 + 0.75 × 8 / 5)).
    expect(idf[0]).toBeCloseTo(Math.log(4.4), 12);
    expect(exact[0]).toBeCloseTo((Math.log(4.4) * 4.4) / 3.74, 12);
    expect(exact[1]).toBeCloseTo((Math.log(1 + 6.5 / 4.5) * 2.2) / 2.74, 12);
    expect([...exact.slice(2)]).toEqual([0, 0]);
    expect(best).toEqual(exact);
    expect(rowSums(exact, 2, terms)[0]).toBeCloseTo((exact[0] ?? 0) + (exact[1] ?? 0), 12);
  });

  test("a related word counts in place of the word, by its similarity and never more than the word", () => {
    const pool = {
      ...{ documents: 100, averageLength: 4, frequencies: [50, 10, 1], links: [] },
      candidates: [candidate("a", [0, 0, 1]), candidate("b", [1, 0, 1]), candidate("c", [1, 0, 0])],
    };
    const { best, exact } = scoreTerms(query, pool, defaultWeights);
    const idf = inverseFrequency(100, 50);
    expect(best[0]).toBeCloseTo(defaultWeights.related * 0.8 * idf, 12);
    expect(exact[0]).toBe(0);
    expect(best[2]).toBe(exact[2]);
    expect(best[4]).toBe(best[2]);
  });

  test("weights never are below 0, and grow with occurrences to a limit", () => {
    expect(inverseFrequency(10, 10)).toBeGreaterThan(0);
    expect(inverseFrequency(0, 0)).toBeGreaterThan(0);
    expect(saturation(1, 7, 7)).toBe(1);
    expect(saturation(2, 7, 7)).toBeGreaterThan(1);
    expect(saturation(1e9, 7, 7)).toBeLessThan(2.2);
    expect(saturation(1, 14, 7)).toBeLessThan(1);
    expect(saturation(0, 0, 0)).toBe(0);
    expect(saturation(1, 3, 0)).toBe(1);
  });
});
