import { ManualClock, runRandomOperations } from "../src/testing.ts";
import { openLedger, type Places, type StoreName } from "./ledgers.ts";
import { summarize } from "./measure.ts";
import type { Result } from "./report.ts";

/** Operations on one store, before a new seed has a new one. */
const operationsOfRun = 10_000;

/** Operations after which it is told how far it has come. */
const operationsOfReport = 100_000;

/**
 * Compares stores with the contract suite's model over very many random operations.
 *
 * @param seed of the first run; each next run has the next one
 * @throws Error at the first difference, with the seed that shows it
 */
export async function measureRandomOperations(
  stores: readonly StoreName[],
  places: Places,
  options: { readonly operations: number; readonly seed: number; readonly signal: AbortSignal },
): Promise<Result[]> {
  const results: Result[] = [];
  for (const name of stores) {
    const rates: number[] = [];
    let left = options.operations;
    for (let seed = options.seed; left > 0; seed++, left -= operationsOfRun) {
      options.signal.throwIfAborted();
      const operations = Math.min(left, operationsOfRun);
      const clock = new ManualClock();
      const { ledger, remove } = openLedger(name, places, { clock });
      const start = performance.now();
      try {
        await runRandomOperations({ ledger, clock, seed, operations });
      } finally {
        await remove();
      }
      rates.push((operations * 1000) / (performance.now() - start));
      const done = options.operations - left + operations;
      if (done % operationsOfReport === 0)
        console.info(`${name}: ${done.toLocaleString("en")} random operations, no difference`);
    }
    results.push({
      measure: "random",
      case: `${options.operations.toLocaleString("en")} operations, no difference`,
      store: name,
      unit: "operations/s",
      figures: summarize(rates),
    });
  }
  return results;
}
