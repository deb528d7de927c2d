import { expect, test } from "vitest";
import { readVerbPhrase } from "./verb-phrase.ts";
import { readWords } from "./words.ts";

const read = (text: string): string | undefined => {
  const words = readWords(text);
  const singular = !/^(?:i|we)$/.test(words[0]?.lower ?? "");
  const phrase = readVerbPhrase(words, 1, singular);
  if (phrase === undefined) return undefined;
  const { lemma, mode, negated, perfect, progressive, able, begun } = phrase;
  const marks = Object.entries({ negated, perfect, progressive, able, begun }).filter(([, is]) => is);
  return [lemma, mode, ...marks.map(([name]) => name)].join(" ");
};

test.each([
  ["I live", "live holds"],
  ["She works", "work holds"],
  ["I lived", "live was"],
  ["I've lived", "live was perfect"],
  ["I have been living", "live holds perfect progressive"],
  ["I'm working", "work holds progressive"],
  ["I don't eat", "eat holds negated"],
  ["I dont eat", "eat holds negated"],
  ["He doesn't work", "work holds negated"],
  ["I never really liked", "liked holds negated"],
  ["I used to live", "live ended"],
  ["I no longer live", "live ended"],
  ["I stopped drinking", "drink ended"],
  ["I've given up smoking", "smoke ended perfect"],
  ["I will move", "move will"],
  ["I'm going to move", "move will"],
  ["I'm gonna move", "move will"],
  ["I can't swim", "swim holds negated able"],
  ["I started learning", "learn holds begun"],
  ["I'd like to learn", "want holds"],
  ["I do yoga", "do holds"],
  ["I've got", "have holds"],
  ["He's tall", "be holds"],
  ["She's been", "be holds perfect"],
  ["I legally changed", "change was"],
])("%s", (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  "I would live",
  "I might move",
  "I could go",
  "I should work",
  "I maybe live",
  "She working",
  "I had lived",
  "I",
])("%s states nothing", (text) => {
  expect(read(text)).toBeUndefined();
});

test("what is probable is less sure", () => {
  expect(readVerbPhrase(readWords("I probably live"), 1, false)?.confidence).toBe(0.5);
});
