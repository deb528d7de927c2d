import type { Episode } from "../model/episode.ts";
import type { Provenance } from "../model/record.ts";
import { outputStart } from "../recall/owner-text.ts";
import { cutToUnits } from "../text/cut.ts";
import { splitSentences } from "../text/sentences.ts";

/** A span of a text, in UTF-16 units; half-open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A piece of a text that is a unit of recall. */
export interface Piece extends Span {
  /** Of a side of an episode: who stands behind it. */
  readonly provenance?: Provenance | undefined;
}

/** The longest piece in UTF-16 units: about 350 tokens of English, which is as much as a vector can stand for. */
export const maxPieceUnits = 1500;

/**
 * Cuts a text into pieces of whole sentences, each as long as fits; a sentence that is too long is cut between words, or else
 * between characters. A text that is one piece is one span; a text without content has none. White space around pieces
 * belongs to none of them.
 */
export function splitPieces(text: string, max = maxPieceUnits): Span[] {
  if (text.trim() === "") return [];
  if (text.length <= max) return [{ start: 0, end: text.length }];
  const pieces: { start: number; end: number }[] = [];
  for (const sentence of splitSentences(text)) {
    for (const part of cutLong(sentence.text, sentence.start, max)) {
      const last = pieces.at(-1);
      if (last !== undefined && part.end - last.start <= max) last.end = part.end;
      else pieces.push(part);
    }
  }
  return pieces;
}

/** Cuts each side of an episode into pieces, whose spans are offsets in the text of the episode, see `ownerText`. */
export function splitSides({ input, output }: Pick<Episode, "input" | "output">): Piece[] {
  const behind = outputStart({ input });
  return [
    ...splitPieces(input).map((span): Piece => ({ ...span, provenance: "user_stated" })),
    ...splitPieces(output).map(
      ({ start, end }): Piece => ({ start: start + behind, end: end + behind, provenance: "ai_stated" }),
    ),
  ];
}

function cutLong(text: string, start: number, max: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let at = 0;
  while (text.length - at > max) {
    const window = text.slice(at, at + max + 1);
    const space = window.search(/\s\S*$/u);
    // A space early in the window would leave a short piece, and none at all leaves nothing to cut at.
    const safe = cutToUnits(window, max).length;
    const length = space > max / 2 ? space : safe > 0 ? safe : max;
    parts.push({ start: start + at, end: start + at + length });
    at += length;
    while (at < text.length && /\s/u.test(text.charAt(at))) at += 1;
  }
  if (at < text.length) parts.push({ start: start + at, end: start + text.length });
  return parts;
}
