import type { Ref } from "../model/record.ts";
import { deriveAnew } from "./derive-jobs.ts";
import type { Head, NewChange, Reading, RowRead, RowWrite } from "./driver.ts";
import { GrainTally } from "./grain-counts.ts";
import { sealedMoment, systemTables } from "./system-tables.ts";
import { type Row, removal } from "./table.ts";
import { tableOf } from "./translate.ts";

/** How many records are read at once. */
const batch = 500;

/** What hiding or showing comes to. */
export interface Turn {
  readonly writes: RowWrite[];
  readonly changes: NewChange[];
  readonly counts: Record<string, number>;
  /** The partition's grains after the changes, as its last number is. */
  readonly grains: GrainTally;
  readonly generation: number;
  seq: number;
}

export function beginTurn({ seq, grains, generation }: Head): Turn {
  return { writes: [], changes: [], counts: {}, grains: new GrainTally(grains), generation, seq };
}

function replace(turn: Turn, { kind }: Ref, before: Row, row: Row): void {
  const table = tableOf(kind);
  turn.grains.replace(table, before, row);
  turn.writes.push({ type: "replace", table, row });
}

function tell(turn: Turn, { kind, id }: Ref, operation: "insert" | "delete"): void {
  turn.seq += 1;
  turn.changes.push({ seq: turn.seq, kind, id, operation });
}

/** Leaves a job for each of the records, whose threads are to be derived anew. */
function leaveJobs(
  turn: Turn,
  records: Iterable<readonly [Ref, Row]>,
  job: { readonly key: string; readonly now: number; readonly hidden?: true },
): void {
  const { now: readyAt, ...given } = job;
  let ordinal = 0;
  for (const [ref, row] of records) {
    turn.seq += 1;
    const columns = { seq: turn.seq, readyAt, generation: turn.generation };
    turn.writes.push(...deriveAnew(ref, row, [], { ...given, ordinal: ordinal++, ...columns }));
  }
}

function count({ counts }: Turn, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/**
 * Hides records, which stay where they are, and takes jobs out of their lanes. What has no time to live cannot be hidden, and what
 * has expired need not be. Of each hidden version of a thread it leaves a job about what that had changed.
 *
 * @returns when the first of them would have expired
 */
export function* hide(
  turn: Turn,
  refs: readonly Ref[],
  {
    purge,
    now,
    names,
  }: { readonly purge: string; readonly now: number; readonly names: (ref: Ref) => boolean },
): Reading<number> {
  const { job, seal } = systemTables;
  let first = Number.POSITIVE_INFINITY;
  const versions: (readonly [Ref, Row])[] = [];
  const note = (ref: Ref, more: Row): void => {
    const row = { ...ref, purge, named: names(ref), ...more };
    turn.writes.push({ type: "insert", table: seal, row });
    count(turn, ref.kind);
  };
  const hideable = refs.filter(({ kind }) => kind === job.name || tableOf(kind).expires);
  for (let at = 0; at < hideable.length; at += batch) {
    const part = hideable.slice(at, at + batch);
    const found = yield part.flatMap(({ kind, id }): RowRead[] => [
      { type: "get", table: kind === job.name ? job : tableOf(kind), key: [id] },
      { type: "find", table: seal, index: "byId", prefix: [kind, id], limit: 1 },
    ]);
    for (const [i, ref] of part.entries()) {
      const [row] = found[2 * i] ?? [];
      const [other] = found[2 * i + 1] ?? [];
      if (row === undefined) continue;
      if (ref.kind === job.name) {
        turn.writes.push(removal(job, row));
        note(ref, { job: JSON.stringify(row) });
        continue;
      }
      const hidden = row.expiresAt === sealedMoment;
      const expires = (hidden ? other?.expires : row.expiresAt) as number | undefined;
      if (!hidden) {
        if (expires !== undefined && expires <= now) continue;
        replace(turn, ref, row, { ...row, expiresAt: sealedMoment });
        tell(turn, ref, "delete");
        if (tableOf(ref.kind).thread !== undefined) versions.push([ref, row]);
      }
      note(ref, { expires });
      first = Math.min(first, expires ?? first);
    }
  }
  leaveJobs(turn, versions, { key: `${purge}/hidden`, now, hidden: true });
  return first;
}

/**
 * Shows again what a purge alone hides, and puts its jobs back, as far as there is something left that they are about. Leaves a job for
 * each thread of it, as others may have been derived without it.
 *
 * @param options.key from which the ids of the jobs derive
 * @param options.goes whether a record that is still there is about to go
 */
export function* show(
  turn: Turn,
  seals: readonly Row[],
  {
    key,
    now,
    goes = () => false,
  }: { readonly key: string; readonly now: number; readonly goes?: (ref: Ref) => boolean },
): Reading<void> {
  const { job, link, seal } = systemTables;
  const threads = new Map<unknown, readonly [Ref, Row]>();
  for (let at = 0; at < seals.length; at += batch) {
    const part = seals.slice(at, at + batch);
    const found = yield part.flatMap(({ kind, id }): RowRead[] => {
      const prefix = [kind as string, id as string];
      if (kind === job.name) return [{ type: "find", table: link, index: "byId", prefix }];
      return [
        { type: "get", table: tableOf(kind), key: [id as string] },
        { type: "find", table: seal, index: "byId", prefix, limit: 2 },
      ];
    });
    let place = 0;
    for (const row of part) {
      const ref = { kind: row.kind as string, id: row.id as string };
      turn.writes.push(removal(seal, row));
      if (ref.kind === job.name) {
        const links = found[place++] ?? [];
        if (links.every((one) => goes({ kind: one.sourceKind as string, id: one.sourceId as string })))
          continue;
        turn.writes.push({ type: "insert", table: job, row: JSON.parse(row.job as string) });
        count(turn, ref.kind);
        continue;
      }
      const [record] = found[place++] ?? [];
      const all = found[place++] ?? [];
      if (record === undefined || all.length > 1) continue;
      replace(turn, ref, record, { ...record, expiresAt: row.expires });
      tell(turn, ref, "insert");
      count(turn, ref.kind);
      const { thread } = tableOf(ref.kind);
      if (thread !== undefined) threads.set(record[thread], [ref, record]);
    }
  }
  leaveJobs(turn, threads.values(), { key: `${key}/shown`, now });
}

/** The row of a purge when nothing is left that could be undone. */
export function closed(row: Row): Row {
  return { ...row, state: "erased", expiresAt: undefined };
}
