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

const openingMark = new RegExp(`[${Object.keys(closers).join("")}]`, "g");
const longest = 300;

// A phrase ends with its line at the latest; an apostrophe inside a word does not end it.
const endings = new Map(
  Object.entries(closers).map(([open, close]) => [
    open,
    new RegExp(`\\n|[${close}]${/['’]/.test(close) ? "(?![\\p{L}\\p{N}])" : ""}`, "u"),
  ]),
);

/**
 * Finds quoted phrases: the text between quotation marks of any common kind and where it stands, outermost first and without
 * the marks. A phrase stays within its line and has at most 300 units; an apostrophe is no quotation mark.
 */
export function findQuotes(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const { 0: mark, index } of text.matchAll(openingMark)) {
    if (index < end || !opens(text, index, mark)) continue;
    const start = index + 1;
    const length = lengthUntilEnding(text, start, mark);
    const inner = text.slice(start, start + length);
    const phrase = inner.trim();
    if (phrase === "") continue;
    found.push({ text: phrase, start: start + inner.indexOf(phrase) });
    end = start + length + 1;
  }
  return found;
}

const ambiguous = /["'”»›`＂]/;
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}。，、：]/u;

/** Marks that open and close, or are apostrophes too, only open where a word may begin. */
function opens(text: string, index: number, mark: string): boolean {
  if (!ambiguous.test(mark)) return true;
  const before = text.charAt(index - 1);
  const after = text.charAt(index + 1);
  return (before === "" || /[\s([{—–:=>-]/.test(before) || wide.test(before)) && /^\S/.test(after);
}

/** Units between an opening mark and the one that closes it; 0 when nothing does. */
function lengthUntilEnding(text: string, start: number, mark: string): number {
  // One unit more for the closing mark, one for the letter that makes it an apostrophe.
  const reach = text.slice(start, start + longest + 2);
  const length = reach.search(endings.get(mark) ?? /$/);
  return length > longest || reach.charAt(length) === "\n" ? 0 : Math.max(0, length);
}
