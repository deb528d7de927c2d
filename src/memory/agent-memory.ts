import type { Fact } from "../facts/fact.ts";
import type { FactDegradation, FactHit, FactRecallOptions, Facts } from "../facts/facts.ts";
import type { ExportLine } from "../flux/export-line.ts";
import type { Flux, FluxStatus, FluxWorkOptions } from "../flux/flux.ts";
import type { ImportOptions, ImportReport, WriteOptions } from "../flux/flux-memory.ts";
import type { ScopeOptions } from "../flux/scope.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt, ErasureReport } from "../store/erasures.ts";
import type { PartitionPolicy } from "../store/ledger.ts";
import type { AppendBlockOptions, Blocks, MemoryBlock, UpdateBlockOptions } from "./blocks.ts";
import type {
  EpisodeMatch,
  Episodes,
  MemoryEpisode,
  NewEpisode,
  RecallEpisodesOptions,
  RecallScoredOptions,
  SessionMessage,
  SessionMessagesOptions,
} from "./episodes.ts";

export interface RecallFactsOptions extends FactRecallOptions {
  /** Told when something does not work as it could, so that less may be found. */
  readonly onDegraded?: ((degraded: readonly FactDegradation[]) => void) | undefined;
}

/** What is known about a user, in figures and examples. */
export interface MemoryProfile {
  readonly userId: string | null;
  readonly episodeCount: number;
  /** Facts that are believed now. */
  readonly factCount: number;
  /** When the newest episode occurred, in milliseconds; absent where there is none. */
  readonly lastSeen?: number;
  /** Up to ten, the one with the newest episode first. */
  readonly recentSessions: readonly string[];
  /** Up to ten of the facts that are believed now, the newest first. */
  readonly sampleFacts: readonly Fact[];
}

/** What to forget: what fulfils all conditions. */
export interface ForgetFilter {
  /** Of this session. */
  readonly sessionId?: string;
  /** Said at this moment or later, in milliseconds. */
  readonly from?: number;
  /** Said before this moment, in milliseconds. */
  readonly before?: number;
  /** These records: ids of episodes, messages, texts, facts or blocks. */
  readonly ids?: readonly string[];
  /** What holds these words, one after the other: case and accents make no difference, and words count whole. */
  readonly text?: string;
}

export interface ForgetReceipt extends ErasureReceipt {
  /**
   * Looks for what should be gone in rows and files.
   *
   * @param options.probes texts to look for; they are not stored
   */
  verify(options?: CallOptions & { readonly probes?: readonly string[] }): Promise<ErasureReport>;
}

export interface FlushOptions {
  /** Milliseconds to wait, also for what is tried again within them; what is not extracted by then stays a job of the store. Default 30,000. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is left to extract. Of each user, more than a thousand jobs of a kind are not counted. */
export interface FlushReport {
  /** Jobs that wait for another attempt, or were not done in time. */
  readonly waiting: number;
  /** Jobs that failed too often. */
  readonly dead: number;
}

/**
 * The memory of one user, with the labels of session and agent. Whatever is called reaches this user's memory and no other;
 * session and agent are labels: what is remembered gets them, and recall looks at all of them unless told otherwise.
 */
export interface ScopedMemory {
  readonly userId: string | null;
  readonly namespace: string;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;

  /** The blocks that this handle sees, in order: pinned ones first, then by position, then by name. */
  working(options?: CallOptions): Promise<readonly MemoryBlock[]>;
  /**
   * Makes a block, or replaces its content.
   *
   * @throws FluxError `too_large` for a content over the block's size or a hundred blocks of one level
   */
  updateBlock(name: string, content: string, options?: UpdateBlockOptions): Promise<MemoryBlock>;
  /**
   * Makes a block, or writes behind what it holds.
   *
   * @throws FluxError `too_large`
   */
  appendBlock(name: string, content: string, options?: AppendBlockOptions): Promise<MemoryBlock>;
  readonly blocks: Blocks;

  /**
   * Remembers an exchange, durably and once, and returns its id. What it says of facts is extracted in the background.
   *
   * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_metadata`, `too_large`, `quota_exceeded`,
   *   `operation_conflict`, `erased` for the id of an episode that was erased; what a store can fail with
   */
  remember(episode: NewEpisode, options?: WriteOptions): Promise<string>;
  /** Facts, as `recallFacts`. */
  recall(
    query: string,
    options: RecallFactsOptions & { readonly kind: "semantic" },
  ): Promise<readonly FactHit[]>;
  /** Episodes that fit, the best first; the newest first where the query is blank. */
  recall(
    query: string,
    options?: RecallEpisodesOptions & { readonly kind?: "episodic" | undefined },
  ): Promise<readonly MemoryEpisode[]>;
  /** As `recall`, with scores and reasons. A blank query gives each episode the score 1. */
  recallScored(query: string, options?: RecallScoredOptions): Promise<readonly EpisodeMatch[]>;
  /** Facts that fit and hold now, the best first; the newest where the query is blank. None in a memory without facts. */
  recallFacts(query: string, options?: RecallFactsOptions): Promise<readonly FactHit[]>;
  /** @throws FluxError `invalid_argument` in a memory without facts */
  readonly facts: Facts;
  /**
   * The newest messages of a session, oldest first: of an episode what came in, what tools did, what went out.
   *
   * @param sessionId default: that of the handle
   */
  sessionMessages(sessionId?: string, options?: SessionMessagesOptions): Promise<readonly SessionMessage[]>;
  readonly episodes: Episodes;

  /**
   * Extracts now what is left to extract of this user's memory, and waits for it.
   *
   * @throws FluxError `invalid_argument` in a memory without facts
   */
  consolidate(options?: FlushOptions): Promise<FlushReport>;
  /** Reads all episodes. */
  profile(options?: CallOptions): Promise<MemoryProfile>;
  /**
   * Erases for good what fulfils the filter, with all that was derived from it; without a filter everything of this user, blocks
   * included.
   *
   * @throws FluxTypeError or FluxError `invalid_argument` for a filter without conditions, or one that is undefined
   */
  forget(filter?: ForgetFilter, options?: WriteOptions): Promise<ForgetReceipt>;
  /** Everything of this user, as lines for `import`. */
  export(options?: CallOptions): AsyncIterable<ExportLine>;
  import(
    lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
    options?: ImportOptions,
  ): Promise<ImportReport>;

  /** How much is kept of this user, and for how long. */
  retention(options?: CallOptions): Promise<PartitionPolicy>;
  /** Replaces it. What is there already stays, and keeps its times. */
  setRetention(policy: PartitionPolicy, options?: CallOptions): Promise<void>;
}

export interface AgentMemoryStatus extends FluxStatus {
  readonly backend: string;
  readonly withFacts: boolean;
  /** What the choice of the embedder rests on. */
  readonly embedderFrom: EmbedderOrigin;
}

/** What was asked for, an environment variable, the default of this package, or, of a store that was there, what it records. */
export type EmbedderOrigin =
  | "given"
  | "FLUX_EMBEDDER"
  | "LOOMFLOW_EMBEDDER"
  | "OPENAI_API_KEY"
  | "default"
  | "recorded";

export interface CloseMemoryOptions {
  /** Milliseconds to wait for what is being extracted; the rest, and what has failed, waits in the store for the next process. Default 30,000. */
  readonly timeout?: number | undefined;
}

/** The memory of an agent, for any number of users. */
export interface AgentMemory extends AsyncDisposable {
  /**
   * The memory of one user. Connects to nothing.
   *
   * @throws FluxTypeError `invalid_user_id` for a user that is neither a string nor null; FluxTypeError or FluxError
   *   `invalid_argument`, `invalid_id`, `invalid_user_id`
   */
  for(scope: ScopeOptions): ScopedMemory;
  status(options?: CallOptions): Promise<AgentMemoryStatus>;
  /**
   * The engine under it, for what is not here: texts, feedback, purges, events, rebuilds. Its `close` is this memory's, and its handles
   * name their namespace themselves.
   */
  flux(): Promise<Flux>;
  /** Waits until what was remembered through this object is extracted, and says what is left. */
  flush(options?: FlushOptions): Promise<FlushReport>;
  /** Does what is left to do in the store, whoever left it; see {@link Flux.work}. */
  work(options?: FluxWorkOptions): Promise<number>;
  /** Waits for calls under way and for extraction, then closes the store. Safe to call twice. */
  close(options?: CloseMemoryOptions): Promise<void>;
}
