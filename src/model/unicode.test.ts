import fc from "fast-check";
import { expect, test } from "vitest";
import { compareUtf8, isStorable, repairText, utf8Length } from "./unicode.ts";

// Whole code points and lone halves of pairs, where the two encodings differ.
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", "é", "中", "\u{1f600}", "\ud800", "\udc00", "\0"),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
});

test("utf8Length counts what an encoder writes", () => {
  fc.assert(fc.property(anyText, (text) => utf8Length(text) === new TextEncoder().encode(text).length));
});

test("compareUtf8 orders well-formed text by its bytes", () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      const [x, y] = [a.toWellFormed(), b.toWellFormed()];
      expect(Math.sign(compareUtf8(x, y))).toBe(Math.sign(Buffer.compare(Buffer.from(x), Buffer.from(y))));
    }),
  );
});

test("astral characters sort after the end of the basic plane, unlike in UTF-16", () => {
  expect(["\u{1f600}", "\uffff", "\ue000"].sort(compareUtf8)).toEqual(["\ue000", "\uffff", "\u{1f600}"]);
  expect(["\u{1f600}", "\uffff"].sort()).toEqual(["\u{1f600}", "\uffff"]);
});

test("repairText replaces lone surrogates and NUL, and nothing else", () => {
  expect(repairText("a\ud800b\0c\u{1f600}")).toBe("a\ufffdb\ufffdc\u{1f600}");
  fc.assert(
    fc.property(anyText, (text) => {
      const repaired = repairText(text);
      expect(isStorable(repaired)).toBe(true);
      expect(repaired.length).toBe(text.length);
      if (isStorable(text)) expect(repaired).toBe(text);
    }),
  );
});
