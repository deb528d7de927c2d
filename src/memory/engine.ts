import { environment } from "../embed/models/openai-http.ts";
import { checkKnown, checkMilliseconds, checkSignal } from "../flux/check-options.ts";
import { Flux, type FluxOptions, type FluxWorkOptions } from "../flux/flux.ts";
import { presentOf, systemClock } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import { type Randomness, systemRandomness } from "../model/ids.ts";
import { type Partition, partitionKey } from "../model/partition.ts";
import { signalOf, untilAborted } from "../model/until-aborted.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import type {
  AgentMemoryStatus,
  CloseMemoryOptions,
  EmbedderOrigin,
  FlushOptions,
  FlushReport,
} from "./agent-memory.ts";
import { Background } from "./background.ts";
import { EpisodeLimit } from "./episode-limit.ts";
import type { StoreSides } from "./episodes.ts";
import { jobsLeft } from "./jobs-left.ts";
import { logChoices, type MemoryLogger } from "./logger.ts";
import { names } from "./option-names.ts";

/** What holds for all users of a memory. */
export interface MemoryPolicy {
  readonly withFacts: boolean;
  readonly storeSides: StoreSides;
  /** UTF-8 bytes of each content and each arguments of a transcript; 0 for no limit. */
  readonly transcriptMaxBytes: number;
  /** Episodes of one user; the oldest go. */
  readonly maxEpisodes: number | undefined;
  /** Cosine below which no episode is found. */
  readonly threshold: number | undefined;
}

export interface EngineOptions {
  readonly ledger: Ledger;
  /** Whether the ledger is closed with the memory. */
  readonly own: boolean;
  readonly flux: FluxOptions;
  readonly policy: MemoryPolicy;
  readonly logger: MemoryLogger | undefined;
}

interface Opened {
  readonly flux: Flux;
  readonly backend: string;
  /** Whether the end of the process takes everything with it. */
  readonly fleeting: boolean;
  readonly embedderFrom: EmbedderOrigin;
}

const defaultTimeout = 30_000;
/** Timers cannot wait for longer than 24 days. */
const longestTimeout = 20 * 24 * 3_600_000;
/** Milliseconds between two looks at what waits for another attempt. */
const flushPause = 250;
/** Milliseconds between two rounds of maintenance. */
const maintenancePause = 600_000;

/** The `Flux` under a memory: opened by the first call that needs it, anew by the next one where that failed, and closed once. */
export class Engine {
  readonly policy: MemoryPolicy;
  readonly randomness: Randomness;
  /** Undefined where each user may have any number of episodes. */
  readonly episodeLimit: EpisodeLimit | undefined;
  readonly #options: EngineOptions;
  readonly #background = new Background((signal) => this.#pass(signal));
  readonly #running = new Set<Promise<unknown>>();
  /** Partitions in which something was left to do through this object, each time in a new object. */
  readonly #left = new Map<string, { readonly partition: Partition }>();
  #opening: Promise<Opened> | undefined;
  #closed: Promise<void> | undefined;
  #unindexed = false;
  #maintained = performance.now();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.policy = options.policy;
    this.randomness = options.flux.randomness ?? systemRandomness;
    const { maxEpisodes } = options.policy;
    if (maxEpisodes !== undefined) this.episodeLimit = new EpisodeLimit(maxEpisodes, this.randomness);
  }

  /**
   * Makes a call that `close` waits for.
   *
   * @param options of the call: by their `signal` it ends also while it waits for the store to be opened
   */
  async run<T>(call: (flux: Flux) => Promise<T>, options?: unknown): Promise<T> {
    if (this.#closed !== undefined) throw new FluxError("closed", "This memory was closed");
    const running = untilAborted(this.#open(), signalOf(options)).then(({ flux }) => call(flux));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Something was stored in a partition, from which there may be something to derive. */
  wake(partition: Partition, { unindexed = false }: { readonly unindexed?: boolean } = {}): void {
    this.#left.set(partitionKey(partition), { partition });
    if (unindexed) this.#unindexed = true;
    if (this.#closed === undefined) this.#background.wake();
  }

  work(options: FluxWorkOptions): Promise<number> {
    return this.run((flux) => flux.work(options), options);
  }

  async status(options: CallOptions): Promise<AgentMemoryStatus> {
    const { backend, embedderFrom } = await this.run(() => this.#open(), options);
    const status = await this.run((flux) => flux.status(options), options);
    return { ...status, backend, embedderFrom, withFacts: this.policy.withFacts };
  }

  /** @param partition whose jobs are waited for. Default: those of all in which something was left through this object */
  async flush(options: FlushOptions, partition?: Partition): Promise<FlushReport> {
    const { timeout, signal } = checkFlush(options);
    if (partition === undefined && this.#left.size === 0 && this.#closed === undefined) return nothing;
    return this.run((flux) => this.#settle(flux, partition, { timeout, retries: true, signal }), options);
  }

  close(options: CloseMemoryOptions): Promise<void> {
    const { timeout = defaultTimeout } = checkKnown(options, names.close);
    checkMilliseconds(timeout, "timeout", 0, longestTimeout);
    this.#closed ??= this.#close(timeout);
    return this.#closed;
  }

  async #close(timeout: number): Promise<void> {
    await Promise.allSettled(this.#running);
    const opened = await this.#opening?.catch(() => undefined);
    // What could not be extracted stays a job of the store; in a store that goes with this call it would be in vain.
    if (opened !== undefined && !(opened.fleeting && this.#options.own))
      await this.#settle(opened.flux, undefined, { timeout, retries: false }).catch(() => undefined);
    await this.#background.stop();
    await opened?.flux.close();
    if (this.#options.own) await this.#options.ledger.close();
  }

  #open(): Promise<Opened> {
    if (this.#opening === undefined) {
      const opening = this.#openNow();
      this.#opening = opening;
      opening.catch(() => {
        this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  async #openNow(): Promise<Opened> {
    const { ledger, flux: options, logger, policy } = this.#options;
    const { adapter: backend, durability } = await ledger.capabilities();
    const spaces = await ledger.spaces.list();
    const created = !spaces.some(({ kind, state }) => kind === "lexical" && state === "active");
    const flux = await Flux.open(ledger, options);
    const embedderFrom = created ? originOf(options) : "recorded";
    if (created && logger !== undefined) {
      const { embedder } = await flux.status();
      logChoices(logger, { backend, embedder, embedderFrom, withFacts: policy.withFacts });
    }
    return { flux, backend, fleeting: durability === "memory", embedderFrom };
  }

  /** One round of the loop in the background. */
  async #pass(signal: AbortSignal): Promise<FlushReport> {
    const { flux } = await this.#open();
    if (this.#unindexed || performance.now() - this.#maintained >= maintenancePause) {
      this.#unindexed = false;
      this.#maintained = performance.now();
      await flux.work({ once: true, signal });
    }
    return this.#settleOnce(flux, this.#partitions(), signal);
  }

  /** @param options.retries whether what has failed is waited for, if it is tried again in time */
  async #settle(
    flux: Flux,
    partition: Partition | undefined,
    { timeout, retries, signal }: FlushOptions & { readonly timeout: number; readonly retries: boolean },
  ): Promise<FlushReport> {
    const until = performance.now() + timeout;
    const late = timeout === 0 ? AbortSignal.abort() : AbortSignal.timeout(timeout);
    const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
    for (;;) {
      // It has the jobs that were left last.
      await endOrAbort(this.#background.idle(), ended);
      const { readyIn, ...left } = await this.#settleOnce(
        flux,
        partition === undefined ? this.#partitions() : [partition],
        ended,
      );
      signal?.throwIfAborted();
      const patience = retries ? until - performance.now() : 0;
      if (left.waiting === 0 || ended.aborted || readyIn > patience) return left;
      await pause(flushPause, ended);
    }
  }

  #partitions(): readonly Partition[] {
    return Array.from(this.#left.values(), ({ partition }) => partition);
  }

  /** Does what can be done now, and says what is left of some partitions, and in how many milliseconds there is something to do. */
  async #settleOnce(
    flux: Flux,
    partitions: readonly Partition[],
    signal: AbortSignal,
  ): Promise<FlushReport & { readonly readyIn: number }> {
    const { clock = systemClock, languageModel = false } = this.#options.flux;
    const left = partitions.map((partition) => this.#left.get(partitionKey(partition)));
    if (!signal.aborted) await flux.work({ once: true, only: "extraction", signal });
    const total = { waiting: 0, dead: 0, readyIn: Infinity };
    for (const [i, partition] of partitions.entries()) {
      const { waiting, dead, readyAt } = await jobsLeft(flux, partition, {
        byModel: languageModel !== false,
      });
      total.waiting += waiting;
      total.dead += dead;
      total.readyIn = Math.min(total.readyIn, readyAt - presentOf(clock));
      const key = partitionKey(partition);
      // Where more was left meanwhile, there is another one by now.
      if (waiting === 0 && this.#left.get(key) === left[i]) this.#left.delete(key);
    }
    return total;
  }
}

/** @throws FluxTypeError or FluxError `invalid_argument`; the reason of an aborted signal */
export function checkFlush(options: FlushOptions): FlushOptions & { readonly timeout: number } {
  const { timeout = defaultTimeout, signal } = checkKnown(options, names.flush);
  checkMilliseconds(timeout, "timeout", 0, longestTimeout);
  checkSignal(signal)?.throwIfAborted();
  return { timeout, signal };
}

const nothing: FlushReport = { waiting: 0, dead: 0 };

function originOf({ embedder }: FluxOptions): EmbedderOrigin {
  if (embedder !== undefined) return "given";
  for (const name of ["FLUX_EMBEDDER", "LOOMFLOW_EMBEDDER", "OPENAI_API_KEY"] as const)
    if (environment(name) !== undefined) return name;
  return "default";
}

/** Resolves after a while, or with the signal. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return endOrAbort(promise, signal).finally(() => clearTimeout(timer));
}

async function endOrAbort(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  signal.addEventListener("abort", stop);
  await Promise.race([promise, aborted]);
  signal.removeEventListener("abort", stop);
}
