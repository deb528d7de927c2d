/**
 * How words are found in a stretch of text: by spaces; Chinese and Japanese (`cjk`); Korean, whose words carry particles
 * (`hangul`); or Thai, Lao, Khmer and Burmese, which put spaces between phrases only (`unspaced`).
 */
export type WritingSystem = "spaced" | "cjk" | "hangul" | "unspaced";

/** A piece of a text. */
export interface Piece {
  readonly text: string;
  /** UTF-16 offset of its first unit in the text that was split. */
  readonly start: number;
}

const segmented =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const hangul = /\p{sc=Hangul}/u;
const unspaced = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const mark = /\p{M}/u;

/** Whether words of this stretch cannot be found by spaces alone. */
export function needsSegmentation(text: string): boolean {
  return segmented.test(text);
}

function systemOf(character: string): WritingSystem {
  // Cheaper than the patterns, and most of what stands between letters of these scripts.
  if (character < "\u0e00") return "spaced";
  if (cjk.test(character)) return "cjk";
  if (hangul.test(character)) return "hangul";
  return unspaced.test(character) ? "unspaced" : "spaced";
}

/** Splits a stretch of text where its writing system changes: "我爱JavaScript" has two runs. Marks stay with their letter. */
export function splitWritingSystems(text: string): (Piece & { readonly system: WritingSystem })[] {
  const runs: (Piece & { readonly system: WritingSystem })[] = [];
  let system: WritingSystem | undefined;
  let start = 0;
  let at = 0;
  for (const character of text) {
    const own = system !== undefined && mark.test(character) ? system : systemOf(character);
    if (own !== system) {
      if (system !== undefined) runs.push({ system, text: text.slice(start, at), start });
      system = own;
      start = at;
    }
    at += character.length;
  }
  if (system !== undefined) runs.push({ system, text: text.slice(start), start });
  return runs;
}

// The dictionaries are the same for every locale; naming one keeps the host's out of it.
const words = new Intl.Segmenter("en", { granularity: "word" });

/** Words by the dictionaries of the platform's Unicode library (ICU). */
export function segmentWords(text: string): Piece[] {
  const found: Piece[] = [];
  for (const { segment, index, isWordLike } of words.segment(text)) {
    if (isWordLike === true) found.push({ text: segment, start: index });
  }
  return found;
}

// Half-width kana carry their voicing as a letter of its own, and decomposed Korean its vowels and finals.
const extending = /[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** Overlapping pairs of letters; a single letter stands for itself. */
export function letterPairs(text: string): Piece[] {
  const starts = letterStarts(text);
  if (starts.length < 3) return text === "" ? [] : [{ text, start: 0 }];
  const pairs: Piece[] = [];
  for (let i = 2; i < starts.length; i++) {
    const start = starts[i - 2] ?? 0;
    pairs.push({ text: text.slice(start, starts[i]), start });
  }
  return pairs;
}

/** Where the letters of a text begin, its end added. */
function letterStarts(text: string): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    if (at === 0 || (character >= "\u4e00" && character <= "\u9fff") || !extending.test(character))
      starts.push(at);
    at += character.length;
  }
  starts.push(at);
  return starts;
}
