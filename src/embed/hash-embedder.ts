import { FluxError } from "../model/errors.ts";
import { normalForm } from "../model/normal-form.ts";
import type { Embedder, EmbedOptions } from "./embedder.ts";
import { normalise } from "./normalise.ts";
import { checkTexts } from "./texts.ts";

export interface HashEmbedderOptions {
  /** Length of the vectors, 1 to 65,536. Default 384. */
  readonly dimensions?: number;
}

/**
 * Hashes the words of a text, and the letters in a row within them, into a vector. Texts are close when they share words or
 * parts of words; it knows nothing of meaning. It needs no data, and the same text has the same vector everywhere.
 *
 * Features are hashed with a sign (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"); a feature
 * that occurs n times weighs the square root of n.
 */
export class HashEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;

  /** @throws FluxError `invalid_argument` for dimensions that are not a whole number from 1 to 65,536 */
  constructor({ dimensions = 384 }: HashEmbedderOptions = {}) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536)
      throw new FluxError("invalid_argument", "dimensions must be a whole number from 1 to 65,536");
    this.dimensions = dimensions;
    this.id = `hash/1;${dimensions}`;
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    checkTexts(texts, options);
    return texts.map((text) => this.#vectorOf(text));
  }

  #vectorOf(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const [feature, count] of featuresOf(text)) {
      const hash = hashOf(feature);
      // The lowest bit is the sign, so that features that share a place cancel out instead of adding up.
      const place = (hash >>> 1) % this.dimensions;
      const weight = Math.sqrt(count) * (isWhole(feature) ? wholeWordWeight : 1);
      vector[place] = (vector[place] ?? 0) + (hash & 1 ? weight : -weight);
    }
    return normalise(vector);
  }
}

// A word shares about as many groups of letters with its own inflections as it has letters: counted twice, the word itself
// still comes first.
const wholeWordWeight = 2;
const words = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu;
// Scripts that put no spaces between words; there, two letters are about a word.
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]/u;

/** Words as `=word`, groups of letters as they are; `<` and `>` stand for the beginning and the end of a word. */
function featuresOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (feature: string) => counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const folded = normalForm(text, "NFKD")
    .toLowerCase()
    .replace(/\p{Mn}+/gu, "");
  for (const [word] of folded.matchAll(words)) {
    if (unspaced.test(word)) for (const letters of inARow([...word], 2)) add(letters);
    else {
      add(`=${word}`);
      for (const letters of inARow(["<", ...word, ">"], 3)) add(letters);
    }
  }
  return counts;
}

/** All groups of so many letters in a row; a word that is shorter is a group of its own. */
function* inARow(letters: readonly string[], size: number): Generator<string> {
  for (let i = 0; i === 0 || i + size <= letters.length; i++) yield letters.slice(i, i + size).join("");
}

function isWhole(feature: string): boolean {
  return feature.startsWith("=");
}

/** FNV-1a over UTF-16 units, then the final mix of MurmurHash3, as FNV alone leaves its low bits poor. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
