import type { EntityDetails } from "../facts/entities.ts";
import type { Facts } from "../facts/facts.ts";
import type { Change } from "../model/change.ts";
import type { GrainStatus } from "../model/grain.ts";
import type { RecallOptions } from "../recall/options.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import type { EntityContextOptions, EntityListOptions, EntityPage } from "./entity-options.ts";
import type { ExportLine, ImportPart } from "./export-line.ts";
import type { ExtractOptions, ExtractReport } from "./extract-anew.ts";
import type { FluxDegradation, FluxRecallResult } from "./flux.ts";
import type { ListOptions, MemoryRecord, RecordChanges, RecordPage } from "./memory-record.ts";
import type { StoreItem, StoreResult, TextOptions } from "./store-items.ts";

export interface FluxRecallOptions extends RecallOptions {
  /**
   * What counts, from 0 for the words of the query alone to 1 for its vector alone, continuously. Up to 0.5, the default, words
   * count in full and the vector more and more, from there on the other way round. Names of speakers, times and quoted phrases
   * count with the words; a reranker and words that are alike in meaning count for nothing at the ends.
   */
  readonly alpha?: number | undefined;
  /** When it is asked, which "last week" refers to; in milliseconds. Default now. */
  readonly askedAt?: number | undefined;
  /** Where it is asked: an IANA name or an offset. Default "UTC". */
  readonly zone?: string | undefined;
}

/** What every call that writes takes. */
export interface WriteOptions {
  /** Names the operation within the partition: the same id with the same call has its effect once. Default: a random id. */
  readonly operation?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Of one text. */
export type StoreOptions = TextOptions & WriteOptions;

export interface UpdateOptions extends WriteOptions {
  /** Change it only if its `version` is still this one; else `conflict`. */
  readonly ifVersion?: number | undefined;
}

export interface PurgeOptions extends WriteOptions {
  /** Milliseconds in which `undo` brings it back, from 1; then it is erased. Default 24 hours. */
  readonly undoWindow?: number | undefined;
}

export interface PurgeReceipt {
  /** The id that was given. */
  readonly id: string;
  /** When it will be erased, in milliseconds. */
  readonly erasedAt: number;
}

/** What to erase. */
export type EraseScope =
  /** One record: of a text, a message, an episode, a fact with all of its versions, or a block; or of one of its grains. */
  | { readonly id: string }
  /** Every record of a session. */
  | { readonly sessionId: string }
  /**
   * Texts, messages and episodes that were said or happened from `from` on and before `until`, in milliseconds; one of the two
   * may be left out. With a session: of this session alone.
   */
  | {
      readonly from: number;
      readonly until?: number | undefined;
      readonly sessionId?: string | undefined;
    }
  | {
      readonly from?: undefined;
      readonly until: number;
      readonly sessionId?: string | undefined;
    }
  /**
   * Every text, message, episode, fact and block that holds these words, one after the other: in what it says, in its metadata, or
   * in its tool calls. Case and accents make no difference; words count whole.
   */
  | { readonly text: string }
  /** Everything in the partition. */
  | { readonly everything: true };

/** Whether a hit was of use. */
export interface FeedbackItem {
  /** Of the recall. */
  readonly traceId: string;
  /** `id` of a hit of that recall. */
  readonly grainId: string;
  readonly useful: boolean;
}

export interface FeedbackOptions extends WriteOptions {
  /** Whether the hit was of use. */
  readonly useful: boolean;
}

export interface FeedbackResult extends FeedbackItem {
  /** `unchanged` when the caller had said the same before, `changed` when the caller had said the opposite. */
  readonly status: "recorded" | "unchanged" | "changed";
}

/** A recall of whose hits some have no feedback yet. */
export interface PendingFeedback {
  readonly traceId: string;
  /** The beginning of the query. */
  readonly query: string;
  readonly askedAt: number;
  /** Hits that were returned, as far as the trace kept them. */
  readonly hits: number;
  /** Those without feedback. */
  readonly grainIds: readonly string[];
}

export interface PendingOptions {
  /** Asked at this moment or later, in milliseconds. Default: as long as traces are kept. */
  readonly since?: number | undefined;
  /** Recalls in the list, 1 to 1,000; the oldest first. Default 100. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ImportOptions {
  /** Default: follows from the lines, so that the same import done again stores nothing twice. */
  readonly operation?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told whenever a batch was stored. */
  readonly onProgress?: ((report: ImportReport) => void) | undefined;
}

export interface ImportReport {
  readonly stored: number;
  /** Those that were there already. */
  readonly mentioned: number;
  /** Those whose time has passed since they were exported. */
  readonly expired: number;
  /**
   * Those that were left out because something else is there under their id or in their place, or because what they rest on is not
   * there.
   */
  readonly conflicts: number;
  /** Where the header says that it is a part of an import: what that of the next part says. */
  readonly part?: ImportPart;
}

export interface EventsOptions {
  /** `cursor` of the last event that was dealt with. Default: only what happens from now on. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Something that changed in the partition: which record, never what it says. */
export interface FluxEvent extends Omit<Change, "partition"> {
  /** To go on behind this event. */
  readonly cursor: string;
}

/** The state of one memory, in figures. */
export interface MemoryHealth {
  /** `degraded` when something does not work as it could; then `degraded` says what. */
  readonly status: "healthy" | "degraded";
  readonly degraded: readonly FluxDegradation[];
  /** Records of all kinds, and their bytes as quotas count them. */
  readonly records: number;
  readonly bytes: number;
  /** By status. What has expired counts until `work` erases it, as in `records` and `bytes`. */
  readonly grains: Readonly<Record<GrainStatus, number>>;
  /** Recalls of this caller that have hits without feedback; 100 stands for that many and more. */
  readonly pendingFeedback: number;
}

/** The memory of one user: what is stored and found through it belongs to the partition and labels that it was made for. */
export interface FluxMemory {
  /** Stores one text; see {@link FluxMemory.storeBatch}. */
  store(text: string, options?: StoreOptions): Promise<StoreResult>;

  /** Another name of {@link FluxMemory.store}. */
  remember(text: string, options?: StoreOptions): Promise<StoreResult>;

  /**
   * Stores texts, messages (items with a `role`) and episodes (with `input` and `output`), all of them or none, durably and once. A
   * text that was stored before by the same author adds a mention to it; so does one that a recent recall returned, unless its
   * provenance is `user_stated`. An episode with an id that is there has no effect, or replaces it if it says something else.
   * An embedder that fails loses nothing: the vectors are made later, by `work`.
   *
   * @param items at most 1,000, with at most 16 MB of text; results are in their order
   * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_record`, `invalid_metadata`, `too_large`,
   *   `quota_exceeded`; `operation_conflict` for another call under the same operation id; `erased` for a retry whose results an
   *   erasure took, and for the id of an episode that was erased, has expired or is hidden by a purge; `index_changed` when
   *   indexes come and go all the time; `closed`, and what a store can fail with; what an analyser of the caller's fails with;
   *   the reason of an aborted signal. With nothing written by this call, unless the store could not answer: then a retry with
   *   the same operation id tells
   */
  storeBatch(items: readonly StoreItem[], options?: WriteOptions): Promise<readonly StoreResult[]>;

  /**
   * Finds what is remembered about a query, the best first, each hit with the reasons for it.
   *
   * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_filter`; the reason of an aborted signal
   */
  recall(query: string, options?: FluxRecallOptions): Promise<FluxRecallResult>;

  /** Another name of {@link FluxMemory.recall}. */
  retrieve(query: string, options?: FluxRecallOptions): Promise<FluxRecallResult>;

  /**
   * Says whether a hit was of use. Bound to the recall, the hit and the caller of this handle: said again it changes nothing,
   * said otherwise it replaces what was said.
   *
   * @param grainId `id` of the hit
   * @throws FluxError `not_found` for a trace that is not kept (any more), or a grain that is none of its hits or is not there any
   *   more; `forbidden` for a recall of another caller
   */
  feedback(traceId: string, grainId: string, feedback: FeedbackOptions): Promise<FeedbackResult>;

  /** All of them or none; see {@link FluxMemory.feedback}. At most 1,000. */
  feedbackBatch(items: readonly FeedbackItem[], options?: WriteOptions): Promise<readonly FeedbackResult[]>;

  /** Recalls of this caller that have hits without feedback. */
  pendingFeedback(options?: PendingOptions): Promise<readonly PendingFeedback[]>;

  /**
   * The record with this id, or to which the grain with this id belongs; undefined when there is none. In the calls below
   * an id is taken in the same way: that of a hit is as good as that of its record.
   */
  get(id: string, options?: CallOptions): Promise<MemoryRecord | undefined>;

  /** A page of what is stored. */
  list(options?: ListOptions): Promise<RecordPage>;

  /**
   * Changes a record: a text as a whole, of a message only what is known about it. All of it or nothing; the index is changed in
   * the same commit, so that what a text said before is found by nothing any more.
   *
   * @throws FluxError `not_found`; `conflict` when `ifVersion` is not its version any more; as `storeBatch`
   */
  update(id: string, changes: RecordChanges, options?: UpdateOptions): Promise<MemoryRecord>;

  /**
   * Ranks it far behind what is active, until that is undone or its text is stored again.
   *
   * @throws FluxError `not_found`; `invalid_argument` for what has no text
   */
  archive(id: string, options?: WriteOptions): Promise<MemoryRecord>;

  /**
   * Hides it at once, with what was derived from it. `work` erases it when its undo window has ended.
   *
   * @throws FluxError `not_found`
   */
  purge(id: string, options?: PurgeOptions): Promise<PurgeReceipt>;

  /**
   * Takes back a purge whose window has not ended, or else an archive.
   *
   * @throws FluxError `not_found` when there is neither
   */
  undo(id: string, options?: WriteOptions): Promise<MemoryRecord>;

  /**
   * Erases for good, with everything that was derived from it. A fact that something else states as well stays. A scope of time
   * or text with nothing in it is no error: the receipt counts nothing.
   *
   * @throws FluxError `not_found` for an id of nothing
   */
  erase(scope: EraseScope, options?: WriteOptions): Promise<ErasureReceipt>;

  /**
   * Everything of this user as lines for `import`: texts, messages and episodes in the order in which they were stored, with what was
   * derived from them, all versions of facts, blocks, values and feedback. Reads a page at a time: what changes meanwhile may be part
   * of it or not. What a purge hides is not.
   */
  export(options?: CallOptions): AsyncIterable<ExportLine>;

  /**
   * Restores what was exported, as it was and under its own ids, in the order of the lines. What is there already stays as it is: under
   * the same id; a text that says the same; a message of the same speaker with the same words at the same moment of the same
   * session. Labels are those of the lines, not those of this handle. See docs/erasure.md.
   *
   * Stores batches of at most 500 lines, each in one commit. An import that failed can be done again.
   *
   * @throws FluxTypeError or FluxError as `storeBatch`, with the number of the line; `outdated` for an export of a newer version
   */
  import(
    lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
    options?: ImportOptions,
  ): Promise<ImportReport>;

  /**
   * What changes in the partition from now on, or behind a cursor, until `signal` is aborted or the memory is closed, which ends
   * the iteration.
   *
   * @throws FluxError `invalid_cursor`; while iterating `cursor_too_old` when the feed no longer reaches back to the cursor
   */
  events(options?: EventsOptions): AsyncIterable<FluxEvent>;

  /** How this memory is, in figures. */
  health(options?: CallOptions): Promise<MemoryHealth>;

  /** What is known, as facts with their times. */
  readonly facts: Facts;

  /**
   * Leaves jobs for the records of this user from which nothing was derived, by rules or by the model, such as those that were stored
   * while `autoExtract` was off or the model did not answer, and revives jobs that were given up; `work` does them. Goes on behind
   * `since`, which is the `seq` of the report before. It may be repeated: what follows from a record is kept once, however often it is read.
   *
   * @throws FluxError `invalid_argument`
   */
  extract(options?: ExtractOptions): Promise<ExtractReport>;

  /**
   * A page of whom and what is spoken of, those first that are spoken of most. Every call puts the entities together anew, from the
   * newest 10,000 facts and the names in the newest 1,000 pieces of text, which takes as long whatever the page. A cursor goes on behind
   * the last entity, by how often and when it was spoken of; what is spoken of meanwhile moves to the front.
   *
   * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_cursor`
   */
  entities(options?: EntityListOptions): Promise<EntityPage>;

  /**
   * The entity that has this name, in whatever case, or is also called so, with the newest 1,000 facts about it on either side;
   * undefined when there is none. Costs as much as {@link FluxMemory.entities}.
   */
  entity(name: string, options?: CallOptions): Promise<EntityDetails | undefined>;

  /**
   * What is known of entities, as lines for a prompt: of those with these names, in their order, or of all of them, those first that are
   * spoken of most. Empty when nothing is known. Costs as much as {@link FluxMemory.entities}.
   */
  entityContext(names?: readonly string[], options?: EntityContextOptions): Promise<string>;
}

/** What a service offers of a memory: all but facts, how they are derived, and entities. */
export type ServedMemory = Omit<FluxMemory, "facts" | "extract" | "entities" | "entity" | "entityContext">;
