/**
 * How many entries a match walks through, unless it takes more to bring as many candidates as are asked for. Terms that are
 * everywhere cost the most and tell the least: beyond this they no longer bring candidates of their own, but still count in
 * those of others. A tenth of the entries of a partition of 80,000.
 */
export const mostWalked = 8000;

/**
 * Which terms bring candidates, by place: the rarest, as far as their entries are few enough together, or too few for the
 * limit.
 *
 * @param limit how many candidates are asked for
 */
export function leadingTerms(frequencies: readonly number[], limit: number): readonly number[] {
  let sum = 0;
  return frequencies
    .map((frequency, place) => ({ frequency, place }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency || a.place - b.place)
    .filter(({ frequency }) => {
      const before = sum;
      sum += frequency;
      return before < limit || sum <= mostWalked;
    })
    .map(({ place }) => place);
}
