import { column } from "./column.ts";
import type { Pool } from "./pool.ts";
import { rowSums, type TermScores } from "./term-scores.ts";

/**
 * How well each candidate's whole session answers the query: the sum over the query's words of the best match that the
 * session has for it, on the scale of the words themselves. 0 for candidates without a session.
 */
export function scoreSessions({ candidates }: Pool, { terms, best }: TermScores): Float64Array {
  const places = new Map<string, number>();
  for (const { grain } of candidates)
    if (grain.sessionId !== undefined && !places.has(grain.sessionId))
      places.set(grain.sessionId, places.size);
  const placeOf = column(candidates, ({ grain }) => places.get(grain.sessionId ?? "") ?? -1);
  const scores = new Float64Array(places.size * terms);
  for (let row = 0; row < candidates.length; row++) {
    const place = placeOf[row] as number;
    for (let i = 0; place >= 0 && i < terms; i++) {
      const score = best[row * terms + i] ?? 0;
      const at = place * terms + i;
      if (score > (scores[at] ?? 0)) scores[at] = score;
    }
  }
  const sums = rowSums(scores, places.size, terms);
  return placeOf.map((place) => sums[place] ?? 0);
}
