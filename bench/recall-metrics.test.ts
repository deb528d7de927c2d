import { describe, expect, it } from "vitest";
import { auroc, distinct, mean, scoreRanking } from "./recall-metrics.ts";

describe("scoreRanking", () => {
  it("gives full marks when all evidence comes first", () => {
    const scores = scoreRanking(["a", "b", "x", "y"], ["b", "a"]);
    expect(Object.values(scores).every((value) => value === 1 || value === 0.5)).toBe(true);
    // Of two sessions that are needed, one can be first.
    expect(scores.session_r1).toBe(0.5);
    expect(scores).toMatchObject({ r5: 1, all5: 1, mrr: 1, ndcg10: 1 });
  });

  it("gives nothing when nothing was found", () => {
    expect(new Set(Object.values(scoreRanking([], ["a"])))).toEqual(new Set([0]));
    expect(new Set(Object.values(scoreRanking(["x"], ["a"])))).toEqual(new Set([0]));
  });

  it("counts shares at 5, 10 and 20, and all or nothing", () => {
    const ranked = Array.from({ length: 20 }, (_, i) => `x${i}`);
    ranked[2] = "a";
    ranked[6] = "b";
    ranked[19] = "c";
    const scores = scoreRanking(ranked, ["a", "b", "c", "missing"]);
    expect(scores).toMatchObject({ r5: 0.25, r10: 0.5, r20: 0.75, all5: 0, all10: 0, all20: 0 });
    expect(scoreRanking(ranked, ["a", "b"])).toMatchObject({ r5: 0.5, r10: 1, all5: 0, all10: 1, all20: 1 });
    expect(scoreRanking(ranked, ["c"])).toMatchObject({ r10: 0, r20: 1, all10: 0, all20: 1 });
  });

  it("ranks the first piece of evidence alone for MRR", () => {
    expect(scoreRanking(["x", "y", "a", "b"], ["b", "a"]).mrr).toBeCloseTo(1 / 3, 12);
  });

  it("discounts by the logarithm of the place, beside the best order", () => {
    // Found at places 2 and 4: 1/log2(3) + 1/log2(5); the best is places 1 and 2: 1 + 1/log2(3).
    const scores = scoreRanking(["x", "a", "y", "b"], ["a", "b"]);
    expect(scores.ndcg10).toBeCloseTo((0.6309297535714575 + 0.43067655807339306) / 1.6309297535714575, 12);
    // What comes after the tenth does not count, and no more than ten can.
    const many = Array.from({ length: 12 }, (_, i) => `e${i}`);
    expect(scoreRanking(many, many).ndcg10).toBe(1);
    expect(scoreRanking([...Array.from({ length: 10 }, (_, i) => `x${i}`), "a"], ["a"]).ndcg10).toBe(0);
  });

  it("takes sessions from where they are said to be", () => {
    const scores = scoreRanking(["t1", "t2"], ["t2"], { ranked: ["s1", "s2"], evidence: ["s2"] });
    expect(scores).toMatchObject({ mrr: 0.5, session_r1: 0, session_r5: 1, session_r10: 1 });
  });
});

it("averages over questions, not over pieces of evidence", () => {
  const half = scoreRanking(["a"], ["a", "b"]);
  const none = scoreRanking([], ["a", "b", "c", "d"]);
  expect(mean([half, none])).toMatchObject({ r5: 0.25, all5: 0, mrr: 0.5 });
});

it("keeps the order of first appearance", () => {
  expect(distinct(["b", "a", "b", "c", "a"])).toEqual(["b", "a", "c"]);
});

describe("auroc", () => {
  it("is 1 when the two are apart, 0 when they are the wrong way round, and a half for chance", () => {
    expect(auroc([0.9, 0.8], [0.1, 0.2])).toBe(1);
    expect(auroc([0.1], [0.9, 0.8])).toBe(0);
    expect(auroc([0.5, 0.5], [0.5])).toBe(0.5);
  });

  it("counts pairs, ties half", () => {
    // Pairs won: 0.9 over both, 0.4 over 0.2 and level with 0.4.
    expect(auroc([0.9, 0.4], [0.4, 0.2])).toBe(3.5 / 4);
  });

  it("is undefined without both kinds", () => {
    expect(auroc([], [1])).toBeUndefined();
    expect(auroc([1], [])).toBeUndefined();
  });
});
