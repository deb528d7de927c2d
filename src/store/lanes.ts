import { FluxError } from "../model/errors.ts";
import type { Job } from "../model/job.ts";
import type { Json } from "../model/json.ts";
import { checkLease, unchanged } from "./commit.ts";
import type { Outcome, Reading, Transaction } from "./driver.ts";
import type { JobLease } from "./ledger.ts";
import { systemTables } from "./schema.ts";
import type { Row } from "./table.ts";

const table = systemTables.job;

const firstDelay = 1000;
const longestDelay = 3_600_000;

/** A row as a job. */
export function toJob(row: Row, now: number): Job {
  const leased = row.lease !== undefined && (row.readyAt as number) > now;
  return {
    id: row.id as string,
    seq: row.seq as number,
    queue: row.queue as string,
    payload: row.payload as Json | undefined,
    ref: row.refKind === undefined ? undefined : { kind: row.refKind as string, id: row.refId as string },
    state: row.dead === true ? "dead" : leased ? "leased" : "waiting",
    attempts: row.attempts as number,
    maxAttempts: row.maxAttempts as number,
    readyAt: row.readyAt as number,
    generation: row.generation as number,
    error: row.error as string | undefined,
  };
}

/** Leases the first job of a lane if it is ready; a job whose attempts all ended without a word becomes a dead letter. */
export function claim(options: {
  readonly queue: string;
  readonly lease: string;
  readonly leaseFor: number;
  readonly now: number;
}): Transaction<Job | undefined> {
  const { queue, lease, leaseFor, now } = options;
  return function* (head): Reading<Outcome<Job | undefined>> {
    // Dead letters of crashed workers are put aside together with the claim of the job behind them.
    const [rows = []] = yield [{ type: "find", table, index: "byLane", prefix: [false, queue], limit: 20 }];
    const ready = rows.findIndex((row) => !spent(row, now));
    const row = rows[ready];
    const buried = (ready < 0 ? rows : rows.slice(0, ready)).map((row) => bury(row, "lease_expired"));
    const due = row !== undefined && (row.readyAt as number) <= now;
    const writes = buried.map((row) => ({ type: "replace", table, row }) as const);
    if (!due) return { head, writes, changes: [], value: undefined };
    const leased = {
      ...row,
      lease,
      attempts: (row.attempts as number) + 1,
      readyAt: now + leaseFor,
      generation: head.generation,
    };
    return {
      head,
      writes: [...writes, { type: "replace", table, row: leased }],
      changes: [],
      value: toJob(leased, now),
    };
  };
}

function spent(row: Row, now: number): boolean {
  const over = (row.attempts as number) >= (row.maxAttempts as number);
  return over && row.lease !== undefined && (row.readyAt as number) <= now;
}

function bury(row: Row, error: string): Row {
  return { ...row, dead: true, lease: undefined, error };
}

/** Removes a leased job. */
export function complete(job: JobLease): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const row = yield* readJob(job.id);
    checkLease(head, job, row);
    return { head, writes: [{ type: "remove", table, key: [job.id] }], changes: [], value: undefined };
  };
}

/** Gives a leased job back, or makes it a dead letter. */
export function fail(
  job: JobLease,
  options: {
    readonly error: string;
    readonly delay: number | undefined;
    readonly dead: boolean;
    readonly now: number;
  },
): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const row = yield* readJob(job.id);
    // An erasure does not matter here: nothing is committed that it could have overtaken.
    checkLease({ ...head, generation: row?.generation as number }, job, row);
    const { error, now } = options;
    const attempts = row?.attempts as number;
    const delay = options.delay ?? Math.min(firstDelay * 2 ** (attempts - 1), longestDelay);
    const over = options.dead || attempts >= (row?.maxAttempts as number);
    const next = over ? bury(row as Row, error) : { ...row, lease: undefined, error, readyAt: now + delay };
    return { head, writes: [{ type: "replace", table, row: next }], changes: [], value: undefined };
  };
}

/** Prolongs a lease. */
export function extend(job: JobLease, until: number): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const row = yield* readJob(job.id);
    checkLease(head, job, row);
    return {
      head,
      writes: [{ type: "replace", table, row: { ...row, readyAt: until } }],
      changes: [],
      value: undefined,
    };
  };
}

/** Makes a dead letter an ordinary job again. */
export function revive(id: string, now: number): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const row = yield* readJob(id);
    if (row === undefined) throw new FluxError("not_found", "There is no such job in this partition");
    if (row.dead !== true) return unchanged(head, undefined);
    const next = { ...row, dead: false, attempts: 0, error: undefined, readyAt: now };
    return { head, writes: [{ type: "replace", table, row: next }], changes: [], value: undefined };
  };
}

function* readJob(id: string): Reading<Row | undefined> {
  const [[row] = []] = yield [{ type: "get", table, key: [id] }];
  return row;
}
