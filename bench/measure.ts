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
function percentile(sorted: readonly number[], percent: number): number {
  const place = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export interface Participant {
  readonly name: string;
  run(): Promise<number>;
}

/**
 * Measures the participants in turn, in short rounds: what disturbs the machine for a while disturbs them all. Every other
 * round goes backwards, so that none is always the one after the same neighbour.
 *
 * @returns of each participant, by its name, the figures of all rounds in their order
 */
export async function inRounds(
  participants: readonly Participant[],
  rounds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const figures = new Map(participants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of round % 2 === 0 ? participants : [...participants].reverse()) {
      signal.throwIfAborted();
      figures.get(name)?.push(await run());
    }
  }
  return figures;
}

/** How the figures of one compare to those of its peer, round by round. */
export function ratios(own: readonly number[], peer: readonly number[]): Summary {
  return summarize(own.map((figure, round) => figure / (peer[round] ?? Number.NaN)));
}

/** Lets so many callers repeat a call for a time, each one when its last is done; calls per second. */
export async function callsPerSecond(
  callers: number,
  milliseconds: number,
  call: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
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
  return (calls * 1000) / (performance.now() - start);
}
