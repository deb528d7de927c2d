import { FluxTypeError } from "../model/errors.ts";
import { checkId } from "../model/ids.ts";
import { partition as checkPartition, type Partition } from "../model/partition.ts";
import { checkDuration, checkLease, checkLimit, checkObject } from "./checks.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { CallOptions } from "./driver.ts";
import { claim, complete, extend, fail, revive, toJob } from "./lanes.ts";
import type { ClaimedJob, JobCount, Jobs } from "./ledger.ts";
import type { LedgerTools } from "./ledger-tools.ts";
import { names } from "./option-names.ts";
import { systemTables } from "./system-tables.ts";
import { maxPage } from "./translate.ts";

/** What the jobs of a ledger need of it. */
interface JobTools extends LedgerTools {
  /** Whether the ledger is being closed. */
  closing(): boolean;
  /** A new lease token. */
  lease(): string;
}

/** Claims of one call that are under way at a time, each in another lane. */
const claimsAtOnce = 8;

/** The jobs of every ledger that is made of a driver. */
export class LedgerJobs implements Jobs {
  readonly #tools: JobTools;

  constructor(tools: JobTools) {
    this.#tools = tools;
  }

  async claim(options: Parameters<Jobs["claim"]>[0]): Promise<readonly ClaimedJob[]> {
    const { queues, leaseFor, limit = 1, signal } = checkObject(options, "options", names.claim);
    const driver = this.#tools.open({ signal });
    const asked = checkQueues(queues);
    checkDuration(leaseFor, "leaseFor", 1);
    const most = checkLimit(limit);
    return this.#tools.finish({ signal }, async () => {
      const claimed: ClaimedJob[] = [];
      const now = this.#tools.now();
      // More lanes than wanted, since other workers see the same ones and some are taken meanwhile.
      const lanes = await driver.readyLanes(asked, now, Math.min(4 * most, maxPage), { signal });
      for (let next = 0; next < lanes.length && claimed.length < most; ) {
        // What is leased already is handed out, and nothing more is taken.
        if (signal?.aborted || this.#tools.closing()) break;
        const some = lanes.slice(next, next + Math.min(most - claimed.length, claimsAtOnce));
        next += some.length;
        const attempts = await Promise.allSettled(
          some.map(async ({ partition, queue }) => {
            const lease = this.#tools.lease();
            const taken = claim({ queue, lease, leaseFor, now });
            const job = await this.#tools.transact(partition, taken, { signal });
            return job === undefined ? [] : [{ ...job, partition, lease }];
          }),
        );
        claimed.push(...attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? attempt.value : [])));
        const failed = attempts.find((attempt) => attempt.status === "rejected");
        if (failed !== undefined && claimed.length === 0) throw failed.reason;
        if (failed !== undefined) break;
      }
      return claimed;
    });
  }

  async fail(job: ClaimedJob, options: Parameters<Jobs["fail"]>[1]): Promise<void> {
    const { error, delay, dead = false, signal } = checkObject(options, "options", names.fail);
    checkId(error, "error");
    if (delay !== undefined) checkDuration(delay, "delay", 0);
    const { partition } = checkLease(job);
    const failed = fail(job, { error, delay, dead, now: this.#tools.now() });
    return this.#tools.transact(partition, failed, { signal });
  }

  async extend(job: ClaimedJob, leaseFor: number, options?: CallOptions): Promise<void> {
    checkDuration(leaseFor, "leaseFor", 1);
    const { partition } = checkLease(job);
    return this.#tools.transact(partition, extend(job, this.#tools.now() + leaseFor), options);
  }

  async list(partition: Partition, options: Parameters<Jobs["list"]>[1]): ReturnType<Jobs["list"]> {
    const { queue, dead = false, limit = 100, after, signal } = checkObject(options, "options", names.jobs);
    checkId(queue, "queue");
    if (typeof dead !== "boolean") throw new FluxTypeError("invalid_argument", "dead must be a boolean");
    const place = JSON.stringify(["job", dead, queue]);
    const { rows } = await this.#tools.open({ signal }).snapshot(
      checkPartition(partition),
      [
        {
          type: "find",
          table: systemTables.job,
          index: "byLane",
          prefix: [dead, queue],
          limit: checkLimit(limit) + 1,
          ...(after === undefined ? {} : { after: decodeCursor(after, place, ["number", "string"]) }),
        },
      ],
      { signal },
    );
    const found = rows[0] ?? [];
    const jobs = found.slice(0, limit).map((row) => toJob(row, this.#tools.now()));
    const end = jobs.at(-1);
    const more = found.length > limit && end !== undefined;
    return { jobs, ...(more ? { cursor: encodeCursor(place, [end.seq, end.id]) } : {}) };
  }

  async count(options: Parameters<Jobs["count"]>[0]): Promise<readonly JobCount[]> {
    const { queues, signal } = checkObject(options, "options", names.jobCount);
    return this.#tools.open({ signal }).countJobs(checkQueues(queues), { signal });
  }

  async complete(job: ClaimedJob, options?: CallOptions): Promise<void> {
    return this.#tools.transact(checkLease(job).partition, complete(job), options);
  }

  async revive(partition: Partition, id: string, options?: CallOptions): Promise<void> {
    return this.#tools.transact(partition, revive(checkId(id, "job"), this.#tools.now()), options);
  }
}

function checkQueues(queues: readonly string[]): readonly string[] {
  if (!Array.isArray(queues)) throw new FluxTypeError("invalid_argument", "queues must be a list of queues");
  return Array.from(new Set(queues), (queue: string) => checkId(queue, "queue"));
}
