import { describe, expect, test } from "vitest";
import { estimatedTokens } from "../text/token-counter.ts";
import { renderMemories } from "./render.ts";
import type { RecallHit } from "./result.ts";
import { sampleGrain } from "./sample-memory.ts";
import { bestPieces, fitTokens } from "./select.ts";

const piece = (id: string, ownerId: string, score: number) => ({
  ...{ row: 0, score, added: [] },
  candidate: { grain: sampleGrain(id, { ownerId }), counts: [], length: 0, similarity: 0, arms: new Map() },
});

const hit = (text: string, id = text): RecallHit => ({
  ...{ id, owner: { kind: "text", id }, text, saidAt: 0, status: "active", provenance: "user_stated" },
  ...{ score: 1, signals: [] },
});

describe("bestPieces", () => {
  test("of each record the best piece stays, up to the limit", () => {
    const ranking = [piece("a1", "a", 3), piece("a2", "a", 2), piece("b1", "b", 1), piece("c1", "c", 0.5)];
    expect(bestPieces(ranking, 2).map(({ candidate }) => candidate.grain.id)).toEqual(["a1", "b1"]);
  });

  test("records of two kinds may have the same id", () => {
    const other = piece("m1", "a", 1);
    const message = {
      ...other,
      candidate: { ...other.candidate, grain: sampleGrain("m1", { ownerId: "a", ownerKind: "message" }) },
    };
    expect(bestPieces([piece("a1", "a", 2), message], 9)).toHaveLength(2);
  });
});

describe("fitTokens", () => {
  const size = (hits: readonly RecallHit[]) => estimatedTokens.count(renderMemories({ hits }));

  test("what is written fits the budget, and shorter hits fill what is left", () => {
    const hits = [hit("short one"), hit("long ".repeat(200)), hit("another short one")];
    expect(fitTokens(hits, 120, estimatedTokens).map(({ text }) => text)).toEqual([
      "short one",
      "another short one",
    ]);
    for (const budget of [1, 20, 40, 60, 80, 100, 200, 400]) {
      const fitting = fitTokens(hits, budget, estimatedTokens);
      if (fitting.length > 0) expect(size(fitting)).toBeLessThanOrEqual(budget);
    }
    expect(fitTokens(hits, 1000, estimatedTokens)).toEqual(hits);
  });

  test("a first hit that alone is too long is cut, with its escapes counted", () => {
    for (const text of ["word ".repeat(500), "<&>".repeat(500), "记忆".repeat(500), "👩‍👩‍👧‍👦".repeat(200)]) {
      const fitting = fitTokens([hit(text, "long")], 120, estimatedTokens);
      expect(fitting).toHaveLength(1);
      expect(fitting[0]?.truncated).toBe(true);
      expect(text.startsWith(fitting[0]?.text ?? "?")).toBe(true);
      expect(size(fitting)).toBeLessThanOrEqual(120);
    }
  });

  test("a budget too small for anything has no hits", () => {
    expect(fitTokens([hit("short one")], 5, estimatedTokens)).toEqual([]);
    expect(fitTokens([], 100, estimatedTokens)).toEqual([]);
  });
});
