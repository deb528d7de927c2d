import type { Change, ChangeOperation } from "../../model/change.ts";
import { FluxError } from "../../model/errors.ts";
import type { NewChange } from "../driver.ts";
import type { Connection } from "./connection.ts";
import type { Group } from "./group.ts";
import type { StoredHead } from "./heads.ts";
import type { GrainChanges } from "./search/grain-cache.ts";

/** How many changes are pruned in one transaction. */
export const pruneBatch = 5000;

const insertChange = `
  insert into "change" ("position", "partition", "seq", "kind", "id", "operation", "at")
  values (?, ?, ?, ?, ?, ?, ?)`;
const forgetChanges = `delete from "change" where "partition" = ? and "seq" < ?`;
const selectState = `
  select "feed", "pruned", max("pruned", coalesce((select max("position") from "change"), 0)) from "meta"`;
const selectChanges = `
  select c."position", p."namespace", p."user_id", c."seq", c."kind", c."id", c."operation"
  from "change" c cross join "partitions" p on p."id" = c."partition"
  where c."position" > +? order by c."position" limit +?`;
const selectChangedGrains = `
  select "operation", "id" from "change"
  where "partition" = ? and "position" > ? and "kind" in ('grain', 'partition')`;
const selectOld = `select "position" from "change" where "at" < +? order by "at" limit ${pruneBatch}`;
const deleteChange = `delete from "change" where "position" = ?`;
const setPruned = `update "meta" set "pruned" = max("pruned", ?)`;

/** Adds a commit's changes to the feed. Writers take turns, so the order of positions is the order of commits. */
export function appendChanges(group: Group, { id, head }: StoredHead, changes: readonly NewChange[]): void {
  const insert = group.connection.statement(insertChange);
  for (const { seq, kind, id: record, operation } of changes) {
    insert.run(group.nextPosition(), id, seq, kind, record, operation, head.recordedAt);
    // What came before an erasure of everything is of no use to a follower any more.
    if (operation === "erase_all") group.connection.statement(forgetChanges).run(id, seq);
  }
}

/** The cursor behind every change there is. */
export function feedHead(connection: Connection): string {
  const { feed, last } = readState(connection);
  return cursor(feed, last);
}

/** Reads on from a cursor, or from the oldest change that is kept. */
export function readChanges(
  connection: Connection,
  after: string | undefined,
  limit: number,
): { readonly changes: readonly Change[]; readonly cursor: string } {
  const state = readState(connection);
  const start = after === undefined ? state.pruned : parseCursor(after, state);
  if (start < state.pruned) {
    throw new FluxError("cursor_too_old", "The change feed no longer reaches back this far", {
      hint: "Read the state anew and follow from the head of the feed.",
    });
  }
  const rows = connection.statement(selectChanges).all(start, limit) as ChangeRow[];
  const changes = rows.map(([, namespace, userId, seq, kind, id, operation]) => ({
    partition: { namespace, userId },
    seq,
    kind,
    id,
    operation,
  }));
  return { changes, cursor: cursor(state.feed, rows.at(-1)?.[0] ?? start) };
}

/** Grains of a partition that changed behind a position. */
export function changedGrains(connection: Connection, partition: number, after: number): GrainChanges {
  const { pruned, last: position } = readState(connection);
  if (after < pruned) return { position, changed: "all" };
  if (after === position) return { position, changed: [] };
  const changes = connection.statement(selectChangedGrains).all(partition, after) as [string, string][];
  const all = changes.some(([operation]) => operation === "erase_all");
  return { position, changed: all ? "all" : changes.map(([, id]) => id) };
}

type ChangeRow = [number, string, string | null, number, string, string, ChangeOperation];

/** Removes some changes recorded before the moment; how many. */
export function pruneChanges(group: Group, before: number): number {
  const { connection } = group;
  const positions = connection.statement(selectOld).all(before) as [number][];
  let last = 0;
  for (const [position] of positions) {
    connection.statement(deleteChange).run(position);
    last = Math.max(last, position);
  }
  if (positions.length > 0) connection.statement(setPruned).run(last);
  return positions.length;
}

interface FeedState {
  /** Names this feed among those of other databases. */
  readonly feed: string;
  /** The last position of which nothing is left. */
  readonly pruned: number;
  readonly last: number;
}

function readState(connection: Connection): FeedState {
  const [feed, pruned, last] = connection.statement(selectState).get() as [string, number, number];
  return { feed, pruned, last };
}

function cursor(feed: string, position: number): string {
  return `${feed}-${position}`;
}

function parseCursor(text: string, { feed, last }: FeedState): number {
  const [, name, digits] = /^([0-9a-f]+)-(\d{1,15})$/.exec(text) ?? [];
  const position = Number(digits);
  if (name === feed && position <= last) return position;
  throw new FluxError("invalid_cursor", "The cursor is not one of this change feed");
}
