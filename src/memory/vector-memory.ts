import { ShingleHashEmbedder } from "../embed/shingle-hash-embedder.ts";
import { checkKnown, checkLedger } from "../flux/check-options.ts";
import type { Flux, FluxWorkOptions } from "../flux/flux.ts";
import type { ScopeOptions } from "../flux/scope.ts";
import { FluxError } from "../model/errors.ts";
import { optionNames } from "../model/options.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import type {
  AgentMemory,
  AgentMemoryStatus,
  CloseMemoryOptions,
  FlushOptions,
  FlushReport,
  ScopedMemory,
} from "./agent-memory.ts";
import type { EngineOptions } from "./engine.ts";
import { laterScopedMemory } from "./later-scoped-memory.ts";
import { engineOptionsOf } from "./memory-options.ts";
import { scopeIn } from "./scope-in.ts";
import { type MemoryOptions, memoryOptions } from "./spec.ts";

export interface VectorMemoryOptions extends MemoryOptions {
  /** A ledger to keep it in, which stays yours to close. Default: one in this process, which is gone with it. */
  readonly store?: Ledger | undefined;
  /** Cosine below which no episode is found, -1 to 1. Default: none. */
  readonly threshold?: number | undefined;
  /** Episodes of each user at most, from 1; the oldest of that user go. Default: any number. */
  readonly maxEpisodes?: number | undefined;
}

const names = optionNames<VectorMemoryOptions>({
  ...memoryOptions,
  ...{ store: true, threshold: true, maxEpisodes: true },
});

/**
 * A memory in this process, by vectors and words. Without an embedder it compares by {@link ShingleHashEmbedder}, which needs
 * nothing and knows no meanings; name one, such as "static", for those.
 *
 * @example
 * const memory = new VectorMemory({ embedder: "static" });
 * await memory.for({ userId: "alice" }).remember({ input: "I moved to Porto.", output: "Nice!" });
 */
export class VectorMemory implements AgentMemory {
  readonly #load: () => Promise<AgentMemory>;
  readonly #namespace: string | undefined;
  readonly #withFacts: boolean;
  readonly #running = new Set<Promise<unknown>>();

  /** @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id` */
  constructor(options: VectorMemoryOptions = {}) {
    const { store, threshold, maxEpisodes, ...rest } = checkKnown(options, names);
    const { embedder = new ShingleHashEmbedder(), namespace, clock, randomness } = rest;
    if (store !== undefined) checkLedger(store);
    if (threshold !== undefined && !(typeof threshold === "number" && threshold >= -1 && threshold <= 1))
      throw new FluxError("invalid_argument", "threshold must be a number from -1 to 1");
    if (maxEpisodes !== undefined && !(Number.isSafeInteger(maxEpisodes) && maxEpisodes >= 1))
      throw new FluxError("invalid_argument", "maxEpisodes must be a whole number from 1");
    const engine = {
      ...engineOptionsOf({ ...rest, embedder }, { threshold, maxEpisodes }),
      ledger: store ?? inMemoryLedger({ clock, randomness }),
      own: store === undefined,
    };
    this.#namespace = namespace;
    this.#withFacts = engine.policy.withFacts;
    let memory: Promise<AgentMemory> | undefined;
    this.#load = () => {
      memory ??= loadMemory(engine, namespace);
      return memory;
    };
  }

  for(scope: ScopeOptions): ScopedMemory {
    const checked = scopeIn(this.#namespace, scope);
    const { partition, ...labels } = checked;
    return laterScopedMemory(checked, {
      withFacts: this.#withFacts,
      run: (call) => this.#run(async (memory) => call(memory.for({ ...partition, ...labels }))),
    });
  }

  /** Lets `close` wait for calls that wait for the code. */
  async #run<R>(call: (memory: AgentMemory) => Promise<R>): Promise<R> {
    const running = this.#load().then(call);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  status(options?: CallOptions): Promise<AgentMemoryStatus> {
    return this.#run((memory) => memory.status(options));
  }

  flux(): Promise<Flux> {
    return this.#run((memory) => memory.flux());
  }

  flush(options?: FlushOptions): Promise<FlushReport> {
    return this.#run((memory) => memory.flush(options));
  }

  work(options?: FluxWorkOptions): Promise<number> {
    return this.#run((memory) => memory.work(options));
  }

  async close(options?: CloseMemoryOptions): Promise<void> {
    const memory = await this.#load();
    await Promise.allSettled(this.#running);
    await memory.close(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Loaded on use, so that who does not use it does not load it. */
async function loadMemory(options: EngineOptions, namespace: string | undefined): Promise<AgentMemory> {
  const { EngineMemory } = await import("./engine-memory.ts");
  return new EngineMemory(options, namespace);
}
