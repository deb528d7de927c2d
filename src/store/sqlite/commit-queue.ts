import { turn } from "../pauses.ts";
import type { Connection } from "./connection.ts";
import { isBusy, isLocal, translateError } from "./errors.ts";
import { Group } from "./group.ts";
import { pause } from "./retry.ts";

/** The most transactions that share one commit. */
const groupSize = 256;

interface Member {
  readonly run: (group: Group) => unknown;
  readonly signal: AbortSignal | undefined;
  readonly queued: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitQueueOptions {
  readonly connect: () => Connection | Promise<Connection>;
  /** Told of what went wrong with a connection. */
  readonly onError: (error: unknown) => void;
  /** Told of every commit that wrote something. */
  readonly onCommit: () => void;
  /** Milliseconds that a transaction may wait for other processes. */
  readonly busyTimeout: number;
}

/**
 * Group commit: what was queued while the disk was busy shares the next write to it. One that fails takes no other with it,
 * and none is acknowledged before the commit that holds it.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  readonly #members: Member[] = [];
  #draining: Promise<void> | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  add<T>(run: (group: Group) => T, signal: AbortSignal | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#members.push({ run, signal, queued: performance.now(), resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing is queued any more. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
  }

  async #drain(): Promise<void> {
    let blocked: { readonly since: number; readonly error: unknown } | undefined;
    let attempt = 0;
    let careful = false;
    // The turn of the event loop in between lets everyone who is ready join the next group.
    for (await turn(); this.#members.length > 0; await turn()) {
      try {
        const connection = await this.#options.connect();
        connection.statement("begin immediate").run();
        blocked = undefined;
        attempt = 0;
        const members = this.#members.splice(0, groupSize);
        // No await from the beginning to the commit.
        const end = commitGroup(connection, members, { ...this.#options, careful });
        careful = end === "undone";
        if (end === "undone") this.#members.unshift(...members);
        if (end === "committed") this.#options.onCommit();
      } catch (error) {
        if (isBusy(error)) {
          blocked ??= { since: performance.now(), error };
          this.#giveUp(blocked);
          await pause(attempt++);
        } else {
          this.#options.onError(error);
          const reason = translateError(error);
          for (const { reject } of this.#members.splice(0)) reject(reason);
        }
      }
    }
    this.#draining = undefined;
  }

  /** Rejects those who were aborted, or have waited for the lock for too long. */
  #giveUp({ since, error }: { readonly since: number; readonly error: unknown }): void {
    const now = performance.now();
    for (const member of this.#members.splice(0)) {
      if (member.signal?.aborted) member.reject(member.signal.reason);
      else if (now - Math.max(since, member.queued) >= this.#options.busyTimeout) {
        member.reject(translateError(error));
      } else this.#members.push(member);
    }
  }
}

/**
 * Runs the members in one transaction and settles them.
 *
 * @returns whether anything was written; or `undone`, when a member failed that had begun to write, so that the members have
 *   to run again with `careful`. Each then has a savepoint, for which SQLite copies every page that it touches: a third of
 *   the time of a commit, and hardly ever of use, since what a transaction may not do it finds out while it only reads.
 */
function commitGroup(
  connection: Connection,
  members: readonly Member[],
  { careful, onError }: { readonly careful: boolean; readonly onError: (error: unknown) => void },
): "committed" | "unchanged" | "undone" {
  const settle: (() => void)[] = [];
  try {
    const group = new Group(connection);
    for (const { run, signal, resolve, reject } of members) {
      if (signal?.aborted) {
        settle.push(() => reject(signal.reason));
        continue;
      }
      group.writing = true;
      try {
        const value = careful ? savepoint(connection, () => run(group)) : run(group);
        settle.push(() => resolve(value as never));
      } catch (error) {
        // A full disk or a failing one may have undone the others as well.
        if (!isLocal(error) || !connection.db.inTransaction) throw error;
        if (group.writing && !careful) {
          connection.statement("rollback").run();
          connection.forgetIndex();
          return "undone";
        }
        settle.push(() => reject(translateError(error)));
      }
    }
    group.flush();
    connection.statement("commit").run();
    // Even a member that failed waits: it may have failed because of one whose commit was not certain yet.
    for (const step of settle) step();
    return group.wrote ? "committed" : "unchanged";
  } catch (error) {
    rollBack(connection, onError);
    onError(error);
    const reason = translateError(error);
    for (const { reject } of members) reject(reason);
    return "unchanged";
  }
}

function savepoint<T>(connection: Connection, run: () => T): T {
  connection.statement("savepoint member").run();
  try {
    const value = run();
    connection.statement("release member").run();
    return value;
  } catch (error) {
    if (connection.db.inTransaction) {
      connection.statement("rollback to member").run();
      connection.forgetIndex();
      connection.statement("release member").run();
    }
    throw error;
  }
}

function rollBack(connection: Connection, onError: (error: unknown) => void): void {
  try {
    connection.forgetIndex();
    if (connection.db.inTransaction) connection.statement("rollback").run();
  } catch (error) {
    onError(error);
  }
}
