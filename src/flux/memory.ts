import type { EntityDetails } from "../facts/entities.ts";
import type { Facts } from "../facts/facts.ts";
import { copyGiven } from "../model/copy-given.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import { archiving } from "./archive-record.ts";
import { BoundFacts } from "./bound-facts.ts";
import { changeRecord } from "./change-record.ts";
import { checkKnown, checkSignal, checkString } from "./check-options.ts";
import type { EntityContextOptions, EntityListOptions, EntityPage } from "./entity-options.ts";
import { eraseRecords } from "./erase-records.ts";
import { followPartition } from "./events.ts";
import type { ExportLine } from "./export-line.ts";
import { exportLines } from "./export-lines.ts";
import { type ExtractOptions, type ExtractReport, extractAnew } from "./extract-anew.ts";
import { entityContextOf, findEntity, listEntities } from "./facts-entities.ts";
import { giveFeedback, pendingFeedback } from "./feedback.ts";
import type { FluxRecallResult } from "./flux.ts";
import type {
  EraseScope,
  EventsOptions,
  FeedbackItem,
  FeedbackOptions,
  FeedbackResult,
  FluxEvent,
  FluxMemory,
  FluxRecallOptions,
  ImportOptions,
  ImportReport,
  MemoryHealth,
  PendingFeedback,
  PendingOptions,
  PurgeOptions,
  PurgeReceipt,
  StoreOptions,
  UpdateOptions,
  WriteOptions,
} from "./flux-memory.ts";
import { healthOf } from "./health.ts";
import { importLines } from "./import-lines.ts";
import { listRecords } from "./list-records.ts";
import type { ListOptions, MemoryRecord, RecordChanges, RecordPage } from "./memory-record.ts";
import type { FluxParts, Run } from "./open-flux.ts";
import { names } from "./option-names.ts";
import { purgeRecord, undoRecord } from "./purge-record.ts";
import { readRecord } from "./read-record.ts";
import { recallTraced } from "./recall-traced.ts";
import { recordOf } from "./record-of.ts";
import type { Scope } from "./scope.ts";
import { copyItems, storeItems } from "./store-batch.ts";
import type { StoreItem, StoreResult } from "./store-items.ts";
import { updateRecord } from "./update-record.ts";

/** The memory of one scope. */
export class BoundMemory implements FluxMemory {
  readonly #parts: FluxParts;
  readonly #scope: Scope;
  readonly #run: Run;
  readonly facts: Facts;

  constructor(parts: FluxParts, scope: Scope, run: Run) {
    this.#parts = parts;
    this.#scope = scope;
    this.#run = run;
    this.facts = new BoundFacts(parts, scope, run);
  }

  extract(options: ExtractOptions = {}): Promise<ExtractReport> {
    return this.#run(() => extractAnew(this.#parts, this.#scope.partition, options), options);
  }

  async store(text: string, options: StoreOptions = {}): Promise<StoreResult> {
    const { operation, signal, ...rest } = checkKnown(options, names.store);
    checkString(text, "text", "storeBatch takes messages, and texts with what belongs to them.");
    const [result] = await this.storeBatch([{ ...rest, text }], { operation, signal });
    return result as StoreResult;
  }

  remember(text: string, options?: StoreOptions): Promise<StoreResult> {
    return this.store(text, options);
  }

  async storeBatch(items: readonly StoreItem[], options: WriteOptions = {}): Promise<readonly StoreResult[]> {
    const { operation, signal } = checkKnown(options, names.write);
    checkSignal(signal);
    // A call may have to wait before it begins.
    const given = copyItems(items);
    return this.#run(() => storeItems(this.#parts, this.#scope, given, { operation, signal }), { signal });
  }

  recall(query: string, options: FluxRecallOptions = {}): Promise<FluxRecallResult> {
    return this.#run(
      () => recallTraced(this.#parts, this.#scope, query, checkKnown(options, names.recall)),
      options,
    );
  }

  retrieve(query: string, options?: FluxRecallOptions): Promise<FluxRecallResult> {
    return this.recall(query, options);
  }

  feedback(traceId: string, grainId: string, options: FeedbackOptions): Promise<FeedbackResult> {
    return this.#run(async () => {
      const { useful, ...rest } = checkKnown(options, names.feedback);
      const [result] = await giveFeedback(this.#parts, this.#scope, [{ traceId, grainId, useful }], rest);
      return result as FeedbackResult;
    }, options);
  }

  feedbackBatch(
    items: readonly FeedbackItem[],
    options: WriteOptions = {},
  ): Promise<readonly FeedbackResult[]> {
    const given = copyGiven(items);
    return this.#run(
      async () => giveFeedback(this.#parts, this.#scope, given, checkKnown(options, names.write)),
      options,
    );
  }

  pendingFeedback(options: PendingOptions = {}): Promise<readonly PendingFeedback[]> {
    return this.#run(() => pendingFeedback(this.#parts, this.#scope, options), options);
  }

  get(id: string, options: CallOptions = {}): Promise<MemoryRecord | undefined> {
    return this.#run(async () => {
      const { signal } = checkKnown(options, names.call);
      checkSignal(signal);
      const held = await readRecord(this.#parts, this.#scope.partition, id, { signal });
      return held === undefined ? undefined : recordOf(held);
    }, options);
  }

  list(options: ListOptions = {}): Promise<RecordPage> {
    return this.#run(() => listRecords(this.#parts.ledger, this.#scope.partition, options), options);
  }

  update(id: string, changes: RecordChanges, options: UpdateOptions = {}): Promise<MemoryRecord> {
    const given = copyGiven(changes);
    return this.#run(
      async () => updateRecord(this.#parts, this.#scope, id, given, checkKnown(options, names.update)),
      options,
    );
  }

  archive(id: string, options: WriteOptions = {}): Promise<MemoryRecord> {
    return this.#run(
      async () => changeRecord(this.#parts, this.#scope, archiving(id), checkKnown(options, names.write)),
      options,
    );
  }

  purge(id: string, options: PurgeOptions = {}): Promise<PurgeReceipt> {
    return this.#run(
      async () => purgeRecord(this.#parts, this.#scope, id, checkKnown(options, names.purge)),
      options,
    );
  }

  undo(id: string, options: WriteOptions = {}): Promise<MemoryRecord> {
    return this.#run(
      async () => undoRecord(this.#parts, this.#scope, id, checkKnown(options, names.write)),
      options,
    );
  }

  erase(scope: EraseScope, options: WriteOptions = {}): Promise<ErasureReceipt> {
    const given = copyGiven(scope);
    return this.#run(
      () => eraseRecords(this.#parts, this.#scope, given, checkKnown(options, names.write)),
      options,
    );
  }

  export(options: CallOptions = {}): AsyncIterable<ExportLine> {
    return exportLines(this.#parts, this.#scope, options, this.#run);
  }

  async import(
    lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
    options: ImportOptions = {},
  ): Promise<ImportReport> {
    return importLines(this.#parts, this.#scope, lines, options, this.#run);
  }

  events(options: EventsOptions = {}): AsyncIterable<FluxEvent> {
    return followPartition(this.#parts, this.#scope, options, this.#run);
  }

  health(options: CallOptions = {}): Promise<MemoryHealth> {
    return this.#run(() => healthOf(this.#parts, this.#scope, options), options);
  }

  entities(options: EntityListOptions = {}): Promise<EntityPage> {
    return this.#run(() => listEntities({ ...this.#parts, ...this.#scope }, options), options);
  }

  entity(name: string, options: CallOptions = {}): Promise<EntityDetails | undefined> {
    return this.#run(() => findEntity({ ...this.#parts, ...this.#scope }, name, options), options);
  }

  entityContext(names?: readonly string[], options: EntityContextOptions = {}): Promise<string> {
    return this.#run(() => entityContextOf({ ...this.#parts, ...this.#scope }, names, options), options);
  }
}
