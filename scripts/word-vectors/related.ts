// The words of nearly the same meaning, found once and for all.
import { stemmer } from "stemmer";
import type { Vector } from "./algebra.ts";

export interface Related {
  /** Its place in the vocabulary. */
  readonly word: number;
  readonly cosine: number;
}

/** Only the most frequent words have related words, and are related words. */
const relatedAmong = 30_000;
const most = 6;
const least = 0.5;
/** So many vectors stay in the processor's cache while all others pass by. */
const block = 64;

/**
 * The six closest words above a cosine of 0.5, best first; none with the same stem, which recall matches by itself, and one of
 * each stem.
 *
 * @param vectors of length 1, the most frequent word first
 */
export function findRelated(words: readonly string[], vectors: readonly Vector[]): Related[][] {
  const count = Math.min(relatedAmong, words.length);
  const stems = words.slice(0, count).map((word) => stemmer(word));
  const found: Related[][] = Array.from({ length: count }, () => []);
  const size = vectors[0]?.length ?? 0;
  const flat = new Float32Array(count * size);
  for (let word = 0; word < count; word++) flat.set(vectors[word] as Vector, word * size);
  for (let first = 0; first < count; first += block) {
    const end = Math.min(first + block, count);
    for (let other = 0; other < end; other++) {
      for (let word = Math.max(first, other + 1); word < end; word++) {
        let cosine = 0;
        for (let i = 0, a = word * size, b = other * size; i < size; i++)
          cosine += (flat[a + i] as number) * (flat[b + i] as number);
        if (cosine < least || stems[word] === stems[other]) continue;
        found[word]?.push({ word: other, cosine });
        found[other]?.push({ word, cosine });
      }
    }
  }
  return found.map((related) => {
    const seen = new Set<string | undefined>();
    const best = related.sort((a, b) => b.cosine - a.cosine || a.word - b.word);
    return best.filter(({ word }) => !seen.has(stems[word]) && seen.add(stems[word])).slice(0, most);
  });
}
