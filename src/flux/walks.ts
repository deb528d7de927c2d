import { type ErrorCode, errorCodes, FluxError } from "../model/errors.ts";
import { failureCause } from "../model/failure.ts";
import { randomId } from "../model/ids.ts";
import type { Partition } from "../model/partition.ts";
import type { ClaimedJob, JobCount, Ledger } from "../store/ledger.ts";
import type { Space } from "../store/search.ts";
import { work } from "../store/work.ts";
import { atOnce, eachPartition } from "./each-partition.ts";
import type { RebuildProgress } from "./flux.ts";
import { indexQueue, walkJob, walkQueue } from "./index-queue.ts";
import type { FluxParts } from "./open-flux.ts";
import { handlersOf, leaseFor } from "./work.ts";

/** Milliseconds between two looks for walks that others do, or that wait to be tried again. */
const pause = 250;

/** The walks through all partitions of one rebuild. They are jobs: whoever works, in whatever process, takes part. */
export class Walks {
  readonly #parts: FluxParts;
  readonly #targets: readonly Space[];
  readonly #signal: AbortSignal;
  readonly #onProgress: ((progress: RebuildProgress) => void) | undefined;
  readonly #run: string;
  /** What walks failed with here, the last of each code. */
  readonly #failures = new Map<string, unknown>();
  #looks = 0;
  #total = 0;
  #done = 0;

  constructor(
    parts: FluxParts,
    targets: readonly Space[],
    {
      signal,
      onProgress,
    }: {
      readonly signal: AbortSignal;
      readonly onProgress: ((progress: RebuildProgress) => void) | undefined;
    },
  ) {
    this.#parts = parts;
    this.#targets = targets;
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#run = randomId(parts.randomness);
  }

  /**
   * Walks through the partitions that it has not been through.
   *
   * @throws FluxError with the code of what a walk failed with too often, which is its cause
   */
  async run(): Promise<void> {
    const { ledger } = this.#parts;
    this.#looks += 1;
    const queues = this.#targets.flatMap(({ id }) => [indexQueue(id), walkQueue(id)]);
    const anyDead = (await this.#count(queues)).some(({ dead }) => dead);
    const begin = async (partition: Partition): Promise<void> => {
      for (const target of this.#targets) {
        const begun = await this.#begin(partition, target);
        if (begun || this.#looks === 1) this.#total += 1;
      }
      if (anyDead) await reviveDead(ledger, partition, queues, this.#signal);
    };
    await eachPartition(ledger, begin, this.#signal);
    const all = handlersOf(this.#parts, this.#signal, () => this.#tell(this.#done + 1));
    const walks = this.#targets.map(({ id }) => walkQueue(id));
    const options = {
      handlers: Object.fromEntries(Object.entries(all).filter(([queue]) => queues.includes(queue))),
      concurrency: atOnce,
      ...{ once: true, leaseFor, signal: this.#signal },
      onError: (error: unknown, { queue }: ClaimedJob) => {
        if (walks.includes(queue)) this.#failures.set(failureCause(error).code, error);
      },
    };
    for (;;) {
      await work(ledger, options);
      this.#signal.throwIfAborted();
      const left = await this.#count(walks);
      const dead = left.filter((count) => count.dead);
      if (dead.length > 0) throw this.#failure(dead);
      if (left.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.#tell(this.#total);
  }

  #count(queues: readonly string[]): Promise<readonly JobCount[]> {
    return this.#parts.ledger.jobs.count({ queues, signal: this.#signal });
  }

  /**
   * Of a space that is built there is one walk a partition, whoever begins it; in place, one for each rebuild. Whether it was
   * begun now.
   */
  async #begin(partition: Partition, { id, state }: Space): Promise<boolean> {
    const own = `rebuild/${id}/${this.#run}`;
    const begin = (operation: string) =>
      this.#parts.ledger.append(
        partition,
        { operation, records: [], jobs: [walkJob(id)] },
        { signal: this.#signal },
      );
    const { replayed } = await begin(state === "building" ? `rebuild/${id}` : own).catch((error: unknown) => {
      // A caller may have given this name to something else.
      if (FluxError.isInstance(error) && error.code === "operation_conflict") return begin(own);
      throw error;
    });
    return !replayed;
  }

  #failure(dead: readonly JobCount[]): FluxError {
    // The one that stopped a walk here, rather than one of which another process knows more.
    const { error = "" } = dead.find((count) => this.#failures.has(count.error ?? "")) ?? dead[0] ?? {};
    const code = Object.hasOwn(errorCodes, error) ? (error as ErrorCode) : "model_failed";
    return new FluxError(code, "The index of a partition could not be made", {
      hint: "See the cause; then rebuild again, which goes on where this one ended.",
      retryable: true,
      cause: this.#failures.get(error),
    });
  }

  /** Others may do some of the walks, and some may be done twice. */
  #tell(ended: number): void {
    const done = Math.min(ended, this.#total);
    if (done === this.#done) return;
    this.#done = done;
    this.#onProgress?.({ done, total: this.#total });
  }
}

/** Makes the dead letters of a partition's queues ordinary jobs again. */
export async function reviveDead(
  ledger: Ledger,
  partition: Partition,
  queues: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  for (const queue of queues) {
    let more = true;
    while (more) {
      const { jobs, cursor } = await ledger.jobs.list(partition, {
        ...{ queue, dead: true, limit: 1000 },
        ...(signal === undefined ? {} : { signal }),
      });
      for (const job of jobs) await ledger.jobs.revive(partition, job.id, { signal });
      more = cursor !== undefined;
    }
  }
}
