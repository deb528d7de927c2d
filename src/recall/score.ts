import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import type { RecallArm } from "./arm.ts";
import { column } from "./column.ts";
import { scoreDates } from "./dates.ts";
import { firstOf } from "./first-of.ts";
import { scoreMeaning } from "./meaning.ts";
import { scoreNeighbours } from "./neighbours.ts";
import type { Candidate, Pool } from "./pool.ts";
import type { AnalysedQuery } from "./query.ts";
import { scoreSessions } from "./session-prior.ts";
import { authorsAskedAbout, scoreSpeakers } from "./speaker.ts";
import { standing } from "./standing.ts";
import { rowSums, scoreTerms, type TermScores } from "./term-scores.ts";
import { defaultWeights, type Weights } from "./weights.ts";

/** One reason for a score. */
export interface RecallSignal {
  /**
   * `words`, `related` (words of nearly the same meaning), `meaning` (vectors), `neighbours` (words beside it in the session),
   * `session`, `speaker`, `date`, `phrase`, `statement` (one that was derived from it), `rerank`, `newer` (a newer value of what is
   * asked than a better hit states), `replaces` (what a better hit said before), or the id of a further arm.
   */
  readonly name: string;
  /** What it added to the score of the hit. */
  readonly score: number;
}

export interface ScoredCandidate {
  readonly candidate: Candidate;
  /** Its place in the pool, and its row in the signals. */
  readonly row: number;
  readonly score: number;
  /** Signals that came after those of the pool. */
  readonly added: readonly RecallSignal[];
}

export interface Scored {
  /** The best first. */
  readonly ranking: readonly ScoredCandidate[];
  /** What each signal adds, for every candidate of the pool. */
  readonly signals: ReadonlyMap<string, Float64Array>;
  /** Whom the query names, of those who said something. */
  readonly authors: ReadonlySet<string>;
  readonly words: TermScores;
}

/**
 * Scores a pool: normalised scores of all signals added, times the standing of the grain. Pure.
 *
 * @param most how many of the best are ranked, where no others are wanted
 */
export function scorePool(
  query: AnalysedQuery,
  pool: Pool,
  arms: readonly Pick<RecallArm, "id" | "weight">[] = [],
  weights: Weights = defaultWeights,
  most = Number.POSITIVE_INFINITY,
): Scored {
  const { candidates, frequencies } = pool;
  const words = scoreTerms(query, pool, weights);
  const authors = authorsAskedAbout(query, pool);
  const exact = rowSums(words.exact, candidates.length, words.terms);
  const best = rowSums(words.best, candidates.length, words.terms);
  // What an entry of mean length has that holds each of the words once. Words that nothing here holds say nothing about which
  // entry is the better one.
  const scale = words.idf.reduce((sum, idf, i) => ((frequencies[i] ?? 0) > 0 ? sum + idf : sum), 0);
  const perWords = scale > 0 ? weights.lexical / scale : 0;
  const columns: readonly (readonly [name: string, weight: number, values: Float64Array])[] = [
    ["words", perWords, exact],
    ["related", perWords, column(candidates, (_, row) => (best[row] ?? 0) - (exact[row] ?? 0))],
    ["meaning", weights.dense, scoreMeaning(pool)],
    ["neighbours", perWords, scoreNeighbours(pool, words, weights)],
    ["session", perWords * weights.session, scoreSessions(pool, words)],
    ["speaker", weights.speaker, scoreSpeakers(authors, pool)],
    ["date", weights.date, scoreDates(query, pool)],
    ...arms.map(
      ({ id, weight }) =>
        [id, weight, column(candidates, (candidate) => candidate.arms.get(id) ?? 0)] as const,
    ),
  ];
  const factors = column(candidates, ({ grain }) => standing(grain, weights));
  const totals = new Float64Array(candidates.length);
  for (const [, weight, values] of columns) {
    for (let row = 0; row < totals.length; row++) {
      const score = weight * (factors[row] ?? 0) * (values[row] ?? 0);
      values[row] = score;
      totals[row] = (totals[row] ?? 0) + score;
    }
  }
  const added: readonly RecallSignal[] = [];
  // Numbers are sooner in order than what has to be looked into.
  const byTotal = (a: number, b: number): number =>
    (totals[b] as number) - (totals[a] as number) ||
    newerFirst((candidates[a] as Candidate).grain, (candidates[b] as Candidate).grain);
  const rows = candidates.map((_, row) => row);
  const ranked = most < rows.length ? firstOf(rows, most, byTotal) : rows.sort(byTotal);
  return {
    ranking: ranked.map((row) => {
      const [candidate, score] = [candidates[row] as Candidate, totals[row] as number];
      return { candidate, row, score, added };
    }),
    signals: new Map(columns.map(([name, , values]) => [name, values])),
    authors,
    words,
  };
}

/** The total order of hits: the higher score, then what is newer, then the id. */
export function byScore(a: ScoredCandidate, b: ScoredCandidate): number {
  return b.score - a.score || newerFirst(a.candidate.grain, b.candidate.grain);
}

function newerFirst(a: Stored<Grain>, b: Stored<Grain>): number {
  return b.seq - a.seq || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Adds a signal to a candidate, with its standing as for all others. */
export function withSignal(
  scored: ScoredCandidate,
  { name, score }: RecallSignal,
  weights: Weights,
): ScoredCandidate {
  const signal = { name, score: standing(scored.candidate.grain, weights) * score };
  return { ...scored, score: scored.score + signal.score, added: [...scored.added, signal] };
}

/** Why a candidate has its score, the strongest reason first. The scores add up to that of the candidate. */
export function explain(
  { signals }: Pick<Scored, "signals">,
  { row, added }: ScoredCandidate,
): RecallSignal[] {
  return Array.from(signals, ([name, values]) => ({ name, score: values[row] ?? 0 }))
    .concat(added)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}
