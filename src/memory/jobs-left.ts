import { extractQueue, factsQueue } from "../flux/extract-queue.ts";
import type { Flux } from "../flux/flux.ts";
import type { Job } from "../model/job.ts";
import type { Partition } from "../model/partition.ts";
import { deriveQueue } from "../store/derive-jobs.ts";
import type { FlushReport } from "./agent-memory.ts";

/** Queues of rules, and of what is derived anew; any process does their jobs. */
const ownQueues = [factsQueue, deriveQueue] as const;
/** More jobs of a kind than this are not counted. */
const most = 1000;

interface JobsLeft extends FlushReport {
  /** Nothing of what this process does can be done before this moment, in milliseconds; infinite where it has nothing left to do. */
  readonly readyAt: number;
}

/**
 * What is left to extract of one partition.
 *
 * @param byModel whether this process does the jobs of models
 */
export async function jobsLeft(
  { ledger }: Flux,
  partition: Partition,
  { byModel }: { readonly byModel: boolean },
): Promise<JobsLeft> {
  const listed = (dead: boolean): Promise<readonly (readonly Job[])[]> =>
    Promise.all(
      [...ownQueues, extractQueue].map(async (queue) => {
        const { jobs } = await ledger.jobs.list(partition, { queue, dead, limit: most });
        return jobs;
      }),
    );
  const [waiting, dead] = await Promise.all([listed(false), listed(true)]);
  // Jobs of a queue are done one after the other, so the first one keeps those behind it waiting.
  const next = waiting.slice(0, byModel ? undefined : ownQueues.length).flatMap(([first]) => first ?? []);
  return {
    waiting: waiting.flat().length,
    dead: dead.flat().length,
    readyAt: Math.min(...next.map(({ state, readyAt }) => (state === "leased" ? 0 : readyAt))),
  };
}
