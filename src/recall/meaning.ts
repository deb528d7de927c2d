import { column } from "./column.ts";
import { maxNearest, type Pool } from "./pool.ts";

/**
 * How much nearer than the farthest one returned each candidate is to the query, by cosine. What the search did not return is
 * no nearer than that one, so counting from 0 would put it too far behind. A short list reaches down to what has nothing to
 * do with the query, and says less of what it left out: its farthest counts by its length.
 */
export function scoreMeaning({ candidates }: Pool): Float64Array {
  let least = Number.POSITIVE_INFINITY;
  let returned = 0;
  for (const { similarity } of candidates) {
    if (similarity <= 0) continue;
    least = Math.min(least, similarity);
    returned += 1;
  }
  const floor = returned === 0 ? 0 : least * Math.min(1, returned / maxNearest);
  return column(candidates, ({ similarity }) => Math.max(0, similarity - floor));
}
