import fc from "fast-check";
import { expect, test } from "vitest";
import { fold } from "./fold.ts";

// What readers of each script write in more than one way.
test.each([
  ["Latin accents", "Crème BRÛLÉE", "cremebrulee"],
  ["Latin letters without a decomposition", "Straße Łódź Ærø þing", "strasselodzaerothing"],
  ["Turkish", "İSTANBUL ISPARTA ılık", "istanbulispartailik"],
  ["Vietnamese", "Tiếng Việt", "tiengviet"],
  ["Greek capitals and final sigma", "ΟΔΥΣΣΕΥΣ Οδυσσεύς", "οδυσσευσοδυσσευσ"],
  ["Greek diaeresis", "Μαΐου", "μαϊου"],
  ["Cyrillic yo and stress", "Ёлка за́мок", "елказамок"],
  ["Cyrillic letters with a breve or dots", "Йод Їжак", "йодїжак"],
  ["Arabic vowels and tatweel", "كِتَـاب", "کتاب"],
  ["Persian and Arabic keyboards", "علي علی", "علیعلی"],
  ["Hebrew points", "שָׁלוֹם", "שלום"],
  ["Devanagari signs", "हिन्दी", "हिन्दी"],
  ["kana and its voicing", "ガカ", "ガカ"],
  ["half and full width", "ｶﾞ ＡＢＣ１", "ガabc1"],
  ["digits", "१२३ ٤٥٦ ๗๘๙", "123456789"],
  ["ligatures and circled digits", "ﬁne ①", "fine1"],
  ["soft hyphen, joiners, direction", "co\u00adop می‌خواهم \u202eabc", "coopمیخواهمabc"],
])("%s", (_, written, folded) => {
  expect(fold(written)).toBe(folded);
});

test("folding is idempotent, ignores composition and never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const folded = fold(text);
      expect(fold(folded)).toBe(folded);
      expect(fold(text.normalize("NFD"))).toBe(fold(text.normalize("NFC")));
    }),
    { numRuns: 2000 },
  );
});
