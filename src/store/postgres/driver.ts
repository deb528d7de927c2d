import type { Change } from "../../model/change.ts";
import { FluxError } from "../../model/errors.ts";
import { type Partition, partitionKey } from "../../model/partition.ts";
import type { CallOptions, Driver, Head, RowRead, SnapshotOptions, Transaction } from "../driver.ts";
import type { Capabilities, JobCount } from "../ledger.ts";
import type { NewSpace, Space } from "../search.ts";
import { checkVersion, latestVersion, type Migration } from "../sql/migration.ts";
import type { Row, Table } from "../table.ts";
import { VectorCache } from "../vector-cache.ts";
import { Cleaner, cleanMark } from "./clean.ts";
import { type ConnectionOptions, Connections } from "./connections.ts";
import { DatabaseFailure, publicError } from "./failure.ts";
import { Feed } from "./feed.ts";
import {
  countJobs,
  countPlaces,
  listExpired,
  listPartitions,
  listPendingErasures,
  readyLanes,
} from "./lookups.ts";
import { migrate, readVersion } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { SchemaNames } from "./names.ts";
import { PartitionQueue } from "./partition-queue.ts";
import { decodeHead, snapshotReads } from "./read-statement.ts";
import { retrying, sleep, unlessAborted } from "./retry.ts";
import { emptySpace } from "./search/empty-space.ts";
import { findPgvector, type Pgvector } from "./search/pgvector.ts";
import { finishSearches, takesSeveral, type VectorTools } from "./search/search-form.ts";
import { activateSpace, declareSpace, listSpaces, removeSpace, retireSpace } from "./search/spaces.ts";
import { dropVectorIndex, indexVectors } from "./search/vector-index.ts";
import type { Session, TextRow } from "./session.ts";
import { isSingle, singleRead } from "./single-read.ts";
import { WakeUp } from "./wake-up.ts";

export interface PostgresDriverOptions extends Omit<ConnectionOptions, "connectTimeout"> {
  readonly schema: string;
  /** Milliseconds. */
  readonly retryFor: number;
  /** Bytes. */
  readonly vectorMemory?: number | undefined;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
}

/** What there is once the database was reached. */
interface Store {
  readonly connections: Connections;
  readonly capabilities: Capabilities;
  readonly wakeUp: WakeUp;
  readonly vectors: VectorTools;
}

/** How long a connection may take to come about, in milliseconds. */
const longestConnect = 10_000;

/** How long cleaning waits for transactions that are about to end, in milliseconds. */
const cleanPatience = 500;

/** How many changes one statement removes. */
const pruneBatch = 10_000;

/** A ledger's driver on PostgreSQL 13 or newer. Connects at the first call. */
export class PostgresDriver implements Driver {
  readonly #options: PostgresDriverOptions;
  readonly #names: SchemaNames;
  readonly #feed: Feed;
  readonly #migrations: readonly Migration[];
  readonly #version: number;
  readonly #queues = new Map<string, PartitionQueue>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();
  readonly #cleaner: Cleaner;
  #cleaning: Promise<unknown> = Promise.resolve();
  #opening: Promise<Store> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: PostgresDriverOptions) {
    this.#options = options;
    this.#names = new SchemaNames(options.schema);
    this.#feed = new Feed(this.#names);
    this.#cleaner = new Cleaner(this.#names);
    this.#migrations = options.migrations ?? migrations;
    this.#version = latestVersion(this.#migrations);
  }

  capabilities(): Promise<Capabilities> {
    return this.#call(undefined, async ({ capabilities }) => capabilities);
  }

  transact<T>(
    partition: Partition,
    fresh: () => Head,
    transaction: Transaction<T>,
    { signal }: CallOptions = {},
  ): Promise<T> {
    return this.#call(signal, async ({ connections, wakeUp, vectors }) => {
      const key = partitionKey(partition);
      let queue = this.#queues.get(key);
      if (queue !== undefined) return queue.add(fresh, transaction, signal);
      queue = new PartitionQueue(partition, {
        connections,
        names: this.#names,
        vectors,
        version: this.#version,
        retryFor: this.#options.retryFor,
        committed: () => wakeUp.committed(),
      });
      this.#queues.set(key, queue);
      const result = queue.add(fresh, transaction, signal);
      connections.background(queue.drain(() => this.#queues.delete(key)));
      return result;
    });
  }

  snapshot(
    partition: Partition,
    reads: readonly RowRead[],
    options: SnapshotOptions = {},
  ): Promise<{ readonly head: Head | undefined; readonly rows: readonly (readonly Row[])[] }> {
    const names = this.#names;
    const key = partitionKey(partition);
    const [only] = reads;
    if (options.head !== true && only !== undefined && reads.length === 1 && isSingle(only)) {
      return this.#read(options, async (session) => {
        const { text, values, decode } = singleRead(names, key, only);
        const { minReader, rows } = decode(await session.query(text, values));
        checkVersion("read", minReader, this.#version);
        return { head: undefined, rows: [rows] };
      });
    }
    return this.#read(options, async (session, { vectors }) => {
      const several = takesSeveral(reads, vectors);
      if (several) await session.command("begin isolation level repeatable read, read only");
      const { text, values, decode } = snapshotReads(names, vectors, key, reads);
      const [row = []] = await session.query(text, values);
      const [minReader, ...head] = row;
      checkVersion("read", Number(minReader), this.#version);
      const rows = await finishSearches(session, names, vectors, key, reads, decode(row));
      if (several) await session.command("commit");
      return { head: decodeHead(partition, head), rows };
    });
  }

  partitions(
    after: string | undefined,
    limit: number,
    options: CallOptions = {},
  ): Promise<readonly Partition[]> {
    return this.#read(options, (session) => listPartitions(session, this.#names, after, limit));
  }

  async changes(
    after: string | undefined,
    limit: number,
    options: CallOptions = {},
  ): Promise<{ readonly changes: readonly Change[]; readonly cursor: string }> {
    const { changes, cursor, more } = await this.#readFeed(options, (session) =>
      this.#feed.read(session, after, limit),
    );
    if (more && changes.length === 0) (await this.#open()).wakeUp.pending = true;
    return { changes, cursor };
  }

  changesHead(options: CallOptions = {}): Promise<string> {
    return this.#readFeed(options, (session) => this.#feed.head(session));
  }

  async wait(timeout: number, signal?: AbortSignal): Promise<void> {
    if (this.#closed !== undefined) return;
    const begun = performance.now();
    const enough = new AbortController();
    const signals = [enough.signal, this.#stop.signal, ...(signal === undefined ? [] : [signal])];
    const late = sleep(timeout, AbortSignal.any(signals)).catch(() => undefined);
    // A database that cannot be reached is a matter for the call that looks for changes.
    const store = await Promise.race([this.#open().catch(() => late), late]);
    enough.abort();
    await store?.wakeUp.wait(Math.max(timeout - (performance.now() - begun), 0), signal);
  }

  async pruneChanges(before: number, options: CallOptions = {}): Promise<number> {
    let total = 0;
    for (;;) {
      const count = await this.#readFeed(options, (session) => this.#feed.prune(session, before, pruneBatch));
      total += count;
      if (count < pruneBatch) return total;
    }
  }

  readyLanes(
    queues: readonly string[],
    now: number,
    limit: number,
    options: CallOptions = {},
  ): Promise<readonly { readonly partition: Partition; readonly queue: string }[]> {
    return this.#read(options, (session) => readyLanes(session, this.#names, queues, now, limit));
  }

  countJobs(queues: readonly string[], options: CallOptions = {}): Promise<readonly JobCount[]> {
    return this.#read(options, (session) => countJobs(session, this.#names, queues));
  }

  expired(
    table: Table,
    moments: { readonly after: number; readonly until: number },
    limit: number,
    options: CallOptions = {},
  ): Promise<readonly { readonly partition: Partition; readonly id: string }[]> {
    return this.#read(options, (session) => listExpired(session, this.#names, table, moments, limit));
  }

  pendingErasures(
    limit: number,
    options: CallOptions = {},
  ): Promise<readonly { readonly partition: Partition; readonly id: string }[]> {
    return this.#read(options, (session) => listPendingErasures(session, this.#names, limit));
  }

  spaces(options: CallOptions = {}): Promise<readonly Space[]> {
    return this.#read(options, (session) => listSpaces(session, this.#names));
  }

  declareSpace(space: NewSpace, options: CallOptions = {}): Promise<Space> {
    return this.#read(options, (session) => declareSpace(session, this.#names, space));
  }

  activateSpace(id: number, options: CallOptions = {}): Promise<Space | undefined> {
    return this.#read(options, (session) => activateSpace(session, this.#names, id));
  }

  async dropSpace(id: number, options: CallOptions = {}): Promise<void> {
    const names = this.#names;
    if (!(await this.#read(options, (session) => retireSpace(session, names, id)))) return;
    // Retired until it is empty: whoever is interrupted here finds it again.
    await this.#read(options, async (session) => {
      await emptySpace(session, names, id);
      await dropVectorIndex(session, names, id);
      await removeSpace(session, names, id);
    });
  }

  maintain(options: CallOptions = {}): Promise<void> {
    return this.#read(options, async (session, { vectors: { pgvector } }) => {
      if (pgvector !== undefined) await indexVectors(session, this.#names, pgvector);
    });
  }

  cleanMark(options: CallOptions = {}): Promise<string> {
    return this.#read(options, (session) => cleanMark(session));
  }

  clean(mark: string, options: CallOptions = {}): Promise<boolean> {
    const until = performance.now() + cleanPatience;
    const clean = (session: Session) => this.#cleaner.clean(session, mark, until, options.signal);
    // One at a time: what one call cleans, those behind it need not.
    const cleaned = this.#cleaning.then(() => this.#cleaner.isClean(mark) || this.#read(options, clean));
    this.#cleaning = cleaned.catch(() => undefined);
    return unlessAborted(cleaned, options.signal);
  }

  async search(
    partition: Partition,
    texts: readonly string[],
    options: CallOptions = {},
  ): Promise<{ readonly rows: number; readonly files: undefined }> {
    const rows = await this.#read(options, (session) =>
      countPlaces(session, this.#names, partitionKey(partition), texts),
    );
    // The files are the server's.
    return { rows, files: undefined };
  }

  /** Work on a connection that may be done again: it reads, or does the same twice as once. */
  #read<T>({ signal }: CallOptions, work: (session: Session, store: Store) => Promise<T>): Promise<T> {
    return this.#call(signal, (store) => {
      const checked = (session: Session) => this.#checked(session, () => work(session, store));
      return retrying(() => store.connections.use(checked, signal), {
        retryFor: this.#options.retryFor,
        signal,
      });
    });
  }

  /** Not while a notification of our own would keep commits that were acknowledged from being read. */
  #readFeed<T>(options: CallOptions, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#read(options, async (session, { wakeUp }) => {
      await wakeUp.told();
      return work(session);
    });
  }

  /** Newer code may have taken away what this code looks for. */
  async #checked<T>(session: Session, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DatabaseFailure && missing.test(error.code)) {
        const stored = await readVersion(session, this.#names);
        if (stored !== undefined) checkVersion("read", stored.minReader, this.#version);
      }
      throw error;
    }
  }

  async #call<T>(signal: AbortSignal | undefined, work: (store: Store) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new FluxError("closed", "The ledger was closed");
    signal?.throwIfAborted();
    const running = unlessAborted(this.#open(), signal).then(work);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw publicError(error);
    } finally {
      this.#running.delete(running);
    }
  }

  /** Opened once; after a failure the next call tries again. */
  #open(): Promise<Store> {
    if (this.#opening === undefined) {
      const opening = this.#connect();
      this.#opening = opening;
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  async #connect(): Promise<Store> {
    const { retryFor, schema, vectorMemory } = this.#options;
    const connectTimeout = Math.min(longestConnect, Math.max(retryFor, 1_000));
    const connections = await Connections.load({ ...this.#options, connectTimeout });
    try {
      const { signal } = this.#stop;
      const prepare = () => connections.use((session) => this.#prepare(session), signal);
      const { capabilities, pgvector } = await retrying(prepare, { retryFor, signal });
      const vectors = { pgvector, cache: new VectorCache({ maxBytes: vectorMemory }) };
      return { connections, capabilities, vectors, wakeUp: new WakeUp(connections, schema) };
    } catch (error) {
      await connections.close();
      throw publicError(error);
    }
  }

  /** Checks the server, and brings the schema to this code's version. */
  async #prepare(
    session: Session,
  ): Promise<{ readonly capabilities: Capabilities; readonly pgvector: Pgvector | undefined }> {
    const asked = ["server_version_num", "server_encoding", "fsync", "synchronous_commit"];
    const text = `select ${asked.map((name) => `current_setting('${name}')`).join(", ")}`;
    const [[version, encoding, fsync, synchronousCommit] = [] as TextRow] = await session.query(text);
    if (Number(version) < 130_000) {
      throw new FluxError("unavailable", "PostgreSQL is too old", { hint: "Version 13 or newer is needed." });
    }
    if (encoding !== "UTF8") {
      throw new FluxError("unavailable", "The PostgreSQL database has another encoding than UTF8", {
        hint: "Create one with: create database … encoding 'UTF8' template template0",
      });
    }
    const stored = await migrate(session, this.#names, this.#migrations);
    await this.#feed.adopt(session);
    const pgvector = await findPgvector(session, this.#names);
    const capabilities: Capabilities = {
      adapter: "postgres",
      durability: fsync === "on" && synchronousCommit !== "off" ? "fsync" : "os",
      shared: true,
      schemaVersion: stored.version,
      vectors: pgvector === undefined ? "in_process" : "pgvector",
    };
    return { capabilities, pgvector };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    // Nobody waits for it any more.
    this.#stop.abort();
    const store = await this.#opening?.catch(() => undefined);
    await store?.wakeUp.close();
    await store?.connections.close();
  }
}

const missing = /^(42P01|42703)$/;
