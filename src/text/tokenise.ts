import { findAddresses } from "./address.ts";
import { fold } from "./fold.ts";
import { letterPairs, needsSegmentation, type Piece, segmentWords, splitWritingSystems } from "./segment.ts";
import { maxTermUnits, type Token } from "./token.ts";

/** How Chinese, Japanese and Korean become terms. */
export type CjkTerms = "words" | "pairs" | "both";

export interface TokeniseOptions {
  readonly cjk: CjkTerms;
  /** Index "user_id", "well-known" and "fluxMemory" whole as well as in parts. */
  readonly compounds: boolean;
}

/**
 * An emoji, a number with thousands separators, or words in a row with joiners between them: "it's", "well-known",
 * "user_id", "1.2.3", "a/b", "3:30", "C++". Letters, digits and marks do not overlap with joiners, so that the search is
 * linear.
 */
const stretch =
  /(?<emoji>\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|(?![©®™‼⁉ℹ↔-↪])(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*)|\p{N}{1,3}(?:,\p{N}{3})+(?:\.\p{N}+)?(?!\p{N})|[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]+(?:[._'’\-‐‑/\\:@+&·־]{1,2}[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]+)*(?:(?:\+\+|#)(?![\p{L}\p{N}]))?/gu;

const asciiWord = /^[A-Za-z]+$/;
const asciiText = /^[\0-\x7f]*$/;
// The same without emoji and Unicode classes, which is faster for plain English.
const asciiStretch =
  /[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[A-Za-z0-9]+(?:[._'\-/\\:@+&]{1,2}[A-Za-z0-9]+)*(?:(?:\+\+|#)(?![A-Za-z0-9]))?/g;
const asciiHumps = /[a-z][A-Z]|[A-Z]{2}[a-z]/;

/** Finds the terms of a text, folded but not stemmed, stop words included. Linear in the length of the text. */
export function tokenise(text: string, options: TokeniseOptions): Token[] {
  const run = new Run(options);
  let at = 0;
  for (const address of findAddresses(text)) {
    scan(run, text.slice(at, address.start), at);
    run.compound(wholeAddress(address.text), address.start, address.end, addressParts(address.text));
    at = address.end;
  }
  scan(run, at === 0 ? text : text.slice(at), at);
  return run.finish();
}

function scan(run: Run, text: string, offset: number): void {
  const ascii = asciiText.test(text);
  for (const match of text.matchAll(ascii ? asciiStretch : stretch)) {
    const found = match[0];
    const start = offset + match.index;
    if (asciiWord.test(found) && !asciiHumps.test(found))
      run.word(found.toLowerCase(), start, start + found.length);
    else if (match.groups?.emoji !== undefined) run.word(emojiTerm(found), start, start + found.length);
    else if (!ascii && needsSegmentation(found)) segment(run, found, start);
    else spaced(run, found, start);
  }
}

function segment(run: Run, text: string, offset: number): void {
  for (const { system, text: piece, start } of splitWritingSystems(text)) {
    if (system === "spaced") {
      for (const match of piece.matchAll(stretch)) spaced(run, match[0], offset + start + match.index);
    } else if (system === "unspaced") {
      for (const word of segmentWords(piece)) run.piece(word, offset + start);
    } else run.cjk(piece, offset + start, system === "hangul");
  }
}

const humps = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const hump = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+|[\p{L}\p{N}\p{M}]/gu;
const plainParts = /[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]+/gu;
const unjoined = /^[\p{L}\p{N}\p{M}\u00ad\u200c\u200d]+$/u;
const otherJoiner = /[._\-‐‑/\\:@+&·־]/u;
// French, Italian and Catalan words that lose their vowel before another.
const elided = /^(?:[cdjlmnst]|qu|lorsqu|puisqu|jusqu|dell|all|dall|nell|sull|un|quest)$/i;
const apostrophe = /['’]/;
const number = /^[\p{N},]+(?:[.:]\p{N}+)?$/u;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A word, number or identifier of a script that puts spaces between words. */
function spaced(run: Run, written: string, start: number): void {
  const end = start + written.length;
  const single = singleTerm(written);
  if (single !== undefined) run.word(single, start, end);
  else run.compound(fold(written).replaceAll("’", "'"), start, end, splitCompound(written));
}

/** The term of what is one word, number, id or name; undefined for a compound. */
function singleTerm(written: string): string | undefined {
  if (unjoined.test(written)) return humps.test(written) ? undefined : fold(written);
  if (number.test(written)) return fold(written).replaceAll(",", "");
  if (uuid.test(written)) return fold(written);
  // "C++" and "F#" are names; a longer word with such an ending is that word.
  const sign = /(?:\+\+|#)$/.exec(written);
  if (sign !== null) return sign.index <= 2 ? fold(written) : singleTerm(written.slice(0, sign.index));
  if (otherJoiner.test(written)) return undefined;
  const [head = "", ...tail] = written.split(apostrophe);
  const ending = tail.join("");
  // "Alice's" and "Alice'll" are Alice; "don't" is one word; "l'amour" is amour.
  if (/^(?:s|m|d|re|ve|ll)$/i.test(ending)) return fold(head);
  if (/^t$/i.test(ending)) return fold(head + ending);
  return elided.test(head) && unjoined.test(ending) ? fold(ending) : undefined;
}

function splitCompound(written: string): Piece[] {
  return Array.from(written.matchAll(plainParts)).flatMap((match) =>
    humps.test(match[0])
      ? splitHumps(match[0]).map(({ text, start }) => ({ text, start: match.index + start }))
      : [{ text: match[0], start: match.index }],
  );
}

function splitHumps(written: string): Piece[] {
  return Array.from(written.matchAll(hump), (match) => ({ text: match[0], start: match.index }));
}

/** Skin tone and presentation do not change what an emoji says. */
function emojiTerm(emoji: string): string {
  return emoji.replace(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, "");
}

/** http and https, with and without www. and a final slash, are the same page. */
function wholeAddress(address: string): string {
  return fold(address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^www\./i, "")).replace(/\/+$/, "");
}

function addressParts(address: string): Piece[] {
  const scheme = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:www\.)?/i.exec(address)?.[0].length ?? 0;
  return Array.from(address.slice(scheme).matchAll(plainParts), (match) => ({
    text: match[0],
    start: scheme + match.index,
  }));
}

/** Collects tokens and counts positions. */
class Run {
  readonly #tokens: Token[] = [];
  readonly #options: TokeniseOptions;
  #position = 0;

  constructor(options: TokeniseOptions) {
    this.#options = options;
  }

  /** The tokens in the order of their positions, the whole of a compound before its parts. */
  finish(): Token[] {
    // Sorting is stable, and only words among pairs come late.
    return this.#tokens.sort((a, b) => a.position - b.position);
  }

  word(folded: string, start: number, end: number): void {
    this.#add(folded, start, end, this.#position++);
  }

  piece(piece: Piece, offset: number): void {
    const start = offset + piece.start;
    this.word(fold(piece.text), start, start + piece.text.length);
  }

  compound(folded: string, start: number, end: number, parts: readonly Piece[]): void {
    if (this.#options.compounds || parts.length === 0) this.#add(folded, start, end, this.#position);
    const first = this.#position;
    // Single letters of a compound say nothing ("e-mail" is found whole), unless there is nothing else.
    for (const part of parts) {
      if (part.text.length > 1 || !this.#options.compounds) this.piece(part, start);
      else this.#position++;
    }
    if (this.#position === first) this.#position++;
  }

  cjk(text: string, offset: number, korean: boolean): void {
    const { cjk } = this.#options;
    const first = this.#position;
    const pairs = cjk === "words" ? [] : letterPairs(text);
    // Korean has its words by spaces already.
    const words = cjk === "pairs" ? [] : korean ? [{ text, start: 0 }] : segmentWords(text);
    const pairLengths = new Map(pairs.map((pair) => [pair.start, pair.text.length]));
    for (const pair of pairs) this.piece(pair, offset);
    const last = this.#position;
    for (const word of words) {
      // A word of two letters is a pair already.
      if (pairLengths.get(word.start) === word.text.length) continue;
      if (pairs.length === 0) this.piece(word, offset);
      else {
        const start = offset + word.start;
        const place = first + word.start;
        this.#add(fold(word.text), start, start + word.text.length, Math.min(place, last));
      }
    }
  }

  #add(folded: string, start: number, end: number, position: number): void {
    const term = folded.length > maxTermUnits ? shorten(folded) : folded;
    if (term !== "") this.#tokens.push({ term, start, end, position });
  }
}

function shorten(term: string): string {
  const cut = term.slice(0, maxTermUnits);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
