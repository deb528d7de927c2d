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
  const { lexical, dense, exact, embedderFailure } = indexes.active();
  const embedder = dense === undefined ? undefined : makerStatus(dense, parts);
  const degraded: FluxDegradation[] = [];
  if (embedder?.available === false)
    degraded.push({ ...embedderMissing, ...(embedderFailure ? { cause: embedderFailure } : {}) });
  if (!exact) degraded.push(analyserMissing);
  const { failing, ...pending } = await pendingJobs(parts, signal);
  if (failing !== undefined) degraded.push({ ...indexIncomplete, cause: { code: failing } });
  return {
    store: await ledger.capabilities({ signal }),
    embedder,
    analyser: makerStatus(lexical, parts),
    spaces: indexes.spaces,
    degraded,
    pending,
  };
}

const embedderMissing: FluxDegradation = {
  code: "embedder_missing",
  reason: "The embedder that made the vectors of this store is not at hand",
};

const indexIncomplete: FluxDegradation = {
  code: "index_incomplete",
  reason: "Something is missing of the index, and the jobs that are to make it fail",
};

function makerStatus(space: Space, { indexes }: FluxParts): MakerStatus {
  return { id: space.maker, available: indexes.makers.has(space) };
}

async function pendingJobs(
  { ledger, indexes }: FluxParts,
  signal: AbortSignal | undefined,
): Promise<PendingStatus & { readonly failing: string | undefined }> {
  const queues = indexes.live.flatMap(({ id }) => [indexQueue(id), walkQueue(id)]);
  const active = indexes.live.filter(({ state }) => state === "active");
  const searched = new Set(active.map(({ id }) => indexQueue(id)));
  let jobs = 0;
  let dead = 0;
  let partitions = 0;
  const errors = new Set<string>();
  /** Of a job that something waits for which recall searches. */
  let failing: string | undefined;
  const found = () => ({ jobs, dead, ...(errors.size > 0 ? { errors: [...errors] } : {}), failing });
  for await (const partition of allPartitions(ledger, signal)) {
    if (partitions === mostPartitions) return { ...found(), partitions };
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
      for (const { error } of [...waiting.jobs, ...given.jobs]) {
        if (error === undefined) continue;
        errors.add(error);
        if (searched.has(queue)) failing ??= error;
      }
    }
  }
  return found();
}

function only(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
