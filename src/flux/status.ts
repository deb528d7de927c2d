import type { CallOptions } from "../store/driver.ts";
import type { Space } from "../store/search.ts";
import { allPartitions } from "./all-partitions.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import type { FluxDegradation, FluxStatus, MakerStatus, PendingStatus } from "./flux.ts";
import { indexQueue, walkQueue } from "./index-queue.ts";
import { analyserMissing } from "./memory.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";

/** Partitions whose jobs are counted. */
const mostPartitions = 1000;
/** Jobs of one queue of a partition that are counted. */
const mostJobs = 1000;

export async function statusOf(parts: FluxParts, options: CallOptions): Promise<FluxStatus> {
  const { signal } = checkKnown(options, names.status);
  checkSignal(signal);
  const { ledger, indexes } = parts;
  await indexes.refresh({ signal });
  const { lexical, dense, exact } = indexes.active();
  const embedder = dense === undefined ? undefined : makerStatus(dense, parts);
  const degraded: FluxDegradation[] = [];
  if (embedder?.available === false) degraded.push(embedderMissing);
  if (!exact) degraded.push(analyserMissing);
  return {
    store: await ledger.capabilities({ signal }),
    embedder,
    analyser: makerStatus(lexical, parts),
    spaces: indexes.spaces,
    degraded,
    pending: await pendingJobs(parts, signal),
  };
}

const embedderMissing: FluxDegradation = {
  code: "embedder_missing",
  reason: "The embedder that made the vectors of this store is not at hand",
};

function makerStatus(space: Space, { indexes }: FluxParts): MakerStatus {
  return { id: space.maker, available: indexes.makers.has(space) };
}

async function pendingJobs(
  { ledger, indexes }: FluxParts,
  signal: AbortSignal | undefined,
): Promise<PendingStatus> {
  const queues = indexes.live.flatMap(({ id }) => [indexQueue(id), walkQueue(id)]);
  let jobs = 0;
  let dead = 0;
  let partitions = 0;
  for await (const partition of allPartitions(ledger, signal)) {
    if (partitions === mostPartitions) return { jobs, dead, partitions };
    partitions += 1;
    for (const queue of queues) {
      const waiting = await ledger.jobs.list(partition, { queue, limit: mostJobs, ...only(signal) });
      const given = await ledger.jobs.list(partition, {
        queue,
        dead: true,
        limit: mostJobs,
        ...only(signal),
      });
      jobs += waiting.jobs.length;
      dead += given.jobs.length;
    }
  }
  return { jobs, dead };
}

function only(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
