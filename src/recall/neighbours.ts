import { column } from "./column.ts";
import type { Pool } from "./pool.ts";
import type { TermScores } from "./term-scores.ts";
import type { Weights } from "./weights.ts";

/**
 * What the entries beside each candidate in its session add to it: words of the query that they hold and it does not ("Where
 * did you go?" – "To Porto."). Each word counts once, from the place where it counts most, so that saying the same again adds
 * nothing; what is farther away counts less.
 */
export function scoreNeighbours(
  { candidates, links }: Pool,
  { terms, best }: TermScores,
  { previous, next }: Pick<Weights, "previous" | "next">,
): Float64Array {
  const covered = best.slice();
  const cover = (to: number, from: number, weight: number): void => {
    for (let i = 0; i < terms; i++) {
      const score = weight * (best[from * terms + i] ?? 0);
      const place = to * terms + i;
      if (score > (covered[place] ?? 0)) covered[place] = score;
    }
  };
  for (const { earlier, later, distance } of links) {
    cover(later, earlier, previous / distance);
    cover(earlier, later, next / distance);
  }
  return column(candidates, (_, row) => {
    let sum = 0;
    for (let i = row * terms; i < (row + 1) * terms; i++) sum += (covered[i] ?? 0) - (best[i] ?? 0);
    return sum;
  });
}
