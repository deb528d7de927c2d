import { extractQueue, factsQueue } from "../flux/extract-queue.ts";
import type { Flux } from "../flux/flux.ts";
import type { Partition } from "../model/partition.ts";
import { deriveQueue } from "../store/derive-jobs.ts";
import type { FlushReport } from "./agent-memory.ts";

const queues = [factsQueue, extractQueue, deriveQueue] as const;
/** More jobs of a kind than this are not counted. */
const most = 1000;

/** What is left to extract of one partition. */
export async function jobsLeft({ ledger }: Flux, partition: Partition): Promise<FlushReport> {
  const counted = async (dead: boolean): Promise<number> => {
    const pages = await Promise.all(
      queues.map((queue) => ledger.jobs.list(partition, { queue, dead, limit: most })),
    );
    return pages.reduce((sum, { jobs }) => sum + jobs.length, 0);
  };
  const [waiting, dead] = await Promise.all([counted(false), counted(true)]);
  return { waiting, dead };
}
