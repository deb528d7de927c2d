import { checkWhole } from "../model/check-values.ts";
import { FluxError } from "../model/errors.ts";
import { failureCause } from "../model/failure.ts";
import { checkDuration, checkObject } from "./checks.ts";
import type { ClaimedJob, Ledger } from "./ledger.ts";
import { names } from "./option-names.ts";
import { pausesOf } from "./pauses.ts";
import { maxPage } from "./translate.ts";
import { startWaiting } from "./wake.ts";

/**
 * Does the work of a job. What it throws is the failure of the attempt, and `retryAfter` in the details of a `FluxError` is how
 * many milliseconds are waited before the next one. Its effect is exactly once when its commit carries the job (`{ job }` in `append` or `update`,
 * with `job/<id>` as its operation id); a job that its handler did not complete that way is completed when it returns.
 *
 * @returns how many jobs were done, if it was not this one alone
 */
export type JobHandler = (
  job: ClaimedJob,
  context: { readonly signal: AbortSignal },
) => Promise<void> | Promise<number>;

export interface WorkOptions {
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Jobs at a time, each of another lane. Default 4. */
  readonly concurrency?: number;
  /** Milliseconds of a lease; it is prolonged while the handler runs. Default 30,000. */
  readonly leaseFor?: number;
  /** Milliseconds between two looks for ready jobs when there are none. Default 500. */
  readonly interval?: number;
  /** Stop when no job is ready, instead of waiting for more. Default false. */
  readonly once?: boolean;
  /** Ends the work; handlers under way see it too. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every failed attempt. */
  readonly onError?: ((error: unknown, job: ClaimedJob) => void) | undefined;
}

/** Milliseconds after which even a long lease is prolonged. Timers cannot wait for longer than 24 days. */
const longestPause = 3_600_000;
/** Milliseconds that a failed job waits at least. */
const shortestDelay = 1000;

/** Runs jobs until the signal, or until none is ready when `once`. Returns how many were done. */
export async function work(ledger: Ledger, options: WorkOptions): Promise<number> {
  const {
    handlers,
    concurrency = 4,
    leaseFor = 30_000,
    interval = 500,
    once = false,
    signal,
  } = checkObject(options, "options", names.work);
  const queues = Object.keys(checkObject(handlers, "handlers"));
  checkDuration(leaseFor, "leaseFor", 1);
  checkDuration(interval, "interval", 1);
  checkWhole(concurrency, "concurrency", 1, maxPage);
  const running = new Set<Promise<void>>();
  let done = 0;
  let ended = 0;
  const pause = pausesOf();
  for (; signal?.aborted !== true; await pause()) {
    const free = concurrency - running.size;
    const before = ended;
    await using wake = startWaiting(ledger, interval, signal);
    const jobs = free > 0 ? await claimSome(ledger, { queues, leaseFor, limit: free }) : [];
    for (const job of jobs) {
      const attempt = runJob(ledger, job, options, leaseFor).then((jobs) => {
        running.delete(attempt);
        ended += 1;
        done += jobs;
      });
      running.add(attempt);
    }
    if (jobs.length > 0 && running.size < concurrency) continue;
    if (running.size === concurrency || (once && running.size > 0)) await Promise.race(running);
    else if (once) {
      // A job that ended during the look may have enqueued others after it.
      if (ended === before) break;
    } else await Promise.race([wake.woken, ...running]);
  }
  await Promise.all(running);
  return done;
}

/** No jobs when the store cannot be reached just now. */
async function claimSome(
  ledger: Ledger,
  options: Parameters<Ledger["jobs"]["claim"]>[0],
): Promise<readonly ClaimedJob[]> {
  try {
    return await ledger.jobs.claim(options);
  } catch (error) {
    if (FluxError.isInstance(error) && error.retryable) return [];
    throw error;
  }
}

async function runJob(
  ledger: Ledger,
  job: ClaimedJob,
  options: WorkOptions,
  leaseFor: number,
): Promise<number> {
  const handler = options.handlers[job.queue];
  if (handler === undefined)
    throw new FluxError("invalid_argument", "A job of a queue without a handler was claimed");
  const lost = new AbortController();
  const signal = options.signal === undefined ? lost.signal : AbortSignal.any([options.signal, lost.signal]);
  const prolong = setInterval(
    () => {
      ledger.jobs.extend(job, leaseFor).catch((error: unknown) => {
        if (FluxError.isInstance(error) && error.code === "lease_lost") lost.abort(error);
      });
    },
    Math.min(leaseFor / 3, longestPause),
  );
  try {
    const jobs = await handler(job, { signal });
    await ledger.jobs.complete(job).catch(ignoreLost);
    return jobs ?? 1;
  } catch (error) {
    options.onError?.(error, job);
    const { code } = failureCause(error);
    await ledger.jobs
      .fail(job, { error: code, ...askedDelay(error) })
      // The handler gave it back itself, or somebody else has it.
      .catch(ignoreLost)
      // Should this fail too, the job is tried again when its lease ends.
      .catch((failure: unknown) => options.onError?.(failure, job));
    return 0;
  } finally {
    clearInterval(prolong);
  }
}

/** What a service asked for, within what jobs wait in any case. */
function askedDelay(error: unknown): { readonly delay?: number } {
  const after = FluxError.isInstance(error) ? error.details?.retryAfter : undefined;
  if (typeof after !== "number" || Number.isNaN(after)) return {};
  return { delay: Math.min(Math.max(shortestDelay, Math.ceil(after)), longestPause) };
}

/** The handler's own commit completed the job, or somebody else has it. */
function ignoreLost(error: unknown): void {
  if (!(FluxError.isInstance(error) && error.code === "lease_lost")) throw error;
}
