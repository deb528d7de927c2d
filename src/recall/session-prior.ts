import { column } from "./column.ts";
import type { Pool } from "./pool.ts";
import type { TermScores } from "./term-scores.ts";

/**
 * How well each candidate's whole session answers the query: the sum over the query's words of the best match that the
 * session has for it, on the scale of the words themselves. 0 for candidates without a session.
 */
export function scoreSessions({ candidates }: Pool, { terms, best }: TermScores): Float64Array {
  const sessions = new Map<string, Float64Array>();
  for (let row = 0; row < candidates.length; row++) {
    const sessionId = candidates[row]?.grain.sessionId;
    if (sessionId === undefined) continue;
    let scores = sessions.get(sessionId);
    if (scores === undefined) {
      scores = new Float64Array(terms);
      sessions.set(sessionId, scores);
    }
    for (let i = 0; i < terms; i++) {
      const score = best[row * terms + i] ?? 0;
      if (score > (scores[i] ?? 0)) scores[i] = score;
    }
  }
  const sums = new Map(
    Array.from(sessions, ([session, scores]) => [session, scores.reduce((sum, score) => sum + score, 0)]),
  );
  return column(candidates, ({ grain }) => sums.get(grain.sessionId ?? "") ?? 0);
}
