import type { Contender, Family } from "./families.ts";
import { callsPerSecond, inRounds, ratios, summarize } from "./measure.ts";
import type { Result } from "./report.ts";
import type { BenchStore } from "./store.ts";

/** How long to measure. */
export interface Settings {
  readonly rounds: number;
  /** Of one round. */
  readonly milliseconds: number;
  /** Before a measure's first round, until code is compiled. */
  readonly warmUp: number;
  /** How many records there are before reads are measured, and how many are weighed. */
  readonly records: number;
  readonly signal: AbortSignal;
}

/** Calls of which the number per second is measured, on stores that are opened, and filled, for them. */
export interface RateMeasure {
  readonly name: string;
  readonly unit: string;
  readonly cases: readonly { readonly name: string; readonly callers: number }[];
  /** Fills a new store; of each case, what its callers do. */
  prepare(store: BenchStore): Promise<readonly (() => Promise<unknown>)[]>;
  /** @throws Error when the store does not hold what the calls should have left */
  check?(store: BenchStore): Promise<void>;
}

/** Measures a family, its peer included, side by side. */
export async function measureRates(
  { contenders, peer }: Family,
  measure: RateMeasure,
  { rounds, milliseconds, warmUp, signal }: Settings,
): Promise<Result[]> {
  const all: readonly Contender[] = peer === undefined ? contenders : [...contenders, peer];
  const opened: { readonly name: string; readonly store: BenchStore; readonly calls: Calls }[] = [];
  const results: Result[] = [];
  try {
    for (const { name, open } of all) {
      const store = await open();
      opened.push({ name, store, calls: [] });
      opened[opened.length - 1] = { name, store, calls: await measure.prepare(store) };
    }
    for (const [i, { name, callers }] of measure.cases.entries()) {
      const participants = opened.map(({ name, calls }) => {
        const call = calls[i] as () => Promise<unknown>;
        return { name, call, run: () => callsPerSecond(callers, milliseconds, call) };
      });
      for (const { call } of participants) await callsPerSecond(Math.max(callers, 8), warmUp, call);
      const figures = await inRounds(participants, rounds, signal);
      const peerFigures = peer === undefined ? undefined : figures.get(peer.name);
      for (const contender of contenders) {
        const own = figures.get(contender.name) ?? [];
        results.push({
          measure: measure.name,
          case: name,
          store: contender.name,
          unit: measure.unit,
          figures: summarize(own),
          ...(peer === undefined || peerFigures === undefined
            ? {}
            : {
                peer: { store: peer.name, figures: summarize(peerFigures) },
                ratio: ratios(own, peerFigures),
              }),
        });
      }
    }
    for (const { store } of opened) await measure.check?.(store);
  } finally {
    for (const { store } of opened) await store[Symbol.asyncDispose]();
  }
  return results;
}

type Calls = readonly (() => Promise<unknown>)[];
