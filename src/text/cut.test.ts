import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { utf8Length } from "../model/unicode.ts";
import { cutToBytes, cutToTokens, cutToUnits } from "./cut.ts";
import { estimatedTokens } from "./token-counter.ts";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Every offset between two characters, by the platform itself. */
function boundariesOf(text: string): Set<number> {
  return new Set([...Array.from(graphemes.segment(text), ({ index }) => index), text.length]);
}

const family = "👨‍👩‍👧";

test("an emoji text is cut at no place inside a character", () => {
  const text = `a👍🏽b${family}🇩🇪🇫🇷e\u0301\u0302ñ1️⃣한\r\nक्षि\ud83d`;
  const boundaries = boundariesOf(text);
  for (let max = 0; max <= text.length; max++) {
    expect(boundaries).toContain(cutToUnits(text, max).length);
    expect(boundaries).toContain(text.length - cutToUnits(text, max, "end").length);
  }
});

test("what does not fit is left out whole", () => {
  expect(cutToUnits(family, family.length - 1)).toBe("");
  expect(cutToUnits(`ab${family}`, 5)).toBe("ab");
  expect(cutToUnits(`${family}ab`, 5, "end")).toBe("ab");
  expect(cutToBytes("aé", 2)).toBe("a");
  expect(cutToUnits("abc", 0)).toBe("");
  expect(cutToUnits("abc", Number.NaN)).toBe("");
  expect(cutToBytes("abc", Number.NaN)).toBe("");
  expect(cutToUnits("abc", Number.POSITIVE_INFINITY)).toBe("abc");
});

const unit = fc.constantFrom(
  "a",
  " ",
  "é",
  "e\u0301",
  family,
  "🇩🇪",
  "👍🏽",
  "\ud800",
  "\udc00",
  "\0",
  "한",
  "ᄒ",
  "ᅡ",
  "क्ष",
  "\r\n",
  "\u200d",
  "我",
);
const texts = fc.oneof(
  fc.array(unit, { maxLength: 60 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);
const ends = fc.constantFrom("start" as const, "end" as const);

test("cuts are the longest that fit, at boundaries, for units and bytes", () => {
  fc.assert(
    fc.property(texts, fc.nat(120), ends, (text, max, kept) => {
      const boundaries = boundariesOf(text);
      const part = (at: number): string => (kept === "start" ? text.slice(0, at) : text.slice(at));
      const best = (size: (part: string) => number): number =>
        Math.max(
          ...Array.from(boundaries, part)
            .filter((piece) => size(piece) <= max)
            .map((piece) => piece.length),
        );
      const units = cutToUnits(text, max, kept);
      const bytes = cutToBytes(text, max, kept);
      expect(part(kept === "start" ? units.length : text.length - units.length)).toBe(units);
      expect(units.length).toBe(best((piece) => piece.length));
      expect(bytes.length).toBe(best(utf8Length));
    }),
    { numRuns: 1000 },
  );
});

test("cuts of long texts are at boundaries as well", () => {
  const long = fc.array(
    unit.filter((one) => one !== "🇩🇪"),
    { minLength: 900, maxLength: 1200 },
  );
  fc.assert(
    fc.property(long, fc.nat(500), ends, (parts, less, kept) => {
      const text = parts.join("");
      const max = text.length - 1 - less;
      const boundaries = [...boundariesOf(text)];
      const { length } = cutToUnits(text, max, kept);
      const best =
        kept === "start"
          ? boundaries.findLast((at) => at <= max)
          : text.length - (boundaries.find((at) => text.length - at <= max) ?? 0);
      expect(length).toBe(best);
    }),
    { numRuns: 200 },
  );
});

test.each(["\u0301", "\u{1d165}"])(
  "a letter under a megabyte of the mark %j is split between code points",
  (mark) => {
    const text = `a${mark.repeat(1_000_000)}`;
    for (const max of [500_000, 500_001]) {
      const whole = (length: number): boolean =>
        max - length < mark.length && (length - 1) % mark.length === 0;
      expect(whole(cutToUnits(text, max).length)).toBe(true);
      expect(cutToUnits(text, max, "end")).toBe(mark.repeat(Math.floor(max / mark.length)));
      expect(cutToBytes(text, max)).toBe(`a${mark.repeat(Math.floor((max - 1) / utf8Length(mark)))}`);
    }
    expect(cutToUnits(`${text}b`, 2, "end")).toBe(mark.length === 1 ? `${mark}b` : "b");
    const kept = `a${mark.repeat(400)}`;
    expect(cutToUnits(`b${kept}`, kept.length)).toBe("b");
    expect(cutToUnits(`${kept}b`, kept.length, "end")).toBe("b");
    expect(estimatedTokens.count(cutToTokens(text, 1000, estimatedTokens))).toBeGreaterThan(990);
  },
);

test("cuts by tokens fit", () => {
  fc.assert(
    fc.property(texts, fc.nat(30), ends, (text, max, kept) => {
      const cut = cutToTokens(text, max, estimatedTokens, kept);
      expect(estimatedTokens.count(cut)).toBeLessThanOrEqual(max);
      expect(kept === "start" ? text.startsWith(cut) : text.endsWith(cut)).toBe(true);
    }),
  );
  expect(cutToTokens("one two three four five", 3, estimatedTokens).trim()).toBe("one two three");
});

test.each(["a", "😀", "e\u0301", "\u0301", "\u200d👍", "我", "🇩🇪"])(
  "100,000 units of %j are cut quickly",
  (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    const time = cpuTime(() => {
      for (const kept of ["start", "end"] as const) {
        cutToUnits(text, 50_001, kept);
        cutToBytes(text, 50_001, kept);
        cutToTokens(text, 1000, estimatedTokens, kept);
      }
    });
    expect(time).toBeLessThan(5000);
  },
);
