import type { Piece } from "./segment.ts";

// Latin, Greek and Cyrillic stops need white space after them; the stops of other scripts end a sentence by themselves.
// The look-behind keeps a run of stops from being read anew from each of its stops, which takes the square of its length.
const ending = /(?:(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s|$)|[。！？｡।॥۔؟።။៕]+["'”’»」』）)\]]*|\n+)/gu;
const abbreviation =
  /(?:^|[\s("'“])(?:mr|mrs|ms|dr|prof|sr|jr|st|vs|etc|approx|dept|est|fig|gen|gov|inc|ltd|co|corp|no|rev|sen|rep|cf|al)\.$/iu;
const initials = /(?:^|[\s("'“])(?:\p{Lu}|\p{L}(?:\.\p{L})+)\.$/u;

/**
 * Splits a text into sentences, in order, without the white space between them. Line breaks end a sentence; stops after
 * common English abbreviations, initials and in numbers do not. Thai, Lao and Khmer mark no sentences; what stands between
 * line breaks is one.
 */
export function splitSentences(text: string): Piece[] {
  const sentences: Piece[] = [];
  let start = 0;
  for (const match of text.matchAll(ending)) {
    const end = match.index + match[0].length;
    if (match[0] === "." && isAbbreviation(text, start, end)) continue;
    push(sentences, text, start, end);
    start = end;
  }
  push(sentences, text, start, text.length);
  return sentences;
}

function isAbbreviation(text: string, start: number, end: number): boolean {
  const tail = text.slice(Math.max(start, end - 10), end);
  if (!abbreviation.test(tail) && !initials.test(tail)) return false;
  // "I." at the end of "So did I." and "p.m." before a capital end the sentence.
  return !(/(?:^|\s)I\.$|[ap]\.m\.$/i.test(tail) && /^\s+\p{Lu}/u.test(text.slice(end, end + 8)));
}

function push(sentences: Piece[], text: string, from: number, to: number): void {
  const written = text.slice(from, to);
  const trimmed = written.trim();
  if (trimmed !== "") sentences.push({ text: trimmed, start: from + written.indexOf(trimmed) });
}
