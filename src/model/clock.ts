import { FluxError } from "./errors.ts";

/** Where the present time comes from; injected everywhere, so that tests and replays decide it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. May jump; what is recorded never goes back all the same. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * What a clock says, in whole milliseconds.
 *
 * @throws FluxError `invalid_argument` when that is no number
 */
export function presentOf(clock: Clock): number {
  const now = Math.trunc(clock.now());
  if (Number.isSafeInteger(now)) return now;
  throw new FluxError("invalid_argument", "The clock must give milliseconds since 1970 as a number");
}
