import type { WorldTime } from "../model/fact.ts";
import type { Provenance, Source } from "../model/record.ts";

/** The subject that stands for the user whose memory it is. */
export const userSubject = "user";

/** Whether a subject has one object of a predicate at a time ("lives in"), or as many as there are ("likes"). */
export type Cardinality = "one" | "many";

/**
 * What a claim does to what is known: `assert` says that something holds; `correct` that it holds and that what was said before
 * was never so; `end` that it has ceased to hold; `retract` that it was never so.
 */
export type ClaimChange = "assert" | "correct" | "end" | "retract";

/** What a text says about something, as an extractor or a caller gives it. */
export interface Claim {
  /** As written; `userSubject` for the user. */
  readonly subject: string;
  /** In any spelling: "lives in", "livesIn" and "lives_in" are the same. */
  readonly predicate: string;
  /** As written. Of `end` and `retract` it may be absent: then whatever is known of subject and predicate is meant. */
  readonly object?: string | undefined;
  /** False for a denial: "does not eat meat". Default true. */
  readonly affirmed?: boolean | undefined;
  /** Default `assert`. */
  readonly change?: ClaimChange | undefined;
  /** 0 to 1. Default 1. */
  readonly confidence?: number | undefined;
  /** Default `user_stated`. */
  readonly provenance?: Provenance | undefined;
  /** When it began to hold, as far as that is said. Default: when it was said. */
  readonly validFrom?: WorldTime | undefined;
  /** When it ceases to hold, as far as that is said. Of `end`: when it ceased. */
  readonly validUntil?: WorldTime | undefined;
  /** Default: that of the predicate. */
  readonly cardinality?: Cardinality | undefined;
  /** When it was said, in milliseconds. Default now. */
  readonly saidAt?: number | undefined;
  /** The records that say it, with the spans of the words. */
  readonly sources?: readonly Source[] | undefined;
  /**
   * The fact that is meant, of `correct`, `end` and `retract`, by its id or that of a version. A correction is then a new version of it,
   * and what has gone meanwhile is not changed. Default: whatever the claim is about.
   */
  readonly factId?: string | undefined;
  /** The rule or the decision that it comes from, by name. */
  readonly reason?: string | undefined;
}
