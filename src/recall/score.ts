import type { RecallArm } from "./arm.ts";
import { scoreDates } from "./dates.ts";
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
   * `session`, `speaker`, `date`, `phrase`, `rerank`, or the id of a further arm.
   */
  readonly name: string;
  /** What it added to the score of the hit. */
  readonly score: number;
}

export interface ScoredCandidate {
  readonly candidate: Candidate;
  /** Its place in the pool, and row of the scores of words. */
  readonly row: number;
  /** The sum of its signals. */
  readonly score: number;
  readonly signals: readonly RecallSignal[];
}

export interface Scored {
  /** The best first. */
  readonly ranking: readonly ScoredCandidate[];
  readonly authors: ReadonlySet<string>;
  readonly words: TermScores;
}

/** Scores a pool: normalised scores of all signals added, times the standing of the grain. Pure. */
export function scorePool(
  query: AnalysedQuery,
  pool: Pool,
  arms: readonly Pick<RecallArm, "id" | "weight">[] = [],
  weights: Weights = defaultWeights,
): Scored {
  const words = scoreTerms(query, pool, weights);
  const scale = words.idf.reduce((sum, idf) => sum + idf, 0);
  const perScale = scale > 0 ? 1 / scale : 0;
  const exact = rowSums(words.exact, words.terms);
  const best = rowSums(words.best, words.terms);
  const neighbours = scoreNeighbours(pool, words, weights);
  const sessions = scoreSessions(pool, words);
  const authors = authorsAskedAbout(query, pool);
  const speakers = scoreSpeakers(authors, pool);
  const dates = scoreDates(query, pool);
  const scored = pool.candidates.map((candidate, row): ScoredCandidate => {
    const factor = standing(candidate.grain, weights);
    const signals: RecallSignal[] = [];
    let total = 0;
    const add = (name: string, score: number): void => {
      if (!(score > 0)) return;
      signals.push({ name, score: factor * score });
      total += factor * score;
    };
    add("words", weights.lexical * (exact[row] ?? 0) * perScale);
    add("related", weights.lexical * ((best[row] ?? 0) - (exact[row] ?? 0)) * perScale);
    add("meaning", weights.dense * candidate.similarity);
    add("neighbours", weights.lexical * (neighbours[row] ?? 0) * perScale);
    add("session", weights.session * (sessions[row] ?? 0));
    add("speaker", weights.speaker * (speakers[row] ?? 0));
    add("date", weights.date * (dates[row] ?? 0));
    for (const arm of arms) add(arm.id, arm.weight * (candidate.arms.get(arm.id) ?? 0));
    return { candidate, row, score: total, signals };
  });
  return { ranking: scored.sort(byScore), authors, words };
}

/** The total order of hits: the higher score, then what is newer, then the id. */
export function byScore(a: ScoredCandidate, b: ScoredCandidate): number {
  const [x, y] = [a.candidate.grain, b.candidate.grain];
  return b.score - a.score || y.seq - x.seq || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
}

/** Adds a signal to a candidate, with its standing as for all others. */
export function withSignal(
  scored: ScoredCandidate,
  name: string,
  score: number,
  weights: Weights,
): ScoredCandidate {
  const added = standing(scored.candidate.grain, weights) * score;
  return {
    ...scored,
    score: scored.score + added,
    signals: [...scored.signals, { name, score: added }],
  };
}
