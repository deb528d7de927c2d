/**
 * How many entries a match walks through at most, unless its rarest term alone is in more. Terms that are everywhere cost the
 * most and tell the least: beyond this they no longer bring candidates of their own, but still count in those of others.
 */
export const mostWalked = 8000;

/** Which terms bring candidates, by place: the rarest, as far as their entries are few enough together. */
export function leadingTerms(frequencies: readonly number[]): readonly number[] {
  const places = frequencies
    .map((frequency, place) => ({ frequency, place }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency || a.place - b.place);
  let sum = 0;
  return places
    .filter(({ frequency }, i) => {
      sum += frequency;
      return i === 0 || sum <= mostWalked;
    })
    .map(({ place }) => place);
}
