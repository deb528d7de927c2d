import { type Clock, systemClock } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import { type Randomness, systemRandomness } from "../model/ids.ts";
import type { Provenance } from "../model/record.ts";
import { signalOf, untilAborted } from "../model/until-aborted.ts";
import type { Reranker } from "../recall/reranker.ts";
import { defaultModelTimeout, type ModelWait } from "../recall/within.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { openLedger } from "../store/resolve.ts";
import { createAnalyser } from "../text/analyser.ts";
import type { TokenCounter } from "../text/token-counter.ts";
import {
  checkAnalyser,
  checkBoolean,
  checkKnown,
  checkLedger,
  checkMethod,
  checkMilliseconds,
  checkProvenances,
} from "./check-options.ts";
import { Extraction } from "./extraction.ts";
import type { Flux, FluxOptions, FluxStatus, FluxWorkOptions, RebuildOptions } from "./flux.ts";
import type { FluxMemory } from "./flux-memory.ts";
import { Indexes } from "./indexes.ts";
import { BoundMemory } from "./memory.ts";
import { openSpaces } from "./open-spaces.ts";
import { names } from "./option-names.ts";
import { rebuild } from "./rebuild.ts";
import { type ScopeOptions, scopeOf } from "./scope.ts";
import { statusOf } from "./status.ts";
import { TraceWriter } from "./trace-writer.ts";
import { Turns } from "./turns.ts";
import { workOn } from "./work.ts";

/** What the parts of an open memory share. */
export interface FluxParts {
  readonly ledger: Ledger;
  readonly indexes: Indexes;
  readonly traces: TraceWriter;
  /** Of calls that change the same record. */
  readonly turns: Turns;
  /** Of streams of events, whose place in the feed is being looked up. */
  readonly beginnings: Set<Promise<unknown>>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Undefined without a language model. */
  readonly extraction: Extraction | undefined;
  /** Whether jobs are left that derive something from what is stored. */
  readonly autoExtract: boolean;
  /** Provenances of texts that facts may be derived from. */
  readonly extractFrom: readonly Provenance[];
  readonly reranker: Reranker | undefined;
  readonly tokenCounter: TokenCounter | undefined;
  readonly traceRetention: number;
  /** Its `stop` is aborted when the memory is closed. */
  readonly wait: ModelWait;
}

/** Makes a call that close() waits for. Until streams of events have begun it waits, unless its signal is aborted. */
export type Run = <T>(call: () => Promise<T>, options?: CallOptions) => Promise<T>;

const day = 24 * 3_600_000;
/** Timers cannot wait for longer than 24 days. */
const longestTimeout = 20 * day;

export async function openFlux(store: string | Ledger, options: FluxOptions): Promise<Flux> {
  const {
    embedder,
    analyser = createAnalyser(),
    languageModel = false,
    autoExtract = languageModel !== false,
    extractFrom = ["user_stated"],
    reranker,
    tokenCounter,
    clock = systemClock,
    randomness = systemRandomness,
    traceRetention = 30 * day,
    modelTimeout = defaultModelTimeout,
  } = checkKnown(options, names.open);
  checkMilliseconds(traceRetention, "traceRetention", 0, 100 * 366 * day);
  checkMilliseconds(modelTimeout, "modelTimeout", 1, longestTimeout);
  checkAnalyser(analyser);
  checkBoolean(autoExtract, "autoExtract");
  checkProvenances(extractFrom, "extractFrom");
  checkMethod(reranker, "reranker", "rerank");
  checkMethod(tokenCounter, "tokenCounter", "count");
  checkMethod(clock, "clock", "now");
  checkMethod(randomness, "randomness", "bytes");
  const own = typeof store === "string";
  if (!own) checkLedger(store);
  const stop = new AbortController();
  const extraction =
    languageModel === false ? undefined : new Extraction(languageModel, { clock, stop: stop.signal });
  const ledger = own ? openLedger(store, { clock, randomness }) : store;
  const wait = { timeout: modelTimeout, stop: stop.signal };
  const indexes = new Indexes(ledger, {
    ...{ fallback: analyser, wait },
    embedder: embedder === false ? undefined : embedder,
  });
  try {
    await openSpaces(ledger, indexes, { analyser, embedder });
  } catch (error) {
    if (own) await ledger.close().catch(() => undefined);
    throw error;
  }
  const traces = new TraceWriter(ledger, randomness);
  extraction?.look();
  const parts: FluxParts = {
    ...{ ledger, indexes, traces, turns: new Turns(), beginnings: new Set() },
    ...{ extraction, clock, randomness, reranker, tokenCounter, traceRetention },
    ...{ wait, autoExtract, extractFrom: [...extractFrom] },
  };
  return new OpenFlux(parts, { own, stop });
}

class OpenFlux implements Flux {
  readonly ledger: Ledger;
  readonly #parts: FluxParts;
  readonly #own: boolean;
  readonly #stop: AbortController;
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(parts: FluxParts, { own, stop }: { readonly own: boolean; readonly stop: AbortController }) {
    this.#stop = stop;
    this.ledger = parts.ledger;
    this.#parts = parts;
    this.#own = own;
  }

  for(scope: ScopeOptions): FluxMemory {
    this.#open();
    return new BoundMemory(this.#parts, scopeOf(scope), (call, options) => this.#run(call, options));
  }

  work(options: FluxWorkOptions = {}): Promise<number> {
    return this.#run(() => workOn(this.#parts, options, this.#stop.signal), options);
  }

  rebuild(options: RebuildOptions = {}): Promise<void> {
    return this.#run(() => rebuild(this.#parts, options, this.#stop.signal), options);
  }

  status(options: CallOptions = {}): Promise<FluxStatus> {
    return this.#run(() => statusOf(this.#parts, options), options);
  }

  flush(): Promise<void> {
    return this.#run(() => this.#parts.traces.flush());
  }

  /** Lets close() wait for the calls under way. */
  async #run<T>(call: () => Promise<T>, options?: CallOptions): Promise<T> {
    this.#open();
    const { beginnings } = this.#parts;
    const running =
      beginnings.size > 0
        ? untilAborted(Promise.allSettled(beginnings), signalOf(options)).then(call)
        : call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  #open(): void {
    if (this.#closed !== undefined) throw new FluxError("closed", "This Flux was closed");
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#stop.abort(new FluxError("closed", "This Flux was closed"));
    await Promise.allSettled(this.#running);
    await this.#parts.extraction?.settled();
    // Telemetry: a store that cannot be written to is no reason not to close it.
    await this.#parts.traces.flush().catch(() => undefined);
    if (this.#own) await this.#parts.ledger.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
