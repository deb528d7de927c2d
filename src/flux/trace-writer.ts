import { FluxError } from "../model/errors.ts";
import { type Randomness, randomId } from "../model/ids.ts";
import { type Partition, partitionKey } from "../model/partition.ts";
import type { Trace } from "../model/trace.ts";
import type { Ledger } from "../store/ledger.ts";
import { tracePlan } from "./trace-plan.ts";

export interface PendingTrace {
  readonly id: string;
  readonly value: Trace;
  /** The partition's erasure generation that the recall saw. */
  readonly generation: number;
}

interface Lane {
  readonly partition: Partition;
  traces: PendingTrace[];
}

/** Milliseconds for which traces gather before they are written. */
const pause = 500;
/** Traces that wait at most; beyond that the oldest are lost. */
const most = 2000;
/** Partitions that could not be written to for the time being, after which a flush takes it that the store is away. */
const mostUnreached = 3;
/** Traces of one commit. */
const batch = 100;

/**
 * Writes traces behind: those of a partition together, a moment after the recalls. What waits is lost in a crash, and a
 * store that cannot be written to costs nobody a recall.
 */
export class TraceWriter {
  readonly #ledger: Ledger;
  readonly #randomness: Randomness;
  readonly #pending = new Map<string, Lane>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> | undefined;

  constructor(ledger: Ledger, randomness: Randomness) {
    this.#ledger = ledger;
    this.#randomness = randomness;
  }

  add(partition: Partition, trace: PendingTrace): void {
    const key = partitionKey(partition);
    const lane = this.#pending.get(key) ?? { partition, traces: [] };
    this.#pending.set(key, lane);
    lane.traces.push(trace);
    this.#count += 1;
    if (this.#count > most) this.#dropOldest();
    this.#schedule();
  }

  /** Traces of a partition that are not written yet. */
  waiting(partition: Partition): readonly PendingTrace[] {
    return this.#pending.get(partitionKey(partition))?.traces ?? [];
  }

  /**
   * Writes what waits, of one partition alone if given. What could not be written for the time being waits on, and the error is
   * thrown.
   */
  async flush(partition?: Partition): Promise<void> {
    if (partition === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    // One after the other, so that nothing is written twice.
    while (this.#flushing !== undefined) await this.#flushing.catch(() => undefined);
    this.#flushing = this.#write(this.#lanes(partition));
    try {
      await this.#flushing;
    } finally {
      this.#flushing = undefined;
    }
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.flush().catch(() => this.#schedule());
    }, pause);
    // Telemetry keeps no process alive. Browsers have numbers for timers.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #lanes(partition: Partition | undefined): readonly (readonly [string, Lane])[] {
    if (partition === undefined) return [...this.#pending];
    const key = partitionKey(partition);
    const lane = this.#pending.get(key);
    return lane === undefined ? [] : [[key, lane]];
  }

  async #write(lanes: readonly (readonly [string, Lane])[]): Promise<void> {
    let failure: unknown;
    let unreached = 0;
    for (const [key, lane] of lanes) {
      while (lane.traces.length > 0) {
        const traces = lane.traces.slice(0, batch);
        try {
          await this.#commit(lane.partition, traces);
        } catch (error) {
          failure ??= error;
          if (FluxError.isInstance(error) && error.retryable) {
            unreached += 1;
            break;
          }
        }
        const written = new Set(traces);
        const before = lane.traces.length;
        lane.traces = lane.traces.filter((trace) => !written.has(trace));
        this.#count -= before - lane.traces.length;
      }
      // Another lane may have taken its place, when all of this one were dropped meanwhile.
      if (lane.traces.length === 0 && this.#pending.get(key) === lane) this.#pending.delete(key);
      if (unreached === mostUnreached) break;
    }
    if (failure !== undefined) throw failure;
  }

  async #commit(partition: Partition, traces: readonly PendingTrace[]): Promise<void> {
    await this.#ledger.update(partition, {
      operation: `trace/${randomId(this.#randomness)}`,
      plan: tracePlan,
      input: null,
      aside: traces,
    });
  }

  #dropOldest(): void {
    const [first] = this.#pending;
    if (first === undefined) return;
    const [key, lane] = first;
    lane.traces.shift();
    this.#count -= 1;
    if (lane.traces.length === 0) this.#pending.delete(key);
  }
}
