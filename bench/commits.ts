import type { RateMeasure } from "./rates.ts";
import { counter, newOperation, sampleMessage, users } from "./samples.ts";

/** Durable commits of one message each: all callers write to one partition, or to 128 in turn. */
export function commits(concurrencies: readonly number[]): RateMeasure[] {
  return [1, 128].flatMap((partitions) =>
    concurrencies.map((callers) => ({
      name: "commits",
      unit: "commits/s",
      cases: [{ name: `${named(partitions, "partition")}, ${named(callers, "caller")}`, callers }],
      prepare: async (store) => {
        const names = users(partitions);
        const next = counter();
        // Partitions are there before it counts.
        await Promise.all(names.map((name) => store.append(name, newOperation(), [message(next())])));
        return [
          () => {
            const number = next();
            const name = names[number % names.length] ?? "";
            return store.append(name, newOperation(), [message(number)]);
          },
        ];
      },
    })),
  );
}

function message(number: number) {
  return sampleMessage(number, `session-${number % 16}`);
}

export function named(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
