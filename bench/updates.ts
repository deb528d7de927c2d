import { named } from "./commits.ts";
import type { RateMeasure } from "./rates.ts";
import { counter, newOperation } from "./samples.ts";
import type { BenchStore } from "./store.ts";

const user = "user-0";
const keys = Array.from({ length: 500 }, (_, i) => `counter-${i}`);

/** Decisions inside their transaction: find a counter by its key, and add one to it. */
export function updates(concurrencies: readonly number[]): RateMeasure[] {
  return concurrencies.map((callers) => {
    const expected = new Map<BenchStore, () => number>();
    return {
      name: "updates",
      unit: "updates/s",
      cases: [{ name: named(callers, "caller"), callers }],
      prepare: async (store) => {
        await Promise.all(keys.map((key) => store.addCounter(user, newOperation(), key)));
        const next = counter();
        let done = 0;
        expected.set(store, () => done);
        return [
          async () => {
            await store.increment(user, newOperation(), keys[next() % keys.length] ?? "");
            done += 1;
          },
        ];
      },
      check: async (store) => {
        let sum = 0;
        for (const key of keys) sum += (await store.counter(user, key)) ?? Number.NaN;
        const due = expected.get(store)?.();
        if (sum !== due) throw new Error(`${due} increments left a sum of ${sum}`);
      },
    };
  });
}
