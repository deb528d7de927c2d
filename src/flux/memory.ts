import { randomId } from "../model/ids.ts";
import { checkOptions } from "../recall/options.ts";
import { recall } from "../recall/recall.ts";
import type { Ledger } from "../store/ledger.ts";
import { checkKnown, checkSignal, checkTime } from "./check-options.ts";
import type {
  FluxDegradation,
  FluxMemory,
  FluxRecallOptions,
  FluxRecallResult,
  StoreBatchOptions,
  StoreOptions,
} from "./flux.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";
import { storeItems } from "./store-batch.ts";
import type { StoreItem, StoreResult } from "./store-items.ts";
import { traceOf } from "./trace.ts";

/** Times that the spaces may change under a recall before it takes what it found. */
const attempts = 4;

/** The memory of one scope. */
export class BoundMemory implements FluxMemory {
  readonly #parts: FluxParts;
  readonly #scope: Scope;
  readonly #run: <T>(call: () => Promise<T>) => Promise<T>;

  constructor(parts: FluxParts, scope: Scope, run: <T>(call: () => Promise<T>) => Promise<T>) {
    this.#parts = parts;
    this.#scope = scope;
    this.#run = run;
  }

  store(text: string, options: StoreOptions = {}): Promise<StoreResult> {
    return this.#run(async () => {
      const { operation, signal, ...rest } = checkKnown(options, names.store);
      const [result] = await this.#store([{ ...rest, text }], { operation, signal });
      return result as StoreResult;
    });
  }

  storeBatch(items: readonly StoreItem[], options: StoreBatchOptions = {}): Promise<readonly StoreResult[]> {
    return this.#run(() => this.#store(items, checkKnown(options, names.storeBatch)));
  }

  #store(items: readonly StoreItem[], options: StoreBatchOptions): Promise<readonly StoreResult[]> {
    checkSignal(options.signal);
    return storeItems(this.#parts, this.#scope, items, options);
  }

  recall(query: string, options: FluxRecallOptions = {}): Promise<FluxRecallResult> {
    return this.#run(() => this.#recall(query, checkKnown(options, names.recall)));
  }

  async #recall(query: string, { askedAt, zone, ...options }: FluxRecallOptions): Promise<FluxRecallResult> {
    const { indexes, clock, tokenCounter, reranker, wait } = this.#parts;
    const { partition } = this.#scope;
    if (askedAt !== undefined) checkTime(askedAt, "askedAt");
    // Once, so that every attempt has the conditions of the call.
    const checked = checkOptions({ tokenCounter, ...options });
    const { signal } = checked;
    const ledger = new ReadWatch(this.#parts.ledger);
    for (let attempt = 1; ; attempt++) {
      const { lexical, dense, exact, ...makers } = indexes.active();
      const found = await recall(
        {
          ...{ ledger, partition, spaces: { lexical, dense }, ...makers, reranker, zone, wait },
          now: askedAt ?? clock.now(),
        },
        query,
        checked,
      );
      // A space that was dropped meanwhile holds nothing, which is not the same as nothing found.
      if ((await indexes.refresh({ signal })) && attempt < attempts) continue;
      const degraded: FluxDegradation[] = [...(found.degraded ?? [])];
      if (!exact) degraded.push(analyserMissing);
      return {
        ...found,
        ...(degraded.length > 0 ? { degraded } : {}),
        ...this.#trace(query, found.hits, ledger.generation),
      };
    }
  }

  #trace(query: string, hits: FluxRecallResult["hits"], generation: number): { readonly traceId?: string } {
    const { traceRetention, traces, clock, randomness } = this.#parts;
    if (traceRetention === 0) return {};
    const id = randomId(randomness);
    const expiresAt = Math.trunc(clock.now()) + traceRetention;
    const value = traceOf(id, { query, hits, scope: this.#scope, expiresAt });
    traces.add(this.#scope.partition, { id, value, generation });
    return { traceId: id };
  }
}

export const analyserMissing: FluxDegradation = {
  code: "analyser_missing",
  reason: "The analyser that made the index of words is not at hand; another one reads the query",
};

/** Reads, and remembers which erasure generation they saw: a trace must not outlive the erasure of what it quotes. */
class ReadWatch implements Pick<Ledger, "read"> {
  readonly #ledger: Ledger;
  generation = 0;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  read: Ledger["read"] = async (partitions, ops, options) => {
    const results = await this.#ledger.read(partitions, ops, options);
    const place = ops.findIndex(({ type }) => type === "head");
    const state = place < 0 ? undefined : (results[place] as { readonly generation: number } | undefined);
    if (state !== undefined) this.generation = state.generation;
    return results;
  };
}
