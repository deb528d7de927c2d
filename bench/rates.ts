import type { Contender, Family } from "./families.ts";
import { callFor, inRounds, type Rate, ratios, summarize } from "./measure.ts";
import type { Result } from "./report.ts";
import type { BenchStore } from "./store.ts";

/** How much to measure. */
export interface Settings {
  /** Numbers of callers. */
  readonly concurrencies: readonly number[];
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
        return { name, call, run: () => callFor(milliseconds, callers, call) };
      });
      for (const { call } of participants) await callFor(warmUp, Math.max(callers, 8), call);
      const rates = await inRounds(participants, rounds, signal);
      const beside = peer === undefined ? undefined : { name: peer.name, rates: rates.get(peer.name) ?? [] };
      const labels = { measure: measure.name, case: name, unit: measure.unit };
      for (const contender of contenders)
        results.push({ ...labels, ...resultOf(contender.name, rates.get(contender.name) ?? [], beside) });
    }
    for (const { store } of opened) await measure.check?.(store);
  } finally {
    for (const { store } of opened) await store[Symbol.asyncDispose]();
  }
  return results;
}

function resultOf(
  store: string,
  own: readonly Rate[],
  beside: { readonly name: string; readonly rates: readonly Rate[] } | undefined,
): Pick<Result, "store" | "figures" | "cpu" | "peer" | "ratio"> {
  const speeds = (rates: readonly Rate[]): number[] => rates.map(({ perSecond }) => perSecond);
  // Other processes make a call take more of the processor, never less.
  const cpu = (rates: readonly Rate[]): number => Math.min(...rates.map((rate) => rate.cpu));
  const result = { store, figures: summarize(speeds(own)), cpu: cpu(own) };
  if (beside === undefined) return result;
  return {
    ...result,
    peer: { store: beside.name, figures: summarize(speeds(beside.rates)), cpu: cpu(beside.rates) },
    ratio: ratios(speeds(own), speeds(beside.rates)),
  };
}

type Calls = readonly (() => Promise<unknown>)[];
