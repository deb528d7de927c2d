import { column } from "./column.ts";
import type { Pool } from "./pool.ts";
import { rowSums, type TermScores } from "./term-scores.ts";

/**
 * How well each candidate's whole session answers the query: the sum over the query's words of the best match that the
 * session has for it, on the scale of the words themselves. 0 for candidates without a session.
 */
export function scoreSessions({ sessions }: Pool, { terms, best }: TermScores): Float64Array {
  const count = sessions.reduce((most, session) => Math.max(most, session + 1), 0);
  const scores = new Float64Array(count * terms);
  for (let row = 0; row < sessions.length; row++) {
    const session = sessions[row] as number;
    for (let i = 0; session >= 0 && i < terms; i++) {
      const score = best[row * terms + i] ?? 0;
      const at = session * terms + i;
      if (score > (scores[at] ?? 0)) scores[at] = score;
    }
  }
  const sums = rowSums(scores, count, terms);
  return column(sessions, (session) => (session < 0 ? 0 : (sums[session] as number)));
}
