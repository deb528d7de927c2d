import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { findAddresses } from "./address.ts";
import { createAnalyser } from "./analyser.ts";
import { cutToBytes, cutToTokens, cutToUnits } from "./cut.ts";
import { findNames } from "./names.ts";
import { findPreferences } from "./preferences.ts";
import { findQuotes } from "./quotes.ts";
import { splitSentences } from "./sentences.ts";
import { findSpeakers } from "./speaker.ts";
import { findDates } from "./time/find-dates.ts";
import { estimatedTokens } from "./token-counter.ts";

const analyser = createAnalyser();

// Everything of this folder that takes a text from anybody.
const functions: Readonly<Record<string, (text: string) => unknown>> = {
  analyse: (text) => analyser.analyse(text),
  dates: (text) => findDates(text, { at: 0, zone: "Asia/Kathmandu" }),
  names: (text) => findNames(text, { known: ["Anna"] }),
  preferences: findPreferences,
  quotes: findQuotes,
  speakers: findSpeakers,
  addresses: findAddresses,
  sentences: splitSentences,
  units: (text) => cutToUnits(text, text.length / 2, "end"),
  bytes: (text) => cutToBytes(text, text.length, "end"),
  cut: (text) => cutToTokens(text, 1000, estimatedTokens, "end"),
  tokens: (text) => estimatedTokens.count(text),
};

const length = 100_000;
const inputs: Readonly<Record<string, string>> = {
  "no space": "x".repeat(length),
  "only emoji": "👨‍👩‍👧🇩🇪👍🏽".repeat(length / 16),
  "right to left": "שלום \u202eمرحبا بالعالم، ".repeat(length / 20),
  "lone surrogates": "\ud800a\udc00".repeat(length / 3),
  NUL: "\0".repeat(length),
  marks: `e${"\u0301".repeat(length)}`,
  "marks out of order": `e${"\u0301\u0323".repeat(length / 2)}`,
  "stops before a letter": `${".".repeat(length)}x`,
  lines: "\n".repeat(length),
  spaces: " ".repeat(length),
  base64: "QUJD+/9z".repeat(length / 8),
  quotes: `"'“«`.repeat(length / 4),
  "unclosed brackets": "([{<".repeat(length / 4),
  colons: "A: ".repeat(length / 3),
  "I love": "I love I don't ".repeat(length / 15),
  stops: "a. B! ".repeat(length / 6),
};
const megabyte = Object.values(inputs)
  .map((input) => input.slice(0, 75_000))
  .join("\n");

test.each(Object.keys(functions))("%s of a megabyte of everything ends soon", (name) => {
  // Generous, for slow machines: what grows with the square would take minutes.
  expect(cpuTime(() => functions[name]?.(megabyte))).toBeLessThan(20_000);
});

test.each(
  Object.keys(functions).flatMap((name) => Object.keys(inputs).map((input) => [name, input] as const)),
)("%s of 100,000 units of %s ends soon", (name, input) => {
  expect(cpuTime(() => functions[name]?.(inputs[input] ?? ""))).toBeLessThan(5000);
});

test("every function is total and deterministic", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme-composite" }),
    fc.string({ unit: "grapheme" }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const run of Object.values(functions)) expect(run(text)).toEqual(run(text));
    }),
    { numRuns: 200 },
  );
});
