import { FluxError } from "../model/errors.ts";
import { randomId } from "../model/ids.ts";
import { type Partition, partitionKey } from "../model/partition.ts";
import type { Space } from "../store/search.ts";
import { work } from "../store/work.ts";
import { allPartitions } from "./all-partitions.ts";
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
  readonly #seen = new Set<string>();
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
   * @throws FluxError `model_failed` when a walk failed too often, with the last failure as its cause
   */
  async run(): Promise<void> {
    const left: { readonly partition: Partition; readonly space: number }[] = [];
    for await (const partition of allPartitions(this.#parts.ledger, this.#signal)) {
      const key = partitionKey(partition);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      for (const target of this.#targets) {
        await this.#begin(partition, target);
        left.push({ partition, space: target.id });
      }
    }
    this.#total += left.length;
    const handlers = this.#handlers();
    let failure: unknown;
    const onError = (error: unknown): void => {
      failure = error;
    };
    for (;;) {
      await work(this.#parts.ledger, { handlers, once: true, leaseFor, signal: this.#signal, onError });
      this.#signal.throwIfAborted();
      for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
        if (!(await this.#ended(last.partition, last.space, failure))) break;
        left.pop();
      }
      if (left.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.#tell(this.#total);
  }

  /** Of a space that is built there is one walk a partition, whoever begins it; in place, one for each rebuild. */
  async #begin(partition: Partition, { id, state }: Space): Promise<void> {
    const { ledger } = this.#parts;
    const signal = this.#signal;
    const own = `rebuild/${id}/${this.#run}`;
    const begin = (operation: string) =>
      ledger.append(partition, { operation, records: [], jobs: [walkJob(id)] }, { signal });
    await begin(state === "building" ? `rebuild/${id}` : own).catch((error: unknown) => {
      // A caller may have given this name to something else.
      if (FluxError.isInstance(error) && error.code === "operation_conflict") return begin(own);
      throw error;
    });
    for (const queue of [walkQueue(id), indexQueue(id)]) {
      const { jobs } = await ledger.jobs.list(partition, { queue, dead: true, limit: 1000, signal });
      for (const job of jobs) await ledger.jobs.revive(partition, job.id, { signal });
    }
  }

  #handlers(): ReturnType<typeof handlersOf> {
    const queues = this.#targets.flatMap(({ id }) => [indexQueue(id), walkQueue(id)]);
    const all = handlersOf(this.#parts, this.#signal, () => this.#tell(this.#done + 1));
    return Object.fromEntries(Object.entries(all).filter(([queue]) => queues.includes(queue)));
  }

  async #ended(partition: Partition, space: number, cause: unknown): Promise<boolean> {
    const { ledger } = this.#parts;
    const queue = walkQueue(space);
    const options = { queue, limit: 1, signal: this.#signal };
    const { jobs: dead } = await ledger.jobs.list(partition, { ...options, dead: true });
    if (dead.length > 0) {
      throw new FluxError("model_failed", "The index of a partition could not be made", {
        hint: "See the cause; then rebuild again, which goes on where this one ended.",
        retryable: true,
        cause,
      });
    }
    const { jobs } = await ledger.jobs.list(partition, options);
    return jobs.length === 0;
  }

  /** Others may do some of the walks, and some may be done twice. */
  #tell(ended: number): void {
    const done = Math.min(ended, this.#total);
    if (done === this.#done) return;
    this.#done = done;
    this.#onProgress?.({ done, total: this.#total });
  }
}
