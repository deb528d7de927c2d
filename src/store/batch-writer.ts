import { FluxError } from "../model/errors.ts";
import type { Ref } from "../model/record.ts";
import { followersName, linksName, markerName, markersName, rowName, spacesName } from "./batch-reads.ts";
import type { Head, NewChange, RowWrite } from "./driver.ts";
import { followersOf } from "./followers.ts";
import { GrainTally } from "./grain-counts.ts";
import { checkDimensions, checkSpaces } from "./index-entries.ts";
import type { PreparedBatch, PreparedChange, PreparedInsert, PreparedJob } from "./prepared-batch.ts";
import { checkQuota } from "./quota.ts";
import { patchContent, rowBytes } from "./records.ts";
import { isAged } from "./schema.ts";
import type { IndexEntry } from "./search.ts";
import { linkName, systemTables } from "./system-tables.ts";
import { type RecordTable, type Row, removal } from "./table.ts";

export interface Written {
  readonly head: Head;
  readonly writes: RowWrite[];
  readonly changes: readonly NewChange[];
  readonly ids: readonly string[];
  readonly repaired: readonly string[];
  readonly given: boolean;
}

/**
 * What a batch writes, given the rows of its reads.
 *
 * @param times the request's own present, for what expires and waits, and the record time, which never goes back
 * @throws FluxError `already_exists`, `erased`, `not_found`, `quota_exceeded`, and what patches can be refused for
 */
export function writeBatch(
  head: Head,
  batch: PreparedBatch,
  rows: readonly (readonly Row[])[],
  times: { readonly now: number; readonly recordedAt: number },
): Written {
  const writer = new BatchWriter(head, batch, rows, times);
  return writer.write();
}

interface Entry {
  readonly table: RecordTable;
  readonly before: Row | undefined;
  row: Row | undefined;
}

class BatchWriter {
  readonly #head: Head;
  readonly #batch: PreparedBatch;
  readonly #rows: readonly (readonly Row[])[];
  readonly #now: number;
  readonly #recordedAt: number;
  readonly #entries = new Map<string, Entry>();
  readonly #links = new Map<string, Row>();
  readonly #lostLinks = new Map<string, Row>();
  readonly #index = new Map<string, readonly IndexEntry[]>();
  // Grains that the index held something of before.
  readonly #unindexed = new Set<string>();
  readonly #writes: RowWrite[] = [];
  readonly #changes: NewChange[] = [];
  readonly #repaired: string[] = [];
  #seq: number;

  constructor(
    head: Head,
    batch: PreparedBatch,
    rows: readonly (readonly Row[])[],
    { now, recordedAt }: { readonly now: number; readonly recordedAt: number },
  ) {
    this.#head = head;
    this.#batch = batch;
    this.#rows = rows;
    this.#now = now;
    this.#recordedAt = recordedAt;
    this.#seq = head.seq;
  }

  write(): Written {
    const { mutations, jobs, spaces } = this.#batch;
    if (this.#batch.places.has(spacesName)) checkSpaces(spaces, this.#read(spacesName));
    for (const mutation of mutations) {
      this.#seq += 1;
      if (mutation.type === "insert") this.#insert(mutation);
      else this.#change(mutation);
    }
    for (const job of jobs) this.#enqueue(job);
    this.#checkReferences();
    this.#dropIdleJobs();

    let { records, bytes } = this.#head;
    const grains = new GrainTally(this.#head.grains);
    for (const { table, before, row } of this.#entries.values()) {
      if (table.counted) {
        records += (row === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
        bytes += ((row?.bytes as number) ?? 0) - ((before?.bytes as number) ?? 0);
      }
      if (row === before) continue;
      grains.replace(table, before, row);
      if (row !== undefined)
        this.#writes.push({ type: before === undefined ? "insert" : "replace", table, row });
      else if (before !== undefined) this.#writes.push(removal(table, before));
    }
    for (const link of this.#lostLinks.values()) this.#writes.push(removal(systemTables.link, link));
    for (const row of this.#links.values())
      this.#writes.push({ type: "insert", table: systemTables.link, row });
    for (const grainId of this.#unindexed) this.#writes.push({ type: "unindex", grainId });
    for (const [grainId, entries] of this.#index)
      for (const entry of entries) this.#writes.push({ type: "index", grainId, entry });
    checkQuota(this.#head, records, bytes);
    const inserts = mutations.filter((mutation) => mutation.type === "insert");
    return {
      head: {
        ...this.#head,
        ...{ seq: this.#seq, recordedAt: this.#recordedAt, records, bytes, grains: grains.counts },
      },
      writes: this.#writes,
      changes: this.#changes,
      ids: inserts.map(({ id }) => id),
      repaired: this.#repaired,
      given: inserts.some((mutation) => mutation.given),
    };
  }

  #insert({ table, id, content, links, index }: PreparedInsert): void {
    const name = rowName(table.name, id);
    const before = this.#entries.has(name) ? this.#entries.get(name)?.row : this.#read(name)[0];
    const marked =
      this.#read(markerName(table, id)).length > 0 ||
      this.#read(markersName(table)).some((marker) => marker.id === id);
    if (marked || (before !== undefined && this.#expired(before))) {
      throw new FluxError(
        "erased",
        `This ${table.name} was erased or has expired; its id cannot be used again`,
        {
          hint: "The same content may be stored anew under another id.",
        },
      );
    }
    if (before !== undefined || this.#entries.has(name)) {
      throw new FluxError("already_exists", `There is already a ${table.name} with this id`);
    }
    if (content.repaired) this.#repaired.push(id);
    const limited = this.#limit(table, content.row);
    const stamp = { id, seq: this.#seq, recordedAt: this.#recordedAt };
    const row = this.#stamp(table, limited, content.repaired, stamp);
    this.#entries.set(name, { table, before: undefined, row });
    this.#link(links, []);
    this.#setIndex(id, index);
    this.#changes.push({ seq: this.#seq, kind: table.name, id, operation: "insert" });
  }

  #setIndex(grainId: string, entries: readonly IndexEntry[]): void {
    for (const entry of entries) checkDimensions(entry, this.#read(spacesName));
    this.#index.set(grainId, entries);
  }

  #change({ type, table, id, value, links, dropped, index }: PreparedChange): void {
    const name = rowName(table.name, id);
    const [stored] = this.#read(name);
    const entry = this.#entries.get(name) ?? { table, before: stored, row: stored };
    if (entry.row === undefined || this.#expired(entry.row)) {
      throw new FluxError("not_found", `There is no such ${table.name} in this partition`);
    }
    this.#entries.set(name, entry);
    const sources = this.#read(linksName("byId", table, id));
    if (type === "remove") {
      this.#remove(entry, id);
      return;
    }
    const content = patchContent(table, entry.row, value);
    const { seq, recordedAt, repaired } = entry.row;
    const postponed = Object.hasOwn(value as object, "expiresAt");
    const limited = postponed ? this.#limit(table, content.row) : content.row;
    const stamp = { id, seq: seq as number, recordedAt: recordedAt as number };
    entry.row = this.#stamp(table, limited, content.repaired || repaired === true, stamp);
    const left = sources.filter((link) => !leadsTo(link, dropped));
    this.#lose(sources.filter((link) => leadsTo(link, dropped)));
    this.#link(links, left);
    if (index !== undefined) {
      if (entry.before !== undefined) this.#unindexed.add(id);
      this.#setIndex(id, index);
    }
    this.#changes.push({ seq: this.#seq, kind: table.name, id, operation: "update" });
  }

  /** Removes a record with what follows it, and the links of all of them. */
  #remove({ table }: Entry, id: string): void {
    const derived = this.#read(linksName("bySource", table, id));
    if (derived.some(({ derivedKind }) => derivedKind !== systemTables.job.name)) {
      throw new FluxError("invalid_argument", `Something was derived from this ${table.name}`, {
        hint: "Erase it.",
      });
    }
    this.#lose(derived);
    this.#take(table, id);
    followersOf(table.name).forEach(({ table: follower }, i) => {
      for (const row of this.#read(followersName(table, id, i))) {
        const name = rowName(follower.name, row.id as string);
        const entry = this.#entries.get(name) ?? { table: follower, before: row, row };
        this.#entries.set(name, entry);
        if (entry.row === undefined) continue;
        this.#seq += 1;
        this.#take(follower, row.id as string);
      }
    });
  }

  #take(table: RecordTable, id: string): void {
    const entry = this.#entries.get(rowName(table.name, id)) as Entry;
    if (table.name === "grain") {
      this.#index.delete(id);
      if (entry.before !== undefined) this.#unindexed.add(id);
    }
    entry.row = undefined;
    this.#lose(this.#read(linksName("byId", table, id)));
    for (const [key, link] of this.#links)
      if (link.derivedId === id && link.derivedKind === table.name) this.#links.delete(key);
    this.#changes.push({ seq: this.#seq, kind: table.name, id, operation: "delete" });
  }

  #lose(links: readonly Row[]): void {
    for (const link of links) this.#lostLinks.set(linkName(link), link);
  }

  /** A job has nothing to do when the last of its sources is gone. */
  #dropIdleJobs(): void {
    const jobs = new Set<string>();
    for (const { derivedKind, derivedId } of this.#lostLinks.values())
      if (derivedKind === systemTables.job.name) jobs.add(derivedId as string);
    for (const id of jobs) {
      const links = this.#read(linksName("byId", systemTables.job, id));
      if (links.every((link) => this.#lostLinks.has(linkName(link))))
        this.#writes.push({ type: "remove", table: systemTables.job, key: [id] });
    }
  }

  #stamp(
    table: RecordTable,
    row: Row,
    repaired: boolean,
    stamp: { readonly id: string; readonly seq: number; readonly recordedAt: number },
  ): Row {
    const stamped: Record<string, unknown> = { ...row, ...stamp, updatedSeq: this.#seq };
    if (repaired) stamped.repaired = true;
    stamped.bytes = rowBytes(table, stamped);
    return stamped;
  }

  /** No record outlives the partition's time to live. */
  #limit(table: RecordTable, row: Row): Row {
    const { ttl } = this.#head.policy;
    if (ttl === undefined || !isAged(table, row)) return row;
    const given = (row.expiresAt as number | undefined) ?? Number.POSITIVE_INFINITY;
    return { ...row, expiresAt: Math.min(given, this.#now + ttl) };
  }

  #link(links: readonly Row[], present: readonly Row[]): void {
    if (links.length === 0) return;
    const known = new Set(present.map(linkName));
    for (const link of links) if (!known.has(linkName(link))) this.#links.set(linkName(link), link);
  }

  #enqueue({ id, row, delay, links }: PreparedJob): void {
    this.#seq += 1;
    this.#writes.push({
      type: "insert",
      table: systemTables.job,
      row: { ...row, id, seq: this.#seq, readyAt: this.#now + delay, generation: this.#head.generation },
    });
    this.#link(links, []);
  }

  /** What is derived needs its ground, so that work on something erased meanwhile cannot bring it back. */
  #checkReferences(): void {
    for (const { kind, id } of this.#batch.references) {
      const name = rowName(kind, id);
      const entry = this.#entries.get(name);
      const row = entry === undefined ? this.#read(name)[0] : entry.row;
      if (row !== undefined && !this.#expired(row)) continue;
      throw new FluxError("erased", `A record that this commit rests on is not there (a ${kind})`, {
        hint: "It was erased, has expired, or was never stored: start again from what there is.",
      });
    }
  }

  #expired(row: Row): boolean {
    const expiresAt = row.expiresAt as number | undefined;
    return expiresAt !== undefined && expiresAt <= this.#now;
  }

  #read(name: string): readonly Row[] {
    const place = this.#batch.places.get(name);
    return place === undefined ? [] : (this.#rows[place] ?? []);
  }
}

function leadsTo({ sourceKind, sourceId }: Row, refs: readonly Ref[]): boolean {
  return refs.some(({ kind, id }) => kind === sourceKind && id === sourceId);
}
