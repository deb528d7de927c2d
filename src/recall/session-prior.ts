import type { Pool } from "./pool.ts";
import type { TermScores } from "./term-scores.ts";

/**
 * How well each candidate's whole session answers the query, 0 to 1: the sum over the query's words of the best match that
 * the session has for it, relative to the best session. 0 for candidates without a session.
 */
export function scoreSessions({ candidates }: Pool, { terms, best }: TermScores): Float64Array {
  const sessions = new Map<string, Float64Array>();
  for (const [row, { grain }] of candidates.entries()) {
    if (grain.sessionId === undefined) continue;
    let scores = sessions.get(grain.sessionId);
    if (scores === undefined) {
      scores = new Float64Array(terms);
      sessions.set(grain.sessionId, scores);
    }
    for (let i = 0; i < terms; i++) scores[i] = Math.max(scores[i] ?? 0, best[row * terms + i] ?? 0);
  }
  const sums = new Map<string, number>();
  let most = 0;
  for (const [session, scores] of sessions) {
    const sum = scores.reduce((total, score) => total + score, 0);
    sums.set(session, sum);
    most = Math.max(most, sum);
  }
  return Float64Array.from(candidates, ({ grain }) =>
    most === 0 || grain.sessionId === undefined ? 0 : (sums.get(grain.sessionId) ?? 0) / most,
  );
}
