/**
 * Okapi BM25, by which stores choose candidates and `recall/` scores them: k1 says how soon further occurrences stop counting, b
 * how much long entries are held back. 1.2 and 0.75 are the values of Robertson and Zaragoza, "The Probabilistic Relevance
 * Framework" (2009), and of Lucene; 0.9 and 0.4 measured no better.
 */
const k1 = 1.2;
const b = 0.75;

/** How much a term says, in Lucene's form of Robertson's idf, which is never negative. */
export function inverseFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** The weight of `count` occurrences in an entry of `length` terms, relative to one occurrence in an entry of mean length. */
export function saturation(count: number, length: number, averageLength: number): number {
  if (count <= 0) return 0;
  const relative = averageLength > 0 ? length / averageLength : 1;
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * relative));
}
