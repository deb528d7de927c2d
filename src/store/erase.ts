import { FluxError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { checkId, derivedId } from "../model/ids.ts";
import { canonicalJson } from "../model/json.ts";
import type { Ref } from "../model/record.ts";
import { jobRow, removal, unchanged } from "./commit.ts";
import type { Head, NewChange, Outcome, Reading, RowRead, RowWrite, Transaction } from "./driver.ts";
import type { ErasureReceipt, ErasureScope } from "./ledger.ts";
import { recordTables, systemTables } from "./schema.ts";
import type { RecordTable, Row } from "./table.ts";
import { tableOf } from "./translate.ts";

/** The queue of the jobs that derive anew what went with an erased source. */
export const deriveQueue = "derive";

/** How many sources a job to derive anew can name; more would not fit into its payload. */
const maxJobSources = 400;

export interface EraseRequest {
  readonly key: string;
  readonly scope: ErasureScope;
  readonly now: number;
  /** A fresh salt for the partition's fingerprints. */
  readonly salt: string;
}

/**
 * Erases records with everything that follows from them, see `DESIGN.md`, principle 7. Leaves markers (ids only), and a
 * receipt under the operation's key.
 */
export function erase(request: EraseRequest): Transaction<ErasureReceipt> {
  return function* (head): Reading<Outcome<ErasureReceipt>> {
    const { key, scope } = request;
    const [[done] = [], [operation] = []] = yield [
      { type: "get", table: systemTables.erasure, key: [key] },
      { type: "get", table: systemTables.operation, key: [key] },
    ];
    const wanted = base32(digest(canonicalJson(scope)));
    if (done?.scope === wanted) return unchanged(head, erasureReceipt(done));
    if (operation !== undefined) {
      throw new FluxError("operation_conflict", "This operation id was used before for something else", {
        hint: "Nothing was erased. Give every erasure an operation id of its own.",
      });
    }
    const now = Math.max(request.now, head.recordedAt);
    const everything = "everything" in scope;
    const walk = new Walk(head, key, now);
    if (everything) yield* walk.everything();
    else {
      yield* walk.from("refs" in scope ? checkRefs(scope.refs) : yield* sessionRefs(scope.sessionId));
      yield* walk.traces();
    }
    walk.writes.push({ type: "scrub" });
    const { outcome, counts } = walk.finish();
    const row = {
      id: key,
      physical: false,
      everything,
      seq: outcome.seq,
      recordedAt: now,
      counts,
      scope: wanted,
      mark: "",
    };
    walk.writes.push({ type: "insert", table: systemTables.erasure, row });
    walk.writes.push({ type: "insert", table: systemTables.operation, row: bareOperation(outcome, key) });
    return {
      head: { ...outcome, generation: head.generation + 1, salt: request.salt },
      writes: walk.writes,
      changes: walk.changes,
      value: erasureReceipt(row),
    };
  };
}

/** Erases records that have expired, with what follows from them. No receipt, since nobody asked. */
export function expire(request: {
  readonly refs: readonly Ref[];
  readonly key: string;
  readonly now: number;
}): Transaction<number> {
  return function* (head): Reading<Outcome<number>> {
    const now = Math.max(request.now, head.recordedAt);
    const walk = new Walk(head, request.key, now);
    // Another process may have been here first, or a patch may have moved the moment.
    const rows = yield request.refs.map(
      ({ kind, id }): RowRead => ({ type: "get", table: tableOf(kind), key: [id] }),
    );
    yield* walk.from(
      request.refs.filter((_ref, i) => {
        const expiresAt = rows[i]?.[0]?.expiresAt as number | undefined;
        return expiresAt !== undefined && expiresAt <= now;
      }),
    );
    const { outcome, counts } = walk.finish();
    return {
      head: outcome,
      writes: walk.writes,
      changes: walk.changes,
      value: Object.values(counts).reduce((sum, count) => sum + count, 0),
    };
  };
}

/** Keeps the operation id of an erasure from being used for a commit. */
function bareOperation({ generation, seq, recordedAt }: Head, key: string): Row {
  return { id: key, fingerprint: "", generation: generation + 1, seq, recordedAt, inserted: 0 };
}

/** Notes how far the cleaning of the files after an erasure has come. */
export function settle(
  id: string,
  state: { readonly physical: boolean; readonly mark: string },
): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const [[row] = []] = yield [{ type: "get", table: systemTables.erasure, key: [id] }];
    if (row === undefined || row.physical === true) return unchanged(head, undefined);
    return {
      head,
      writes: [{ type: "replace", table: systemTables.erasure, row: { ...row, ...state } }],
      changes: [],
      value: undefined,
    };
  };
}

export function erasureReceipt(row: Row): ErasureReceipt {
  return {
    id: row.id as string,
    state: row.physical === true ? "physically_erased" : "logically_erased",
    recordedAt: row.recordedAt as number,
    seq: row.seq as number,
    counts: row.counts as Record<string, number>,
  };
}

function checkRefs(refs: readonly Ref[]): readonly Ref[] {
  return refs.map((ref) => ({ kind: tableOf(ref?.kind).name, id: checkId(ref.id, "id") }));
}

function* sessionRefs(sessionId: string): Reading<readonly Ref[]> {
  const prefix = [checkId(sessionId, "sessionId")];
  const withSessions = Object.values(recordTables).filter((table) => "bySession" in table.indexes);
  const found = yield withSessions.map(
    (table): RowRead => ({ type: "find", table, index: "bySession", prefix }),
  );
  return withSessions.flatMap((table, i) =>
    (found[i] ?? []).map((row) => ({ kind: table.name, id: row.id as string })),
  );
}

/** A walk over provenance, level by level. */
class Walk {
  readonly writes: RowWrite[] = [];
  readonly changes: NewChange[] = [];
  readonly #head: Head;
  readonly #key: string;
  readonly #now: number;
  readonly #erased = new Map<string, Row>();
  readonly #counts: Record<string, number> = {};
  // Sources that records which may survive still have.
  readonly #remaining = new Map<string, Set<string>>();
  readonly #links = new Map<string, Row>();
  readonly #again: { readonly ref: Ref; readonly sources: readonly Row[] }[] = [];
  #seq: number;
  #records: number;
  #bytes: number;
  #jobs = 0;

  constructor(head: Head, key: string, now: number) {
    this.#head = head;
    this.#key = key;
    this.#now = now;
    this.#seq = head.seq;
    this.#records = head.records;
    this.#bytes = head.bytes;
  }

  *everything(): Reading<void> {
    const cleared = [...Object.values(recordTables), systemTables.link, systemTables.job];
    const counts = yield cleared.map((table): RowRead => ({ type: "count", table }));
    cleared.forEach((table, i) => {
      const count = (counts[i]?.[0]?.count as number | undefined) ?? 0;
      if (count > 0) this.#counts[table.name] = count;
      this.writes.push({ type: "clear", table });
    });
    this.#records = 0;
    this.#bytes = 0;
    this.#seq += 1;
    this.changes.push({ seq: this.#seq, kind: "partition", id: "", operation: "erase_all" });
  }

  /** Traces are telemetry and may quote what was erased, so an erasure drops them all. */
  *traces(): Reading<void> {
    const table = recordTables.trace;
    const rows = (yield [{ type: "find", table, index: "byId", prefix: [] }])[0] ?? [];
    for (const row of rows) if (!this.#erased.has(name("trace", row.id))) this.#remove(table, row, false);
  }

  *from(refs: readonly Ref[]): Reading<void> {
    let level = unique(refs);
    // Whether the records of this level went only because a source did, and are to be derived anew.
    let derived = new Set<string>();
    while (level.length > 0) {
      const fresh = level.filter(({ kind, id }) => !this.#erased.has(name(kind, id)));
      const reads = fresh.map(({ kind, id }) => readsAround(tableOf(kind), id));
      const found = yield reads.flat();
      let at = 0;
      const next: Ref[] = [];
      const nextDerived: Row[] = [];
      fresh.forEach((ref, i) => {
        const rows = found.slice(at, at + (reads[i]?.length ?? 0));
        at += rows.length;
        const [[row] = [], sources = [], derivations = [], jobs = [], ...followers] = rows;
        if (row === undefined) return;
        this.#remove(tableOf(ref.kind), row, true);
        for (const link of sources) this.#links.set(linkName(link), link);
        for (const job of jobs) this.#removeJob(job);
        if (derived.has(name(ref.kind, ref.id))) this.#again.push({ ref, sources });
        followersOf(ref.kind).forEach(({ table }, f) => {
          for (const follower of followers[f] ?? [])
            next.push({ kind: table.name, id: follower.id as string });
        });
        for (const link of derivations) {
          this.#links.set(linkName(link), link);
          nextDerived.push(link);
        }
      });
      const { going, again } = yield* this.#orphans(nextDerived);
      derived = again;
      level = unique([...next, ...going]);
    }
    for (const link of this.#links.values()) this.writes.push(removal(systemTables.link, link));
    if (this.#links.size > 0) this.#counts.link = this.#links.size;
  }

  /** Of the derivations that lost a source: those that go. */
  *#orphans(links: readonly Row[]): Reading<{ readonly going: readonly Ref[]; readonly again: Set<string> }> {
    const going: Ref[] = [];
    const again = new Set<string>();
    const surviving = new Map<string, Ref>();
    for (const link of links) {
      const ref = { kind: link.derivedKind as string, id: link.derivedId as string };
      if (tableOf(ref.kind).onSourceErased === "survive") surviving.set(name(ref.kind, ref.id), ref);
      else {
        going.push(ref);
        again.add(name(ref.kind, ref.id));
      }
    }
    const unknown = [...surviving.values()].filter(({ kind, id }) => !this.#remaining.has(name(kind, id)));
    if (unknown.length > 0) {
      const found = yield unknown.map(
        ({ kind, id }): RowRead => ({
          type: "find",
          table: systemTables.link,
          index: "byId",
          prefix: [kind, id],
        }),
      );
      unknown.forEach(({ kind, id }, i) => {
        this.#remaining.set(name(kind, id), new Set((found[i] ?? []).map(linkName)));
      });
    }
    for (const [survivor, ref] of surviving) {
      const remaining = this.#remaining.get(survivor) ?? new Set();
      for (const link of links) remaining.delete(linkName(link));
      if (remaining.size === 0) going.push(ref);
    }
    return { going, again };
  }

  #remove(table: RecordTable, row: Row, marked: boolean): void {
    const id = row.id as string;
    this.#erased.set(name(table.name, id), row);
    this.#counts[table.name] = (this.#counts[table.name] ?? 0) + 1;
    this.#records -= 1;
    this.#bytes -= row.bytes as number;
    this.#seq += 1;
    this.changes.push({ seq: this.#seq, kind: table.name, id, operation: "delete" });
    this.writes.push({ type: "remove", table, key: [id] });
    if (marked) {
      const row = { kind: table.name, id, erasure: this.#key };
      this.writes.push({ type: "insert", table: systemTables.marker, row });
    }
  }

  #removeJob(row: Row): void {
    this.writes.push({ type: "remove", table: systemTables.job, key: [row.id as string] });
    this.#counts.job = (this.#counts.job ?? 0) + 1;
  }

  finish(): { readonly outcome: Head; readonly counts: Readonly<Record<string, number>> } {
    for (const { ref, sources } of this.#again) {
      const left = sources
        .map((link) => ({ kind: link.sourceKind as string, id: link.sourceId as string }))
        .filter(({ kind, id }) => !this.#erased.has(name(kind, id)));
      if (left.length === 0) continue;
      this.#seq += 1;
      const payload = { kind: ref.kind, id: ref.id, sources: left.slice(0, maxJobSources) };
      const row = jobRow(
        { queue: deriveQueue, payload },
        { id: derivedId(this.#key, this.#jobs++), seq: this.#seq, now: this.#now, head: this.#head },
      );
      this.writes.push({
        type: "insert",
        table: systemTables.job,
        row: { ...row, generation: this.#head.generation + 1 },
      });
    }
    return {
      outcome: {
        ...this.#head,
        seq: this.#seq,
        recordedAt: this.#now,
        records: this.#records,
        bytes: this.#bytes,
      },
      counts: this.#counts,
    };
  }
}

/** The record, its links both ways, its jobs, and the records that go with it. */
export function readsAround(table: RecordTable, id: string): RowRead[] {
  const { link, job } = systemTables;
  return [
    { type: "get", table, key: [id] },
    { type: "find", table: link, index: "byId", prefix: [table.name, id] },
    { type: "find", table: link, index: "bySource", prefix: [table.name, id] },
    { type: "find", table: job, index: "byRef", prefix: [table.name, id] },
    ...followersOf(table.name).map(
      ({ table: follower, index, prefix }): RowRead => ({
        type: "find",
        table: follower,
        index,
        prefix: prefix(id),
      }),
    ),
  ];
}

function followersOf(kind: string): { table: RecordTable; index: string; prefix(id: string): string[] }[] {
  return Object.values(recordTables).flatMap((table) =>
    table.follows
      .filter((follow) => follow.kind === undefined || follow.kind === kind)
      .map((follow) => ({
        table,
        index: follow.index,
        // Without a kind of its own, the index begins with the kind of the record that is followed.
        prefix: (id: string) => (follow.kind === undefined ? [kind, id] : [id]),
      })),
  );
}

function unique(refs: readonly Ref[]): readonly Ref[] {
  return [...new Map(refs.map((ref) => [name(ref.kind, ref.id), ref])).values()];
}

function name(kind: string, id: unknown): string {
  return `${kind}/${id}`;
}

function linkName(link: Row): string {
  return JSON.stringify(systemTables.link.key.map((column) => link[column]));
}
