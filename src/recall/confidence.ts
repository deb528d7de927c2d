import { column } from "./column.ts";
import { firstOf } from "./first-of.ts";
import type { Scored } from "./score.ts";
import type { TermScores } from "./term-scores.ts";

/** What a ranking shows of whether it answers the query. All 0 to 1. */
interface Evidence {
  /** Share of what the query's words say, by idf, that some candidate holds, itself or by related words. */
  readonly known: number;
  /** Highest cosine with the query among the ten best; 0.5 without vectors. */
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
function evidenceOf(scored: Scored): Evidence | undefined {
  const { ranking, authors } = scored;
  if (!((ranking[0]?.score ?? 0) > 0)) return undefined;
  const similarity = ranking
    .slice(0, mostRelevant)
    .reduce((most, { candidate }) => Math.max(most, candidate.similarity), 0);
  return {
    known: knownShare(scored.words),
    similarity: similarity > 0 ? similarity : 0.5,
    speaker: authors.size === 0 ? 0.5 : shareBy(authors, scored),
  };
}

function knownShare({ terms, best, idf }: TermScores): number {
  const found = new Set<number>();
  for (let i = 0; i < best.length; i++) if ((best[i] ?? 0) > 0) found.add(i % terms);
  let known = 0;
  let all = 0;
  for (let i = 0; i < terms; i++) {
    all += idf[i] ?? 0;
    if (found.has(i)) known += idf[i] ?? 0;
  }
  return all > 0 ? known / all : 0;
}

/**
 * Of the ten candidates that are best by content alone, the share that one of the authors said, where the n-th counts 1/n.
 */
function shareBy(authors: ReadonlySet<string>, { ranking, signals }: Scored): number {
  const columns = content.map((name) => signals.get(name));
  const scores = column(ranking, ({ row }) => columns.reduce((sum, values) => sum + (values?.[row] ?? 0), 0));
  const places = ranking.map((_, place) => place);
  const best = firstOf(places, mostRelevant, (a, b) => (scores[b] as number) - (scores[a] as number));
  let share = 0;
  let all = 0;
  for (const [i, place] of best.entries()) {
    all += 1 / (i + 1);
    if (authors.has(ranking[place]?.candidate.grain.author ?? "")) share += 1 / (i + 1);
  }
  return share / all;
}

/**
 * The logistic function of the weighted evidence. Rises with each part. Weights in round numbers, from questions with and
 * without an answer of LoCoMo's and BEAM's development halves; `docs/recall.md` has how well it tells them apart.
 */
export function confidenceOf(scored: Scored): number {
  const evidence = evidenceOf(scored);
  if (evidence === undefined) return 0;
  const { known, similarity, speaker } = evidence;
  return 1 / (1 + Math.exp(-(2 * known + 2 * similarity + 5 * (speaker - 0.5) - 2.5)));
}
