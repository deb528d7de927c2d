/** A share with its 95 % interval; in 0 to 1 where `wilson` makes it. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The normal distribution has 95 % between minus and plus this. */
const z = 1.959963985;

/**
 * A share with its interval by Wilson's score (Wilson 1927), which fits few cases and shares near 0 and 1 as well.
 *
 * @returns undefined for none of none
 */
export function wilson(hits: number, of: number): Share | undefined {
  if (of === 0) return undefined;
  const share = hits / of;
  const centre = share + z ** 2 / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const whole = 1 + z ** 2 / of;
  return { share, low: Math.max(0, (centre - spread) / whole), high: Math.min(1, (centre + spread) / whole) };
}
