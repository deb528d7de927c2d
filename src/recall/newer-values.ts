import type { Analyser } from "../text/analyser.ts";
import { areRivals, type StatedValue, statedValues, states } from "../text/stated-values.ts";
import { askedValues } from "./asked-value.ts";
import { liftTo } from "./lift.ts";
import type { AnalysedQuery } from "./query.ts";
import type { ScoredCandidate } from "./score.ts";
import type { TermScores } from "./term-scores.ts";

/** How many of the best are looked at. */
const looked = 10;
/** Share of the better one's score that the newer one has to have. */
const nearlyAsGood = 0.4;
/** Share of what the question's words say that stands around both values. 0.2 and 0.25 measured alike, and moved more that is beside the point. */
const aboutTheSame = 0.3;
/** The same share where both values count what the question asks the number of. */
const ofTheSameUnit = 0.15;
/** Of a term that is everywhere, where that of one in a hundred entries has nearly six times as much. */
const leastWeight = 1;

/**
 * Among the best hits, puts what states a newer value of what is asked for before what states an older one: "my budget is
 * $550 now" before "I have a budget of $500". Both are by the same author, both values are of the kind that is asked for, and
 * words of the question stand around both. It gets the score of what it stands before. Nothing moves when the
 * question is about the past.
 *
 * @param ranking the best first
 */
export function liftNewerValues(
  query: AnalysedQuery,
  words: TermScores,
  ranking: readonly ScoredCandidate[],
  textOf: (scored: ScoredCandidate) => string,
  analyser: Analyser,
): readonly ScoredCandidate[] {
  const kinds = askedValues(query.text);
  if (kinds.size === 0) return ranking;
  const weights = knownTerms(query, words);
  let whole = 0;
  for (const weight of weights.values()) whole += weight;
  if (whole === 0) return ranking;
  const best = ranking.slice(0, looked);
  const valuesOf = new Map<string, readonly StatedValue[]>();
  for (const scored of best)
    if (mayBeReplaced(scored))
      valuesOf.set(scored.candidate.grain.id, statedValues(textOf(scored), analyser));

  const isNewer = (older: ScoredCandidate, newer: ScoredCandidate): boolean => {
    if (
      newer.score < nearlyAsGood * older.score ||
      older.candidate.grain.author !== newer.candidate.grain.author
    )
      return false;
    const [before = [], after = []] = [older, newer].map(({ candidate }) => valuesOf.get(candidate.grain.id));
    return after.some(
      (value) =>
        kinds.has(value.kind) &&
        !states(value, before) &&
        before.some((other) => {
          if (!areRivals(other, value) || states(other, after)) return false;
          let shared = 0;
          for (const [term, weight] of weights)
            if (isAbout(other, term) && isAbout(value, term)) shared += weight;
          // "How many interviews": both count what is asked for.
          const counted = value.unit !== undefined && value.unit === other.unit && weights.has(value.unit);
          return shared >= (counted ? ofTheSameUnit : aboutTheSame) * whole;
        }),
    );
  };

  // From the oldest to the newest, so that none that was placed moves again.
  for (const newer of best.toSorted(byAge)) {
    const from = best.indexOf(newer);
    const to = best.findIndex((older, i) => i < from && byAge(older, newer) < 0 && isNewer(older, newer));
    const ahead = best[to];
    if (ahead === undefined) continue;
    best.splice(from, 1);
    best.splice(to, 0, liftTo(ahead.score, newer, "newer"));
  }
  return [...best, ...ranking.slice(looked)];
}

function byAge(a: ScoredCandidate, b: ScoredCandidate): number {
  const [x, y] = [a.candidate.grain, b.candidate.grain];
  return x.saidAt - y.saidAt || x.seq - y.seq;
}

function mayBeReplaced({ candidate: { grain } }: ScoredCandidate): boolean {
  return grain.status === "active" && grain.provenance !== "ai_stated";
}

function isAbout({ terms, unit }: StatedValue, term: string): boolean {
  return unit === term || terms.has(term);
}

/** The query's terms that some candidate holds, with what each says. In a small memory a term that all entries hold says something, too. */
function knownTerms({ terms }: AnalysedQuery, { exact, idf }: TermScores): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (let cell = 0; cell < exact.length; cell++) {
    const term = terms[cell % terms.length];
    if ((exact[cell] ?? 0) > 0 && term !== undefined)
      known.set(term, leastWeight + (idf[cell % terms.length] ?? 0));
  }
  return known;
}
