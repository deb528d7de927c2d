import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { base32, keyedDigest } from "../model/hash.ts";
import { checkId, derivedId } from "../model/ids.ts";
import { type NewJob, newJobSchema } from "../model/job.ts";
import { type Json, jsonProblem } from "../model/json.ts";
import type { Ref } from "../model/record.ts";
import { type Insert, type Mutation, removableKinds } from "./batch.ts";
import type { Head, NewChange, Outcome, Reading, RowRead, RowWrite, Transaction } from "./driver.ts";
import type { JobLease, Receipt } from "./ledger.ts";
import type { Decision, PlanContext } from "./plan.ts";
import type { ReadOp } from "./read.ts";
import { applyPatch, check, checkContent, jsonBytes, rowBytes } from "./records.ts";
import { systemTables } from "./schema.ts";
import type { RecordTable, Row, Table } from "./table.ts";
import { tableOf, translateReads } from "./translate.ts";

/** Blind inserts, for `Ledger.append`. */
export interface Commit {
  /** Names the operation within the partition: the same id has its effect once, for ever. */
  readonly operation: string;
  readonly records: readonly Insert[];
  readonly jobs?: readonly NewJob[] | undefined;
  /** The job that this commit completes; see `Jobs.claim`. */
  readonly job?: JobLease | undefined;
}

/** The most bytes of a plan's result. */
export const maxResultBytes = 4096;
const defaultMaxAttempts = 8;

export interface CommitRequest {
  readonly operation: string;
  /** `operationKey` of the operation. */
  readonly key: string;
  /** Digest of the request, to tell a retry from another request under the same operation id. */
  readonly digest: Uint8Array;
  readonly reads: readonly ReadOp[];
  decide(rows: readonly unknown[], context: PlanContext): Decision<Json | undefined>;
  readonly job?: JobLease | undefined;
  readonly now: number;
}

/** The one way in which records are written: receipt, job, reads, decision, checks, writes. */
export function commit(request: CommitRequest): Transaction<Receipt<Json | undefined>> {
  return function* (head): Reading<Outcome<Receipt<Json | undefined>>> {
    const { key, job } = request;
    const now = Math.max(request.now, head.recordedAt);
    const reads = translateReads(request.reads, now);
    const first: RowRead[] = [{ type: "get", table: systemTables.operation, key: [key] }];
    if (job !== undefined) first.push({ type: "get", table: systemTables.job, key: [job.id] });
    let next = first.length;
    const rows = yield [...first, ...reads.flatMap(({ read }) => (read === undefined ? [] : [read]))];
    const receipt = rows[0]?.[0];
    if (receipt !== undefined) return unchanged(head, replay(request, head, receipt));
    if (job !== undefined) checkLease(head, job, rows[1]?.[0]);

    const results = reads.map(({ read, result }) =>
      result(read === undefined ? [] : (rows[next++] ?? []), head),
    );
    const decision = request.decide(results, { now, id: (ordinal) => derivedId(key, ordinal) });
    const writer = new Writer(head, key, now);
    yield* writer.mutate(decision.mutations ?? []);
    writer.enqueue(decision.jobs ?? []);
    if (job !== undefined) writer.writes.push({ type: "remove", table: systemTables.job, key: [job.id] });
    return writer.finish(request, checkResult(decision.result));
  };
}

function replay(request: CommitRequest, head: Head, row: Row): Receipt<Json | undefined> {
  // The attempts of a job may differ in what they would write; only the one that committed counts.
  const comparable = row.generation === head.generation && request.job === undefined;
  if (comparable && row.fingerprint !== fingerprint(head, request.digest)) {
    throw new FluxError("operation_conflict", "This operation id was used before with another payload", {
      hint: "Give every operation an id of its own; repeat an id only to retry the same call.",
    });
  }
  const inserted = row.inserted as number;
  return {
    operation: request.operation,
    replayed: true,
    seq: row.seq as number,
    recordedAt: row.recordedAt as number,
    ids:
      (row.ids as string[] | undefined) ??
      Array.from({ length: inserted }, (_, i) => derivedId(request.key, i)),
    repaired: (row.repaired as string[] | undefined) ?? [],
    result: row.result as Json | undefined,
  };
}

function fingerprint(head: Head, digest: Uint8Array): string {
  const key = Uint8Array.from(head.salt.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return base32(keyedDigest(key, digest).subarray(0, 16));
}

/** An outcome that writes nothing. */
export function unchanged<T>(head: Head, value: T): Outcome<T> {
  return { head, writes: [], changes: [], value };
}

/** @throws FluxError `lease_lost` unless the job row is there, leased to the caller, and of the present generation */
export function checkLease(head: Head, job: JobLease, row: Row | undefined): void {
  if (row === undefined || row.lease !== job.lease || row.generation !== head.generation) {
    throw new FluxError("lease_lost", "The job was taken over, completed, or overtaken by an erasure", {
      hint: "Drop this attempt; the job runs again if there is still something to do.",
    });
  }
}

function checkResult(result: Json | undefined): Json | undefined {
  if (result === undefined) return undefined;
  const problem = jsonProblem(result);
  if (problem !== undefined) throw new FluxError("invalid_argument", `The plan's result ${problem}`);
  if (jsonBytes(result) > maxResultBytes) {
    throw new FluxError("too_large", `A plan's result may take at most ${maxResultBytes} bytes`);
  }
  return result;
}

interface WrittenRow {
  readonly table: RecordTable;
  readonly before: Row | undefined;
  row: Row | undefined;
  /** The links to its sources, as they were before the commit. */
  readonly links: readonly Row[];
}

/** Collects the writes of one commit, at most one for each row. */
class Writer {
  readonly writes: RowWrite[] = [];
  readonly #changes: NewChange[] = [];
  readonly #head: Head;
  readonly #key: string;
  readonly #now: number;
  readonly #ids: string[] = [];
  readonly #repaired: string[] = [];
  // Rows written so far by table and id, so that later mutations of the commit see them: undefined once removed.
  readonly #rows = new Map<string, WrittenRow>();
  readonly #links = new Map<string, Row>();
  #seq: number;
  #explicit = false;
  #inserted = 0;
  #records = 0;
  #bytes = 0;

  constructor(head: Head, key: string, now: number) {
    this.#head = head;
    this.#key = key;
    this.#now = now;
    this.#seq = head.seq;
  }

  *mutate(mutations: readonly Mutation[]): Reading<void> {
    if (!Array.isArray(mutations)) {
      throw new FluxTypeError("invalid_argument", `mutations must be a list, not ${describe(mutations)}`);
    }
    yield* this.#load(mutations);
    for (const mutation of mutations) this.#apply(mutation);
    yield* this.#checkSources();
    for (const written of this.#rows.values()) this.#write(written);
    for (const row of this.#links.values())
      this.writes.push({ type: "insert", table: systemTables.link, row });
  }

  /** Reads what the mutations change, what their given ids may collide with, and the links they would repeat. */
  *#load(mutations: readonly Mutation[]): Reading<void> {
    let ordinal = 0;
    const wanted = new Map<
      string,
      { readonly table: RecordTable; readonly id: string; readonly fresh: boolean }
    >();
    for (const mutation of mutations) {
      const table = tableOf(mutation?.kind);
      if (mutation.type === "insert") {
        const derived = derivedId(this.#key, ordinal++);
        const id = mutation.id === undefined ? derived : checkId(mutation.id, `${table.name}.id`);
        this.#ids.push(id);
        if (id !== derived) this.#explicit = true;
        // Ids of this operation are new, since its receipt was not there.
        if (!id.startsWith(`${this.#key}-`)) wanted.set(rowName(table, id), { table, id, fresh: true });
      } else if (mutation.type === "patch" || mutation.type === "remove") {
        const id = checkId(mutation.id, `${table.name}.id`);
        if (!wanted.has(rowName(table, id))) wanted.set(rowName(table, id), { table, id, fresh: false });
      } else {
        throw new FluxError("invalid_argument", "There is no such mutation", {
          hint: "Make mutations with insert, patch and remove.",
        });
      }
    }
    if (wanted.size === 0) return;
    const list = [...wanted.values()];
    const rows = yield list.flatMap(({ table, id, fresh }): RowRead[] => [
      { type: "get", table, key: [id] },
      fresh
        ? { type: "get", table: systemTables.marker, key: [table.name, id] }
        : { type: "find", table: systemTables.link, index: "byId", prefix: [table.name, id] },
    ]);
    list.forEach(({ table, id, fresh }, i) => {
      const [row] = rows[2 * i] ?? [];
      const beside = rows[2 * i + 1] ?? [];
      if (fresh && beside.length > 0) throw erasedId(table);
      if (row !== undefined)
        this.#rows.set(rowName(table, id), { before: row, row, table, links: fresh ? [] : beside });
    });
  }

  #apply(mutation: Mutation): void {
    const table = tableOf(mutation.kind);
    this.#seq += 1;
    if (mutation.type === "insert") {
      const id = this.#ids[this.#inserted++] as string;
      this.#insert(table, id, mutation.value);
      this.#link({ kind: table.name, id }, mutation.sources);
      return;
    }
    const known = this.#rows.get(rowName(table, mutation.id));
    const row = known?.row;
    if (known === undefined || row === undefined || this.#expired(row)) {
      throw new FluxError("not_found", `There is no such ${table.name} in this partition`);
    }
    if (mutation.type === "remove") {
      if (!removableKinds.includes(mutation.kind)) {
        throw new FluxError(
          "invalid_argument",
          `A ${table.name} cannot be removed, since others may follow from it`,
          {
            hint: "Erase it.",
          },
        );
      }
      known.row = undefined;
      this.#changes.push({ seq: this.#seq, kind: table.name, id: mutation.id, operation: "delete" });
      return;
    }
    const { content, repaired } = checkContent(table, applyPatch(table, row, mutation.value as Row));
    const { id, seq, recordedAt } = row;
    known.row = this.#stamp(table, {
      ...content,
      id,
      seq,
      recordedAt,
      updatedSeq: this.#seq,
      ...(repaired || row.repaired === true ? { repaired: true } : {}),
    });
    this.#link({ kind: table.name, id: mutation.id }, mutation.sources);
    this.#changes.push({ seq: this.#seq, kind: table.name, id: mutation.id, operation: "update" });
  }

  #insert(table: RecordTable, id: string, value: unknown): void {
    const name = rowName(table, id);
    const known = this.#rows.get(name);
    if (known?.row !== undefined) {
      if (this.#expired(known.row)) throw erasedId(table);
      throw new FluxError("already_exists", `There is already a ${table.name} with this id`);
    }
    const { content, repaired } = checkContent(table, value);
    if (repaired) this.#repaired.push(id);
    const { ttl } = this.#head.policy;
    const given = content.expiresAt as number | undefined;
    const expiresAt =
      table.expires && ttl !== undefined
        ? Math.min(given ?? Number.MAX_SAFE_INTEGER, this.#now + ttl)
        : given;
    const row = this.#stamp(table, {
      ...content,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(repaired ? { repaired: true } : {}),
      id,
      seq: this.#seq,
      updatedSeq: this.#seq,
      recordedAt: this.#now,
    });
    this.#rows.set(name, { before: known?.before, row, table, links: known?.links ?? [] });
    this.#changes.push({ seq: this.#seq, kind: table.name, id, operation: "insert" });
  }

  #stamp(table: RecordTable, row: Row): Row {
    return { ...row, bytes: rowBytes(table, row) };
  }

  #expired(row: Row): boolean {
    const expiresAt = row.expiresAt as number | undefined;
    return expiresAt !== undefined && expiresAt <= this.#now;
  }

  #link(derived: Ref, sources: readonly Ref[] | undefined): void {
    for (const source of sources ?? []) {
      const row = {
        derivedKind: derived.kind,
        derivedId: derived.id,
        sourceKind: tableOf(source?.kind).name,
        sourceId: checkId(source.id, "source.id"),
      };
      this.#links.set(JSON.stringify(Object.values(row)), row);
    }
  }

  /** A derivation needs its sources, so that work on something erased meanwhile cannot bring it back. */
  *#checkSources(): Reading<void> {
    const links = [...this.#links];
    if (links.length === 0) return;
    const found = yield links.flatMap(([, row]): RowRead[] => [
      { type: "get", table: tableOf(row.sourceKind), key: [row.sourceId as string], now: this.#now },
      {
        type: "get",
        table: systemTables.link,
        key: systemTables.link.key.map((column) => row[column] as string),
      },
    ]);
    links.forEach(([name, row], i) => {
      const written = this.#rows.get(rowName(tableOf(row.sourceKind), row.sourceId as string));
      const there = written === undefined ? found[2 * i]?.[0] !== undefined : written.row !== undefined;
      if (!there) {
        throw new FluxError("erased", `A source of a derived record is not there (a ${row.sourceKind})`, {
          hint: "It was erased, has expired, or was never stored: derive again from what there is.",
        });
      }
      if (found[2 * i + 1]?.[0] !== undefined) this.#links.delete(name);
    });
  }

  #write({ table, before, row, links }: WrittenRow): void {
    this.#records += (row === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
    this.#bytes += ((row?.bytes as number) ?? 0) - ((before?.bytes as number) ?? 0);
    if (row === before) return;
    if (row !== undefined)
      this.writes.push({ type: before === undefined ? "insert" : "replace", table, row });
    else if (before !== undefined) {
      this.writes.push({ type: "remove", table, key: [before.id as string] });
      for (const link of links) this.writes.push(removal(systemTables.link, link));
    }
  }

  enqueue(jobs: readonly NewJob[]): void {
    jobs.forEach((job, ordinal) => {
      this.#seq += 1;
      const row = jobRow(job, {
        id: derivedId(this.#key, ordinal),
        seq: this.#seq,
        now: this.#now,
        head: this.#head,
      });
      this.writes.push({ type: "insert", table: systemTables.job, row });
    });
  }

  finish(request: CommitRequest, result: Json | undefined): Outcome<Receipt<Json | undefined>> {
    const records = this.#head.records + this.#records;
    const bytes = this.#head.bytes + this.#bytes;
    checkQuota(this.#head, records, bytes);
    this.writes.push({
      type: "insert",
      table: systemTables.operation,
      row: {
        id: this.#key,
        fingerprint: fingerprint(this.#head, request.digest),
        generation: this.#head.generation,
        seq: this.#seq,
        recordedAt: this.#now,
        inserted: this.#ids.length,
        ids: this.#explicit ? this.#ids : undefined,
        repaired: this.#repaired.length > 0 ? this.#repaired : undefined,
        result,
      },
    });
    return {
      head: { ...this.#head, seq: this.#seq, recordedAt: this.#now, records, bytes },
      writes: this.writes,
      changes: this.#changes,
      value: {
        operation: request.operation,
        replayed: false,
        seq: this.#seq,
        recordedAt: this.#now,
        ids: this.#ids,
        repaired: this.#repaired,
        result,
      },
    };
  }
}

/** The row of a new job. */
export function jobRow(
  job: NewJob,
  {
    id,
    seq,
    now,
    head,
  }: { readonly id: string; readonly seq: number; readonly now: number; readonly head: Head },
): Row {
  const {
    queue,
    payload,
    ref,
    delay = 0,
    maxAttempts = defaultMaxAttempts,
  } = check(newJobSchema, job, "job");
  return {
    id,
    seq,
    queue,
    payload,
    refKind: ref?.kind,
    refId: ref?.id,
    dead: false,
    attempts: 0,
    maxAttempts,
    readyAt: now + delay,
    generation: head.generation,
  };
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

/** The write that removes a row. */
export function removal(table: Table, row: Row): RowWrite {
  return { type: "remove", table, key: table.key.map((column) => row[column] as string) };
}

function erasedId(table: RecordTable): FluxError {
  return new FluxError(
    "erased",
    `This ${table.name} was erased or has expired; its id cannot be used again`,
    {
      hint: "The same content may be stored anew under another id.",
    },
  );
}

function rowName(table: RecordTable, id: string): string {
  return `${table.name}/${id}`;
}
