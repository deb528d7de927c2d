import type { EmbedderChoice } from "../embed/resolve.ts";
import type { LanguageModelChoice } from "../language/model.ts";
import type { Clock } from "../model/clock.ts";
import { FluxError } from "../model/errors.ts";
import type { FailureCause } from "../model/failure.ts";
import type { Randomness } from "../model/ids.ts";
import { isPlainObject } from "../model/json.ts";
import type { Provenance } from "../model/record.ts";
import type { Reranker } from "../recall/reranker.ts";
import type { Degradation, RecallResult } from "../recall/result.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Capabilities, ClaimedJob, Ledger } from "../store/ledger.ts";
import type { Space } from "../store/search.ts";
import type { Analyser } from "../text/analyser.ts";
import type { TokenCounter } from "../text/token-counter.ts";
import type { FluxMemory } from "./flux-memory.ts";
import type { ScopeOptions } from "./scope.ts";

export interface FluxOptions {
  /**
   * Makes the vectors by which meaning is compared: an embedder, an embedding model, or a name such as "static" or "openai";
   * `false` for none. Chosen when a store is created: afterwards the one that is recorded in it is used, if it is at hand.
   * Default: what FLUX_EMBEDDER names, text-embedding-3-small where there is an OPENAI_API_KEY, else "static", the word table
   * of this package.
   */
  readonly embedder?: EmbedderChoice | false | undefined;
  /** Makes the terms of the index. Chosen when a store is created, as the embedder is. */
  readonly analyser?: Analyser | undefined;
  /**
   * Derives statements and facts from what is stored, in `work`: a model of the AI SDK, or a name such as "ollama/llama3.1:8b";
   * see docs/extraction.md. No write waits for it. Default, and with `false`: none.
   */
  readonly languageModel?: LanguageModelChoice | false | undefined;
  /**
   * Whether what is stored from now on is read for facts, in `work`: by rules, and by the language model as well where there is
   * one. Default: true with a `languageModel`, else false, and what is stored stays as it is given.
   */
  readonly autoExtract?: boolean | undefined;
  /**
   * Whose words may become facts, by provenance. Default `["user_stated"]`: neither what an assistant says nor what a tool or a
   * document has is known for true.
   */
  readonly extractFrom?: readonly Provenance[] | undefined;
  /** Orders what was found anew. */
  readonly reranker?: Reranker | undefined;
  /** Counts the tokens of `maxTokens`. Default: an estimate. */
  readonly tokenCounter?: TokenCounter | undefined;
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined;
  /** Random bytes for ids, salts and leases. Default: the platform's secure source. */
  readonly randomness?: Randomness | undefined;
  /** Milliseconds for which traces of recalls are kept; 0 for no traces. Default 30 days. */
  readonly traceRetention?: number | undefined;
  /** Milliseconds that a call waits for embedder or reranker before it goes on without. Default 30,000. */
  readonly modelTimeout?: number | undefined;
}

/** What to open and how, in one object. */
export interface FluxOpenOptions extends FluxOptions {
  /** A URL as for `openLedger`, or a ledger, which then stays the caller's to close. */
  readonly store: string | Ledger;
}

/** What does not work as it could, so that recall may be worse. */
export type FluxDegradation =
  | Degradation
  | {
      readonly code: "analyser_missing" | "index_incomplete" | "extractor_unavailable";
      readonly reason: string;
      readonly cause?: FailureCause;
    };

export interface FluxRecallResult extends Omit<RecallResult, "degraded"> {
  /** Names this recall, for feedback. Absent when no traces are kept. */
  readonly traceId?: string;
  readonly degraded?: readonly FluxDegradation[];
}

export interface RebuildOptions {
  /** As in `FluxOptions`. Default: the one that is in use. */
  readonly embedder?: EmbedderChoice | undefined;
  /** Default: the one that is in use. */
  readonly analyser?: Analyser | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told whenever a partition is done. */
  readonly onProgress?: ((progress: RebuildProgress) => void) | undefined;
}

export interface RebuildProgress {
  /** Partitions to walk through, counted once for each index that is made. */
  readonly total: number;
  readonly done: number;
}

export interface FluxWorkOptions {
  /** Stop when nothing is left to do, instead of waiting for more. Default false. */
  readonly once?: boolean | undefined;
  /** `extraction` for the jobs that derive something alone: neither those of the index, nor maintenance. Default: everything. */
  readonly only?: "extraction" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every failed attempt of a job, with what its embedder, its language model or the store failed with. */
  readonly onError?: ((error: unknown, job: ClaimedJob) => void) | undefined;
}

export interface FluxStatus {
  readonly store: Capabilities;
  /** What makes the vectors; undefined in a store without. */
  readonly embedder: MakerStatus | undefined;
  /** What makes the terms. */
  readonly analyser: MakerStatus;
  readonly spaces: readonly Space[];
  /** What does not work as it could. Empty when all is well. */
  readonly degraded: readonly FluxDegradation[];
  /** Jobs that make what is missing of the index. */
  readonly pending: PendingStatus;
  readonly extraction: ExtractionStatus;
}

export interface ExtractionStatus {
  /** `flux_extracts` where `autoExtract` is on; else `caller_extracts`: callers store what is to be kept. */
  readonly mode: OperatingMode;
  /** Present when rules derive facts from what is stored. */
  readonly rules?: true;
  /** Name of the model, such as "ollama/llama3.1:8b". */
  readonly model?: string;
  /** Whether the model answers; absent while that is not known. */
  readonly available?: boolean;
  /** Why it does not. */
  readonly cause?: FailureCause;
  /** Present when the budget refused the last call that was to be made here: such jobs wait for an hour. */
  readonly overBudget?: true;
  /** Jobs by which rules and model derive something, in the queues `facts` and `extract`. Dead ones wait for `FluxMemory.extract`. */
  readonly pending: PendingStatus;
}

export type OperatingMode = "flux_extracts" | "caller_extracts";

export interface MakerStatus {
  readonly id: string;
  /** Whether this process has it. */
  readonly available: boolean;
}

export interface PendingStatus {
  readonly jobs: number;
  /** Those that failed too often. Those of the index wait to be revived by `rebuild`. */
  readonly dead: number;
  /** Codes with which their last attempts failed, see `Job.error`. Absent when none did. */
  readonly errors?: readonly string[];
}

/** An open memory. */
export interface Flux extends AsyncDisposable {
  /** The ledger under it. */
  readonly ledger: Ledger;

  /** @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_user_id` */
  for(scope: ScopeOptions): FluxMemory;

  /**
   * Does what is left to do: derives facts and statements from what was stored, makes what is missing of the index, erases what has
   * expired, forgets old changes. Run it somewhere; any number of processes may. Returns how many jobs were done; `onError` and `status` tell of those that failed.
   */
  work(options?: FluxWorkOptions): Promise<number>;

  /**
   * Makes the index anew from the records, while the store is in use: with another embedder or analyser beside the present
   * one, whose place it then takes at once; else in place. Repeat it to go on with one that was interrupted.
   *
   * @throws FluxError when a partition could not be walked through in ten attempts, with pauses that double from a second and
   *   come to eight and a half minutes: the last error is its `cause` and gives its code (`model_failed` for an error of another
   *   kind), and the present index stays. `index_changed` when another rebuild took the place of this one; `dimension_mismatch`
   *   for an embedder that has the id of one in use, and other dimensions; `invalid_argument` without an embedder or analyser
   *   that is needed. The reason of an aborted signal
   */
  rebuild(options?: RebuildOptions): Promise<void>;

  status(options?: CallOptions): Promise<FluxStatus>;

  /** Writes the traces that wait. */
  flush(): Promise<void>;

  /**
   * Ends `work` and `rebuild`, waits for other calls, which go on without the models that they wait for, writes the traces that
   * wait, and closes the ledger if it was opened by URL. Safe to call twice.
   */
  close(): Promise<void>;
}

function splitOpenOptions(
  given: string | Ledger | FluxOpenOptions,
  options: FluxOptions | undefined,
): { readonly store: string | Ledger; readonly options: FluxOptions } {
  if (!holdsStore(given)) return { store: given, options: options ?? {} };
  if (options !== undefined) {
    throw new FluxError("invalid_argument", "Options were given twice: beside the store, and after it", {
      hint: "Call Flux.open({ store, ...options }) or Flux.open(store, options).",
    });
  }
  const { store, ...rest } = given;
  return { store, options: rest };
}

function holdsStore(given: string | Ledger | FluxOpenOptions): given is FluxOpenOptions {
  return isPlainObject(given) && "store" in given;
}

export const Flux = {
  /**
   * Opens a memory, and creates it where there is none.
   *
   * @param store a URL as for `openLedger`, or a ledger, which then stays the caller's to close; or an object that has it as `store`,
   *   together with the options
   * @throws FluxTypeError or FluxError `invalid_url`, `invalid_argument`, and what a store can fail with
   */
  async open(store: string | Ledger | FluxOpenOptions, options?: FluxOptions): Promise<Flux> {
    // Loaded on use: the text rules are larger than everything else together.
    const { openFlux } = await import("./open-flux.ts");
    const given = splitOpenOptions(store, options);
    return openFlux(given.store, given.options);
  },
} as const;
