import { describe, expect, test } from "vitest";
import { scoreNeighbours } from "./neighbours.ts";
import { samplePool } from "./sample-memory.ts";
import { scoreTerms } from "./term-scores.ts";
import { defaultWeights } from "./weights.ts";

function neighbours(question: string, texts: readonly string[], sessions = texts.map(() => "s")) {
  const said = texts.map((text, i) => ({
    text,
    ...(sessions[i] === undefined ? {} : { sessionId: sessions[i] }),
  }));
  const { query, pool } = samplePool(question, said);
  const words = scoreTerms(query, pool, defaultWeights);
  return { scores: [...scoreNeighbours(pool, words, defaultWeights)], words };
}

describe("scoreNeighbours", () => {
  test("an entry gains the words that the one before it holds, at the weight of the previous", () => {
    const { scores, words } = neighbours("holiday", ["your holiday", "to Porto", "nice one"]);
    expect(scores[1]).toBeCloseTo(defaultWeights.previous * (words.exact[0] ?? 0), 10);
    expect(scores[0]).toBe(0);
    expect(scores[2]).toBe(0);
  });

  test("what comes after counts less than what comes before", () => {
    const { scores } = neighbours("holiday", ["to Porto", "your holiday", "to Porto"]);
    expect(scores[2]).toBeGreaterThan(scores[0] ?? 0);
    expect(scores[0]).toBeGreaterThan(0);
  });

  test("a word that the entry has itself adds nothing when it is repeated beside it", () => {
    const { scores } = neighbours("holiday", ["a holiday", "a holiday", "a holiday"]);
    expect(scores).toEqual([0, 0, 0]);
  });

  test("other sessions are no neighbours", () => {
    const { scores } = neighbours("holiday", ["your holiday", "to Porto"], ["s1", "s2"]);
    expect(scores).toEqual([0, 0]);
  });
});
