import { groundRole, type Ref } from "../model/record.ts";
import { deriveAnew } from "./derive-jobs.ts";
import type { Head, NewChange, Outcome, Reading, RowRead, RowWrite, TableRead } from "./driver.ts";
import { followerReads, followersOf } from "./followers.ts";
import { GrainTally } from "./grain-counts.ts";
import { columnsOf, goesWithSource, LostLinks, refName, type Survivor, unique } from "./lost-links.ts";
import { recordTables } from "./schema.ts";
import { closed } from "./seals.ts";
import { sealedMoment, systemTables } from "./system-tables.ts";
import { type RecordTable, type Row, removal } from "./table.ts";
import { tableOf } from "./translate.ts";

/** How many records are looked at in one read. */
const batch = 500;

interface WalkOptions {
  /** From which the ids of its jobs derive, and which its markers name. */
  readonly key: string;
  readonly now: number;
  /**
   * The salt of the fingerprints from now on. With it, nothing begun before the walk commits after it (it raises the
   * partition's generation, which ends the leases of jobs), and the results of operations go. Left out where records have
   * expired: commits that rest on them are refused from that moment on, and what is remembered of operations stays.
   */
  readonly salt?: string;
  /** For a purge, which only wants to know what would go: what another purge hides gives no ground. */
  readonly dry?: boolean;
}

/**
 * One erasure inside its transaction: follows provenance and ownership from the first records to all that goes with them.
 * A record goes when a record that it follows goes, when a source of it goes and its kind does not survive that, or when it
 * has no ground left: no chain of sources that ends in something that was not derived from what goes.
 */
export class ErasureWalk {
  readonly #head: Head;
  readonly #key: string;
  readonly #now: number;
  readonly #salt: string | undefined;
  readonly #generation: number;
  readonly #recordedAt: number;
  readonly #erased = new Set<string>();
  readonly #taken: Ref[] = [];
  // Of those, the ones that purges hide.
  readonly #sealed: Ref[] = [];
  readonly #survivors = new Map<string, Survivor>();
  readonly #rederive: Survivor[] = [];
  readonly #lost: LostLinks;
  readonly #writes: RowWrite[] = [];
  readonly #changes: NewChange[] = [];
  readonly #counts: Record<string, number> = {};
  // Those that derive anew.
  #jobs = 0;
  #seq: number;
  #records: number;
  #bytes: number;
  readonly #grains: GrainTally;

  constructor(head: Head, { key, now, salt, dry = false }: WalkOptions) {
    this.#head = head;
    this.#key = key;
    this.#now = now;
    this.#salt = salt;
    this.#lost = new LostLinks({ dry });
    this.#generation = head.generation + (salt === undefined ? 0 : 1);
    this.#recordedAt = Math.max(now, head.recordedAt);
    this.#seq = head.seq;
    this.#records = head.records;
    this.#bytes = head.bytes;
    this.#grains = new GrainTally(head.grains);
  }

  /** The records and jobs that go. */
  get taken(): readonly Ref[] {
    return this.#taken;
  }

  /** Whether the record or job goes. */
  takes({ kind, id }: Ref): boolean {
    return this.#erased.has(refName(kind, id));
  }

  /** Every record, link and job of the partition. */
  *everything(): Reading<void> {
    const { link, job, purge, seal } = systemTables;
    const cleared = [...Object.values(recordTables), link, job];
    const [purges = [], ...counts] = yield [
      { type: "find", table: purge, index: "byState", prefix: ["open"] },
      ...cleared.map((table): RowRead => ({ type: "count", table })),
    ];
    for (const row of purges) this.#writes.push({ type: "replace", table: purge, row: closed(row) });
    this.#writes.push({ type: "clear", table: seal });
    cleared.forEach((table, i) => {
      this.#count(table.name, counts[i]?.[0]?.count as number);
      this.#writes.push({ type: "clear", table });
    });
    this.#writes.push({ type: "unindex" });
    this.#records = 0;
    this.#bytes = 0;
    this.#grains.clear();
    this.#change("partition", "", "erase_all");
  }

  /** Traces are telemetry and may quote what was erased, so an erasure drops them all. */
  *traces(): Reading<void> {
    const table = recordTables.trace;
    const columns = columnsOf(table);
    const [rows = []] = yield [{ type: "find", table, index: "byId", prefix: [], columns }];
    for (const row of rows) if (!this.#erased.has(refName(table.name, row.id))) this.#erase(table, row);
  }

  /** The given records, and what goes with them. Those that are not there are marked all the same. */
  *from(refs: readonly Ref[]): Reading<void> {
    const requested = new Set(refs.map(({ kind, id }) => refName(kind, id)));
    let level = unique(refs);
    while (level.length > 0) {
      const next: Ref[] = [];
      for (let at = 0; at < level.length; at += batch) {
        const part = level
          .slice(at, at + batch)
          .filter(({ kind, id }) => !this.#erased.has(refName(kind, id)));
        const reads = part.map(({ kind, id }) => readsAround(tableOf(kind), id));
        const found = yield reads.flat();
        let place = 0;
        for (const [i, ref] of part.entries()) {
          const around = found.slice(place, place + (reads[i]?.length ?? 0));
          place += around.length;
          const gone = this.#visit(ref, around, requested.has(refName(ref.kind, ref.id)));
          // Not spread: a record may have more followers than a call can have arguments.
          for (const other of gone) next.push(other);
        }
      }
      level = unique(next);
      // Only now is it known who lost what; those without ground are the next level.
      if (level.length === 0) level = yield* this.#groundless();
    }
  }

  /** Erases one record and returns those that certainly go with it. */
  #visit(ref: Ref, around: readonly (readonly Row[])[], requested: boolean): Ref[] {
    const [found = [], marked = [], sources = [], derivations = [], ...followers] = around;
    const [row] = found;
    const table = tableOf(ref.kind);
    if (row === undefined && !requested) return [];
    if (table.marked && marked.length === 0) {
      const mark = { kind: ref.kind, id: ref.id, erasure: this.#key };
      this.#writes.push({ type: "insert", table: systemTables.marker, row: mark });
    }
    this.#erased.add(refName(ref.kind, ref.id));
    if (row === undefined) return [];
    this.#survivors.delete(refName(ref.kind, ref.id));
    this.#erase(table, row);
    const derived = sources.some((link) => this.#lost.has(link));
    if (derived && !requested) this.#rederive.push({ ref, row, links: sources });
    this.#lost.add([...sources, ...derivations]);
    return [
      ...followersOf(ref.kind).flatMap(({ table: follower }, i) =>
        (followers[i] ?? []).map((row) => ({ kind: follower.name, id: row.id as string })),
      ),
      ...derivations
        .filter((link) => link.role === groundRole && goesWithSource(link.derivedKind as string))
        .map((link) => ({ kind: link.derivedKind as string, id: link.derivedId as string })),
    ];
  }

  /** Of the records and jobs that lost a source since the last look and are still there: those without any ground left. */
  *#groundless(): Reading<readonly Ref[]> {
    const { touched, known, grounded } = yield* this.#lost.look((ref) => this.takes(ref));
    const going: Ref[] = [];
    for (const ref of touched) {
      const name = refName(ref.kind, ref.id);
      const survivor = known.get(name);
      if (survivor === undefined) continue;
      const isJob = ref.kind === systemTables.job.name;
      if (grounded.has(name) || (!isJob && goesWithSource(ref.kind))) this.#survivors.set(name, survivor);
      else if (isJob) this.#removeJob(survivor);
      else going.push(ref);
    }
    return going;
  }

  /** What purges note of records that go. To be called before the end, as it reads. */
  *seals(): Reading<void> {
    const { seal } = systemTables;
    for (let at = 0; at < this.#sealed.length; at += batch) {
      const part = this.#sealed.slice(at, at + batch);
      const found = yield part.map(
        ({ kind, id }): RowRead => ({ type: "find", table: seal, index: "byId", prefix: [kind, id] }),
      );
      for (const rows of found) for (const row of rows) this.#writes.push(removal(seal, row));
    }
  }

  #removeJob({ ref, row, links }: Survivor): void {
    this.#erased.add(refName(ref.kind, ref.id));
    this.#taken.push(ref);
    this.#writes.push(removal(systemTables.job, row));
    this.#lost.add(links);
    this.#count(systemTables.job.name, 1);
  }

  #erase(table: RecordTable, row: Row): void {
    const ref = { kind: table.name, id: row.id as string };
    this.#erased.add(refName(ref.kind, ref.id));
    this.#taken.push(ref);
    if (row.expiresAt === sealedMoment) this.#sealed.push(ref);
    if (table.counted) {
      this.#records -= 1;
      this.#bytes -= row.bytes as number;
    }
    this.#grains.replace(table, row, undefined);
    this.#writes.push(removal(table, row));
    if (table === recordTables.grain) this.#writes.push({ type: "unindex", grainId: row.id as string });
    this.#change(table.name, row.id as string, "delete");
    this.#count(table.name, 1);
  }

  #change(kind: string, id: string, operation: NewChange["operation"]): void {
    this.#seq += 1;
    this.#changes.push({ seq: this.#seq, kind, id, operation });
  }

  #count(name: string, count: number): void {
    if (count > 0) this.#counts[name] = (this.#counts[name] ?? 0) + count;
  }

  /** The outcome, which counts the rows that went. */
  finish(): Outcome<Readonly<Record<string, number>>> {
    for (const { ref, row, links } of this.#rederive) {
      const left = links.filter(
        (link) => !this.#erased.has(refName(link.sourceKind as string, link.sourceId)),
      );
      if (left.length > 0 || tableOf(ref.kind).thread !== undefined) this.#deriveAnew(ref, row, left);
    }
    for (const { ref, row, links } of this.#survivors.values()) {
      if (ref.kind === systemTables.job.name) continue;
      this.#change(ref.kind, ref.id, "update");
      this.#deriveAnew(ref, row, links);
    }
    for (const link of this.#lost.links) this.#writes.push(removal(systemTables.link, link));
    this.#count(systemTables.link.name, this.#lost.links.length);
    return {
      head: {
        ...this.#head,
        seq: this.#seq,
        recordedAt: this.#recordedAt,
        records: this.#records,
        bytes: this.#bytes,
        grains: this.#grains.counts,
        generation: this.#generation,
        salt: this.#salt ?? this.#head.salt,
      },
      writes: this.#salt === undefined ? this.#writes : [...this.#writes, { type: "scrub" }],
      changes: this.#changes,
      value: this.#counts,
    };
  }

  #deriveAnew(ref: Ref, row: Row, links: readonly Row[]): void {
    this.#seq += 1;
    this.#writes.push(
      ...deriveAnew(ref, row, links, {
        ...{ key: this.#key, ordinal: this.#jobs++ },
        ...{ seq: this.#seq, readyAt: this.#now, generation: this.#generation },
      }),
    );
  }
}

/** The record, its marker, its links both ways, and the records that go with it. */
export function readsAround(
  table: RecordTable,
  id: string,
): Exclude<TableRead, { readonly type: "count" }>[] {
  const { link, marker } = systemTables;
  const ref = [table.name, id];
  return [
    { type: "get", table, key: [id], columns: columnsOf(table) },
    { type: "get", table: marker, key: ref },
    { type: "find", table: link, index: "byId", prefix: ref },
    { type: "find", table: link, index: "bySource", prefix: ref },
    ...followerReads(table, id).map((read) => ({ ...read, columns: ["id"] })),
  ];
}
