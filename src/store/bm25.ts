/**
 * Okapi BM25 with the inverse document frequency that is never negative (Robertson and Zaragoza 2009; Lucene's
 * BM25Similarity), k1 = 1.2, b = 0.75. It chooses candidates; their final scores are made in `recall/`.
 */
export function bm25(of: {
  readonly documents: number;
  /** In how many of them the term occurs. */
  readonly frequency: number;
  /** How often it occurs in this one. */
  readonly count: number;
  /** Terms of this one, and of one in the mean. */
  readonly length: number;
  readonly average: number;
}): number {
  const { documents, frequency, count, length, average } = of;
  const rarity = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
  return (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
}
