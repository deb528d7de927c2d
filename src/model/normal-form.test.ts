import { expect, test } from "vitest";
import { normalForm } from "./normal-form.ts";

test("what people write is in the normal form of the platform", () => {
  for (const text of ["cafe\u0301", "ﬁ", "ｶﾞ", "e\u0301\u0323", `a${"\u0301\u0323".repeat(14)}`, "각", ""])
    for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const)
      expect(normalForm(text, form)).toBe(text.normalize(form));
});

test.each(["\u0301\u0323", "\u0344\u0323", "\u05b0\uff9e", "\uff9f\u0301"])(
  "a megabyte of the marks %j ends soon, and once more when it is in the form",
  (marks) => {
    const form = normalForm(`a${marks.repeat(500_000)}`, "NFKC");
    expect(form.length).toBeGreaterThan(1_000_000);
    expect(normalForm(form, "NFKC").length).toBeGreaterThanOrEqual(form.length);
  },
);
