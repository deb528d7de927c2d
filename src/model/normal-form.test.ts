import { expect, test } from "vitest";
import { normalForm } from "./normal-form.ts";

test("what people write is in the normal form of the platform", () => {
  for (const text of ["cafe\u0301", "ﬁ", "ｶﾞ", "e\u0301\u0323", `a${"\u0301\u0323".repeat(14)}`, "각", ""])
    for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const)
      expect(normalForm(text, form)).toBe(text.normalize(form));
});

test.each(["\u0301\u0323", "\u0344\u0323", "\u05b0\uff9e", "\uff9f\u0301"])(
  "200,000 of the marks %j end soon, and once more when it is in the form",
  (marks) => {
    const form = normalForm(`a${marks.repeat(100_000)}`, "NFKC");
    expect(form.length).toBeGreaterThan(200_000);
    expect(normalForm(form, "NFKC").length).toBeGreaterThanOrEqual(form.length);
  },
);

test("marks are broken up after each 30, and once", () => {
  const marked = (count: number): string => `a${"\u0323".repeat(count)}b`;
  expect(normalForm(marked(30), "NFD")).toBe(marked(30));
  const broken = normalForm(marked(61), "NFD");
  expect(broken.split("\u034f").map(({ length }) => length)).toEqual([31, 30, 2]);
  expect(normalForm(broken, "NFD")).toBe(broken);
});
