import type { ScoredCandidate } from "./score.ts";

/** A candidate with at least that score, and the signal that says where what it lacked comes from. */
export function liftTo(score: number, scored: ScoredCandidate, name: string): ScoredCandidate {
  const more = score - scored.score;
  return more > 0 ? { ...scored, score, added: [...scored.added, { name, score: more }] } : scored;
}
