/** Reads query and texts together, such as a cross-encoder, and says how well each text answers. */
export interface Reranker {
  readonly id: string;
  /** One score a text, in order, on any scale; higher is better. */
  rerank(
    query: string,
    texts: readonly string[],
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly number[]>;
}

/** Scores brought to 0 for the worst and 1 for the best. All alike say nothing: 0. */
export function normaliseScores(scores: readonly number[]): number[] {
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least;
  // Two finite numbers can be further apart than the largest one.
  if (range === Infinity) return normaliseScores(scores.map((score) => score / 2));
  return scores.map((score) => (range > 0 ? (score - least) / range : 0));
}
