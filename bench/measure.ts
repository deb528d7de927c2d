/** A figure that was measured several times. */
export interface Summary {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: percentile(sorted, 50),
    least: sorted.at(0) ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  };
}

/** A percentile of values in rising order, between neighbours where it falls between them. */
export function percentile(sorted: readonly number[], percent: number): number {
  const place = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export interface Participant<T> {
  readonly name: string;
  run(): Promise<T>;
}

/**
 * Measures the participants in turn, in short rounds: what disturbs the machine for a while disturbs them all. Every other
 * round goes backwards, so that none is always the one after the same neighbour.
 *
 * @returns of each participant, by its name, what all rounds gave, in their order
 */
export async function inRounds<T>(
  participants: readonly Participant<T>[],
  rounds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const found = new Map(participants.map(({ name }) => [name, [] as T[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of round % 2 === 0 ? participants : [...participants].reverse()) {
      signal.throwIfAborted();
      found.get(name)?.push(await run());
    }
  }
  return found;
}

/** How the figures of one compare to those of its peer, round by round. */
export function ratios(own: readonly number[], peer: readonly number[]): Summary {
  return summarize(own.map((figure, round) => figure / (peer[round] ?? Number.NaN)));
}

export interface Rate {
  readonly perSecond: number;
  /** Microseconds of processor time a call, of all threads of this process. */
  readonly cpu: number;
}

/** Lets so many callers repeat a call for a time, each one when its last is done. */
export async function callFor(
  milliseconds: number,
  callers: number,
  call: () => Promise<unknown>,
): Promise<Rate> {
  const start = performance.now();
  const before = process.cpuUsage();
  const end = start + milliseconds;
  let calls = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        await call();
        calls += 1;
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (calls * 1000) / (performance.now() - start), cpu: (user + system) / calls };
}
