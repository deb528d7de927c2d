import type { CallOptions } from "../store/driver.ts";
import type { JobCount } from "../store/ledger.ts";
import type { Space } from "../store/search.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import { extractQueue } from "./extract-queue.ts";
import { extractorUnavailable } from "./extraction.ts";
import type { ExtractionStatus, FluxDegradation, FluxStatus, MakerStatus, PendingStatus } from "./flux.ts";
import { indexQueue, walkQueue } from "./index-queue.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { analyserMissing } from "./recall-traced.ts";

export async function statusOf(parts: FluxParts, options: CallOptions): Promise<FluxStatus> {
  const { signal } = checkKnown(options, names.call);
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
  const extraction = await extractionStatus(parts, signal);
  if (extraction.available === false)
    degraded.push({ ...extractorUnavailable, ...(extraction.cause ? { cause: extraction.cause } : {}) });
  return {
    store: await ledger.capabilities({ signal }),
    embedder,
    analyser: makerStatus(lexical, parts),
    spaces: indexes.spaces,
    degraded,
    pending,
    extraction,
  };
}

async function extractionStatus(
  { ledger, extraction }: FluxParts,
  signal: AbortSignal | undefined,
): Promise<ExtractionStatus> {
  // Also without a model: others may have left jobs that nobody does here.
  const counts = await ledger.jobs.count({ queues: [extractQueue], signal });
  const pending = pendingOf(counts);
  if (extraction === undefined) return { mode: "caller_extracts", pending };
  return { mode: "flux_extracts", model: extraction.model.name, ...extraction.availability, pending };
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
  const counts = await ledger.jobs.count({ queues, signal });
  // Of a job that something waits for which recall searches.
  const failing = counts.find(({ queue, error }) => error !== undefined && searched.has(queue))?.error;
  return { ...pendingOf(counts), failing };
}

function pendingOf(counts: readonly JobCount[]): PendingStatus {
  const sum = (some: readonly JobCount[]) => some.reduce((total, { count }) => total + count, 0);
  const errors = [...new Set(counts.flatMap(({ error }) => (error === undefined ? [] : [error])))];
  return {
    jobs: sum(counts.filter(({ dead }) => !dead)),
    dead: sum(counts.filter(({ dead }) => dead)),
    ...(errors.length > 0 ? { errors } : {}),
  };
}
