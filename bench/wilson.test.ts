import { expect, test } from "vitest";
import { wilson } from "./wilson.ts";

test("intervals are Wilson's", () => {
  // Newcombe 1998, table I: 81 of 263 and 15 of 148.
  expect(wilson(81, 263)?.low).toBeCloseTo(0.2553, 4);
  expect(wilson(81, 263)?.high).toBeCloseTo(0.3662, 4);
  expect(wilson(15, 148)?.low).toBeCloseTo(0.0624, 4);
  expect(wilson(15, 148)?.high).toBeCloseTo(0.1605, 4);
  expect(wilson(0, 0)).toBeUndefined();
});
