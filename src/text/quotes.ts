import type { Piece } from "./segment.ts";

// Opening marks and what closes them: German closes with what English opens with, Swedish opens with what it closes with.
const closers: Readonly<Record<string, string>> = {
  ...{
    '"': '"',
    "“": "”",
    "”": "”",
    "„": "“”",
    "‟": "”",
    "«": "»",
    "»": "«",
    "‘": "’",
    "‚": "‘’",
    "‹": "›",
    "›": "‹",
  },
  ...{
    "「": "」",
    "『": "』",
    "《": "》",
    "〈": "〉",
    "〝": "〞〟",
    "﹁": "﹂",
    "﹃": "﹄",
    "＂": "＂",
    "`": "`",
    "'": "'",
  },
};

const mark = /["“”„‟«»‘’‚‹›「」『』《》〈〉〝﹁﹃＂`']/g;
const longest = 300;

/**
 * Finds quoted phrases: the text between quotation marks of any common kind and where it stands, outermost first and without
 * the marks. A phrase stays within its line and has at most 300 units; an apostrophe is no quotation mark.
 */
export function findQuotes(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(mark)) {
    const start = match.index + 1;
    if (match.index < end) continue;
    const closing = closers[match[0]];
    if (closing === undefined || !opens(text, match.index, match[0])) continue;
    const close = findClosing(text, start, closing);
    if (close < 0) continue;
    const inner = text.slice(start, close);
    const phrase = inner.trim();
    if (phrase === "") continue;
    found.push({ text: phrase, start: start + inner.indexOf(phrase) });
    end = close + 1;
  }
  return found;
}

// Marks that open and close, or are apostrophes too, only open where a word may begin.
function opens(text: string, index: number, mark: string): boolean {
  if (!`"'’”»›\`＂`.includes(mark)) return true;
  const before = text.charAt(index - 1);
  const after = text.charAt(index + 1);
  if (mark === "’") return false;
  return (
    (before === "" || /[\s([{—–:=>-]/.test(before) || wide.test(before)) && after !== "" && !/\s/.test(after)
  );
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}。，、：]/u;

function findClosing(text: string, from: number, closing: string): number {
  const limit = Math.min(text.length, from + longest + 1);
  for (let i = from; i < limit; i++) {
    const character = text.charAt(i);
    if (character === "\n") return -1;
    if (closing.includes(character) && !isApostrophe(text, i, character)) return i;
  }
  return -1;
}

function isApostrophe(text: string, index: number, character: string): boolean {
  if (character !== "'" && character !== "’") return false;
  return /[\p{L}\p{N}]/u.test(text.charAt(index + 1));
}
