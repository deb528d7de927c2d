import { expect, it } from "vitest";
import { answerLines, wrap } from "../../scripts/demo/show.ts";

const grain = {
  id: "g",
  content: "I adopted a dog.",
  author: "Mara",
  said_at: Date.parse("2025-08-09T23:30:00Z"),
  signals: [
    { name: "words", score: 0.5 },
    { name: "unheard-of", score: 0.25 },
  ],
};

it("shows each hit with who said it, on which day where it is asked, and why it was found", () => {
  const found = { trace_id: "t", confidence: 0.6, grains: [grain] };
  expect(answerLines("Which pet?", found, { zone: "Europe/Vienna" })).toEqual([
    "Which pet?",
    "  confidence 0.60",
    "  · Mara, 10 Aug 2025: I adopted a dog.",
    "    found by words of the question 0.50, unheard-of 0.25",
  ]);
});

it("says that nothing is known when the confidence is low", () => {
  const [, second] = answerLines("?", { trace_id: "t", confidence: 0.1, grains: [] }, { zone: "UTC" });
  expect(second).toContain("nothing is known");
});

it("breaks lines between words, and leaves a long word whole", () => {
  expect(wrap("one two three", 9, "- ", "  ")).toEqual(["- one two", "  three"]);
  expect(wrap("Donaudampfschifffahrt is long", 10, "", "")).toEqual(["Donaudampfschifffahrt", "is long"]);
  expect(wrap("a\nb\tc", 80, "", "")).toEqual(["a b c"]);
});
