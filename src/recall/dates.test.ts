import { expect, test } from "vitest";
import { scoreDates } from "./dates.ts";
import { sampleNow, samplePool } from "./sample-memory.ts";

const day = 24 * 3_600_000;

function scores(question: string, daysAgo: readonly number[]): number[] {
  const said = daysAgo.map((days) => ({ text: "tea", saidAt: sampleNow - days * day }));
  const { query, pool } = samplePool(question, said);
  return [...scoreDates(query, pool)].map((score) => Math.round(score * 100) / 100);
}

test("within the time it is 1, then falls to 0 over three times its length", () => {
  // Asked at noon: the whole of yesterday is half a day to one and a half days ago.
  expect(scores("yesterday", [0.75, 1, 2, 3, 4, 5])).toEqual([1, 1, 0.83, 0.5, 0.17, 0]);
  const [within, after, before, far] = scores("in April 2023", [30, 20, 60, 200]);
  expect(within).toBe(1);
  expect(after).toBeGreaterThan(0.9);
  expect(before).toBeGreaterThan(0.9);
  expect(far).toBe(0);
});

test("a time without end is left within days", () => {
  expect(scores("since May 2023", [0, 10, 60])).toEqual([1, 1, 0]);
  expect(scores("before May 2023", [10, 60, 5000])).toEqual([0, 1, 1]);
});

test("no time asked about is no signal", () => {
  expect(scores("tea", [0, 1])).toEqual([0, 0]);
});
