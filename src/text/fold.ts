import { normalForm } from "../model/normal-form.ts";

/**
 * Brings a word into the form in which words are compared: compatibility-composed (NFKC), lower case, and without what
 * writers leave out or type in two ways. What tells letters apart stays. By script:
 *
 * - Latin: accents go ("café" is found by "cafe"), as people leave them out when they search; letters that Unicode does not
 *   decompose are spelled out (ß ss, æ ae, ø o, ł l, þ th).
 * - Greek: the accent goes, because capitals are written without it (ΑΘΗΝΑ, Αθήνα); diaeresis stays; ς is σ.
 * - Cyrillic: stress marks go, and ё is е, as Russian print writes it; й and ї are letters of their own and stay.
 * - Arabic and Hebrew: vowel points and the tatweel go, which ordinary text leaves out; the two code points that keyboards
 *   produce for yeh and for kaf become one. Hamza and the forms of alef stay.
 * - All others: nothing. A voiced kana, a nukta, a vowel sign or a tone mark makes another letter or word.
 *
 * Decimal digits of every script become 0 to 9. Ignorable characters (soft hyphen, joiners, variation selectors, marks of
 * direction) go. Folding what is folded changes nothing.
 */
export function fold(word: string): string {
  if (asciiOnly.test(word)) return word.toLowerCase();
  if (unchanged.test(word)) return word;
  let text = normalForm(word, "NFKC").toLowerCase().replace(ignorable, "");
  if (latin.test(text)) text = foldLatin(text);
  if (greek.test(text)) text = foldGreek(text);
  if (cyrillic.test(text)) text = text.replace(cyrillicStress, "$1").replaceAll("ё", "е");
  if (semitic.test(text)) text = foldSemitic(text);
  if (otherDigit.test(text)) text = text.replace(otherDigits, asciiDigit);
  return normalForm(text, "NFKC");
}

const asciiOnly = /^[\0-\x7f]*$/;
// The letters that make up nearly all Chinese, Japanese, Korean and Thai text fold to themselves.
const unchanged =
  /^[\u0e01-\u0e32\u0e34-\u0e3a\u0e40-\u0e4c\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u4e00-\u9fff\uac00-\ud7a3]+$/;
// White space comes from compatibility forms (U+FDFA is a whole sentence), and no term has any.
const ignorable = /[\s\p{Default_Ignorable_Code_Point}]/gu;
const latin = /\p{Script=Latin}/u;
const greek = /\p{Script=Greek}/u;
const cyrillic = /\p{Script=Cyrillic}/u;
const semitic = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

const undecomposed: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i", ŋ: "n", ŧ: "t" },
};

function foldLatin(text: string): string {
  return normalForm(text, "NFD")
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    .normalize("NFC")
    .replace(/[ßæœøłđðþħıŋŧ]/gu, (letter) => undecomposed[letter] ?? letter);
}

function foldGreek(text: string): string {
  return normalForm(text, "NFD")
    .replace(/(\p{Script=Greek}\u0308?)[\u0300\u0301\u0313\u0314\u0342\u0345]+(\u0308?)/gu, "$1$2")
    .normalize("NFC")
    .replaceAll("ς", "σ");
}

// Only stress that has no composed form is left after NFKC, so Macedonian ѓ and ќ are untouched.
const cyrillicStress = /(\p{Script=Cyrillic})[\u0300\u0301]/gu;

function foldSemitic(text: string): string {
  return text
    .replace(/[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/gu, "")
    .replaceAll("\u064a", "\u06cc")
    .replaceAll("\u0643", "\u06a9");
}

const otherDigit = /[^\P{Nd}0-9]/u;
const otherDigits = /[^\P{Nd}0-9]/gu;

// Unicode keeps the ten digits of a script together, zero first; counting back to it gives the value.
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value++;
  return String(value);
}

function isDigit(code: number): boolean {
  return /\p{Nd}/u.test(String.fromCodePoint(code));
}
