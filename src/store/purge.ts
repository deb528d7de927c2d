import { FluxError } from "../model/errors.ts";
import type { Ref } from "../model/record.ts";
import { unchanged } from "./commit.ts";
import type { Head, Outcome, Reading, RowRead, RowWrite, Transaction } from "./driver.ts";
import { bareOperation, erasureRow, rowsOf, scopeDigest, sessionRefs, usedBefore } from "./erase.ts";
import { ErasureWalk } from "./erasure-walk.ts";
import type { Purge, PurgeScope, UndoReceipt } from "./erasures.ts";
import { refName } from "./lost-links.ts";
import { beginTurn, closed, hide, show, type Turn } from "./seals.ts";
import { systemTables } from "./system-tables.ts";
import type { Row } from "./table.ts";
import { tableOf } from "./translate.ts";

/** How many records are looked at in one read. */
const batch = 500;

interface PurgeRequest {
  readonly key: string;
  readonly now: number;
  readonly until: number;
  readonly scope: PurgeScope;
}

/**
 * Hides records and whatever an erasure of them would take, until they are shown again or erased. A hidden record has expired for
 * everybody; what it was before is noted in its seal.
 */
export function purge({ key, now, until, scope }: PurgeRequest): Transaction<Purge> {
  return function* (head): Reading<Outcome<Purge>> {
    const { purge: table, operation } = systemTables;
    const [[known] = [], [used] = []] = yield [
      { type: "get", table, key: [key] },
      { type: "get", table: operation, key: [key] },
    ];
    const wanted = scopeDigest(scope);
    if (known?.scope === wanted) return unchanged(head, toPurge(known));
    if (used !== undefined) throw usedBefore("Nothing was hidden.");
    const named = yield* present("refs" in scope ? scope.refs : yield* sessionRefs(scope.sessionId), now);
    const walk = new ErasureWalk(head, { key, now, dry: true });
    yield* walk.from(named);
    const turn = beginTurn(head);
    const given = new Set(named.map(({ kind, id }) => refName(kind, id)));
    const names = ({ kind, id }: Ref): boolean => given.has(refName(kind, id));
    const first = yield* hide(turn, walk.taken, { purge: key, now, names });
    const outcome = outcomeOf(head, turn, now);
    const { seq, recordedAt } = outcome.head;
    const counts = JSON.stringify(turn.counts);
    const expiresAt = Math.min(until, first);
    const row = { id: key, state: "open", seq, recordedAt, until, counts, scope: wanted, expiresAt };
    return {
      ...outcome,
      writes: [
        ...outcome.writes,
        { type: "insert", table, row },
        { type: "insert", table: operation, row: bareOperation(key, outcome.head) },
      ],
      value: toPurge(row),
    };
  };
}

interface UndoRequest {
  readonly key: string;
  readonly now: number;
  /** Id of the purge. */
  readonly purge: string;
}

/** Brings back what a purge hides, exactly as it was, while its time has not passed. */
export function undo({ key, now, purge: id }: UndoRequest): Transaction<UndoReceipt> {
  return function* (head): Reading<Outcome<UndoReceipt>> {
    const { purge: table, operation, seal } = systemTables;
    const [[row] = [], [used] = [], seals = []] = yield [
      { type: "get", table, key: [id] },
      { type: "get", table: operation, key: [key] },
      { type: "find", table: seal, index: "byPurge", prefix: [id] },
    ];
    if (used !== undefined) {
      if (row?.undo === key) return unchanged(head, toReceipt(id, used, row.restored as string));
      throw usedBefore("Nothing was brought back.");
    }
    const open = row?.state === "open" && (row.until as number) > Math.max(now, head.recordedAt);
    const turn = beginTurn(head);
    if (open) yield* show(turn, seals, { key, now });
    if (Object.keys(turn.counts).length === 0) {
      throw new FluxError("not_found", "There is no purge with this id that could be undone", {
        hint: "It was undone before, its time has passed, or what it hid is not there any more.",
      });
    }
    const outcome = outcomeOf(head, turn, now);
    const restored = JSON.stringify(turn.counts);
    const bare = bareOperation(key, outcome.head);
    return {
      ...outcome,
      writes: [
        ...outcome.writes,
        {
          type: "replace",
          table,
          row: { ...row, state: "undone", undo: key, restored, expiresAt: undefined },
        },
        { type: "insert", table: operation, row: bare },
      ],
      value: toReceipt(id, bare, restored),
    };
  };
}

interface RipenRequest {
  readonly id: string;
  /** For what is derived anew when something of it expires before its time has passed. */
  readonly key: string;
  readonly now: number;
  readonly salt: string;
}

/**
 * Erases what a purge hides once its time has passed, as `erase` would, with the purge's id for its receipt; and before that, what
 * has expired of it meanwhile. How many rows went.
 */
export function ripen({ id, key, now, salt }: RipenRequest): Transaction<number> {
  return function* (head): Reading<Outcome<number>> {
    const { purge: table, seal, erasure, job } = systemTables;
    const [[row] = [], seals = []] = yield [
      { type: "get", table, key: [id] },
      { type: "find", table: seal, index: "byPurge", prefix: [id] },
    ];
    // Another process may have been here first.
    if (row?.state !== "open" || (row.expiresAt as number) > now) return unchanged(head, 0);
    const over = (row.until as number) <= now;
    const due = seals.filter(({ named, expires }) =>
      over ? named === true : expires !== undefined && (expires as number) <= now,
    );
    const refs = due.filter(({ kind }) => kind !== job.name).map(toRef);
    const walk = new ErasureWalk(head, over ? { key: id, now, salt } : { key, now });
    yield* walk.from(refs);
    if (over) yield* walk.traces();
    yield* walk.seals();
    const erased = walk.finish();
    const left = seals.filter((one) => !walk.takes(toRef(one)));
    const turn = beginTurn(erased.head);
    // What has come to rest on something else, when another purge was undone meanwhile, stays.
    if (over) yield* show(turn, left, { key: id, now, goes: (ref) => walk.takes(ref) });
    const next = left.reduce(
      (least, { expires }) => Math.min(least, (expires as number) ?? least),
      row.until as number,
    );
    const scope = over ? `purge ${row.scope}` : "";
    const writes: RowWrite[] = [
      ...erased.writes,
      ...turn.writes,
      { type: "replace", table, row: over ? closed(row) : { ...row, expiresAt: next } },
      {
        type: "insert",
        table: erasure,
        row: erasureRow(over ? id : key, erased, { everything: false, scope }),
      },
    ];
    return {
      head: { ...erased.head, seq: turn.seq, grains: turn.grains.counts },
      writes,
      changes: [...erased.changes, ...turn.changes],
      value: rowsOf(erased),
    };
  };
}

/** Those of the records that can be seen. */
function* present(refs: readonly Ref[], now: number): Reading<readonly Ref[]> {
  const columns = ["id"];
  const found: Ref[] = [];
  for (let at = 0; at < refs.length; at += batch) {
    const part = refs.slice(at, at + batch);
    const rows = yield part.map(
      ({ kind, id }): RowRead => ({ type: "get", table: tableOf(kind), key: [id], columns, now }),
    );
    found.push(...part.filter((_ref, i) => rows[i]?.length === 1));
  }
  return found;
}

function outcomeOf(
  head: Head,
  { writes, changes, grains, seq }: Turn,
  now: number,
): Omit<Outcome<unknown>, "value"> {
  const recordedAt = Math.max(now, head.recordedAt);
  return { head: { ...head, seq, recordedAt, grains: grains.counts }, writes, changes };
}

export function toPurge(row: Row): Purge {
  return {
    id: row.id as string,
    state: row.state as Purge["state"],
    recordedAt: row.recordedAt as number,
    seq: row.seq as number,
    until: row.until as number,
    counts: JSON.parse(row.counts as string),
  };
}

function toReceipt(purge: string, operation: Row, restored: string): UndoReceipt {
  const { seq, recordedAt } = operation as { readonly seq: number; readonly recordedAt: number };
  return { purge, seq, recordedAt, counts: JSON.parse(restored) };
}

function toRef({ kind, id }: Row): Ref {
  return { kind: kind as string, id: id as string };
}
