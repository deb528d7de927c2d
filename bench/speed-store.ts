import type { RecallTimings } from "../src/recall/result.ts";
import type { SpeedText } from "./speed-texts.ts";
import type { Size } from "./store.ts";

/** What is measured, of ours and of its peer alike. A user is a partition. */
export interface SpeedStore extends AsyncDisposable {
  /** Commits texts together, durably, ready to be found. */
  add(user: string, texts: readonly SpeedText[]): Promise<unknown>;
  /** The 10 best texts for a question. */
  recall(user: string, question: string): Promise<SpeedRecall>;
  /** What it takes, on the disk or in memory. */
  sizes(): Promise<readonly Size[]>;
}

export interface SpeedRecall {
  readonly found: readonly string[];
  /** Where the time went, if it tells. */
  readonly timings?: RecallTimings;
}

/** Something that makes a new, empty store, which goes when it is disposed of. */
export interface SpeedContender {
  readonly name: string;
  open(): Promise<SpeedStore>;
}

/** Ours, and what it is compared with. */
export interface SpeedPair {
  readonly own: SpeedContender;
  readonly peer: SpeedContender;
}

/** How much to measure. */
export interface SpeedSettings {
  /** Numbers of callers that add at the same time. */
  readonly concurrencies: readonly number[];
  readonly rounds: number;
  /** Of one round of adding. */
  readonly milliseconds: number;
  /** In one round of asking. */
  readonly questions: number;
  /** Texts in one partition when it is asked, rising. */
  readonly growth: readonly number[];
  readonly partitions: { readonly count: number; readonly texts: number };
  readonly signal: AbortSignal;
}

/** As many as an agent is given. */
export const speedHits = 10;
