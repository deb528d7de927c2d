import { checkFunction } from "../model/check-values.ts";
import { FluxError } from "../model/errors.ts";
import { deriveQueue } from "../store/derive-jobs.ts";
import { type JobHandler, work } from "../store/work.ts";
import { checkBoolean, checkChoice, checkKnown, checkSignal } from "./check-options.ts";
import { runDeriveFact } from "./derive-facts.ts";
import { runDeriveMark } from "./derive-mark.ts";
import { runExtractJob } from "./extract-job.ts";
import { extractQueue, factsQueue } from "./extract-queue.ts";
import { runFactsJob } from "./facts-job.ts";
import type { FluxWorkOptions } from "./flux.ts";
import { runIndexJob, runWalkJob } from "./index-job.ts";
import { indexQueue, walkQueue } from "./index-queue.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";

/** Milliseconds between two looks at the spaces, which decide what there is to work on. */
const spacesPause = 5000;
/**
 * Milliseconds of a lease, which is prolonged while a job runs. An erasure in the partition ends it, and the job is taken up
 * again when it would have ended by itself.
 */
export const leaseFor = 10_000;
/** Milliseconds between two rounds of maintenance. */
const maintenancePause = 600_000;

/** Statements of so many partitions are derived at a time. A local model answers one call after the other in any case. */
const extractAtOnce = 2;

/**
 * Runs the jobs of the index and of extraction and the ledger's maintenance until the signal, or until nothing is left when
 * `once`; of extraction alone when `only` says so.
 */
export async function workOn(parts: FluxParts, options: FluxWorkOptions, stop: AbortSignal): Promise<number> {
  const { once = false, only, signal, onError } = checkKnown(options, names.work);
  checkBoolean(once, "once");
  checkFunction(onError, "onError");
  checkSignal(signal);
  if (only !== undefined) checkChoice(only, "only", ["extraction"]);
  // What fails in one of the loops ends the others.
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, stop, failed.signal].filter((one) => one !== undefined));
  const extracting = [workOnFacts, workByModel];
  const loops = (only === undefined ? [workOnIndex, ...extracting] : extracting).map(async (loop) => {
    try {
      return await loop(parts, { once, onError, ended });
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(loops);
  const counts = await Promise.all(loops);
  return counts.reduce((sum, count) => sum + count, 0);
}

interface LoopOptions extends Pick<FluxWorkOptions, "onError"> {
  readonly once: boolean;
  readonly ended: AbortSignal;
}

/** Derives facts by rules, and anew what lost a source. */
function workOnFacts(parts: FluxParts, { once, onError, ended }: LoopOptions): Promise<number> {
  return work(parts.ledger, {
    handlers: {
      [factsQueue]: (job, { signal }) => runFactsJob(parts, job, signal),
      [deriveQueue]: async (job, { signal }) => {
        await runDeriveFact(parts, job, signal);
        await runDeriveMark(parts, job, signal);
      },
    },
    ...{ once, leaseFor, onError, signal: ended },
  });
}

/** A loop of its own: a model that takes a minute for an answer must not keep embedders and rules waiting. */
async function workByModel(parts: FluxParts, { once, onError, ended }: LoopOptions): Promise<number> {
  const { ledger, extraction } = parts;
  if (extraction === undefined) return 0;
  extraction.look();
  return work(ledger, {
    handlers: { [extractQueue]: (job, { signal }) => runExtractJob(parts, extraction, job, signal) },
    concurrency: extractAtOnce,
    ...{ once, leaseFor, onError, signal: ended },
  });
}

async function workOnIndex(parts: FluxParts, { once, onError, ended }: LoopOptions): Promise<number> {
  const { ledger, indexes, extraction } = parts;
  let done = 0;
  let maintained = Number.NEGATIVE_INFINITY;
  while (!ended.aborted) {
    extraction?.ask();
    await forgiving(once, () => indexes.refresh());
    const handlers = handlersOf(parts, ended);
    const until = new AbortController();
    // What there is to work on may be another thing by then.
    const timer = once ? undefined : setTimeout(() => until.abort(), spacesPause);
    try {
      done += await work(ledger, {
        handlers,
        once,
        leaseFor,
        onError,
        signal: AbortSignal.any([ended, until.signal]),
      });
    } finally {
      clearTimeout(timer);
    }
    // A clock of its own would be one too many: it is only to not do it all the time.
    if (!ended.aborted && performance.now() - maintained >= maintenancePause) {
      await forgiving(once, () => ledger.maintain());
      maintained = performance.now();
    }
    if (once) break;
  }
  return done;
}

/**
 * The handlers for all spaces that this process can make entries for. What a handler has begun it ends, unless the signal is
 * aborted.
 *
 * @param onWalked told when a walk through a partition has come to its end
 */
export function handlersOf(
  parts: FluxParts,
  signal: AbortSignal,
  onWalked?: () => void,
): Record<string, JobHandler> {
  const { live, spaces, makers } = parts.indexes;
  const handlers: Record<string, JobHandler> = {};
  for (const { id } of live.filter((space) => makers.has(space))) {
    handlers[indexQueue(id)] = (job) => runIndexJob(parts, id, job, signal);
    handlers[walkQueue(id)] = async (job) => {
      if (await runWalkJob(parts, id, job, signal)) onWalked?.();
    };
  }
  // What was left to do for a space that was dropped comes to nothing. Ids rise, and none is used again.
  const ids = spaces.map(({ id }) => id);
  for (let id = Math.max(0, ...ids); id > 0; id--) {
    if (live.some((space) => space.id === id)) continue;
    for (const queue of [indexQueue(id), walkQueue(id)]) handlers[queue] = async () => undefined;
  }
  return handlers;
}

/** Whoever works on tries again later; who works once is told. */
async function forgiving(strict: boolean, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (strict || !(FluxError.isInstance(error) && error.retryable)) throw error;
  }
}
