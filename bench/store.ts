import type { Message } from "../src/index.ts";

/** What is measured, of our adapters and of their peers alike. A user is a partition. */
export interface BenchStore extends AsyncDisposable {
  /** Commits messages, durably and once for the operation; their ids. */
  append(user: string, operation: string, messages: readonly Message[]): Promise<readonly string[]>;
  /** Commits a counter that starts at 0. */
  addCounter(user: string, operation: string, key: string): Promise<unknown>;
  /** Finds the counter by its key, decides, and changes it, in one commit. */
  increment(user: string, operation: string, key: string): Promise<unknown>;
  /** Undefined when there is no such counter. */
  counter(user: string, key: string): Promise<number | undefined>;
  message(user: string, id: string): Promise<Content | undefined>;
  /** The newest messages of a session. */
  page(user: string, session: string, limit: number): Promise<readonly Content[]>;
  /** Six reads on one snapshot; how many records they found. */
  combined(user: string, reads: CombinedReads): Promise<number>;
  /** What the store takes, on the disk once its logs are worked off, or in memory. */
  sizes(): Promise<readonly Size[]>;
}

export interface Content {
  readonly content: string;
}

/**
 * The state of the partition, a message by its id, the 20 newest of a session, the 20 newest of an agent, the 10 newest
 * of the user, and a counter.
 */
export interface CombinedReads {
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  readonly key: string;
}

/** Bytes of a table without its indexes, or of one index. */
export interface Size {
  readonly table: string;
  readonly index: boolean;
  readonly bytes: number;
}

/** How counters are stored among the keyed values. */
export const counterAgent = "bench";
export const counterScope = "counters";
