import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { maxPieceUnits, splitPieces } from "./pieces.ts";

const textsOf = (text: string, max?: number): string[] =>
  splitPieces(text, max).map(({ start, end }) => text.slice(start, end));

test("a text that fits is one piece, with all its white space", () => {
  expect(splitPieces(" Hello there. ")).toEqual([{ start: 0, end: 14 }]);
});

test("a text without content has no piece", () => {
  for (const text of ["", " ", "\n\t\u00a0"]) expect(splitPieces(text)).toEqual([]);
});

test("pieces are whole sentences, as many as fit", () => {
  expect(textsOf("One is here. Two is here. Three is here. Four.", 26)).toEqual([
    "One is here. Two is here.",
    "Three is here. Four.",
  ]);
});

test("a sentence that is too long is cut between words, or between characters", () => {
  expect(textsOf("alpha beta gamma delta epsilon", 12)).toEqual(["alpha beta", "gamma delta", "epsilon"]);
  expect(textsOf("我住在北京喜欢喝茶", 4)).toEqual(["我住在北", "京喜欢喝", "茶"]);
  expect(textsOf("👍🏽".repeat(5), 9)).toEqual(["👍🏽👍🏽", "👍🏽👍🏽", "👍🏽"]);
});

test("pieces hold all that is not white space, in order, and none is longer than the limit", () => {
  const bare = (text: string): string => text.replace(/\s/gu, "");
  const check = (text: string): void => {
    const pieces = splitPieces(text);
    let end = 0;
    for (const piece of pieces) {
      expect(piece.start).toBeGreaterThanOrEqual(end);
      expect(piece.end).toBeGreaterThan(piece.start);
      expect(piece.end - piece.start).toBeLessThanOrEqual(maxPieceUnits);
      end = piece.end;
    }
    expect(bare(textsOf(text).join(""))).toBe(bare(text));
  };
  for (const text of hostileTexts) check(text);
  fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1000, maxLength: 5000 }), check), {
    numRuns: 20,
  });
});
