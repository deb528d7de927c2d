/** Where the present time comes from; injected everywhere, so that tests and replays decide it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. May jump; what is recorded never goes back all the same. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
