import { FluxError } from "../../model/errors.ts";
import { type Partition, partitionKey } from "../../model/partition.ts";
import type { Head, Outcome, Transaction } from "../driver.ts";
import { checkVersion } from "../sql/migration.ts";
import type { Row } from "../table.ts";
import type { Connections } from "./connections.ts";
import { DatabaseFailure, publicError } from "./failure.ts";
import type { SchemaNames } from "./names.ts";
import { partitionLock } from "./partition-lock.ts";
import { decodeHead, headColumns, lockedReads } from "./read-statement.ts";
import { pauseBefore, sleep } from "./retry.ts";
import { finishSearches, type VectorTools, withoutMemory } from "./search/search-form.ts";
import type { Session, Statement } from "./session.ts";
import { writeStatements } from "./write-statement.ts";

/** How many calls share a database transaction: PostgreSQL keeps track of as many savepoints cheaply. */
const maxGroup = 64;

/** No partition has this id, so that nothing is found in it. */
const noPartition = 0;

export interface QueueTools {
  readonly connections: Connections;
  readonly names: SchemaNames;
  readonly vectors: VectorTools;
  /** Version of the schema that this code writes. */
  readonly version: number;
  /** Milliseconds for which a call is tried again after its first failure that may pass. */
  readonly retryFor: number;
  /** Told of every commit that wrote something. */
  committed(): void;
}

/** A call of `transact`. */
interface Call {
  readonly fresh: () => Head;
  readonly transaction: Transaction<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Answered: by its result, its error or its signal. */
  settled: boolean;
  retryUntil?: number;
}

/** A database transaction under way. */
interface Group {
  /** The calls that were run, and what each is to be told once the transaction is committed. */
  readonly calls: Call[];
  readonly answers: (() => void)[];
  /** Writes that were sent, and not yet awaited. */
  readonly sent: { readonly call: Call; readonly done: Promise<unknown> }[];
  /** The call that is being run. */
  current: Call | undefined;
  wrote: boolean;
  committing: boolean;
}

/**
 * The calls of one partition in this process, which take turns. Calls that come while a transaction is under way share the
 * next one, since it is the disk that a commit waits for. A call that fails takes nothing of the others with it: one that
 * throws has written nothing yet; when a write fails, the group runs again with savepoints. All are answered after the
 * commit, since what they saw may be what others of the group wrote.
 */
export class PartitionQueue {
  readonly #tools: QueueTools;
  readonly #partition: Partition;
  readonly #key: string;
  readonly #calls: Call[] = [];
  #group: Group | undefined;
  #abandon = new AbortController();
  #attempts = 0;
  #careful = false;

  constructor(partition: Partition, tools: QueueTools) {
    this.#partition = partition;
    this.#key = partitionKey(partition);
    this.#tools = tools;
  }

  /** Adds a call; it is run by `drain`. */
  add<T>(fresh: () => Head, transaction: Transaction<T>, signal: AbortSignal | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const abort = (): void => {
        call.reject(signal?.reason);
        this.#drop(call);
      };
      const settle = (how: () => void): void => {
        if (call.settled) return;
        call.settled = true;
        signal?.removeEventListener("abort", abort);
        how();
      };
      const call: Call = {
        fresh,
        transaction,
        settled: false,
        resolve: (value) => settle(() => resolve(value as T)),
        reject: (error) => settle(() => reject(error)),
      };
      this.#calls.push(call);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Forgets a call that nobody waits for. When there is no other, the statement under way is cancelled. */
  #drop(call: Call): void {
    const at = this.#calls.indexOf(call);
    if (at >= 0) this.#calls.splice(at, 1);
    const wanted = this.#calls.length > 0 || this.#group?.calls.some(({ settled }) => !settled);
    if (!wanted && this.#group?.committing !== true) this.#abandon.abort();
  }

  /**
   * Runs calls until none is left.
   *
   * @param onEmpty told in the same step in which none was left, so that no call can be added to a queue that nobody drains
   */
  async drain(onEmpty: () => void): Promise<void> {
    try {
      while (this.#calls.length > 0) await this.#transact();
    } finally {
      onEmpty();
    }
  }

  /** One database transaction, whatever becomes of it. */
  async #transact(): Promise<void> {
    const waiting = [...this.#calls];
    const group: Group = {
      calls: [],
      answers: [],
      sent: [],
      current: undefined,
      wrote: false,
      committing: false,
    };
    this.#group = group;
    this.#abandon = new AbortController();
    try {
      await this.#tools.connections.use((session) => this.#attempt(session, group), this.#abandon.signal);
      this.#attempts = 0;
      this.#careful = false;
      for (const answer of group.answers) answer();
      if (group.wrote) this.#tools.committed();
    } catch (error) {
      await this.#recover(group, waiting, error);
    } finally {
      this.#group = undefined;
    }
  }

  async #attempt(session: Session, group: Group): Promise<void> {
    try {
      await this.#run(session, group);
    } catch (error) {
      // So that the connection can be used again, unless it is broken.
      await session.command("rollback").catch(() => undefined);
      throw error;
    }
  }

  async #run(session: Session, group: Group): Promise<void> {
    let { id, head } = await this.#lock(session);
    while (group.calls.length < maxGroup) {
      // Nobody waited for this transaction any more, and there may be another one by now.
      if (this.#group !== group) throw new Abandoned();
      const call = this.#calls.shift();
      if (call === undefined) break;
      group.calls.push(call);
      group.current = call;
      let outcome: Outcome<unknown>;
      try {
        outcome = await this.#decide(session, id, call.transaction(head ?? call.fresh()));
        if (call.settled) {
          group.calls.pop();
          continue;
        }
        const { writes, changes, value } = outcome;
        if (outcome.head === head && writes.length === 0 && changes.length === 0) {
          group.answers.push(() => call.resolve(value));
          continue;
        }
        if (id === noPartition) id = await this.#create(session, outcome.head);
        this.#write(session, group, call, this.#statements(id, outcome));
      } catch (error) {
        if (error instanceof DatabaseFailure) throw error;
        group.answers.push(() => call.reject(error));
        continue;
      }
      if (this.#careful && !(await this.#written(session, group))) continue;
      group.wrote = true;
      group.answers.push(() => call.resolve(outcome.value));
      head = outcome.head;
    }
    group.current = undefined;
    await this.#finish(session, group);
  }

  /**
   * Begins with the partition's lock, so that what is read afterwards is read by statements that see what the lock's last
   * holder committed. An advisory lock, as it waits without a transaction number: numbers are given out with the first write,
   * under the lock, and so rise with the partition's sequence. A lock on a row that its holder updates does not: whoever
   * waited for it gets a number, and may then have to wait for somebody who came later.
   */
  async #lock(session: Session): Promise<{ readonly id: number; readonly head: Head | undefined }> {
    const { names, version } = this.#tools;
    const columns = headColumns.map((column) => `p."${column}"`).join(", ");
    // Reading meta shares a lock on it that migrations need for themselves: they wait until we are done, or we for them.
    const text = `select m."min_writer", p."id", ${columns}
      from ${names.meta} m left join ${names.partitions} p on p."key" = $1`;
    const [, , [row]] = await all([
      session.command("begin"),
      session.query("select pg_advisory_xact_lock($1)", [partitionLock(names, this.#key)]),
      session.query(text, [this.#key]),
    ]);
    const [minWriter, id, ...head] = row ?? [];
    checkVersion("write to", Number(minWriter), version);
    return { id: Number(id ?? noPartition), head: decodeHead(this.#partition, head) };
  }

  /** Makes the partition's row; its id. */
  async #create(session: Session, { salt }: Head): Promise<number> {
    const { namespace, userId } = this.#partition;
    const text = `insert into ${this.#tools.names.partitions} ("key", "namespace", "user_id", "salt")
      values ($1, $2, $3, $4) returning "id"`;
    const [row] = await session.query(text, [this.#key, namespace, userId, salt]);
    return Number(row?.[0]);
  }

  async #decide(
    session: Session,
    id: number,
    transaction: ReturnType<Transaction<unknown>>,
  ): Promise<Outcome<unknown>> {
    let step = transaction.next();
    while (step.done !== true) {
      let rows: readonly (readonly Row[])[] = [];
      if (step.value.length > 0) {
        const { names } = this.#tools;
        const vectors = withoutMemory(this.#tools.vectors);
        const { text, values, decode } = lockedReads(names, vectors, id, step.value);
        const [row] = await session.query(text, values);
        rows = await finishSearches(session, names, vectors, String(id), step.value, decode(row));
      }
      step = transaction.next(rows);
    }
    return step.value;
  }

  #statements(id: number, outcome: Outcome<unknown>): Statement[] {
    const { names, vectors } = this.#tools;
    return writeStatements(names, vectors.pgvector, id, outcome);
  }

  /** Sends the writes of a call, without waiting for them: the reads of the next call come behind. */
  #write(session: Session, group: Group, call: Call, statements: readonly Statement[]): void {
    const sent: Promise<unknown>[] = [];
    if (this.#careful) sent.push(session.command("savepoint call"));
    for (const { text, values } of statements) sent.push(session.query(text, values));
    if (this.#careful) sent.push(session.command("release savepoint call"));
    const done = all(sent);
    // It is awaited later.
    done.catch(() => undefined);
    group.sent.push({ call, done });
  }

  /** Waits for the writes of the last call; false when they failed and were taken back. */
  async #written(session: Session, group: Group): Promise<boolean> {
    const sent = group.sent.pop();
    try {
      await sent?.done;
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseFailure) || error.transient) throw error;
      await session.command("rollback to savepoint call");
      group.answers.push(() => sent?.call.reject(publicError(error)));
      return false;
    }
  }

  async #finish(session: Session, group: Group): Promise<void> {
    if (group.calls.some(({ settled }) => settled)) {
      // Aborted after it was run: nothing of it may be committed.
      throw new Abandoned();
    }
    if (!group.wrote) {
      await session.command("rollback");
      return;
    }
    group.committing = true;
    const commit = session.command("commit");
    await all([...group.sent.map(({ done }) => done), commit]);
    // A transaction that failed unnoticed is rolled back by its commit.
    if ((await commit) !== "COMMIT") throw new FluxError("storage_failed", "PostgreSQL did not commit");
  }

  /** Lets the calls of a transaction that failed run again, but for those whose time is over or whose fault it is. */
  async #recover(group: Group, waiting: readonly Call[], error: unknown): Promise<void> {
    const unanswered = group.calls.filter(({ settled }) => !settled);
    this.#calls.unshift(...unanswered);
    if (this.#abandon.signal.aborted || error instanceof Abandoned) return;

    const { write, reason } = await firstFailure(group, error);
    if (reason instanceof DatabaseFailure && reason.transient) {
      this.#attempts += 1;
      const pause = pauseBefore(this.#attempts);
      const now = performance.now();
      for (const call of [...unanswered, ...waiting]) {
        call.retryUntil ??= now + this.#tools.retryFor;
        if (now + pause > call.retryUntil) this.#fail(call, reason);
      }
      if (this.#calls.length > 0) await sleep(pause);
    } else if (write && !this.#careful) {
      // With savepoints, it shows whose write it was, and whether it fails again.
      this.#careful = true;
    } else if (group.current !== undefined) this.#fail(group.current, reason);
    // The lock or the commit.
    else for (const call of unanswered.length > 0 ? unanswered : waiting) this.#fail(call, reason);
  }

  #fail(call: Call, reason: unknown): void {
    call.reject(publicError(reason));
    this.#drop(call);
  }
}

/** A call of the group was aborted; the others run again without it. */
class Abandoned extends Error {}

/** Waits for all, and rejects with the first failure in their order: those behind it may only be its consequences. */
async function all<const T extends readonly Promise<unknown>[]>(
  promises: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const results: unknown[] = [];
  for (const promise of promises) promise.catch(() => undefined);
  for (const promise of promises) results.push(await promise);
  return results as { -readonly [I in keyof T]: Awaited<T[I]> };
}

/** What failed first, and whether it was a write that nobody had waited for yet. */
async function firstFailure(
  { sent }: Group,
  error: unknown,
): Promise<{ readonly write: boolean; readonly reason: unknown }> {
  for (const { done } of sent) {
    try {
      await done;
    } catch (reason) {
      return { write: true, reason };
    }
  }
  return { write: false, reason: error };
}
