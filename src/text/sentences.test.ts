import fc from "fast-check";
import { expect, test } from "vitest";
import { splitSentences } from "./sentences.ts";

test.each<[string, string[]]>([
  ["Hello there. How are you?! Fine…", ["Hello there.", "How are you?!", "Fine…"]],
  ["Dr. Smith met J. K. Rowling at 3.5 p.m. today.", ["Dr. Smith met J. K. Rowling at 3.5 p.m. today."]],
  ["We met at 5 p.m. Then we left.", ["We met at 5 p.m.", "Then we left."]],
  ['She said "Stop." He did.', ['She said "Stop."', "He did."]],
  ["one\ntwo\n\nthree", ["one", "two", "three"]],
  ["我很好。你呢？好！", ["我很好。", "你呢？", "好！"]],
  ["मैं ठीक हूँ। आप?", ["मैं ठीक हूँ।", "आप?"]],
  ["هل أنت بخير؟ نعم.", ["هل أنت بخير؟", "نعم."]],
  ["Take vitamin c. Then rest, d.h. schlafen.", ["Take vitamin c.", "Then rest, d.h. schlafen."]],
  ["See example.com. It is v1.2.", ["See example.com.", "It is v1.2."]],
  ["", []],
  [" \n ", []],
])("%j", (text, sentences) => {
  expect(splitSentences(text).map((sentence) => sentence.text)).toEqual(sentences);
});

test("nothing but white space is lost, and pieces stand where they say", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "B", ".", "!", "。", " ", "\n", "'", "\ud83d", "p.m.") }),
      (text) => {
        const pieces = splitSentences(text);
        expect(
          pieces
            .map((piece) => piece.text)
            .join("")
            .replace(/\s/g, ""),
        ).toBe(text.replace(/\s/g, ""));
        for (const { text: own, start } of pieces) expect(text.slice(start, start + own.length)).toBe(own);
      },
    ),
  );
});

test.each([".", "!", "?", "…", "。", '."', '"', ")", " ", "\n", " .", "a.", "é"])(
  "a megabyte of %j is split soon, whatever follows",
  (run) => {
    const text = run.repeat(1_000_000 / run.length);
    for (const end of ["", "x", " x"])
      expect(splitSentences(text + end).at(-1)?.text.length ?? 0).toBeLessThanOrEqual(text.length + 2);
  },
);

test("stops of several kinds side by side end one sentence, and those of other scripts end it without white space", () => {
  for (const [text, sentences] of [
    ["a..b. c", ["a..b.", "c"]],
    ["a...。b", ["a...。", "b"]],
    ["a。.b", ["a。", ".b"]],
    ["...b", ["...b"]],
  ] as const)
    expect(splitSentences(text).map((sentence) => sentence.text)).toEqual(sentences);
});
