import { expect, it } from "vitest";
import { RemovedPositions } from "./removed-positions.ts";

it("has what was removed of a partition in a space once, each position once", () => {
  const removed = new RemovedPositions();
  for (const position of [3, 1, 3]) removed.add(1, 1, position);
  removed.add(1, 2, 4);
  removed.add(2, 1, 5);
  expect(removed.take(1, 1)).toEqual([3, 1]);
  expect(removed.take(1, 1)).toEqual([]);
  expect([removed.take(1, 2), removed.take(2, 1)]).toEqual([[4], [5]]);
});

it("keeps no more than what a copy of an index may well ask for", () => {
  const removed = new RemovedPositions();
  for (let position = 0; position < 20_001; position++) removed.add(1, 1, position);
  expect(removed.take(1, 1)).toEqual([20_000]);
});
