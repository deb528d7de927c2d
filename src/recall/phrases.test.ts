import { expect, test } from "vitest";
import { phraseShare } from "./phrases.ts";

test("a phrase is found whatever its case, width and white space, but only as a whole", () => {
  expect(phraseShare(["The Old Tree"], "near the\n old  TREE!")).toBe(1);
  expect(phraseShare(["ｆｕｌｌ"], "full width")).toBe(1);
  expect(phraseShare(["the old tree"], "the tree is old")).toBe(0);
});

test("of several phrases the share that is there counts", () => {
  expect(phraseShare(["a b", "c d"], "x a b y")).toBe(0.5);
  expect(phraseShare([], "anything")).toBe(0);
});
