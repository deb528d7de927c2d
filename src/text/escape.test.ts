import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { escapeAttribute, escapeText } from "./escape.ts";

describe("escapeText", () => {
  test("no text opens or closes a tag", () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.constantFrom(...hostileTexts));
    fc.assert(
      fc.property(texts, (text) => {
        expect(escapeText(text)).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      }),
    );
  });

  test("escapes can be undone", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const escaped = escapeText(text);
        expect(escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")).toBe(text);
      }),
    );
  });

  test.each([
    ["bidi controls", "a\u202eevil\u202c\u2066b\u2069\u200fc", "aevilbc"],
    ["zero width characters", "</me\u200bmo\u2060ry\ufeff>", "&lt;/memory&gt;"],
    ["words in tag characters", `ok${String.fromCodePoint(0xe0001, 0xe0048, 0xe0069, 0xe007f)}`, "ok"],
    [
      "words in variation selectors",
      `ok\ufe01\ufe02\ufe03${String.fromCodePoint(0xe0100, 0xe0101)}`,
      "ok\ufe01",
    ],
    ["annotations", "a\ufff9b\ufffac\ufffb", "abc"],
    ["control characters", "a\u0000b\u001b[2Jc\u0085", "a\ufffdb\ufffd[2Jc\ufffd"],
    ["lone surrogates", "a\ud800b", "a\ufffdb"],
  ])("takes %s away", (_what, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });

  test.each([
    ...["👩‍👩‍👧‍👦🎉🇩🇪", "❤️ ✔️", "می‌خواهم", "क्‍ष", "Z\u0351\u036ba\u0321", "我住在北京", "مرحبا", "a\tb\r\nc"],
    `\u{1F3F4}${[..."gbsct"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}\u{E007F}`,
  ])("keeps what is seen: %s", (text) => {
    expect(escapeText(text)).toBe(text);
  });

  test("takes time in proportion to the text", () => {
    for (const text of [
      `\u{1F3F4}${"\u{E0067}".repeat(100_000)}`,
      "\ufe0f".repeat(200_000),
      "a\ufe0f".repeat(100_000),
    ])
      expect(escapeText(text).length).toBeLessThanOrEqual(text.length);
  });
});

test("an attribute is one line, and no text ends it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(escapeAttribute(text)).not.toMatch(/["<>\n\r\u2028\u2029]/);
    }),
  );
  expect(escapeAttribute('a"\n  b')).toBe("a&quot; b");
});
