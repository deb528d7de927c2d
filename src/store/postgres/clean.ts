import { tables } from "../schema.ts";
import type { SchemaNames } from "./names.ts";
import { sleep } from "./retry.ts";
import type { Session, TextRow } from "./session.ts";

/** How long to wait for transactions that are about to end, in milliseconds. */
const patience = 1_000;
const pause = 50;

/** The number of the next database transaction: whoever may still see what was deleted before has a smaller one. */
export async function cleanMark(session: Session): Promise<string> {
  const [[xmax] = [] as TextRow] = await session.query("select pg_snapshot_xmax(pg_current_snapshot())");
  return xmax as string;
}

/**
 * Has PostgreSQL remove what was deleted before the mark from its tables and indexes; false while any transaction may still
 * see it: in any database for writers, in this one for readers, prepared transactions, standbys and replication slots
 * included.
 *
 * What PostgreSQL cannot promise: removed rows leave their bytes in free parts of pages until other rows overwrite them, and
 * in the write-ahead log until it is recycled; archives of the log, replicas and backups keep them as long as they are kept.
 */
export async function clean(
  session: Session,
  names: SchemaNames,
  mark: string,
  signal?: AbortSignal,
): Promise<boolean> {
  await session.unhurried();
  const until = performance.now() + patience;
  while (!(await isBehind(session, names, BigInt(mark)))) {
    if (performance.now() > until) return false;
    await sleep(pause, signal);
  }
  const all = [names.change, names.partitions, ...tables.map((table) => names.table(table))];
  // By itself, it may leave index entries of few deleted rows for later.
  await session.command(`vacuum (index_cleanup on) ${all.join(", ")}`);
  return true;
}

/**
 * Whether VACUUM may remove everything that was deleted before transaction number `mark`. Others' transactions are not for
 * every role to see, but their effect is: after freezing a table, the oldest number that it may hold is the first that
 * VACUUM has to spare. A role that does not own the table cannot vacuum it, and never gets there.
 */
async function isBehind(session: Session, { meta }: SchemaNames, mark: bigint): Promise<boolean> {
  await session.command(`vacuum (freeze) ${meta}`);
  const text = "select relfrozenxid from pg_catalog.pg_class where oid = $1::regclass";
  const [[oldest] = [] as TextRow] = await session.query(text, [meta]);
  // The catalogue has the last 32 bits of the number.
  return BigInt.asIntN(32, BigInt(oldest ?? 0) - mark) >= 0n;
}
