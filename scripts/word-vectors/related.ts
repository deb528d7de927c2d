// The words of nearly the same meaning, found once and for all.
import { stemmer } from "stemmer";
import { dot, type Vector } from "./algebra.ts";

export interface Related {
  /** Its place in the vocabulary. */
  readonly word: number;
  readonly cosine: number;
}

/** Only the most frequent words have related words, and are related words. */
export const relatedAmong = 30_000;
const most = 6;
const least = 0.5;

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
  for (let word = 0; word < count; word++) {
    for (let other = 0; other < word; other++) {
      const cosine = dot(vectors[word] as Vector, vectors[other] as Vector);
      if (cosine < least || stems[word] === stems[other]) continue;
      found[word]?.push({ word: other, cosine });
      found[other]?.push({ word, cosine });
    }
    if (word % 5000 === 0) console.log(`  ${word} of ${count}`);
  }
  return found.map((related) => {
    const seen = new Set<string | undefined>();
    const best = related.sort((a, b) => b.cosine - a.cosine || a.word - b.word);
    return best.filter(({ word }) => !seen.has(stems[word]) && seen.add(stems[word])).slice(0, most);
  });
}
