import { FluxError } from "../model/errors.ts";
import { checkId, derivedId } from "../model/ids.ts";
import { type NewJob, newJobSchema } from "../model/job.ts";
import { type Json, repairJson } from "../model/json.ts";
import { groundRole, type Ref, type Source } from "../model/record.ts";
import type { Mutation, Patch, Remove } from "./batch.ts";
import { removableKinds } from "./batch.ts";
import type { Head, NewChange, RowRead, RowWrite } from "./driver.ts";
import { type Content, check, checkContent, patchContent, rowBytes } from "./records.ts";
import { systemTables } from "./schema.ts";
import type { RecordTable, Row, Table } from "./table.ts";
import { tableOf } from "./translate.ts";

/** A checked batch of mutations and jobs, with all that must be read before it can be written. */
export interface Batch {
  readonly mutations: readonly PreparedMutation[];
  readonly jobs: readonly PreparedJob[];
  readonly reads: readonly RowRead[];
  /** Where in `reads` a named read is. */
  readonly places: ReadonlyMap<string, number>;
}

type PreparedMutation = PreparedInsert | PreparedChange;

interface PreparedInsert {
  readonly type: "insert";
  readonly table: RecordTable;
  readonly id: string;
  readonly given: boolean;
  readonly content: Content;
  readonly links: readonly Row[];
  readonly follows: readonly Ref[];
}

interface PreparedChange {
  readonly type: "patch" | "remove";
  readonly table: RecordTable;
  readonly id: string;
  readonly value: unknown;
  readonly links: readonly Row[];
}

interface PreparedJob {
  readonly id: string;
  readonly row: Row;
  readonly delay: number;
  readonly links: readonly Row[];
}

const defaultMaxAttempts = 8;

/**
 * Checks mutations and jobs, copies what they hold, and gives ids: those of the operation with this key, unless given.
 */
export function prepareBatch(key: string, mutations: readonly Mutation[], jobs: readonly NewJob[]): Batch {
  const reads: RowRead[] = [];
  const places = new Map<string, number>();
  const want = (name: string, read: RowRead): void => {
    if (places.has(name)) return;
    places.set(name, reads.length);
    reads.push(read);
  };
  const wantRecord = (table: RecordTable, id: string): void =>
    want(rowName(table.name, id), { type: "get", table, key: [id] });

  const inserted = new Set<string>();
  let ordinal = 0;
  const prepared = list(mutations, "mutations").map((mutation): PreparedMutation => {
    const table = tableOf(mutation?.kind);
    if (mutation.type !== "insert") return prepareChange(table, mutation);
    const derived = derivedId(key, ordinal++);
    const id = mutation.id === undefined ? derived : checkId(mutation.id, `${table.name}.id`);
    inserted.add(rowName(table.name, id));
    const content = checkContent(table, mutation.value);
    const links = prepareLinks({ kind: table.name, id }, mutation.sources);
    return {
      type: "insert",
      table,
      id,
      // Ids of this operation are new, since it has no receipt yet.
      given: !id.startsWith(`${key}-`),
      content,
      links,
      follows: followed(table, content.row),
    };
  });
  const preparedJobs = list(jobs, "jobs").map((job, i) => prepareJob(derivedId(key, i), job));

  for (const mutation of prepared) {
    const { table, id } = mutation;
    const { link, marker } = systemTables;
    if (mutation.type === "insert") {
      if (mutation.given) {
        wantRecord(table, id);
        want(markerName(table, id), { type: "get", table: marker, key: [table.name, id] });
      }
    } else {
      wantRecord(table, id);
      if (mutation.type === "remove" || mutation.links.length > 0) {
        want(linksName("byId", table, id), {
          type: "find",
          table: link,
          index: "byId",
          prefix: [table.name, id],
        });
      }
      if (mutation.type === "remove") {
        const prefix = [table.name, id];
        want(linksName("bySource", table, id), {
          type: "find",
          table: link,
          index: "bySource",
          prefix,
          limit: 1,
        });
      }
    }
  }
  for (const { kind, id } of references(prepared, preparedJobs)) {
    if (!inserted.has(rowName(kind, id))) wantRecord(tableOf(kind), id);
  }
  return { mutations: prepared, jobs: preparedJobs, reads, places };
}

function prepareChange(table: RecordTable, mutation: Patch | Remove): PreparedChange {
  if (mutation.type !== "patch" && mutation.type !== "remove") {
    throw new FluxError("invalid_argument", "There is no such mutation", {
      hint: "Make mutations with insert, patch and remove.",
    });
  }
  const id = checkId(mutation.id, `${table.name}.id`);
  if (mutation.type === "patch") {
    const links = prepareLinks({ kind: table.name, id }, mutation.sources);
    return { type: "patch", table, id, value: mutation.value, links };
  }
  if (!(removableKinds as readonly string[]).includes(table.name)) {
    throw new FluxError(
      "invalid_argument",
      `A ${table.name} cannot be removed, since others may follow from it`,
      {
        hint: "Erase it.",
      },
    );
  }
  return { type: "remove", table, id, value: undefined, links: [] };
}

function prepareJob(id: string, job: NewJob): PreparedJob {
  const {
    queue,
    payload,
    sources,
    delay = 0,
    maxAttempts = defaultMaxAttempts,
  } = check(newJobSchema, job, "job");
  return {
    id,
    delay,
    links: prepareLinks({ kind: systemTables.job.name, id }, sources),
    row: {
      id,
      queue,
      payload: payload === undefined ? undefined : JSON.stringify(repairJson(payload as Json)),
      dead: false,
      attempts: 0,
      maxAttempts,
    },
  };
}

function prepareLinks(derived: Ref, sources: readonly Source[] | undefined): readonly Row[] {
  return list(sources ?? [], "sources").map((source) => {
    const table = tableOf(source?.kind);
    const id = checkId(source.id, "source.id");
    if (!table.marked) {
      throw new FluxError("invalid_argument", `A ${table.name} cannot be the source of anything`);
    }
    if (derived.kind === table.name && derived.id === id) {
      throw new FluxError("invalid_argument", `A ${table.name} cannot be its own source`);
    }
    const { start, end } = source;
    for (const offset of [start, end]) {
      if (offset !== undefined && !(Number.isSafeInteger(offset) && offset >= 0)) {
        throw new FluxError("invalid_argument", "source.start and source.end must be whole numbers from 0");
      }
    }
    return {
      derivedKind: derived.kind,
      derivedId: derived.id,
      sourceKind: table.name,
      sourceId: id,
      role: checkId(source.role ?? groundRole, "source.role"),
      start,
      end,
    };
  });
}

/** The records that a record goes with. */
function followed(table: RecordTable, row: Row): readonly Ref[] {
  return table.follows.map(({ index, kind }) => {
    const columns = table.indexes[index]?.columns ?? [];
    const [first = "", second = ""] = columns;
    return kind === undefined
      ? { kind: row[first] as string, id: row[second] as string }
      : { kind, id: row[first] as string };
  });
}

/** Every record that has to be there for the batch to make sense. */
function references(mutations: readonly PreparedMutation[], jobs: readonly PreparedJob[]): readonly Ref[] {
  const links = [...mutations, ...jobs].flatMap((item) => item.links);
  return [
    ...links.map((link) => ({ kind: link.sourceKind as string, id: link.sourceId as string })),
    ...mutations.flatMap((mutation) => (mutation.type === "insert" ? mutation.follows : [])),
  ];
}

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
  batch: Batch,
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
  readonly #batch: Batch;
  readonly #rows: readonly (readonly Row[])[];
  readonly #now: number;
  readonly #recordedAt: number;
  readonly #entries = new Map<string, Entry>();
  readonly #links = new Map<string, Row>();
  readonly #writes: RowWrite[] = [];
  readonly #changes: NewChange[] = [];
  readonly #repaired: string[] = [];
  #seq: number;

  constructor(
    head: Head,
    batch: Batch,
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
    const { mutations, jobs } = this.#batch;
    for (const mutation of mutations) {
      this.#seq += 1;
      if (mutation.type === "insert") this.#insert(mutation);
      else this.#change(mutation);
    }
    for (const job of jobs) this.#enqueue(job);
    this.#checkReferences();

    let { records, bytes } = this.#head;
    for (const { table, before, row } of this.#entries.values()) {
      records += (row === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
      bytes += ((row?.bytes as number) ?? 0) - ((before?.bytes as number) ?? 0);
      if (row === before) continue;
      if (row !== undefined)
        this.#writes.push({ type: before === undefined ? "insert" : "replace", table, row });
      else if (before !== undefined) this.#writes.push(removal(table, before));
    }
    for (const row of this.#links.values())
      this.#writes.push({ type: "insert", table: systemTables.link, row });
    checkQuota(this.#head, records, bytes);
    const inserts = mutations.filter((mutation) => mutation.type === "insert");
    return {
      head: { ...this.#head, seq: this.#seq, recordedAt: this.#recordedAt, records, bytes },
      writes: this.#writes,
      changes: this.#changes,
      ids: inserts.map(({ id }) => id),
      repaired: this.#repaired,
      given: inserts.some((mutation) => mutation.given),
    };
  }

  #insert({ table, id, content, links }: PreparedInsert): void {
    const name = rowName(table.name, id);
    const before = this.#entries.has(name) ? this.#entries.get(name)?.row : this.#read(name)[0];
    if (this.#read(markerName(table, id)).length > 0 || (before !== undefined && this.#expired(before))) {
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
    this.#changes.push({ seq: this.#seq, kind: table.name, id, operation: "insert" });
  }

  #change({ type, table, id, value, links }: PreparedChange): void {
    const name = rowName(table.name, id);
    const [stored] = this.#read(name);
    const entry = this.#entries.get(name) ?? { table, before: stored, row: stored };
    if (entry.row === undefined || this.#expired(entry.row)) {
      throw new FluxError("not_found", `There is no such ${table.name} in this partition`);
    }
    this.#entries.set(name, entry);
    const sources = this.#read(linksName("byId", table, id));
    if (type === "remove") {
      if (this.#read(linksName("bySource", table, id)).length > 0) {
        throw new FluxError("invalid_argument", `Something was derived from this ${table.name}`, {
          hint: "Erase it.",
        });
      }
      entry.row = undefined;
      for (const link of sources) this.#writes.push(removal(systemTables.link, link));
      for (const [key, link] of this.#links)
        if (link.derivedId === id && link.derivedKind === table.name) this.#links.delete(key);
      this.#changes.push({ seq: this.#seq, kind: table.name, id, operation: "delete" });
      return;
    }
    const content = patchContent(table, entry.row, value);
    const { seq, recordedAt, repaired } = entry.row;
    const postponed = Object.hasOwn(value as object, "expiresAt");
    const limited = postponed ? this.#limit(table, content.row) : content.row;
    const stamp = { id, seq: seq as number, recordedAt: recordedAt as number };
    entry.row = this.#stamp(table, limited, content.repaired || repaired === true, stamp);
    this.#link(links, sources);
    this.#changes.push({ seq: this.#seq, kind: table.name, id, operation: "update" });
  }

  #stamp(
    table: RecordTable,
    row: Row,
    repaired: boolean,
    stamp: { readonly id: string; readonly seq: number; readonly recordedAt: number },
  ): Row {
    const stamped: Row = {
      ...row,
      ...(repaired ? { repaired: true } : {}),
      ...stamp,
      updatedSeq: this.#seq,
    };
    return { ...stamped, bytes: rowBytes(table, stamped) };
  }

  /** No record outlives the partition's time to live. */
  #limit(table: RecordTable, row: Row): Row {
    const { ttl } = this.#head.policy;
    if (ttl === undefined || !table.expires) return row;
    const given = (row.expiresAt as number | undefined) ?? Number.POSITIVE_INFINITY;
    return { ...row, expiresAt: Math.min(given, this.#now + ttl) };
  }

  #link(links: readonly Row[], present: readonly Row[]): void {
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
    for (const { kind, id } of references(this.#batch.mutations, this.#batch.jobs)) {
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

/** The write that removes a row. */
export function removal(table: Table, row: Row): RowWrite {
  return { type: "remove", table, key: table.key.map((column) => row[column] as string) };
}

function checkQuota(head: Head, records: number, bytes: number): void {
  const { maxRecords, maxBytes } = head.policy;
  const over =
    maxRecords !== undefined && records > maxRecords && records > head.records
      ? `${maxRecords} records`
      : maxBytes !== undefined && bytes > maxBytes && bytes > head.bytes
        ? `${maxBytes} bytes`
        : undefined;
  if (over === undefined) return;
  throw new FluxError("quota_exceeded", `The partition may hold at most ${over}`, {
    hint: "Erase or expire something first, or raise the limit with setPolicy.",
  });
}

function list<T>(items: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(items)) throw new FluxError("invalid_argument", `${name} must be a list`);
  return items;
}

function rowName(kind: string, id: string): string {
  return `${kind}/${id}`;
}

function markerName(table: RecordTable, id: string): string {
  return `marker ${table.name}/${id}`;
}

function linksName(index: "byId" | "bySource", table: RecordTable, id: string): string {
  return `${index} ${table.name}/${id}`;
}

function linkName(link: Row): string {
  return JSON.stringify(systemTables.link.key.map((column) => link[column]));
}
