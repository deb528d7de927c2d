import { FluxError } from "../model/errors.ts";
import { base32, digest } from "../model/hash.ts";
import { derivedId } from "../model/ids.ts";
import type { NewJob } from "../model/job.ts";
import { copyJson, type Json, repairJson } from "../model/json.ts";
import { utf8Length } from "../model/unicode.ts";
import type { Insert } from "./batch.ts";
import { type Written, writeBatch } from "./batch-writer.ts";
import { checkDecision } from "./checks.ts";
import type { Head, Outcome, Reading, RowRead, RowWrite, Transaction } from "./driver.ts";
import { KnownRows } from "./known-rows.ts";
import type { JobLease, Receipt } from "./ledger.ts";
import type { Decision, PlanContext } from "./plan.ts";
import { type PreparedBatch, prepareBatch } from "./prepared-batch.ts";
import type { ReadOp } from "./read.ts";
import { withRemovals } from "./removals.ts";
import { systemTables } from "./system-tables.ts";
import { type Row, removal } from "./table.ts";
import { type TranslatedRead, translatePlanReads } from "./translate.ts";

/** Blind inserts, for `Ledger.append`. */
export interface Append {
  /** Names the operation within the partition: the same id has its effect once, for ever. */
  readonly operation: string;
  readonly records: readonly Insert[];
  readonly jobs?: readonly NewJob[] | undefined;
  /** The job that this commit completes; see `Jobs.claim`. */
  readonly job?: JobLease | undefined;
  /**
   * Ids of the spaces that are not retired, as the caller knows them; needed where grains come with index entries. Refused
   * with `index_changed` when there are others by now, so that no grain is missing from a space that came or went meanwhile.
   */
  readonly spaces?: readonly number[] | undefined;
}

/** The most bytes of a plan's result. */
export const maxResultBytes = 131_072;

export interface CommitRequest {
  readonly operation: string;
  /** `operationKey` of the operation. */
  readonly key: string;
  /** Digest of the request, to tell a retry from another request under the same operation id. */
  readonly digest: string;
  /** What to write: known beforehand, or decided from reads. */
  readonly content: PreparedBatch | DecidedContent;
  readonly job?: JobLease | undefined;
  readonly now: number;
}

interface DecidedContent {
  readonly reads: readonly ReadOp[];
  readsNext(rows: readonly unknown[]): readonly ReadOp[];
  decide(rows: readonly unknown[], context: DecisionContext): Decision<Json | undefined>;
}

export type DecisionContext = Pick<PlanContext, "now" | "id"> & { readonly next: readonly unknown[] };

/** The one way in which records are written: receipt, job, reads, decision, checks, writes. */
export function commit(request: CommitRequest): Transaction<Receipt<Json | undefined>> {
  // A generator function made for each request would be a form of its own to the compiler.
  return (head) => run(request, head);
}

function* run(request: CommitRequest, head: Head): Reading<Outcome<Receipt<Json | undefined>>> {
  const { key, job, content, now } = request;
  const { operation, job: jobTable, link } = systemTables;
  const first: RowRead[] = [{ type: "get", table: operation, key: [key] }];
  for (const id of job === undefined ? [] : [job.id, ...(job.behind ?? [])]) {
    first.push({ type: "get", table: jobTable, key: [id] });
    first.push({ type: "find", table: link, index: "byId", prefix: [jobTable.name, id] });
  }
  const recordedAt = Math.max(now, head.recordedAt);
  const reads = "decide" in content ? translatePlanReads(content.reads, now) : [];
  const declared = "decide" in content ? rowReads(reads) : content.reads;
  const found = yield [...first, ...declared];
  const rows = found.slice(first.length);
  const [[receipt] = [], ...jobRows] = found.slice(0, first.length);
  const leased = job !== undefined && holdsLease(head, job, jobRows[0]?.[0]);
  const completion = leased ? allCompleted(jobRows) : [];
  if (receipt !== undefined) {
    return { head, writes: completion, changes: [], value: replay(request, head, receipt) };
  }
  if (job !== undefined && !leased) throw leaseLost();

  let written: Written;
  let result: Json | undefined;
  if ("decide" in content) {
    const results = resultsOf(reads, rows, head);
    const nextReads = translatePlanReads(content.readsNext(results), now);
    const wanted = rowReads(nextReads);
    const nextRows = wanted.length === 0 ? [] : yield wanted;
    const next = resultsOf(nextReads, nextRows, head);
    const id = (ordinal: number): string => derivedId(key, ordinal);
    const decided = content.decide(results, { now: recordedAt, next, id });
    const decision = checkDecision(decided);
    const { mutations = [], jobs = [], spaces } = decision;
    const batch = prepareBatch(key, mutations, jobs, spaces);
    const known = new KnownRows([...declared, ...wanted], [...rows, ...nextRows]);
    const rest = known.missing(batch.reads);
    const needed = known.merge(batch.reads, rest.length === 0 ? [] : yield rest);
    const whole = withRemovals(batch, needed);
    const more = whole.reads.slice(batch.reads.length);
    const found = more.length === 0 ? needed : [...needed, ...(yield more)];
    written = writeBatch(head, whole, found, { now, recordedAt });
    result = checkResult(decision.result);
  } else written = writeBatch(head, content, rows, { now, recordedAt });

  const { ids, repaired } = written;
  const { seq } = written.head;
  const receiptRow = {
    id: key,
    fingerprint: fingerprint(head, request.digest),
    generation: head.generation,
    seq,
    recordedAt,
    inserted: ids.length,
    ids: written.given ? JSON.stringify(ids) : undefined,
    repaired: repaired.length > 0 ? JSON.stringify(repaired) : undefined,
    result: result === undefined ? undefined : JSON.stringify(result),
  };
  return {
    head: written.head,
    writes: [...written.writes, ...completion, { type: "insert", table: operation, row: receiptRow }],
    changes: written.changes,
    value: {
      operation: request.operation,
      replayed: false,
      compared: true,
      seq,
      recordedAt,
      ids,
      repaired,
      result,
    },
  };
}

function rowReads(reads: readonly TranslatedRead[]): RowRead[] {
  return reads.flatMap(({ read }) => (read === undefined ? [] : [read]));
}

function resultsOf(
  reads: readonly TranslatedRead[],
  rows: readonly (readonly Row[])[],
  head: Head,
): readonly unknown[] {
  let next = 0;
  return reads.map(({ read, result }) => result(read === undefined ? [] : (rows[next++] ?? []), head));
}

function replay(request: CommitRequest, head: Head, row: Row): Receipt<Json | undefined> {
  const current = row.generation === head.generation;
  // The attempts of a job may differ in what they would write; only the one that committed counts.
  const compared = current && request.job === undefined;
  // An erasure has no fingerprint, and nothing is a retry of it.
  if (row.fingerprint === "" || (compared && row.fingerprint !== fingerprint(head, request.digest))) {
    throw new FluxError("operation_conflict", "This operation id was used before with another payload", {
      hint: "Give every operation an id of its own; repeat an id only to retry the same call.",
    });
  }
  const { ids, repaired, result } = row as { readonly [column: string]: string | undefined };
  return {
    operation: request.operation,
    replayed: true,
    compared,
    seq: row.seq as number,
    recordedAt: row.recordedAt as number,
    ids:
      ids === undefined
        ? Array.from({ length: row.inserted as number }, (_, i) => derivedId(request.key, i))
        : JSON.parse(ids),
    repaired: repaired === undefined ? [] : JSON.parse(repaired),
    result: result === undefined ? undefined : JSON.parse(result),
  };
}

/** Both parts have a fixed length, so a plain hash keyed by the salt cannot be extended. */
function fingerprint(head: Head, payload: string): string {
  return base32(digest(head.salt, payload).subarray(0, 16));
}

/** An outcome that writes nothing. */
export function unchanged<T>(head: Head, value: T): Outcome<T> {
  return { head, writes: [], changes: [], value };
}

/** Whether the job row is there, leased to the caller, and not overtaken by an erasure. */
export function holdsLease(head: Head, job: JobLease, row: Row | undefined): boolean {
  return row?.lease !== undefined && row.lease === job.lease && row.generation === head.generation;
}

export function leaseLost(): FluxError {
  return new FluxError("lease_lost", "The job was taken over, completed, or overtaken by an erasure", {
    hint: "Drop this attempt; the job runs again if there is still something to do.",
  });
}

/** Removes a leased job and those that wait behind it in its lane. @param rows of each job its row and its links, one after the other */
function allCompleted(rows: readonly (readonly Row[])[]): RowWrite[] {
  const queue = rows[0]?.[0]?.queue;
  return rows.flatMap(([row], i) => {
    if (i % 2 === 1 || row === undefined) return [];
    const waits = row.lease === undefined && row.dead === false && row.queue === queue;
    return i === 0 || waits ? completed(row, rows[i + 1] ?? []) : [];
  });
}

/** Removes a job, and what it rests on. */
export function completed(row: Row, links: readonly Row[]): RowWrite[] {
  return [removal(systemTables.job, row), ...links.map((link) => removal(systemTables.link, link))];
}

function checkResult(result: Json | undefined): Json | undefined {
  if (result === undefined) return undefined;
  const { copy, problem } = copyJson(result);
  if (problem !== undefined) throw new FluxError("invalid_argument", `The plan's result ${problem}`);
  const repaired = repairJson(copy);
  if (utf8Length(JSON.stringify(repaired)) > maxResultBytes) {
    throw new FluxError("too_large", `A plan's result may take at most ${maxResultBytes} bytes`);
  }
  return repaired;
}
