import type { Retirement, WorldTime } from "../model/fact.ts";
import type { Provenance, Source } from "../model/record.ts";

/** One version of a fact: what was said of something, when it holds in the world, and when that was believed. */
export interface Fact {
  /** Of this version; every change of a fact makes a new one. */
  readonly id: string;
  /** Of the fact, the same in all of its versions. */
  readonly factId: string;
  /** As written; `user` for the user. */
  readonly subject: string;
  /** In its canonical form, such as `lives_in`. */
  readonly predicate: string;
  /** As written. */
  readonly object: string;
  /** False for a denial: "does not eat meat". */
  readonly affirmed: boolean;
  /** 0 to 1. */
  readonly confidence: number;
  readonly provenance: Provenance;
  /** When it began to hold in the world. Absent when nobody knows. */
  readonly validFrom?: WorldTime;
  /** When it ceased or will cease to hold. Absent for what holds with no end in sight. */
  readonly validUntil?: WorldTime;
  /** From when on this version was believed, in milliseconds. */
  readonly recordedFrom: number;
  /** When it ceased to be believed, because another version took its place or it was retracted. Absent while it is. */
  readonly recordedUntil?: number;
  /**
   * What it rests on and what had a part in it, each with its role: `source` says what the fact says, `supports` says it as well of one that
   * was told to the memory itself, `caused_by` says that it ended, `contradicts` is the version that stands against it.
   */
  readonly sources: readonly Source[];
  /** How often the same was said again. */
  readonly mentions: number;
  /** When it was first and last said, as far as that is kept; of many times the first and the newest 31 are. In milliseconds. */
  readonly firstSaidAt: number;
  readonly lastSaidAt: number;
  /** Why it ceased to be believed. */
  readonly retiredReason?: Retirement;
  /** Id of the version that took its place: of another fact, with whose beginning this one ended; in a history also the next of its own. */
  readonly supersededBy?: string;
  /** Why this version was written: the rule or the decision, by name. */
  readonly reason?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}
