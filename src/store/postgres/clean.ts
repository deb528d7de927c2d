import { tables } from "../schema.ts";
import type { SchemaNames } from "./names.ts";
import { sleep } from "./retry.ts";
import type { Session, TextRow } from "./session.ts";

/** Milliseconds between two looks whether a transaction has ended. */
const pause = 50;

/** The number of the next database transaction: whoever may still see what was deleted before has a smaller one. */
export async function cleanMark(session: Session): Promise<string> {
  const [[xmax] = [] as TextRow] = await session.query("select pg_snapshot_xmax(pg_current_snapshot())");
  return xmax as string;
}

/**
 * Has PostgreSQL remove what was deleted from its tables and indexes.
 *
 * What PostgreSQL cannot promise: removed rows leave their bytes in free parts of pages until other rows overwrite them, and
 * in the write-ahead log until it is recycled; archives of the log, replicas and backups keep them as long as they are kept.
 */
export class Cleaner {
  readonly #names: SchemaNames;
  /** Whatever was deleted before this number is gone. */
  #horizon = 0n;

  constructor(names: SchemaNames) {
    this.#names = names;
  }

  /** Whether what was deleted before the mark is known to be gone. */
  isClean(mark: string): boolean {
    return BigInt(mark) <= this.#horizon;
  }

  /**
   * Cleans, and returns whether what was deleted before the mark is gone: not while any transaction may still see it, in any
   * database for writers, in this one for readers, prepared transactions, standbys and replication slots included.
   *
   * @param until moment of `performance.now()` up to which to wait for such transactions
   */
  async clean(session: Session, mark: string, until: number, signal?: AbortSignal): Promise<boolean> {
    await session.unhurried();
    let horizon = await this.#removable(session);
    while (horizon < BigInt(mark)) {
      if (performance.now() > until) return false;
      await sleep(pause, signal);
      horizon = await this.#removable(session);
    }
    const { change, partitions, entry, posting, vector } = this.#names;
    const all = [
      change,
      partitions,
      entry,
      posting,
      vector,
      ...tables.map((table) => this.#names.table(table)),
    ];
    // By itself, it may leave index entries of few deleted rows for later.
    await session.command(`vacuum (index_cleanup on) ${all.join(", ")}`);
    if (horizon > this.#horizon) this.#horizon = horizon;
    return true;
  }

  /**
   * The number of the first transaction whose deletions VACUUM has to spare. Others' transactions are not for every role to
   * see, but their effect is: after freezing a table, the oldest number that it may hold is this one. A role that does not
   * own the table cannot vacuum it, and its number stays behind.
   */
  async #removable(session: Session): Promise<bigint> {
    const { meta } = this.#names;
    await session.command(`vacuum (freeze) ${meta}`);
    const text = `select relfrozenxid, pg_snapshot_xmax(pg_current_snapshot())
      from pg_catalog.pg_class where oid = $1::regclass`;
    const [[oldest, next] = [] as TextRow] = await session.query(text, [meta]);
    // The catalogue has the last 32 bits of the number.
    return BigInt(next ?? 0) + BigInt.asIntN(32, BigInt(oldest ?? 0) - BigInt(next ?? 0));
  }
}
