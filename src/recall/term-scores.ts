import { inverseFrequency, saturation } from "../store/bm25.ts";
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
  {
    documents,
    averageLength,
    frequencies,
    candidates,
  }: Pick<Pool, "documents" | "averageLength" | "frequencies" | "candidates">,
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
  const best = new Float64Array(exact.length);
  candidates.forEach(({ counts, length }, row) => {
    if (counts.length === 0) return;
    const first = row * terms;
    for (let i = 0; i < terms; i++) {
      const count = counts[i] ?? 0;
      if (count === 0) continue;
      exact[first + i] = (idf[i] ?? 0) * saturation(count, length, averageLength);
      best[first + i] = exact[first + i] ?? 0;
    }
    for (const { at, of, weight } of related) {
      const count = counts[at] ?? 0;
      if (count === 0) continue;
      const score = weight * saturation(count, length, averageLength);
      if (score > (best[first + of] ?? 0)) best[first + of] = score;
    }
  });
  return { terms, exact, best, idf };
}

/** The sum of each row. */
export function rowSums(values: Float64Array, rows: number, columns: number): Float64Array {
  const sums = new Float64Array(rows);
  for (let row = 0, i = 0; row < rows; row++) {
    let sum = 0;
    for (const end = i + columns; i < end; i++) sum += values[i] ?? 0;
    sums[row] = sum;
  }
  return sums;
}
