import type { ExportLine } from "../flux/export-line.ts";
import type { FluxRecallResult } from "../flux/flux.ts";
import type {
  EraseScope,
  EventsOptions,
  FeedbackItem,
  FeedbackOptions,
  FeedbackResult,
  FluxEvent,
  FluxRecallOptions,
  ImportOptions,
  ImportReport,
  MemoryHealth,
  PendingFeedback,
  PendingOptions,
  PurgeOptions,
  PurgeReceipt,
  ServedMemory,
  StoreOptions,
  UpdateOptions,
  WriteOptions,
} from "../flux/flux-memory.ts";
import type { ListOptions, MemoryRecord, RecordChanges, RecordPage } from "../flux/memory-record.ts";
import { isEpisode, type StoreItem, type StoreResult, type TextItem } from "../flux/store-items.ts";
import { FluxError } from "../model/errors.ts";
import { isPlainObject } from "../model/json.ts";
import { type Partition, partitionKey } from "../model/partition.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import type { Caller } from "./callers.ts";
import { owesFeedback } from "./feedback-debt.ts";
import type { ServiceParts } from "./service-parts.ts";
import type { ServiceEvent } from "./service-types.ts";

/** The memory of one scope and caller, with the rules of the service around every call. */
export class ServiceMemory implements ServedMemory {
  readonly #parts: ServiceParts;
  readonly #memory: ServedMemory;
  readonly #partition: Partition;
  readonly #caller: Caller;
  /** What limits and debts are counted for. A partition's key is a JSON array, which shows where it ends. */
  readonly #key: string;

  constructor(
    parts: ServiceParts,
    memory: ServedMemory,
    { partition, caller }: { readonly partition: Partition; readonly caller: Caller },
  ) {
    this.#parts = parts;
    this.#memory = memory;
    this.#partition = partition;
    this.#caller = caller;
    this.#key = partitionKey(partition) + caller.id;
  }

  store(text: string, options: StoreOptions = {}): Promise<StoreResult> {
    return this.#store(1, async () => {
      const result = await this.#memory.store(text, withDefault(options, "provenance", "ai_stated"));
      return [result, [result]];
    });
  }

  remember(text: string, options?: StoreOptions): Promise<StoreResult> {
    return this.store(text, options);
  }

  storeBatch(items: readonly StoreItem[], options?: WriteOptions): Promise<readonly StoreResult[]> {
    const isList = Array.isArray(items);
    return this.#store(isList ? items.length : 1, async () => {
      const complete = isList
        ? items.map((item: StoreItem) => (isText(item) ? withDefault(item, "provenance", "ai_stated") : item))
        : items;
      const results = await this.#memory.storeBatch(complete, options);
      return [results, results];
    });
  }

  recall(query: string, options: FluxRecallOptions = {}): Promise<FluxRecallResult> {
    const { reads, debt, config } = this.#parts;
    return this.#run(async () => {
      const signal = options?.signal instanceof AbortSignal ? options.signal : undefined;
      if (debt !== undefined && owesFeedback(this.#caller)) await debt.check(this.#key, this.#memory, signal);
      const found = await reads.run(
        () => this.#memory.recall(query, withDefault(options, "k", config.TOP_K)),
        signal,
      );
      const { traceId } = found;
      this.#tell({
        type: "retrieved",
        ...(traceId === undefined ? {} : { traceId }),
        grainIds: found.hits.map(({ id }) => id),
      });
      return found;
    });
  }

  retrieve(query: string, options?: FluxRecallOptions): Promise<FluxRecallResult> {
    return this.recall(query, options);
  }

  feedback(traceId: string, grainId: string, feedback: FeedbackOptions): Promise<FeedbackResult> {
    return this.#write(async () => {
      const result = await this.#memory.feedback(traceId, grainId, feedback);
      this.#tell({ type: "feedback", traceId, grainIds: [grainId] });
      return result;
    });
  }

  feedbackBatch(items: readonly FeedbackItem[], options?: WriteOptions): Promise<readonly FeedbackResult[]> {
    return this.#write(async () => {
      const results = await this.#memory.feedbackBatch(items, options);
      const byTrace = Map.groupBy(results, ({ traceId }) => traceId);
      for (const [traceId, some] of byTrace)
        this.#tell({ type: "feedback", traceId, grainIds: some.map(({ grainId }) => grainId) });
      return results;
    });
  }

  pendingFeedback(options?: PendingOptions): Promise<readonly PendingFeedback[]> {
    return this.#run(() => this.#memory.pendingFeedback(options));
  }

  get(id: string, options?: CallOptions): Promise<MemoryRecord | undefined> {
    return this.#run(() => this.#memory.get(id, options));
  }

  list(options?: ListOptions): Promise<RecordPage> {
    return this.#run(() => this.#memory.list(options));
  }

  update(id: string, changes: RecordChanges, options?: UpdateOptions): Promise<MemoryRecord> {
    return this.#write(() => this.#memory.update(id, changes, options));
  }

  archive(id: string, options?: WriteOptions): Promise<MemoryRecord> {
    return this.#write(() => this.#memory.archive(id, options));
  }

  purge(id: string, options: PurgeOptions = {}): Promise<PurgeReceipt> {
    const undoWindow = this.#parts.config.PURGE_UNDO_WINDOW_HOURS * 3_600_000;
    return this.#write(() => this.#memory.purge(id, withDefault(options, "undoWindow", undoWindow)));
  }

  undo(id: string, options?: WriteOptions): Promise<MemoryRecord> {
    return this.#write(() => this.#memory.undo(id, options));
  }

  erase(scope: EraseScope, options?: WriteOptions): Promise<ErasureReceipt> {
    return this.#write(() => this.#memory.erase(scope, options));
  }

  export(options?: CallOptions): AsyncIterable<ExportLine> {
    this.#parts.calls.checkOpen();
    return this.#memory.export(options);
  }

  import(
    lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
    options?: ImportOptions,
  ): Promise<ImportReport> {
    return this.#write(() => this.#memory.import(lines, options));
  }

  events(options?: EventsOptions): AsyncIterable<FluxEvent> {
    this.#parts.calls.checkOpen();
    return this.#memory.events(options);
  }

  health(options?: CallOptions): Promise<MemoryHealth> {
    return this.#run(() => this.#memory.health(options));
  }

  /** Stores up to `count` items, which count against the caller's rate. */
  #store<T>(count: number, call: () => Promise<[T, readonly StoreResult[]]>): Promise<T> {
    const { config, limiter, clock } = this.#parts;
    return this.#write(
      async () => {
        const [result, stored] = await call();
        this.#tell({ type: "stored", grainIds: stored.flatMap(({ grainIds }) => grainIds) });
        return result;
      },
      () => {
        const most = Math.min(config.MAX_GRAINS_PER_CALL, config.MAX_GRAINS_PER_MINUTE);
        if (count > most) {
          throw new FluxError("too_large", `A call may store ${most} items at most`, {
            hint: "Store them in several calls.",
          });
        }
        limiter.take(this.#key, count, clock.now());
      },
    );
  }

  #write<T>(call: () => Promise<T>, admit?: () => void): Promise<T> {
    return this.#run(() => this.#parts.writes.run(call, admit));
  }

  async #run<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.#parts.calls.run(call);
    } catch (error) {
      if (FluxError.isInstance(error) && refusals.has(error.code))
        this.#tell({ type: "refused", code: error.code });
      throw error;
    }
  }

  #tell(event: Omit<ServiceEvent, "at" | "partition" | "caller">): void {
    const { events, clock } = this.#parts;
    events.emit({ ...event, at: clock.now(), partition: this.#partition, caller: this.#caller.id });
  }
}

const refusals: ReadonlySet<string> = new Set([
  "feedback_required",
  "overloaded",
  "rate_limited",
  "too_large",
]);

/** What is no item is left to the memory to refuse. */
function isText(item: StoreItem): item is TextItem {
  return isPlainObject(item) && !("role" in item) && !isEpisode(item);
}

/** Options with a property where they have none. What is no object stays as it is, for the memory to refuse. */
function withDefault<T extends object, K extends keyof T>(options: T, key: K, value: T[K]): T {
  if (!isPlainObject(options)) return options;
  return { ...options, [key]: options[key] ?? value };
}
