import type { ExportLine } from "../../flux/export-line.ts";
import type { FluxRecallResult } from "../../flux/flux.ts";
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
} from "../../flux/flux-memory.ts";
import type { ListOptions, MemoryRecord, RecordChanges, RecordPage } from "../../flux/memory-record.ts";
import { isEpisode, type StoreItem, type StoreResult } from "../../flux/store-items.ts";
import { FluxError, FluxTypeError } from "../../model/errors.ts";
import { checkId } from "../../model/ids.ts";
import type { CallOptions } from "../../store/driver.ts";
import type { ErasureReceipt } from "../../store/erasures.ts";
import { encodeHeader, headerNames } from "../protocol/headers.ts";
import {
  fromWire,
  itemToWire,
  pageFromWire,
  queryToWire,
  recallFromWire,
  recordFromWire,
  storedFromWire,
  toWire,
  type Wire,
  type WirePage,
  type WirePending,
  type WireRecall,
  type WireRecord,
  type WireStored,
} from "../protocol/translate.ts";
import { checkIterable, checkList, checkWhere, known } from "./check.ts";
import { countedFrom, PartedImport } from "./import-parts.ts";
import { names } from "./option-names.ts";
import { exportLines, followEvents } from "./streams.ts";
import type { Call, Transport } from "./transport.ts";

/** The memory of one scope, at the other end of a connection. */
export class RemoteMemory implements ServedMemory {
  readonly #transport: Transport;
  /** Say whose memory it is, and who calls. */
  readonly #headers: Readonly<Record<string, string>>;

  constructor(transport: Transport, headers: Readonly<Record<string, string>>) {
    this.#transport = transport;
    this.#headers = headers;
  }

  async store(text: string, options: StoreOptions = {}): Promise<StoreResult> {
    const { operation, signal, ...rest } = known(options, names.store);
    const body = itemToWire({ ...rest, text });
    return storedFromWire(await this.#write<WireStored>("POST", "/store", { operation, signal }, { body }));
  }

  remember(text: string, options?: StoreOptions): Promise<StoreResult> {
    return this.store(text, options);
  }

  async storeBatch(items: readonly StoreItem[], options: WriteOptions = {}): Promise<readonly StoreResult[]> {
    const given = known(options, names.write);
    const body = { items: checkList(items, "items").map((item) => itemToWire(checkItem(item))) };
    const result = await this.#write<{ items: WireStored[] }>("POST", "/store/batch", given, { body });
    return result.items.map(storedFromWire);
  }

  async recall(query: string, options: FluxRecallOptions = {}): Promise<FluxRecallResult> {
    const { where = {}, tokenCounter, signal, ...rest } = known(options, names.recall);
    if (tokenCounter !== undefined)
      throw new FluxError("invalid_argument", "A tokenCounter cannot be sent; the service has its own");
    const body = queryToWire(query, { ...rest, where: checkWhere(where) });
    return recallFromWire(await this.#read<WireRecall>("POST", "/retrieve", signal, { body }));
  }

  retrieve(query: string, options?: FluxRecallOptions): Promise<FluxRecallResult> {
    return this.recall(query, options);
  }

  async feedback(traceId: string, grainId: string, options: FeedbackOptions): Promise<FeedbackResult> {
    const { useful, ...given } = known(options, names.feedback, "feedback");
    const body = toWire({ traceId, grainId, useful });
    return fromWire(await this.#write<Wire<FeedbackResult>>("POST", "/feedback", given, { body }));
  }

  async feedbackBatch(
    items: readonly FeedbackItem[],
    options: WriteOptions = {},
  ): Promise<readonly FeedbackResult[]> {
    const given = known(options, names.write);
    const body = {
      items: checkList(items, "items").map((item) => toWire(known(item, names.feedbackItem, "An item"))),
    };
    const results = await this.#write<{ items: Wire<FeedbackResult>[] }>("POST", "/feedback/batch", given, {
      body,
    });
    return fromWire(results.items);
  }

  async pendingFeedback(options: PendingOptions = {}): Promise<readonly PendingFeedback[]> {
    const { signal, ...query } = known(options, names.pending);
    const { pending_traces } = await this.#read<WirePending>("GET", "/pending_feedback", signal, { query });
    return fromWire(pending_traces);
  }

  async get(id: string, options: CallOptions = {}): Promise<MemoryRecord | undefined> {
    const { signal } = known(options, names.call);
    try {
      return recordFromWire(await this.#read<WireRecord>("GET", pathOf(id), signal));
    } catch (error) {
      if (FluxError.isInstance(error) && error.code === "not_found") return undefined;
      throw error;
    }
  }

  async list(options: ListOptions = {}): Promise<RecordPage> {
    const { signal, filter, ...rest } = known(options, names.list);
    const query = { ...toWire(rest), filter: filter === undefined ? undefined : JSON.stringify(filter) };
    return pageFromWire(await this.#read<WirePage>("GET", "/grains", signal, { query }));
  }

  async update(id: string, changes: RecordChanges, options: UpdateOptions = {}): Promise<MemoryRecord> {
    const { ifVersion, ...given } = known(options, names.update);
    const { text, ...rest } = known(changes, names.changes, "changes");
    return recordFromWire(
      await this.#write<WireRecord>("PATCH", pathOf(id), given, {
        body: { content: text, ...toWire(rest) },
        ...(ifVersion === undefined ? {} : { headers: { "if-match": `"${ifVersion}"` } }),
      }),
    );
  }

  async archive(id: string, options: WriteOptions = {}): Promise<MemoryRecord> {
    const given = known(options, names.write);
    return recordFromWire(await this.#write<WireRecord>("POST", `${pathOf(id)}/archive`, given));
  }

  async purge(id: string, options: PurgeOptions = {}): Promise<PurgeReceipt> {
    const { undoWindow, ...given } = known(options, names.purge);
    const query = { undo_window: undoWindow };
    return fromWire(await this.#write<Wire<PurgeReceipt>>("DELETE", pathOf(id), given, { query }));
  }

  async undo(id: string, options: WriteOptions = {}): Promise<MemoryRecord> {
    const given = known(options, names.write);
    return recordFromWire(await this.#write<WireRecord>("POST", `${pathOf(id)}/undo`, given));
  }

  async erase(scope: EraseScope, options: WriteOptions = {}): Promise<ErasureReceipt> {
    const given = known(options, names.write);
    if (typeof scope !== "object" || scope === null)
      throw new FluxTypeError("invalid_argument", "scope must be an object");
    const receipt = await this.#write<Wire<ErasureReceipt>>("POST", "/erase", given, { body: toWire(scope) });
    return fromWire(receipt);
  }

  export(options: CallOptions = {}): AsyncIterable<ExportLine> {
    const { signal } = known(options, names.call);
    return exportLines(this.#transport, { method: "GET", path: "/export", headers: this.#headers, signal });
  }

  async import(
    lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
    options: ImportOptions = {},
  ): Promise<ImportReport> {
    const { operation, signal, onProgress } = known(options, names.import);
    let report: ImportReport = { stored: 0, mentioned: 0, expired: 0, conflicts: 0 };
    let number = 0;
    const parted = new PartedImport();
    for await (const part of parted.parts(checkIterable(lines, "lines"))) {
      // Without an operation the service derives one of the lines.
      const name = operation === undefined ? undefined : `${operation}/${number++}`;
      const done = await this.#transport
        .json<Wire<ImportReport>>({
          method: "POST",
          path: "/import",
          lines: part.text,
          headers: {
            ...this.#headers,
            ...(name === undefined ? {} : { [headerNames.operation]: encodeHeader(name) }),
          },
          signal,
        })
        .catch((error: unknown) => {
          throw countedFrom(part, error);
        });
      if (done.part !== undefined) parted.note(done.part);
      report = {
        stored: report.stored + done.stored,
        mentioned: report.mentioned + done.mentioned,
        expired: report.expired + done.expired,
        conflicts: report.conflicts + done.conflicts,
      };
      onProgress?.(report);
    }
    return report;
  }

  events(options: EventsOptions = {}): AsyncIterable<FluxEvent> {
    const { after, signal } = known(options, names.events);
    const call = { method: "GET", path: "/events", headers: this.#headers, signal } as const;
    return followEvents(this.#transport, call, after);
  }

  async health(options: CallOptions = {}): Promise<MemoryHealth> {
    const { signal } = known(options, names.call);
    // A service that is not well says so with its own status, and nothing about the memory.
    const { memory } = await this.#transport.json<{ memory?: Wire<MemoryHealth> }>({
      ...{ method: "GET", path: "/health", headers: this.#headers, signal, results: [503] },
    });
    if (memory !== undefined) return fromWire(memory);
    throw new FluxError("unavailable", "The store of the service does not answer", { retryable: true });
  }

  #read<T>(
    method: "GET" | "POST",
    path: string,
    signal: AbortSignal | undefined,
    parts: Pick<Call, "body" | "query"> = {},
  ): Promise<T> {
    return this.#transport.json({ method, path, ...parts, headers: this.#headers, signal });
  }

  #write<T>(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    { operation = crypto.randomUUID(), signal }: WriteOptions,
    { headers, ...parts }: Pick<Call, "body" | "query" | "headers"> = {},
  ): Promise<T> {
    checkId(operation, "operation");
    return this.#transport.json({
      method,
      path,
      ...parts,
      headers: { ...this.#headers, ...headers, [headerNames.operation]: encodeHeader(operation) },
      signal,
    });
  }
}

function pathOf(id: unknown): string {
  const checked = checkId(id, "id");
  // A URL leaves these out of its path. No record has such an id: ids are made by the store.
  if (checked === "." || checked === "..")
    throw new FluxError("not_found", "There is no record with this id");
  return `/grains/${encodeURIComponent(checked)}`;
}

function checkItem(item: StoreItem): StoreItem {
  if (typeof item !== "object" || item === null) return known(item, names.text, "An item");
  return known(
    item,
    "role" in item ? names.message : isEpisode(item) ? names.episode : names.text,
    "An item",
  );
}
