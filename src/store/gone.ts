/** A copy of which less than this share is still there is made anew. */
export const leastLive = 0.75;

/** How a copy of what a store holds in the order of positions tells what has gone since. */
export interface Positions {
  /** How often something was removed or replaced. */
  readonly removed: number;
  /** Positions of all there is, rising, where a store can tell them; else all is read again once something is gone. */
  positions?(): readonly number[];
  /** Those that were removed in this process since it was asked last. */
  removedHere?(): readonly number[];
}

/**
 * Which places of a copy are not there any more: by what this process has removed where that is all that was, else by the positions of
 * all there is. It may name places of which that was known before.
 *
 * @param held the copy's positions, rising
 * @param removed how much had been removed when the copy was looked at last
 * @returns undefined where it cannot be told
 */
export function goneFrom(
  held: readonly number[],
  removed: number,
  source: Positions,
): readonly number[] | undefined {
  const here = source.removedHere?.() ?? [];
  if (here.length === source.removed - removed) {
    const places = here.map((position) => placeOf(held, position));
    return places.filter((place, i) => held[place] === here[i]);
  }
  const there = source.positions?.();
  if (there === undefined) return undefined;
  const gone: number[] = [];
  let at = 0;
  for (const [place, position] of held.entries()) {
    while (at < there.length && (there[at] as number) < position) at += 1;
    if (there[at] !== position) gone.push(place);
  }
  return gone;
}

/**
 * The first place of rising numbers that is not below a number, in steps of `width`.
 *
 * @param from a place that is not behind it: where it is near, it is soon found
 */
export function placeOf(numbers: readonly number[], number: number, width = 1, from = 0): number {
  let low = from / width;
  let high = numbers.length / width;
  for (let step = 1, at = low; at < high; at += step, step *= 2) {
    if ((numbers[at * width] as number) >= number) high = at;
    else low = at + 1;
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle * width] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low * width;
}
