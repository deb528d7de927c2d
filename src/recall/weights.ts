import { FluxError } from "../model/errors.ts";

/**
 * What each signal adds to a candidate's score. The same for all data and round on purpose; measured on the development
 * halves of LoCoMo, BEAM 100K and PrefEval, with what each is worth in the ablation of `docs/recall.md`.
 */
export interface Weights {
  /** Words of the query: 1 where an entry of mean length has each of them once. The scale of all others. */
  readonly lexical: number;
  /** A related word, relative to the word itself. */
  readonly related: number;
  /** Cosine of entry and query, above that of the farthest one found. */
  readonly dense: number;
  /** Words in the entry before, relative to words in the entry itself, and in the entry after. */
  readonly previous: number;
  readonly next: number;
  /** Words of the query anywhere in its session. */
  readonly session: number;
  /** Said by somebody whom the query names. */
  readonly speaker: number;
  /** Said in a time that the query names. */
  readonly date: number;
  /** Holds a phrase that the query quotes. */
  readonly phrase: number;
  /** The best of a reranker's scores, above the worst. */
  readonly rerank: number;
  /** From here on factors for the whole score. Said by an assistant. */
  readonly assistant: number;
  readonly dormant: number;
  readonly archived: number;
  readonly quarantined: number;
  /** At importance 1 the factor is this much above 1, at 0 as much below. */
  readonly importance: number;
  readonly pinned: number;
}

export const defaultWeights: Weights = {
  lexical: 1,
  related: 0.5,
  dense: 1.75,
  previous: 0.5,
  next: 0.4,
  session: 0.4,
  speaker: 0.5,
  date: 0.2,
  phrase: 0.5,
  rerank: 1,
  assistant: 0.6,
  dormant: 0.8,
  archived: 0.5,
  quarantined: 0.3,
  importance: 0.2,
  pinned: 1.2,
};

/**
 * Weights between words alone (0) and vectors alone (1). Each side has its full weight up to the middle and loses it evenly from
 * there to its end. Related words are words by the vectors of a table, so they need both sides, as a reranker does.
 *
 * @throws FluxError `invalid_argument` unless it is a number from 0 to 1
 */
export function balancedWeights(alpha: number, weights: Weights = defaultWeights): Weights {
  if (!(typeof alpha === "number" && alpha >= 0 && alpha <= 1))
    throw new FluxError("invalid_argument", "alpha must be a number from 0 to 1");
  const words = Math.min(1, 2 * (1 - alpha));
  const vectors = Math.min(1, 2 * alpha);
  return {
    ...weights,
    lexical: weights.lexical * words,
    related: weights.related * vectors,
    dense: weights.dense * vectors,
    speaker: weights.speaker * words,
    date: weights.date * words,
    phrase: weights.phrase * words,
    rerank: weights.rerank * Math.min(words, vectors),
  };
}
