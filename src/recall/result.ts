import type { FailureCause } from "../model/failure.ts";
import type { Grain } from "../model/grain.ts";
import type { Metadata } from "../model/metadata.ts";
import type { RecallSignal } from "./score.ts";

/** One memory that was found. */
export interface RecallHit {
  /** Id of the grain, which feedback refers to. */
  readonly id: string;
  /** The record that says it. */
  readonly owner: { readonly kind: Grain["ownerKind"]; readonly id: string };
  /** What was said, word for word: the whole of the owner's text or, of a long one, the best piece. */
  readonly text: string;
  /** Present when the text was cut to fit `maxTokens`. */
  readonly truncated?: true;
  readonly author?: string;
  /** When it was said, in milliseconds. */
  readonly saidAt: number;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly status: Grain["status"];
  readonly provenance: Grain["provenance"];
  /**
   * Present when what it says was replaced: id of the grain that says what holds now, the end of the chain when that was
   * replaced as well. A replacement that was erased, expired, put away or left out by `where` does not count.
   */
  readonly supersededBy?: string;
  readonly metadata?: Metadata;
  /**
   * The sum of the signals. About 1 for an entry that has every word of the query, and 2 to 3 for one whose session, speaker
   * and meaning fit as well.
   */
  readonly score: number;
  /** Cosine of its vector with the query's; absent where the search by vectors did not return it. */
  readonly similarity?: number;
  /** Why it was found, the strongest reason first. */
  readonly signals: readonly RecallSignal[];
}

/** Something that did not work, so that the result may be worse than it could be. */
export interface Degradation {
  readonly code: "embedder_failed" | "embedder_missing" | "reranker_failed" | "arm_failed";
  /** In words, without any stored text. */
  readonly reason: string;
  /** What the part that failed gave as its reason. */
  readonly cause?: FailureCause;
}

/** Milliseconds of each stage. */
export interface RecallTimings {
  /** Reading the query. */
  readonly analyse: number;
  /** The query's vector. */
  readonly embed: number;
  /** The searches of the ledger. */
  readonly gather: number;
  readonly score: number;
  /** The texts of what was found. */
  readonly read: number;
  readonly rerank: number;
  /** Choice of the hits. */
  readonly pack: number;
  readonly total: number;
}

export interface RecallResult {
  /** The best first. */
  readonly hits: readonly RecallHit[];
  /** 0 to 1: whether what was found answers the query at all; 0 without hits. `docs/recall.md` says what it is worth. */
  readonly confidence: number;
  /** Present when something did not work. */
  readonly degraded?: readonly Degradation[];
  /** The partition's sequence number that the search saw; 0 when nothing was ever written. */
  readonly seq: number;
  /** Grains that were scored. */
  readonly candidates: number;
  readonly timings: RecallTimings;
}
