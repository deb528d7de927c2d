/** A copy of which less than this share is still there is made anew. */
export const leastLive = 0.75;

/**
 * Which of the positions that a copy holds are not there any more.
 *
 * @param held rising, undefined where it was gone before
 * @param there rising
 * @returns places in `held`
 */
export function goneFrom(held: readonly (number | undefined)[], there: readonly number[]): Set<number> {
  const gone = new Set<number>();
  let at = 0;
  for (const [place, position] of held.entries()) {
    if (position === undefined) continue;
    while (at < there.length && (there[at] as number) < position) at += 1;
    if (there[at] !== position) gone.add(place);
  }
  return gone;
}
