import type { Partition } from "../model/partition.ts";
import type { Ledger } from "../store/ledger.ts";

/** The partitions of a store, page by page. */
export async function* allPartitions(ledger: Ledger, signal?: AbortSignal): AsyncGenerator<Partition> {
  let after: string | undefined;
  do {
    const { partitions, cursor } = await ledger.partitions({ after, signal });
    yield* partitions;
    after = cursor;
  } while (after !== undefined);
}
