import type { Partition } from "../model/partition.ts";
import type { Ledger } from "../store/ledger.ts";

/** Partitions that are worked on at a time: enough for a store to commit several together. */
export const atOnce = 8;

/** Calls a function for each partition of a store, for some at a time. The first failure ends it. */
export async function eachPartition(
  ledger: Ledger,
  call: (partition: Partition) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  // Shared: each partition goes to whoever is free, and a failure closes it for all.
  const partitions = allPartitions(ledger, signal);
  const ends = await Promise.allSettled(
    Array.from({ length: atOnce }, async () => {
      for await (const partition of partitions) await call(partition);
    }),
  );
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Page by page. */
async function* allPartitions(ledger: Ledger, signal?: AbortSignal): AsyncGenerator<Partition> {
  let after: string | undefined;
  do {
    const { partitions, cursor } = await ledger.partitions({ after, signal });
    yield* partitions;
    after = cursor;
  } while (after !== undefined);
}
