import { expect, test } from "vitest";
import { firstOf } from "./first-of.ts";

test("the first of items are those of a sort, also of equal ones", () => {
  const items = Array.from({ length: 200 }, (_, i) => ({ i, key: (i * 37) % 23 }));
  const order = (a: { readonly key: number }, b: { readonly key: number }): number => b.key - a.key;
  for (const count of [0, 1, 9, 10, 199, 200, 500])
    expect(firstOf(items, count, order)).toEqual(items.toSorted(order).slice(0, count));
  expect(firstOf([], 3, order)).toEqual([]);
});
