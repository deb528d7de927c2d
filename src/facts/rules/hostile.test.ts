import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "../../../test/support/cpu-time.ts";
import { saidAt } from "./claims-in-words.ts";
import { extractByRules } from "./extract.ts";

const length = 100_000;
const inputs: Readonly<Record<string, string>> = {
  "no space": "x".repeat(length),
  "I live in": "I live in ".repeat(length / 10),
  "clauses without an end": "I live in Rome and ".repeat(length / 19),
  "short forms": "I'm ".repeat(length / 4),
  "relatives of relatives": "my sister's ".repeat(length / 12),
  names: "Alice ".repeat(length / 6),
  "lists without an end": `I like ${"a, b and ".repeat(length / 9)}`,
  "a long list in every sentence": `I like ${"b and ".repeat(95)}. `.repeat(length / 580),
  "a long noun in every sentence": `I have a ${"very ".repeat(110)}. `.repeat(length / 560),
  "long names": `call me ${"Aa ".repeat(190)}. `.repeat(length / 580),
  addresses: `my email is ${"a.".repeat(280)} `.repeat(length / 575),
  "time words": `I like x${" now".repeat(length / 4)}`,
  dates: "I moved to Rome in 2019. ".repeat(length / 25),
  "names told after": "We have a kitten, her name is Mochi and she is 3. ".repeat(length / 50),
  "notes without I": "Just moved to Rome, allergic to nuts and from Oslo. ".repeat(length / 52),
  "a street without an end": `my address is 7 ${"Aa ".repeat(190)}. `.repeat(length / 590),
  "names side by side": `my cats Aa${", Aa".repeat(140)} `.repeat(length / 570),
  "contrasts without an end": `I use Aa, ${"not Bb, ".repeat(70)}. `.repeat(length / 570),
  "swaps without an end": `I swapped my ${"Aa ".repeat(90)}for a ${"Bb ".repeat(90)}. `.repeat(length / 570),
  "short for": `call me ${"short ".repeat(90)}. `.repeat(length / 550),
  "only capitals": "I I ".repeat(length / 4),
  "things to be noted": `${"Aa bb budget: 5, ".repeat(33)}. `.repeat(length / 563),
  "names with ages": `my kids ${"Aa (5), ".repeat(70)}and Bb. `.repeat(length / 577),
  "lines about oneself": `Aa, 22, ${"they/them, ".repeat(50)}. `.repeat(length / 560),
  "questions of names": `What of ${"my sister Aa ".repeat(40)}? `.repeat(length / 530),
  "tastes in front": `${"aa, ".repeat(140)}those are my thing. `.repeat(length / 580),
  "said over and over": "I'd rather tbh basically every ".repeat(length / 31),
  quotes: `"'“«`.repeat(length / 4),
  "code fences": "```a\n".repeat(length / 5),
  lines: "\n".repeat(length),
  spaces: " ".repeat(length),
  stops: "a. B! ".repeat(length / 6),
  "lone surrogates": "\ud800a".repeat(length / 2),
  "only emoji": "👨‍👩‍👧🇩🇪👍🏽".repeat(length / 16),
};

test.each(Object.keys(inputs))("100,000 units of %s end soon", (name) => {
  const time = cpuTime(() => extractByRules(inputs[name] ?? "", { saidAt }));
  // Generous, for slow machines: what grows with the square would take minutes.
  expect(time).toBeLessThan(10_000);
});

test("a megabyte of everything ends soon", () => {
  const megabyte = Object.values(inputs)
    .map((input) => input.slice(0, 52_000))
    .join("\n");
  expect(megabyte.length).toBeGreaterThan(1_000_000);
  expect(cpuTime(() => extractByRules(megabyte, { saidAt }))).toBeLessThan(20_000);
});

test("what nobody says in one breath is not read", () => {
  expect(extractByRules(`I live in Rome ${"and so on ".repeat(100)}.`, { saidAt })).toEqual([]);
});

test("the rules are total and deterministic", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme-composite" }),
    fc
      .string({ unit: "grapheme" })
      .map((text) => `I'm ${text}, I live in ${text} and my sister ${text} likes ${text}.`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(extractByRules(text, { saidAt })).toEqual(extractByRules(text, { saidAt }));
    }),
    { numRuns: 200 },
  );
});
