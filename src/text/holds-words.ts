import { normalForm } from "../model/normal-form.ts";
import { fold } from "./fold.ts";

/**
 * Makes the test of whether texts hold some words, one after the other. Case, accents, compatibility forms and white space make no
 * difference, as `fold` has it. Words count whole: "Ann" is not in "Anna". In scripts that are written without spaces, and in
 * Korean, where words have endings, any place in a text will do.
 */
export function holdsWords(words: string): (text: string) => boolean {
  const wanted = wordsForm(words);
  if (wanted === "") return () => false;
  return (text) => {
    const form = wordsForm(text);
    for (let at = form.indexOf(wanted); at >= 0; at = form.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      if (!isInsideWord(form, at) && !isInsideWord(form, end)) return true;
    }
    return false;
  };
}

/** A text folded word by word, with single spaces. */
function wordsForm(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase().replace(/\s+/g, " ").trim();
  // Compatibility forms first, as some are white space.
  return normalForm(text, "NFKC")
    .split(/\s+/u)
    .map(fold)
    .filter((word) => word !== "")
    .join(" ");
}

const asciiOnly = /^[\0-\x7f]*$/;
const wordEnd = /[\p{L}\p{M}\p{N}_]$/u;
const wordStart = /^[\p{L}\p{M}\p{N}_]/u;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function isInsideWord(text: string, at: number): boolean {
  // Two units hold the character on either side whole.
  const before = text.slice(Math.max(0, at - 2), at);
  const behind = text.slice(at, at + 2);
  if (!wordEnd.test(before) || !wordStart.test(behind)) return false;
  return !unspaced.test(lastOf(before)) && !unspaced.test(firstOf(behind));
}

function lastOf(text: string): string {
  return Array.from(text).at(-1) ?? "";
}

function firstOf(text: string): string {
  return Array.from(text)[0] ?? "";
}
