import { inverseFrequency, saturation } from "./bm25.ts";
import type { Pool } from "./pool.ts";
import type { AnalysedQuery } from "./query.ts";
import type { Weights } from "./weights.ts";

/** What the words of the query give each candidate, by term. Rows are candidates, columns the query's own terms. */
export interface TermScores {
  /** Number of columns. */
  readonly terms: number;
  /** BM25 of the term itself. */
  readonly exact: Float64Array;
  /** The better of the term itself and, at their weight, its related words. */
  readonly best: Float64Array;
  /** For each of the query's terms, how much it says. */
  readonly idf: Float64Array;
}

/** Scores the pool's word matches: BM25 with the partition's statistics, and the same for related words. */
export function scoreTerms(
  query: AnalysedQuery,
  { documents, averageLength, frequencies, candidates }: Pool,
  weights: Weights,
): TermScores {
  const terms = query.terms.length;
  const exact = new Float64Array(candidates.length * terms);
  const idf = Float64Array.from(query.terms, (_, i) => inverseFrequency(documents, frequencies[i] ?? 0));
  // A related word is no better evidence than the word asked for, however rare it is.
  const related = query.related.map(({ at, of, similarity }) => ({
    at,
    of,
    weight:
      weights.related *
      similarity *
      Math.min(idf[of] ?? 0, inverseFrequency(documents, frequencies[at] ?? 0)),
  }));
  for (const [row, { counts, length }] of candidates.entries()) {
    if (counts.length === 0) continue;
    for (let i = 0; i < terms; i++) {
      const count = counts[i] ?? 0;
      if (count > 0) exact[row * terms + i] = (idf[i] ?? 0) * saturation(count, length, averageLength);
    }
  }
  const best = exact.slice();
  for (const [row, { counts, length }] of candidates.entries()) {
    if (counts.length <= terms) continue;
    for (const { at, of, weight } of related) {
      const count = counts[at] ?? 0;
      if (count === 0) continue;
      const place = row * terms + of;
      const score = weight * saturation(count, length, averageLength);
      if (score > (best[place] ?? 0)) best[place] = score;
    }
  }
  return { terms, exact, best, idf };
}

/** The sum of each row. */
export function rowSums(values: Float64Array, columns: number): Float64Array {
  if (columns === 0) return new Float64Array(0);
  const sums = new Float64Array(values.length / columns);
  for (let i = 0; i < values.length; i++) {
    const row = Math.floor(i / columns);
    sums[row] = (sums[row] ?? 0) + (values[i] ?? 0);
  }
  return sums;
}
