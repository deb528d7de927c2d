import { FluxError } from "../../model/errors.ts";
import type { Migration } from "../sql/migration.ts";
import { CommitQueue } from "./commit-queue.ts";
import { Connection, fileMissing, inMemory } from "./connection.ts";
import { fileIdentity } from "./database-files.ts";
import { isConnectionLost, translateError, translateOpenError } from "./errors.ts";
import type { Group } from "./group.ts";
import { untilFree } from "./retry.ts";

export interface StoreOptions {
  /** Absolute, or `:memory:`. */
  readonly path: string;
  /** Milliseconds that a call may wait for other processes. */
  readonly busyTimeout: number;
  /** Told of every commit that wrote something. */
  readonly onCommit: () => void;
  /** Bytes of the index that are kept in memory. */
  readonly indexMemory?: number | undefined;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[] | undefined;
}

/** Milliseconds between looks of reads at whether their file is still in its place; every commit looks. */
const readPatience = 10;

/** The one connection of a ledger: opened at first use, and again after it broke. */
export class Store {
  readonly #options: StoreOptions;
  readonly #queue: CommitQueue;
  #connection: Connection | undefined;
  // Which file is open, and when it was last seen in its place.
  #file: string | undefined;
  #seen = 0;
  #opening: Promise<Connection> | undefined;
  #closed = false;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#queue = new CommitQueue({
      connect: () => (this.#connection === undefined ? this.open() : this.#inPlace(this.#connection, 0)),
      onError: (error) => this.#dropIfLost(error),
      onCommit: options.onCommit,
      busyTimeout: options.busyTimeout,
    });
  }

  /** The connection, if there is one just now. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Runs reads on one snapshot, once no other process is in the way. */
  read<T>(run: (connection: Connection) => T, signal: AbortSignal | undefined): Promise<T> {
    return this.#attempt((connection) => connection.read(run), signal);
  }

  /** Runs one statement, see `Connection.readOne`. */
  readOne<T>(
    run: (connection: Connection) => readonly T[],
    signal: AbortSignal | undefined,
  ): Promise<readonly T[]> {
    return this.#attempt((connection) => connection.readOne(run), signal);
  }

  /** Runs a transaction in the next commit group. */
  write<T>(run: (group: Group) => T, signal: AbortSignal | undefined): Promise<T> {
    return this.#queue.add(run, signal);
  }

  /**
   * The open connection, if its file was in its place within the last milliseconds.
   *
   * @throws FluxError `unavailable` when another file took the place of the one that is open, or none: what is written to a
   * file without a name is lost
   */
  #inPlace(connection: Connection, milliseconds: number): Connection {
    const { path } = this.#options;
    const now = performance.now();
    if (path === inMemory || now - this.#seen < milliseconds) return connection;
    const there = fileIdentity(path);
    if (there !== undefined && there === this.#file) {
      this.#seen = now;
      return connection;
    }
    this.#drop();
    if (there === undefined) throw fileMissing();
    throw new FluxError("unavailable", "The database file was replaced while it was open", {
      hint: "Nothing was written. The next call opens the one that is there now.",
      retryable: true,
    });
  }

  async #attempt<T>(run: (connection: Connection) => T, signal: AbortSignal | undefined): Promise<T> {
    const step = (): T | Promise<T> => {
      if (this.#connection === undefined) return this.open().then(step);
      signal?.throwIfAborted();
      return run(this.#inPlace(this.#connection, readPatience));
    };
    try {
      return await untilFree(step, this.#options.busyTimeout);
    } catch (error) {
      this.#dropIfLost(error);
      throw translateError(error);
    }
  }

  /** @throws FluxError when it cannot be opened; the next call tries again */
  open(): Promise<Connection> {
    if (this.#closed) return Promise.reject(new FluxError("closed", "The ledger was closed"));
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<Connection> {
    const { path, busyTimeout, ...options } = this.#options;
    try {
      // What was removed or renamed meanwhile is not made again: an empty one would answer that nothing was ever stored, and what is
      // written to it would be lost as soon as the other is put back.
      const creates = path === inMemory || this.#file === undefined;
      this.#connection = await untilFree(() => Connection.open(path, { ...options, creates }), busyTimeout);
      this.#file = path === inMemory ? undefined : fileIdentity(path);
      return this.#connection;
    } catch (error) {
      throw translateOpenError(error, path);
    }
  }

  /** Puts a broken connection away. What is in memory would be lost with it. */
  #dropIfLost(error: unknown): void {
    if (this.#options.path !== inMemory && isConnectionLost(error)) this.#drop();
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      connection?.close();
    } catch {
      // It was broken already.
    }
  }

  /** Waits for what is queued, and closes the connection. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#opening?.catch(() => undefined);
    this.#closed = true;
    this.#connection?.close();
    this.#connection = undefined;
  }
}
