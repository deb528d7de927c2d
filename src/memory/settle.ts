import { extractQueue, factsQueue } from "../flux/extract-queue.ts";
import type { Flux } from "../flux/flux.ts";
import type { Partition } from "../model/partition.ts";
import { deriveQueue } from "../store/derive-jobs.ts";
import type { FlushReport } from "./agent-memory.ts";

const queues = [factsQueue, extractQueue, deriveQueue] as const;

/** Does what is left to extract, and says what is left of one partition. */
export async function settle(flux: Flux, partition: Partition, signal: AbortSignal): Promise<FlushReport> {
  await flux.work({ once: true, signal });
  const counts = { waiting: 0, dead: 0 };
  for (const queue of queues)
    for (const dead of [false, true]) {
      const { jobs } = await flux.ledger.jobs.list(partition, { queue, dead, limit: 1000 });
      counts[dead ? "dead" : "waiting"] += jobs.length;
    }
  return counts;
}
