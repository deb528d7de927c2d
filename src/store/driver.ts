import type { Change } from "../model/change.ts";
import type { Partition } from "../model/partition.ts";
import type { Predicate } from "./filter.ts";
import type { GrainCounts } from "./grain-counts.ts";
import type { Capabilities, JobCount, PartitionPolicy } from "./ledger.ts";
import type { IndexEntry, NewSpace, Space } from "./search.ts";
import type { Row, Table } from "./table.ts";

/** The state of a partition, changed by every commit under the partition's lock. */
export interface Head {
  readonly partition: Partition;
  /** Last number given out in the partition's order of writes. */
  readonly seq: number;
  /** Rises with every erasure, so that work begun before it can be told. */
  readonly generation: number;
  /** Key of the fingerprints of operations, 32 hexadecimal digits; replaced by every erasure. */
  readonly salt: string;
  /** Record time of the last commit; the next one is not earlier. */
  readonly recordedAt: number;
  /** Records of the tables that are counted, and their bytes. */
  readonly records: number;
  readonly bytes: number;
  /** Without those that purges hide. */
  readonly grains: GrainCounts;
  readonly policy: PartitionPolicy;
}

/**
 * One read inside a partition. Rows that expired at `now` are not seen. With `columns`, rows have these columns alone, absent
 * values left out, and are new objects, which the caller may change; without, they have all and may be the driver's own.
 */
export type RowRead = TableRead | SearchRead;

export type TableRead =
  | {
      readonly type: "get";
      readonly table: Table;
      readonly key: readonly string[];
      readonly now?: number;
      readonly columns?: readonly string[];
    }
  | FindRows
  /** One row { count }, of rows up to a `seq` if given; it is then a column of the table. */
  | { readonly type: "count"; readonly table: Table; readonly upTo?: number };

/**
 * The rows of an index whose leading columns equal `prefix`, in the order of `indexOrder`. `range` bounds the column after
 * the prefix. `after` holds the values of the remaining columns of the order, for the row to start behind.
 */
export interface FindRows {
  readonly type: "find";
  readonly table: Table;
  readonly index: string;
  readonly prefix: readonly IndexValue[];
  readonly range?: IndexRange;
  readonly reverse?: boolean;
  readonly after?: readonly IndexValue[];
  readonly filter?: Predicate;
  readonly limit?: number;
  readonly now?: number;
  readonly columns?: readonly string[];
}

/**
 * A read of the index of grains. A row that is about a grain has it as `grain`, a row with all columns of the grain's table: the
 * same object for the same state of a grain where a driver keeps it, so that what is made of it is made once.
 */
export type SearchRead =
  /** The spaces that are not retired, a row { id, dimensions } each, by id. */
  | { readonly type: "spaces" }
  /**
   * First a row { documents, terms, frequencies } (a list) about the whole partition, then rows { grain, length, counts } (a
   * list), by falling BM25 score and falling `seq`.
   */
  | (GrainSearch & { readonly type: "match"; readonly terms: readonly string[] })
  /** Rows { grain, similarity }, by falling similarity and falling `seq`. */
  | (GrainSearch & { readonly type: "nearest"; readonly vector: Float32Array })
  /** One row { count }, of what all spaces together hold of these grains. */
  | { readonly type: "indexed"; readonly grainIds: readonly string[] }
  /** Rows { grain, of, distance }. */
  | {
      readonly type: "around";
      readonly points: readonly SessionPoint[];
      readonly reach: number;
      readonly now: number;
    };

export interface GrainSearch {
  readonly space: number;
  readonly limit: number;
  readonly where: RowConditions;
  readonly now: number;
}

export interface SessionPoint {
  readonly id: string;
  readonly sessionId: string;
  readonly ownerKind: string;
  readonly seq: number;
}

/** Conditions on grains: column and the values that it may have (absence of an id is ""), a stretch of `saidAt`, a filter. */
export interface RowConditions {
  readonly allowed: readonly (readonly [column: string, values: readonly string[]])[];
  readonly from?: number;
  readonly until?: number;
  readonly filter?: Predicate;
}

export type IndexValue = string | number | boolean;

export interface IndexRange {
  readonly gt?: IndexValue;
  readonly gte?: IndexValue;
  readonly lt?: IndexValue;
  readonly lte?: IndexValue;
}

/**
 * One write inside a partition. An outcome has at most one write for a row, and no write changes a unique key, so that the
 * order matters in one way only: removals and clearings come first.
 */
export type RowWrite =
  | { readonly type: "insert" | "replace"; readonly table: Table; readonly row: Row }
  | { readonly type: "remove"; readonly table: Table; readonly key: readonly string[] }
  /** Removes all rows of the table in this partition. */
  | { readonly type: "clear"; readonly table: Table }
  /** Removes the results that operations of this partition returned, which an erasure must not leave behind. */
  | { readonly type: "scrub" }
  /** Puts what a space holds of a grain into the index, in the place of what it held. */
  | { readonly type: "index"; readonly grainId: string; readonly entry: IndexEntry }
  /** Removes a grain, or all of them, from every space. */
  | { readonly type: "unindex"; readonly grainId?: string };

export type NewChange = Pick<Change, "seq" | "kind" | "id" | "operation">;

export interface Outcome<T> {
  readonly head: Head;
  readonly writes: readonly RowWrite[];
  readonly changes: readonly NewChange[];
  readonly value: T;
}

/**
 * What happens inside a transaction: a pure generator that yields batches of reads, is resumed with their rows, and
 * returns everything to write. Sequential reads before one set of writes is what every backend can do atomically: under a
 * lock (SQLite, PostgreSQL) or by optimistic check (Redis). It may be run again from the start.
 */
export type Transaction<T> = (head: Head) => Reading<Outcome<T>>;

/** A part of a transaction that reads. */
export type Reading<T> = Generator<readonly RowRead[], T, readonly (readonly Row[])[]>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface SnapshotOptions extends CallOptions {
  /** Whether the partition's head is asked for. Default false. */
  readonly head?: boolean;
}

/** What an adapter implements. `createLedger` makes a Ledger of it, so that all of them behave alike. */
export interface Driver {
  capabilities(): Promise<Capabilities>;

  /**
   * Runs the transaction with the partition's head locked, creating the partition if it is new, and commits its outcome.
   * Unique violations reject with `already_exists` and commit nothing. When the outcome of a commit is unknown because
   * the connection broke, the transaction is run again: what it does is idempotent.
   *
   * @param fresh makes the head of a partition that does not exist yet
   */
  transact<T>(
    partition: Partition,
    fresh: () => Head,
    transaction: Transaction<T>,
    options?: CallOptions,
  ): Promise<T>;

  /**
   * Runs all reads on one snapshot, in one round trip. The head is undefined for a partition that does not exist, and may be
   * so when it was not asked for.
   */
  snapshot(
    partition: Partition,
    reads: readonly RowRead[],
    options?: SnapshotOptions,
  ): Promise<{ readonly head: Head | undefined; readonly rows: readonly (readonly Row[])[] }>;

  /** Existing partitions in the order of their keys, after the given key. */
  partitions(after: string | undefined, limit: number, options?: CallOptions): Promise<readonly Partition[]>;

  /**
   * Changes after a cursor (from the oldest kept when undefined), in an order in which none is ever added before one that
   * was returned; and the cursor to go on with. A change of the operation `erase_all` may take the earlier changes of its
   * partition with it.
   *
   * @throws FluxError `cursor_too_old` when changes after the cursor were pruned
   */
  changes(
    after: string | undefined,
    limit: number,
    options?: CallOptions,
  ): Promise<{ readonly changes: readonly Change[]; readonly cursor: string }>;
  /** The cursor behind every change that is visible now. */
  changesHead(options?: CallOptions): Promise<string>;
  /** Resolves when something may have been committed, by any process, or after the time-out; never rejects for an abort. */
  wait(timeout: number, signal?: AbortSignal): Promise<void>;
  /** Removes changes recorded before the moment; how many. */
  pruneChanges(before: number, options?: CallOptions): Promise<number>;

  /** Lanes (partition and queue) whose first job that is not dead is ready, the longest waiting first. */
  readyLanes(
    queues: readonly string[],
    now: number,
    limit: number,
    options?: CallOptions,
  ): Promise<readonly { readonly partition: Partition; readonly queue: string }[]>;
  /** Counts the jobs of queues, over all partitions, by queue, `dead` and `error`. */
  countJobs(queues: readonly string[], options?: CallOptions): Promise<readonly JobCount[]>;
  /** Some rows, by their id, whose `expiresAt` is after the one moment and not after the other. */
  expired(
    table: Table,
    moments: { readonly after: number; readonly until: number },
    limit: number,
    options?: CallOptions,
  ): Promise<readonly { readonly partition: Partition; readonly id: string }[]>;
  /** Some erasures that are not physical yet. */
  pendingErasures(
    limit: number,
    options?: CallOptions,
  ): Promise<readonly { readonly partition: Partition; readonly id: string }[]>;

  /** All spaces of the store by id. */
  spaces(options?: CallOptions): Promise<readonly Space[]>;
  /** The space of this kind and maker that is not retired; made if there is none, see `Spaces.declare`. */
  declareSpace(space: NewSpace, options?: CallOptions): Promise<Space>;
  /** Makes a space active, and retires the active one of its kind; undefined when there is no such space. */
  activateSpace(id: number, options?: CallOptions): Promise<Space | undefined>;
  /** Removes a space with all that it holds; not one that is active. */
  dropSpace(id: number, options?: CallOptions): Promise<void>;

  /** What an adapter does for itself each time that the ledger is maintained. */
  maintain?(options?: CallOptions): Promise<void>;

  /** A mark of the present, taken after an erasure's commit, to be given to `clean`. */
  cleanMark(options?: CallOptions): Promise<string>;
  /** Removes the bytes of everything deleted before the mark from the files; false when a reader still holds them. */
  clean(mark: string, options?: CallOptions): Promise<boolean>;
  /**
   * How many places in the partition's rows hold one of the texts (in JSON columns: as JSON writes them), and how many in
   * the files that the adapter owns, which other partitions share; undefined where there are none to read.
   */
  search(
    partition: Partition,
    texts: readonly string[],
    options?: CallOptions,
  ): Promise<{ readonly rows: number; readonly files: number | undefined }>;

  close(): Promise<void>;
}
