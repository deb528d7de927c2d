import { expect, test } from "vitest";
import { scoreMeaning } from "./meaning.ts";
import { maxNearest, PoolBuilder } from "./pool.ts";
import { sampleGrain } from "./sample-memory.ts";

function scores(similarities: readonly number[]): number[] {
  const pool = new PoolBuilder();
  pool.addNearest(similarities.map((similarity, i) => ({ grain: sampleGrain(`g${i}`), similarity })));
  return [...scoreMeaning(pool.build())];
}

test("what a full list did not return is as good as its last", () => {
  const nearest = Array.from({ length: maxNearest }, (_, i) => 0.9 - i * 0.005);
  const all = scores([...nearest, 0]);
  expect(all[0]).toBeCloseTo(0.9 - 0.405, 10);
  expect(all[maxNearest - 1]).toBe(0);
  expect(all[maxNearest]).toBe(0);
});

test("the only one found keeps nearly all of its cosine", () => {
  expect(scores([0.8])[0]).toBeCloseTo(0.792, 10);
});

test("the order is that of the cosines, and what points away has nothing", () => {
  const [a = 0, b = 0, c = 0, away] = scores([0.8, 0.5, 0.2, -0.7]);
  expect(a).toBeGreaterThan(b);
  expect(b).toBeGreaterThan(c);
  expect(c).toBeGreaterThan(0);
  expect(away).toBe(0);
  expect(scores([])).toEqual([]);
});
