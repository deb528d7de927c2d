import type { TokenCounter } from "./token-counter.ts";

/** Which end of the text is kept. */
export type Kept = "start" | "end";

/** UTF-16 units up to which a character is kept whole: a letter under a megabyte of marks is one, too. */
const longest = 1024;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The longest beginning (or end) of a text with at most `max` UTF-16 units that splits nothing a reader sees as one
 * character: no surrogate pair, combining mark, flag or emoji sequence. Empty when not even one character fits. What is longer than
 * 1,024 units, a letter with as many marks or a row of flags without anything between them, may be split between code points.
 */
export function cutToUnits(text: string, max: number, kept: Kept = "start"): string {
  if (text.length <= max) return text;
  if (!(max >= 1)) return "";
  return kept === "start"
    ? text.slice(0, boundaryBefore(text, Math.floor(max)))
    : text.slice(boundaryAfter(text, text.length - Math.floor(max)));
}

/** As {@link cutToUnits}, with `max` in bytes of UTF-8. A lone surrogate counts three, as its replacement does. */
export function cutToBytes(text: string, max: number, kept: Kept = "start"): string {
  if (!(max >= 1)) return "";
  if (text.length * 3 <= max) return text;
  let bytes = 0;
  if (kept === "start") {
    for (let i = 0; i < text.length; ) {
      const size = bytesAt(text, i);
      if (bytes + size > max) return text.slice(0, boundaryBefore(text, i));
      bytes += size;
      i += size === 4 ? 2 : 1;
    }
    return text;
  }
  for (let i = text.length; i > 0; ) {
    const pair = i > 1 && bytesAt(text, i - 2) === 4;
    const size = pair ? 4 : bytesAt(text, i - 1);
    if (bytes + size > max) return text.slice(boundaryAfter(text, i));
    bytes += size;
    i -= pair ? 2 : 1;
  }
  return text;
}

/** As {@link cutToUnits}, with `max` in tokens of a counter. Counts the text some twenty times. */
export function cutToTokens(text: string, max: number, counter: TokenCounter, kept: Kept = "start"): string {
  if (!(max >= 1)) return "";
  const cut = (units: number): string => cutToUnits(text, units, kept);
  // Of a long text, only as much is counted as could fit.
  let high = Math.min(text.length, Math.floor(max) * 4);
  while (counter.count(cut(high)) <= max) {
    if (high >= text.length) return text;
    high = Math.min(text.length, high * 2);
  }
  let low = 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (counter.count(cut(middle)) <= max) low = middle;
    else high = middle;
  }
  return cut(low);
}

function bytesAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(index + 1)) ? 4 : 3;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The last boundary between characters that is not after an offset. */
function boundaryBefore(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  if (offset <= 0) return 0;
  // Whether an offset is a boundary depends on what is before it and on the one code point after it.
  const from = anchorBefore(text, offset);
  const { index = 0 } = graphemes.segment(text.slice(from, offset + 2)).containing(offset - from) ?? {};
  return index === 0 && offset - from >= longest ? betweenPoints(text, offset, -1) : from + index;
}

/** The first boundary between characters that is not before an offset. */
function boundaryAfter(text: string, offset: number): number {
  if (offset >= text.length) return text.length;
  if (offset <= 0) return 0;
  const from = anchorBefore(text, offset);
  for (let window = 64; window <= longest; window *= 4) {
    const to = Math.min(text.length, offset + window);
    const found = graphemes.segment(text.slice(from, to)).containing(offset - from);
    if (found === undefined) return text.length;
    if (found.index === offset - from) return offset;
    if (found.index === 0 && offset - from >= longest) break;
    const end = from + found.index + found.segment.length;
    // A character that reaches to the end of the window may go on after it.
    if (end < to || to === text.length) return end;
  }
  return betweenPoints(text, offset, 1);
}

/** The offset, or the next in a direction where it is inside of a surrogate pair. */
function betweenPoints(text: string, offset: number, direction: 1 | -1): number {
  return bytesAt(text, offset - 1) === 4 ? offset + direction : offset;
}

/**
 * A place before the offset that is a boundary for certain: between two characters of which each stands for itself. Where there is
 * none near, one from which the boundaries are found but for the first: no character reaches that far.
 */
function anchorBefore(text: string, offset: number): number {
  const first = Math.max(0, offset - longest);
  for (let i = offset - 1; i > first; i--) {
    if (isPlain(text.charCodeAt(i)) && isPlain(text.charCodeAt(i - 1))) return i;
  }
  return first === 0 ? 0 : betweenPoints(text, first, -1);
}

/**
 * First and last code of characters that are neither put on another one nor joined with it, by Unicode Standard Annex 29: printable
 * ASCII, letters of Latin, Greek, Cyrillic, Hebrew and Arabic, kana, ideographs and syllables of Hangul. The more of them, the less of
 * a text a cut looks at.
 */
const plain = [
  ...[0x20, 0x7e, 0xc0, 0x24f, 0x386, 0x3ff, 0x400, 0x481, 0x48a, 0x52f, 0x5d0, 0x5ea, 0x620, 0x64a],
  ...[0x3001, 0x3029, 0x3041, 0x3096, 0x30a1, 0x30fa, 0x3400, 0x9fff, 0xac00, 0xd7a3],
] as const;

function isPlain(unit: number): boolean {
  for (let i = 0; i < plain.length; i += 2)
    if (unit >= (plain[i] ?? 0) && unit <= (plain[i + 1] ?? 0)) return true;
  return false;
}
