import type { CallOptions } from "../store/driver.ts";
import type { JobCount } from "../store/ledger.ts";
import type { Space } from "../store/search.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import { extractQueue, factsQueue } from "./extract-queue.ts";
import { type Extraction, extractorUnavailable } from "./extraction.ts";
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
  const { lexical, dense } = indexes.active();
  // Also those of a model where there is none: others may have left jobs that nobody does here.
  const extracting = [factsQueue, extractQueue];
  const jobs = await ledger.jobs.count({ queues: [...indexQueues(parts), ...extracting], signal });
  const ofIndex = jobs.filter(({ queue }) => !extracting.includes(queue));
  const ofExtraction = jobs.filter(({ queue }) => extracting.includes(queue));
  return {
    store: await ledger.capabilities({ signal }),
    embedder: dense === undefined ? undefined : makerStatus(dense, parts),
    analyser: makerStatus(lexical, parts),
    spaces: indexes.spaces,
    degraded: degradationsOf(parts, ofIndex),
    pending: pendingOf(ofIndex),
    extraction: extractionStatus(parts, ofExtraction),
  };
}

/** What does not work as it could, as `status` has it. */
export async function degradedOf(
  parts: FluxParts,
  signal: AbortSignal | undefined,
): Promise<readonly FluxDegradation[]> {
  await parts.indexes.refresh({ signal });
  return degradationsOf(parts, await parts.ledger.jobs.count({ queues: indexQueues(parts), signal }));
}

function degradationsOf(parts: FluxParts, jobs: readonly JobCount[]): readonly FluxDegradation[] {
  const { indexes, extraction } = parts;
  const { dense, exact, embedderFailure } = indexes.active();
  const degraded: FluxDegradation[] = [];
  if (dense !== undefined && !indexes.makers.has(dense))
    degraded.push({ ...embedderMissing, ...(embedderFailure ? { cause: embedderFailure } : {}) });
  if (!exact) degraded.push(analyserMissing);
  // Of a job that something waits for which recall searches.
  const active = indexes.live.filter(({ state }) => state === "active");
  const searched = new Set(active.map(({ id }) => indexQueue(id)));
  const failing = jobs.find(({ queue, error }) => error !== undefined && searched.has(queue))?.error;
  if (failing !== undefined) degraded.push({ ...indexIncomplete, cause: { code: failing } });
  const { available, cause } = extraction?.availability ?? {};
  if (available === false) degraded.push({ ...extractorUnavailable, ...(cause ? { cause } : {}) });
  return degraded;
}

function extractionStatus(
  { extraction, autoExtract }: FluxParts,
  jobs: readonly JobCount[],
): ExtractionStatus {
  const model = extraction === undefined ? {} : modelStatus(extraction);
  const pending = pendingOf(jobs);
  return autoExtract
    ? { mode: "flux_extracts", rules: true, ...model, pending }
    : { mode: "caller_extracts", ...model, pending };
}

function modelStatus({ model, availability, overBudget }: Extraction): Partial<ExtractionStatus> {
  return { model: model.name, ...availability, ...(overBudget ? { overBudget } : {}) };
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

function indexQueues({ indexes }: FluxParts): string[] {
  return indexes.live.flatMap(({ id }) => [indexQueue(id), walkQueue(id)]);
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
