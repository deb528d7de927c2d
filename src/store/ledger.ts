import type { Change } from "../model/change.ts";
import type { Job } from "../model/job.ts";
import type { Partition } from "../model/partition.ts";
import type { Ref } from "../model/record.ts";
import type { Append } from "./commit.ts";
import type { CallOptions } from "./driver.ts";
import type {
  ErasureReceipt,
  ErasureReport,
  ErasureScope,
  Purge,
  PurgeScope,
  UndoReceipt,
} from "./erasures.ts";
import type { GrainCounts } from "./grain-counts.ts";
import type { AnyPlan, PlanAside, PlanInput, PlanResult } from "./plan.ts";
import type { ReadOp, ReadResults } from "./read.ts";
import type { GrainEntries, Spaces } from "./search.ts";

/** What a ledger can promise; asked once it is open. */
export interface Capabilities {
  readonly adapter: string;
  /** What an acknowledged commit survives: a power cut, the end of the process, or nothing. */
  readonly durability: "fsync" | "os" | "memory";
  /** Whether other processes can open the same store. */
  readonly shared: boolean;
  /** Version of the store's schema; 0 where there is none. */
  readonly schemaVersion: number;
  /**
   * Who searches vectors: PostgreSQL with its extension pgvector, of which the largest partitions get an approximate index, or
   * this process, exactly and with the vectors in its memory.
   */
  readonly vectors: "pgvector" | "in_process";
}

/**
 * Limits of a partition. A property left out is no limit. Traces count for neither records nor bytes, so that reading never
 * blocks writing; what bounds them is when they expire.
 */
export interface PartitionPolicy {
  readonly maxRecords?: number | undefined;
  /** UTF-8 bytes of text and JSON, and eight for a number, over all records. Jobs, links and receipts do not count. */
  readonly maxBytes?: number | undefined;
  /** Milliseconds after which new messages, episodes, texts and traces expire, and the grains of the first three. */
  readonly ttl?: number | undefined;
}

/** What a commit did, the same for every retry of its operation. */
export interface Receipt<R = undefined> {
  readonly operation: string;
  /** Whether this call found the operation already done. */
  readonly replayed: boolean;
  /** False for a replay whose payload could not be compared with the first one: `erase` came in between, or the call carries a job. */
  readonly compared: boolean;
  /** The partition's last sequence number after the commit. */
  readonly seq: number;
  readonly recordedAt: number;
  /** Ids of the inserted records, in the order in which they were given. */
  readonly ids: readonly string[];
  /** Ids of the inserted records whose text was repaired. */
  readonly repaired: readonly string[];
  /** What the plan returned. Undefined in the replay of an operation that is older than an `erase` in its partition. */
  readonly result: R | undefined;
}

export interface PartitionHead {
  readonly partition: Partition;
  readonly seq: number;
  readonly generation: number;
  readonly recordedAt: number;
  /** Of all kinds but traces. What has expired counts until `maintain` removes it. */
  readonly records: number;
  /** Of the same records, as `PartitionPolicy.maxBytes` counts. */
  readonly bytes: number;
  /** By status, without those that a purge hides. What has expired counts until `maintain` removes it. */
  readonly grains: GrainCounts;
  readonly policy: PartitionPolicy;
}

export interface UpdateCall<P extends AnyPlan> {
  /** Names the operation within the partition: the same id has its effect once, for ever. */
  readonly operation: string;
  readonly plan: P;
  readonly input: PlanInput<P>;
  /**
   * What the plan is told besides its input, and may differ between attempts of the operation, such as index entries: no
   * part of the payload that a retry is compared with. Plain data and typed arrays.
   */
  readonly aside?: PlanAside<P> | undefined;
  /** The job that this commit completes; see `Jobs.claim`. */
  readonly job?: JobLease | undefined;
}

export interface JobLease {
  readonly id: string;
  readonly lease: string;
  /**
   * Ids of jobs that wait behind it in its lane, at most 100, whose work is done along with it: a commit that completes it completes
   * those of them that still wait.
   */
  readonly behind?: readonly string[] | undefined;
}

export interface ClaimedJob extends Job {
  readonly partition: Partition;
  /** The records it is about, as far as they are still there. */
  readonly sources: readonly Ref[];
  /** Proves that the job is leased to this caller. */
  readonly lease: string;
}

/** Jobs that have something in common. */
export interface JobCount {
  readonly queue: string;
  /** Whether they are dead letters. */
  readonly dead: boolean;
  /** What their last attempt failed with, see `Jobs.fail`; undefined before the first failure. */
  readonly error: string | undefined;
  readonly count: number;
}

export interface Jobs {
  /** Leases the first ready job of each lane (partition and queue), at most `limit` of them. */
  claim(options: {
    readonly queues: readonly string[];
    /** Milliseconds until another caller may take the job. */
    readonly leaseFor: number;
    readonly limit?: number;
    readonly signal?: AbortSignal;
  }): Promise<readonly ClaimedJob[]>;
  /**
   * Removes a job whose work is done. Work that writes should complete its job in the same commit instead. `lease_lost` may
   * also mean that it was removed already, when the answer to an earlier attempt was lost with the connection.
   */
  complete(job: ClaimedJob, options?: CallOptions): Promise<void>;
  /** Gives a job back, to be tried again after `delay` (default: 1 s doubled with each attempt, at most an hour), or as a dead letter. */
  fail(
    job: ClaimedJob,
    options: {
      readonly error: string;
      readonly delay?: number;
      readonly dead?: boolean;
      readonly signal?: AbortSignal;
    },
  ): Promise<void>;
  /** Makes the lease end `leaseFor` milliseconds from now. */
  extend(job: ClaimedJob, leaseFor: number, options?: CallOptions): Promise<void>;
  /** Jobs of a partition in order; dead letters when `dead`. */
  list(
    partition: Partition,
    options: {
      readonly queue: string;
      readonly dead?: boolean;
      readonly limit?: number;
      readonly after?: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<{ readonly jobs: readonly Job[]; readonly cursor?: string }>;
  /**
   * How many jobs of some queues there are in all partitions together: one count for each queue, state and last error that
   * occurs. Takes time that grows with the number of those jobs, not with that of partitions.
   */
  count(options: {
    readonly queues: readonly string[];
    readonly signal?: AbortSignal | undefined;
  }): Promise<readonly JobCount[]>;
  /** Makes a dead letter an ordinary job again, with its attempts counted anew. */
  revive(partition: Partition, id: string, options?: CallOptions): Promise<void>;
}

export interface Changes {
  /** The cursor behind every change that is visible now. */
  head(options?: CallOptions): Promise<string>;
  /**
   * Changes after a cursor, of all partitions; those of one partition by rising `seq`. Without a cursor, from the oldest
   * that is kept. The returned cursor goes behind them.
   *
   * @throws FluxError `cursor_too_old` when changes after the cursor were pruned: read the state anew
   */
  read(options?: {
    readonly after?: string | undefined;
    readonly limit?: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ readonly changes: readonly Change[]; readonly cursor: string }>;
  /** Resolves when there may be more changes, or after `timeout` milliseconds. */
  wait(options: { readonly timeout: number; readonly signal?: AbortSignal | undefined }): Promise<void>;
}

/** The transactional truth under everything else. Every promise is on one page: `docs/ledger.md`. */
export interface Ledger extends AsyncDisposable {
  readonly changes: Changes;
  readonly jobs: Jobs;
  readonly spaces: Spaces;

  capabilities(options?: CallOptions): Promise<Capabilities>;

  /** Inserts records and jobs, atomically, durably and idempotently. */
  append(partition: Partition, request: Append, options?: CallOptions): Promise<Receipt>;

  /** Reads, decides and writes inside one transaction; see `definePlan`. */
  update<P extends AnyPlan>(
    partition: Partition,
    call: UpdateCall<P>,
    options?: CallOptions,
  ): Promise<Receipt<PlanResult<P>>>;

  /**
   * Runs all reads on one snapshot, in one round trip.
   *
   * @param partitions exactly one today; a list, so that shared memory can be added without changing the signature
   */
  read<const Ops extends readonly ReadOp[]>(
    partitions: readonly [Partition],
    ops: Ops,
    options?: CallOptions,
  ): Promise<ReadResults<Ops>>;

  /**
   * Puts entries into the index for grains that are there already, in the place of what the spaces held of them; how many
   * of the grains were there, as `updatedSeq` says where it is given. Repeating it changes nothing.
   *
   * @param request.spaces as in `Append.spaces`
   */
  index(
    partition: Partition,
    request: { readonly grains: readonly GrainEntries[]; readonly spaces: readonly number[] },
    options?: CallOptions,
  ): Promise<number>;

  /** The partitions of this store, in pages. */
  partitions(options?: {
    readonly after?: string | undefined;
    readonly limit?: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<{ readonly partitions: readonly Partition[]; readonly cursor?: string }>;

  /** Replaces a partition's policy. Records that are there already stay, and keep their times. */
  setPolicy(partition: Partition, policy: PartitionPolicy, options?: CallOptions): Promise<void>;

  /**
   * Erases at once, following provenance to everything derived. Idempotent by operation id. Retries of earlier operations of
   * the partition are answered from then on with `compared: false` and no result.
   */
  erase(
    partition: Partition,
    call: ErasureScope & { readonly operation: string },
    options?: CallOptions,
  ): Promise<ErasureReceipt>;
  /**
   * Hides records at once, with all that an erasure of them would take: no read, search or look for duplicates finds them, and no
   * commit can rest on them. They are erased by `maintain` when their time has passed, and can be brought back before. Idempotent by
   * operation id. Blocks, values, conduits and feedback cannot be hidden: named ones are refused, and those that follow from what
   * is hidden stay until it is erased. Only what can be seen is hidden; traces stay as well, and go with the erasure.
   *
   * @param call.until when it ends, in milliseconds; of a retry, that of the first call counts
   */
  purge(
    partition: Partition,
    call: PurgeScope & { readonly operation: string; readonly until: number },
    options?: CallOptions,
  ): Promise<Purge>;
  /**
   * Brings back what a purge hides, exactly as it was, but for what another purge hides as well. Idempotent by operation id.
   *
   * @throws FluxError `not_found` when it was undone, its time has passed, or what it hid was erased
   */
  undo(
    partition: Partition,
    call: { readonly purge: string; readonly operation: string },
    options?: CallOptions,
  ): Promise<UndoReceipt>;
  /** The open purges that hide a record, the oldest first; none for one that can be seen, or is not there. */
  purged(partition: Partition, ref: Ref, options?: CallOptions): Promise<readonly Purge[]>;
  /** The present state of an erasure. */
  erasure(partition: Partition, id: string, options?: CallOptions): Promise<ErasureReceipt | undefined>;
  /**
   * Looks for what an erasure should have removed.
   *
   * @param options.probes texts to look for in rows and files; they are not stored
   */
  verify(
    partition: Partition,
    id: string,
    options?: CallOptions & { readonly probes?: readonly string[] },
  ): Promise<ErasureReport>;

  /**
   * Removes what has expired with what was derived from it, erases what purges hid whose time has passed, cleans files after
   * erasures, and forgets changes older than their retention. Operations and leases stay as they are. Safe to call at any time, from any process.
   */
  maintain(options?: CallOptions): Promise<MaintenanceReport>;

  /** Waits for calls under way and frees the store. Safe to call twice. */
  close(): Promise<void>;
}

export interface MaintenanceReport {
  /** Rows that went because something expired, or the time of a purge has passed. */
  readonly expired: number;
  /** Erasures that became physical. */
  readonly cleaned: number;
  /** Changes dropped from the feed. */
  readonly changes: number;
  /** What failed for one partition while the others went on. */
  readonly errors: readonly { readonly partition: Partition; readonly error: unknown }[];
}
