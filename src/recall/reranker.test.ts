import { expect, test } from "vitest";
import { normaliseScores } from "./reranker.ts";

test("the worst becomes 0, the best 1, on any scale", () => {
  expect(normaliseScores([-10, 0, 10])).toEqual([0, 0.5, 1]);
  expect(normaliseScores([0.2])).toEqual([0]);
  expect(normaliseScores([3, 3])).toEqual([0, 0]);
  expect(normaliseScores([])).toEqual([]);
  expect(normaliseScores([-1.7e308, 0, 1.7e308])).toEqual([0, 0.5, 1]);
  expect(normaliseScores([-Number.MAX_VALUE, Number.MAX_VALUE])).toEqual([0, 1]);
});
