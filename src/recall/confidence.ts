import type { AnalysedQuery } from "./query.ts";
import type { Scored } from "./score.ts";

/** What a ranking shows of whether it answers the query. All 0 to 1. */
interface Evidence {
  /** Share of what the query's words say, by idf, that the best hit holds, itself or by related words. */
  readonly coverage: number;
  /** Cosine of the best hit with the query. */
  readonly similarity: number;
  /**
   * How far up stands, in the order of content alone, what was said by somebody whom the query names: "What did Ann bake?" is
   * not answered by what Bob says of his baking. 0.5 when nobody is named.
   */
  readonly speaker: number;
}

const content = ["words", "related", "meaning"] as const;
const mostRelevant = 10;

/** Reads the evidence off a ranking; undefined when it is empty. */
function evidenceOf({ terms }: AnalysedQuery, scored: Scored): Evidence | undefined {
  const { ranking, authors, words } = scored;
  const [first] = ranking;
  if (first === undefined || !(first.score > 0)) return undefined;
  const { row } = first;
  let covered = 0;
  let all = 0;
  for (let i = 0; i < terms.length; i++) {
    const idf = words.idf[i] ?? 0;
    all += idf;
    if ((words.best[row * words.terms + i] ?? 0) > 0) covered += idf;
  }
  return {
    coverage: all > 0 ? covered / all : 0,
    similarity: Math.max(0, first.candidate.similarity),
    speaker: authors.size === 0 ? 0.5 : shareBy(authors, scored),
  };
}

/**
 * Of the ten candidates that are best by content alone, the share that one of the authors said, where the n-th counts 1/n.
 */
function shareBy(authors: ReadonlySet<string>, { ranking, signals }: Scored): number {
  const columns = content.map((name) => signals.get(name));
  const best = ranking
    .map(({ candidate, row }) => ({
      author: candidate.grain.author ?? "",
      score: columns.reduce((sum, values) => sum + (values?.[row] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostRelevant);
  let share = 0;
  let all = 0;
  for (const [i, { author }] of best.entries()) {
    all += 1 / (i + 1);
    if (authors.has(author)) share += 1 / (i + 1);
  }
  return share / all;
}

/**
 * The logistic function of the weighted evidence. Rises with each part. Weights in round numbers, from questions with and
 * without an answer of LoCoMo's and BEAM's development halves; `docs/recall.md` has how well it tells them apart.
 */
export function confidenceOf(query: AnalysedQuery, scored: Scored): number {
  const evidence = evidenceOf(query, scored);
  if (evidence === undefined) return 0;
  const { coverage, similarity, speaker } = evidence;
  return 1 / (1 + Math.exp(-(coverage + 2 * similarity + 5 * (speaker - 0.5) - 1)));
}
