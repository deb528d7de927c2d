import { expect, test } from "vitest";
import { Best } from "./best.ts";

test("the best of many are those of a sort, and of equal scores the higher number comes first", () => {
  const scores = Array.from({ length: 400 }, (_, i) => (i * 37) % 50);
  const sorted = scores
    .map((score, item) => ({ item, score }))
    .sort((a, b) => b.score - a.score || b.item - a.item);
  for (const limit of [1, 7, 60, 1000]) {
    for (const order of [(i: number) => i, (i: number) => 399 - i]) {
      const best = new Best(limit);
      for (let i = 0; i < 400; i++) best.add(order(i), scores[order(i)] as number);
      expect(best.list()).toEqual(sorted.slice(0, limit));
    }
  }
});
