import type { Change, ChangeOperation } from "../../model/change.ts";
import { FluxError } from "../../model/errors.ts";
import { partition } from "../../model/partition.ts";
import type { SchemaNames } from "./names.ts";
import type { Session, Statement, TextRow } from "./session.ts";

/**
 * The change feed is ordered by (xid, seq): the number of the database transaction that wrote a change, and the change's
 * number in its partition. A transaction writes to one partition, and gets its number once it holds the partition's lock, so
 * that changes of a partition come in their order.
 *
 * Transactions commit in another order than they are numbered. So a reader gets only changes below the oldest transaction
 * that is still under way, behind which nothing can appear any more. That transaction may be anybody's who writes anything
 * in any database of the server: while it is open, changes wait.
 *
 * Cursors name changes that were committed, never a number that was only given out: after a crash, PostgreSQL gives numbers
 * again that left no trace in its log.
 */
interface Position {
  readonly xid: bigint;
  readonly seq: number;
}

const largestXid = 2n ** 64n - 1n;

/** A cursor is a position and the feed that it is a position in. */
function encodeCursor(feed: string | null | undefined, { xid, seq }: Position): string {
  return `${feed}.${xid}.${seq}`;
}

/** @throws FluxError `invalid_cursor` */
function decodeCursor(cursor: string): Position & { readonly feed: string } {
  const [, feed, xid, seq] = /^([0-9a-f]{16})\.(\d{1,20})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (feed === undefined || BigInt(xid ?? 0) > largestXid || !Number.isSafeInteger(Number(seq)))
    throw foreignCursor();
  return { feed, xid: BigInt(xid ?? 0), seq: Number(seq) };
}

function foreignCursor(): FluxError {
  return new FluxError("invalid_cursor", "The cursor is not one of this feed");
}

function isBefore(a: Position, b: Position): boolean {
  return a.xid < b.xid || (a.xid === b.xid && a.seq < b.seq);
}

export interface FeedPage {
  readonly changes: readonly Change[];
  readonly cursor: string;
  /** Whether changes were committed that an older transaction keeps from being read yet. */
  readonly more: boolean;
}

/** The change feed of a schema. */
export class Feed {
  readonly #names: SchemaNames;

  constructor(names: SchemaNames) {
    this.#names = names;
  }

  /**
   * Drops changes with numbers that this server has not given out yet: they came with a dump of another server's database,
   * and would stand before or behind what is written now by chance. Their followers are told to read the state anew.
   */
  async adopt(session: Session): Promise<void> {
    const { change, meta } = this.#names;
    const foreign = `"xid" >= pg_snapshot_xmax(pg_current_snapshot())`;
    const [[found] = [] as TextRow] = await session.query(
      `select exists (select from ${change} where ${foreign})`,
    );
    if (found !== "t") return;
    await session.query(`
      with gone as (delete from ${change} where ${foreign} returning 1)
      update ${meta} set "pruned_xid" = pg_current_xact_id(), "pruned_seq" = 0 where exists (select from gone)`);
  }

  /** @throws FluxError `invalid_cursor` or `cursor_too_old` */
  async read(session: Session, after: string | undefined, limit: number): Promise<FeedPage> {
    const given = after === undefined ? undefined : decodeCursor(after);
    const { change, meta } = this.#names;
    // Rows come in the order of the index that the condition needs.
    const text = `
      select m."feed", pg_snapshot_xmin(s), pg_snapshot_xmax(s), m."pruned_xid", m."pruned_seq", (
        select json_agg(json_build_array(r."xid", r."seq", r."kind", r."id", r."operation", r."namespace", r."user_id"))
        from (
          select c."xid"::text, c."seq", c."kind", c."id", c."operation", p."namespace", p."user_id"
          from ${change} c ${this.#names.partitionOf('c."partition"')}
          where (c."xid", c."seq") > (coalesce($1::xid8, m."pruned_xid"), coalesce($2::bigint, m."pruned_seq"))
          order by c."xid", c."seq" limit $3::bigint
        ) r
      )
      from ${meta} m, pg_current_snapshot() s`;
    const values: Statement["values"] = [given?.xid.toString() ?? null, given?.seq ?? null, limit];
    const [[feed, xmin, xmax, prunedXid, prunedSeq, json] = [] as TextRow] = await session.query(
      text,
      values,
    );
    const pruned = { xid: BigInt(prunedXid ?? 0), seq: Number(prunedSeq) };
    const start = given ?? pruned;
    if (given !== undefined && given.feed !== feed) throw foreignCursor();
    if (start.xid > BigInt(xmax ?? 0)) throw foreignCursor();
    if (isBefore(start, pruned)) {
      throw new FluxError("cursor_too_old", "The change feed no longer reaches back this far", {
        hint: "Read the state anew, and follow from the feed's head.",
      });
    }
    const rows = json == null ? [] : (JSON.parse(json) as ChangeRow[]);
    const settled = rows.filter(([xid]) => BigInt(xid) < BigInt(xmin ?? 0));
    const last = settled.at(-1);
    return {
      changes: settled.map(toChange),
      cursor: encodeCursor(feed, last === undefined ? start : { xid: BigInt(last[0]), seq: last[1] }),
      more: settled.length < rows.length,
    };
  }

  /**
   * The position of the last change that is below every transaction under way. Whatever a snapshot taken from now on does
   * not see comes behind it; a change that was committed while an older transaction was under way comes once more.
   */
  async head(session: Session): Promise<string> {
    const text = `
      select m."feed", coalesce(c."xid", m."pruned_xid"), coalesce(c."seq", m."pruned_seq")
      from ${this.#names.meta} m left join lateral (
        select "xid", "seq" from ${this.#names.change}
        where "xid" < pg_snapshot_xmin(pg_current_snapshot()) order by "xid" desc, "seq" desc limit 1
      ) c on true`;
    const [[feed, xid, seq] = [] as TextRow] = await session.query(text);
    return encodeCursor(feed, { xid: BigInt(xid ?? 0), seq: Number(seq) });
  }

  /** Removes changes recorded before the moment, at most so many; how many. */
  async prune(session: Session, before: number, limit: number): Promise<number> {
    const { change, meta } = this.#names;
    // What waits for an older transaction stays: no follower has passed it.
    const text = `
      with gone as (
        delete from ${change} where ctid = any (array(
          select ctid from ${change}
          where "at" < $1::bigint and "xid" < pg_snapshot_xmin(pg_current_snapshot()) limit $2::bigint
        )) returning "xid", "seq"
      ), last as (
        select "xid", "seq" from gone order by "xid" desc, "seq" desc limit 1
      ), noted as (
        update ${meta} m set "pruned_xid" = last."xid", "pruned_seq" = last."seq" from last
        where (m."pruned_xid", m."pruned_seq") < (last."xid", last."seq")
      )
      select count(*) from gone`;
    const [[count] = [] as TextRow] = await session.query(text, [before, limit]);
    return Number(count);
  }
}

type ChangeRow = readonly [
  xid: string,
  seq: number,
  kind: string,
  id: string,
  operation: ChangeOperation,
  namespace: string,
  userId: string | null,
];

function toChange([, seq, kind, id, operation, namespace, userId]: ChangeRow): Change {
  return { partition: partition({ namespace, userId }), seq, kind, id, operation };
}
