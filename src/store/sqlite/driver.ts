import type { Change } from "../../model/change.ts";
import { type Partition, partitionKey } from "../../model/partition.ts";
import type { CallOptions, Driver, Head, RowRead, SnapshotOptions, Transaction } from "../driver.ts";
import type { Capabilities, JobCount } from "../ledger.ts";
import { tables } from "../schema.ts";
import type { NewSpace, Space } from "../search.ts";
import type { Migration } from "../sql/migration.ts";
import type { Row, Table } from "../table.ts";
import { cleanFiles, cleaningState, finishCleaning, startCleaning } from "./clean.ts";
import { CommitWatch } from "./commit-watch.ts";
import { type Connection, inMemory } from "./connection.ts";
import { realPath } from "./database-files.ts";
import { appendChanges, feedHead, pruneBatch, pruneChanges, readChanges } from "./feed.ts";
import type { Group } from "./group.ts";
import { readHead } from "./heads.ts";
import { readKeyedRows } from "./keyed-rows.ts";
import { countJobs, listExpired, listPartitions, listPendingErasures, listReadyLanes } from "./overviews.ts";
import { readRows, searchRows, writeRows } from "./rows.ts";
import { emptySpace, forgetTokens } from "./search/clean-index.ts";
import { searchIndex } from "./search/read-index.ts";
import { activateSpace, declareSpace, listSpaces, removeSpace } from "./search/spaces.ts";
import { searchFiles } from "./search-files.ts";
import { Store } from "./store.ts";

export interface SqliteDriverOptions {
  /** Absolute, or `:memory:`. */
  readonly path: string;
  /** Milliseconds that a call may wait for other processes. */
  readonly busyTimeout: number;
  /** Bytes of the index that are kept in memory. */
  readonly indexMemory?: number | undefined;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
}

/** A driver that keeps everything in one SQLite database. */
export class SqliteDriver implements Driver {
  readonly #path: string;
  readonly #store: Store;
  readonly #watch: CommitWatch;
  #cleaning: Promise<unknown> = Promise.resolve();
  #nextCleaning: Promise<boolean> | undefined;

  constructor(options: SqliteDriverOptions) {
    this.#path = options.path;
    this.#store = new Store({ ...options, onCommit: () => this.#watch.wake() });
    this.#watch = new CommitWatch(() => this.#commitsOfOthers());
  }

  async capabilities(): Promise<Capabilities> {
    const schemaVersion = await this.#store.read(
      (connection) => connection.statement(`select "version" from "meta"`).get()?.[0] as number,
      undefined,
    );
    const file = this.#path !== inMemory;
    return {
      adapter: "sqlite",
      durability: file ? "fsync" : "memory",
      shared: file,
      schemaVersion,
      vectors: "in_process",
    };
  }

  transact<T>(
    partition: Partition,
    fresh: () => Head,
    transaction: Transaction<T>,
    options?: CallOptions,
  ): Promise<T> {
    return this.#store.write(
      (group) => runTransaction(group, partition, fresh, transaction),
      options?.signal,
    );
  }

  async snapshot(
    partition: Partition,
    reads: readonly RowRead[],
    options: SnapshotOptions = {},
  ): Promise<{ head: Head | undefined; rows: readonly (readonly Row[])[] }> {
    const { head = false, signal } = options;
    const key = partitionKey(partition);
    const [only] = reads;
    if (!head && reads.length === 1 && (only?.type === "get" || only?.type === "find")) {
      const rows = await this.#store.readOne((connection) => readRows(connection, key, only), signal);
      return { head: undefined, rows: [rows] };
    }
    return this.#store.read((connection) => {
      const known = readHead(connection, partition);
      return { head: known?.head, rows: runReads(connection, known?.id ?? key, reads) };
    }, signal);
  }

  partitions(after: string | undefined, limit: number, options?: CallOptions): Promise<readonly Partition[]> {
    return this.#store.read((connection) => listPartitions(connection, after, limit), options?.signal);
  }

  changes(
    after: string | undefined,
    limit: number,
    options?: CallOptions,
  ): Promise<{ changes: readonly Change[]; cursor: string }> {
    return this.#store.read((connection) => readChanges(connection, after, limit), options?.signal);
  }

  changesHead(options?: CallOptions): Promise<string> {
    return this.#store.read(feedHead, options?.signal);
  }

  async wait(timeout: number, signal?: AbortSignal): Promise<void> {
    const start = performance.now();
    // A store that cannot be opened just now may be there by the end of the wait; its error is that of the next call.
    if (this.#store.connection === undefined) await this.#store.open().catch(() => undefined);
    // Timers leave out fractions of a millisecond.
    await this.#watch.wait(Math.max(0, Math.ceil(timeout - (performance.now() - start))), signal);
  }

  #commitsOfOthers(): number | undefined {
    if (this.#path === inMemory) return undefined;
    try {
      return this.#store.connection?.statement("pragma data_version").get()?.[0] as number | undefined;
    } catch {
      return undefined;
    }
  }

  async pruneChanges(before: number, options?: CallOptions): Promise<number> {
    let pruned = 0;
    for (;;) {
      const some = await this.#store.write((group) => pruneChanges(group, before), options?.signal);
      pruned += some;
      if (some < pruneBatch) return pruned;
    }
  }

  readyLanes(
    queues: readonly string[],
    now: number,
    limit: number,
    options?: CallOptions,
  ): Promise<readonly { partition: Partition; queue: string }[]> {
    return this.#store.read((connection) => listReadyLanes(connection, queues, now, limit), options?.signal);
  }

  countJobs(queues: readonly string[], options?: CallOptions): Promise<readonly JobCount[]> {
    return this.#store.read((connection) => countJobs(connection, queues), options?.signal);
  }

  expired(
    table: Table,
    moments: { readonly after: number; readonly until: number },
    limit: number,
    options?: CallOptions,
  ): Promise<readonly { partition: Partition; id: string }[]> {
    return this.#store.read((connection) => listExpired(connection, table, moments, limit), options?.signal);
  }

  pendingErasures(
    limit: number,
    options?: CallOptions,
  ): Promise<readonly { partition: Partition; id: string }[]> {
    return this.#store.read((connection) => listPendingErasures(connection, limit), options?.signal);
  }

  spaces(options?: CallOptions): Promise<readonly Space[]> {
    return this.#store.read(listSpaces, options?.signal);
  }

  declareSpace(space: NewSpace, options?: CallOptions): Promise<Space> {
    return this.#store.write(({ connection }) => declareSpace(connection, space), options?.signal);
  }

  activateSpace(id: number, options?: CallOptions): Promise<Space | undefined> {
    return this.#store.write(({ connection }) => activateSpace(connection, id), options?.signal);
  }

  async dropSpace(id: number, options?: CallOptions): Promise<void> {
    if (!(await this.#store.write(({ connection }) => removeSpace(connection, id), options?.signal))) return;
    // Nobody reads or writes it any more, so the rest may take its time.
    while (await this.#store.write(({ connection }) => emptySpace(connection, id), options?.signal));
  }

  /** The number of the last run of cleaning: the erasure is clean once a later one has succeeded. */
  async cleanMark(options?: CallOptions): Promise<string> {
    const { started } = await this.#store.read(cleaningState, options?.signal);
    return String(started);
  }

  async clean(mark: string, options?: CallOptions): Promise<boolean> {
    if (this.#path === inMemory) return true;
    const { finished } = await this.#store.read(cleaningState, options?.signal);
    if (Number(mark) < finished) return true;
    // A run that has begun may have passed what the caller means; the next one is shared by all who wait for it.
    this.#nextCleaning ??= this.#cleaning.then(() => {
      this.#nextCleaning = undefined;
      const run = this.#clean();
      this.#cleaning = run.catch(() => undefined);
      return run;
    });
    return this.#nextCleaning;
  }

  async #clean(): Promise<boolean> {
    for (let first = true; ; first = false) {
      if (!(await this.#store.write(({ connection }) => forgetTokens(connection, first), undefined))) break;
    }
    const run = await this.#store.write(({ connection }) => startCleaning(connection), undefined);
    const clean = await cleanFiles(realPath(this.#path));
    if (clean) await this.#store.write(({ connection }) => finishCleaning(connection, run), undefined);
    return clean;
  }

  async search(
    partition: Partition,
    texts: readonly string[],
    options?: CallOptions,
  ): Promise<{ rows: number; files: number | undefined }> {
    const rows = await this.#store.read((connection) => {
      const stored = readHead(connection, partition);
      if (stored === undefined) return 0;
      const counts = tables.flatMap((table) =>
        texts.map((text) => searchRows(connection, stored.id, table, text)),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    }, options?.signal);
    const files =
      this.#path === inMemory ? undefined : await searchFiles(realPath(this.#path), texts, options?.signal);
    return { rows, files };
  }

  async close(): Promise<void> {
    // One that waits for the one under way comes after it.
    while (this.#nextCleaning !== undefined) await this.#nextCleaning.catch(() => undefined);
    await this.#cleaning;
    await this.#store.close();
    this.#watch.close();
  }
}

/** The rows of each of some reads inside a partition, named as for `runRead`. */
function runReads(
  connection: Connection,
  partition: number | string,
  reads: readonly RowRead[],
): readonly (readonly Row[])[] {
  const keyed = typeof partition === "number" ? readKeyedRows(connection, partition, reads) : undefined;
  return reads.map((read, place) => keyed?.get(place) ?? runRead(connection, partition, read));
}

/** The rows of one read inside a partition, named by its id; or by its key, where none is known. */
function runRead(connection: Connection, partition: number | string, read: RowRead): readonly Row[] {
  switch (read.type) {
    case "get":
    case "find":
    case "count":
      return readRows(connection, partition, read);
    default:
      return searchIndex(connection, typeof partition === "number" ? partition : undefined, read);
  }
}

/** Runs a transaction inside a commit group. */
function runTransaction<T>(
  group: Group,
  partition: Partition,
  fresh: () => Head,
  transaction: Transaction<T>,
): T {
  const { connection } = group;
  group.writing = false;
  const stored = group.head(partition);
  const before = stored?.head ?? fresh();
  const name = stored?.id ?? partitionKey(partition);
  const run = transaction(before);
  let step = run.next();
  while (step.done !== true) step = run.next(runReads(connection, name, step.value));
  const { head, writes, changes, value } = step.value;
  if (stored !== undefined && head === before && writes.length === 0 && changes.length === 0) return value;
  group.writing = true;
  const id = stored?.id ?? group.createPartition(head);
  writeRows(connection, id, writes);
  appendChanges(group, { id, head }, changes);
  if (stored === undefined || head !== before) group.setHead({ id, head });
  if (writes.length > 0) group.wrote = true;
  return value;
}
