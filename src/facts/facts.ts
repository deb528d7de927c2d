import type { WorldTime } from "../model/fact.ts";
import type { FailureCause } from "../model/failure.ts";
import type { Degradation } from "../recall/result.ts";
import type { RecallSignal } from "../recall/score.ts";
import type { CallOptions } from "../store/driver.ts";
import type { ErasureReceipt } from "../store/erasures.ts";
import type { Claim } from "./claim.ts";
import type { ClaimResult } from "./claim-result.ts";
import type { Fact } from "./fact.ts";
import type { GraphDirection } from "./graph.ts";
import type { Path } from "./path.ts";

/** At which times facts are asked for. All moments are in milliseconds. */
export interface FactTimes {
  /** World time: what held or will hold at this moment. Default `knownAt` where that is given, else now. */
  readonly asOf?: number | undefined;
  /** Record time: what was believed at this moment. Default now. */
  readonly knownAt?: number | undefined;
  /** Whatever the world time: also what has ceased to hold, and what is still to come. Not together with `asOf`. Default false. */
  readonly history?: boolean | undefined;
}

/** Which facts are meant. Names are compared in their canonical form: `livesIn` is `lives_in`, and `ACME` is `Acme`. */
export interface FactConditions extends FactTimes {
  readonly subject?: string | undefined;
  readonly predicate?: string | undefined;
  readonly object?: string | undefined;
  /** True for what is said to be so, false for denials. Default both. */
  readonly affirmed?: boolean | undefined;
  /** 0 to 1. Default 0. */
  readonly minConfidence?: number | undefined;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
}

export interface FactQuery extends FactConditions {
  /** By when they were recorded. Default newest. */
  readonly order?: "newest" | "oldest" | undefined;
  /** Facts in the page, 1 to 1,000. Default 50. */
  readonly limit?: number | undefined;
  /** Cursor of the page before. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FactPage {
  readonly items: readonly Fact[];
  /** Where to go on; absent on the last page. */
  readonly cursor?: string;
}

export interface FactCountOptions extends FactConditions {
  readonly signal?: AbortSignal | undefined;
}

export interface FactRecallOptions extends FactTimes {
  /** Hits at most, 1 to 100. Default 5. */
  readonly limit?: number | undefined;
  /** Hits with a lower score are left out. Default 0. */
  readonly minScore?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A fact that was found, and why. */
export interface FactHit extends Fact {
  /** As of `FluxMemory.recall`; 0 where a blank query asks for the newest. */
  readonly score: number;
  /** The reasons, the strongest first. */
  readonly signals: readonly RecallSignal[];
}

/** Something because of which a result may lack what belongs to it. */
export interface FactDegradation {
  /** `facts_bounded`: older facts were not looked at. `paths_bounded`: nor were all paths of some length. The others are those of a recall. */
  readonly code: Degradation["code"] | "analyser_missing" | "facts_bounded" | "paths_bounded";
  /** In words, without any stored text. */
  readonly reason: string;
  readonly cause?: FailureCause;
}

export interface FactRecall {
  /** The best first. */
  readonly hits: readonly FactHit[];
  /** Present when something may be missing. */
  readonly degraded?: readonly FactDegradation[];
}

export interface FactGraphOptions {
  /** Facts in a path at most, 1 to 5. Default 2. */
  readonly hops?: number | undefined;
  /** World time at which every fact of a path holds, in milliseconds. Default now. */
  readonly asOf?: number | undefined;
  /** Paths at most, 1 to 1,000. Default 10. */
  readonly limit?: number | undefined;
  /** `out` from subjects to objects, `in` the other way. Default both. */
  readonly direction?: GraphDirection | undefined;
  /** The graph is made of the newest facts that hold, at most so many, 1 to 100,000. Default 10,000. */
  readonly maxFacts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FactGraphResult {
  /** Those of fewer facts first, then those with the newest fact. */
  readonly paths: readonly Path[];
  /** Present when something may be missing. */
  readonly degraded?: readonly FactDegradation[];
}

export interface FactWriteOptions extends CallOptions {
  /** Names the operation within the partition: the same id with the same call has its effect once. Default: a random id. */
  readonly operation?: string | undefined;
}

export interface FactUpdateOptions extends FactWriteOptions {
  /** Id of the version that the change is meant for: if the fact has another one by now, it is a `conflict`. */
  readonly ifVersion?: string | undefined;
}

/** What a correction says. What is left out stays as it is. */
export interface FactChanges {
  readonly object?: string | undefined;
  readonly confidence?: number | undefined;
  readonly validFrom?: WorldTime | undefined;
  readonly validUntil?: WorldTime | undefined;
}

export interface FactRetractOptions extends FactWriteOptions {
  /** When it ceased to hold, in milliseconds. Default: it never held. */
  readonly at?: number | undefined;
  /** Kept with the version, for whoever reads the history. */
  readonly reason?: string | undefined;
}

/**
 * What is known of the user and of whom and what the user speaks of, with the times at which it holds and at which it was believed.
 * A fact is a thread of versions: nothing that was believed is written over. See `docs/facts.md`.
 */
export interface Facts {
  /**
   * Adds what a text says, or what an application knows. What is known already is reinforced, and what it puts an end to is closed. All
   * claims or none, in one commit.
   *
   * @param claims at most 500
   * @returns what became of each claim, in their order
   * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_record`, `too_large`, `quota_exceeded`,
   *   `operation_conflict`; `erased` for a retry whose results an erasure took
   */
  add(claim: Claim, options?: FactWriteOptions): Promise<ClaimResult>;
  add(claims: readonly Claim[], options?: FactWriteOptions): Promise<readonly ClaimResult[]>;

  /**
   * A page of facts, those that hold now by default. Goes along the index of the object, the subject, the session, the predicate or the
   * agent, whichever is given first in this order; the other conditions pass over what does not fulfil them.
   *
   * A cursor belongs to its conditions and order. It names a place, so what is written between two pages shifts nothing; a fact that gets
   * a new version meanwhile has moved to the newest. With `knownAt` all pages are of one moment.
   *
   * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_id`, `invalid_cursor`
   */
  query(query?: FactQuery): Promise<FactPage>;

  /** The same as {@link Facts.query}. */
  list(query?: FactQuery): Promise<FactPage>;

  /** How many facts fulfil the conditions. Reads each of them. */
  count(options?: FactCountOptions): Promise<number>;

  /** The newest version of the fact with this id, retired or not, or the version with it; undefined when there is none. */
  get(id: string, options?: CallOptions): Promise<Fact | undefined>;

  /**
   * All versions of a fact, the oldest first, with why each was retired; none when there is no such fact.
   *
   * @param id that of the fact or of any of its versions
   */
  history(id: string, options?: CallOptions): Promise<readonly Fact[]>;

  /**
   * Finds facts by words and meaning, the best first. A blank query finds the newest.
   *
   * Versions that are believed no more are in no index: a recall with a `knownAt` in the past reads the newest 10,000 facts of then and
   * scores them by their words alone, and says so where there are more.
   */
  recall(query: string, options?: FactRecallOptions): Promise<FactRecall>;

  /**
   * Finds how what a query names is connected with other things: chains of facts that lead from one to the next. Names that stand for
   * the same are one; denials lead nowhere.
   */
  graph(
    query: string | { readonly entities: readonly string[] },
    options?: FactGraphOptions,
  ): Promise<FactGraphResult>;

  /**
   * Corrects a fact, in a new version.
   *
   * @param id that of the fact or of any of its versions: it is the newest that is corrected
   * @throws FluxError `not_found`; `conflict` when `ifVersion` is not its version any more
   */
  update(id: string, changes: FactChanges, options?: FactUpdateOptions): Promise<Fact>;

  /**
   * Takes back a fact: it never held, or ceased to hold `at` a moment. Its versions stay, for who asks what was believed.
   *
   * @param id that of the fact or of any of its versions
   * @returns its newest version
   * @throws FluxError `not_found` when there is none that is believed
   */
  retract(id: string, options?: FactRetractOptions): Promise<Fact>;

  /**
   * Erases all versions of a fact for good, with what was derived from them. The texts that say it stay.
   *
   * @param id that of the fact or of any of its versions
   * @throws FluxError `not_found`
   */
  delete(id: string, options?: FactWriteOptions): Promise<ErasureReceipt>;
}
