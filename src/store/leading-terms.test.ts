import { expect, test } from "vitest";
import { leadingTerms, mostWalked } from "./leading-terms.ts";

test("terms lead from the rarest on, as far as their entries are few enough", () => {
  expect(leadingTerms([5, 0, 2, 5], 10)).toEqual([2, 0, 3]);
  expect(leadingTerms([mostWalked, 200, 300], 100)).toEqual([1, 2]);
  expect(leadingTerms([mostWalked - 500, 200, 300], 100)).toEqual([1, 2, 0]);
});

test("as many lead as it takes to bring the candidates that are asked for", () => {
  expect(leadingTerms([mostWalked * 2, 3], 200)).toEqual([1, 0]);
  expect(leadingTerms([mostWalked * 2], 1)).toEqual([0]);
  expect(leadingTerms([mostWalked * 2, mostWalked * 3], 1)).toEqual([0]);
  expect(leadingTerms([], 10)).toEqual([]);
});
