import { FluxError } from "../model/errors.ts";
import type { Job } from "../model/job.ts";
import type { Ref } from "../model/record.ts";
import { completed, holdsLease, leaseLost, unchanged } from "./commit.ts";
import type { Outcome, Reading, Transaction } from "./driver.ts";
import type { JobLease } from "./ledger.ts";
import { systemTables } from "./system-tables.ts";
import type { Row } from "./table.ts";
import { toSource } from "./translate.ts";

const table = systemTables.job;

const firstDelay = 1000;
const longestDelay = 3_600_000;

/** How many jobs without attempts left one claim puts aside. */
const buriedAtOnce = 20;

/** A row as a job. */
export function toJob(row: Row, now: number): Job {
  const leased = row.lease !== undefined && (row.readyAt as number) > now;
  return {
    id: row.id as string,
    seq: row.seq as number,
    queue: row.queue as string,
    payload: row.payload === undefined ? undefined : JSON.parse(row.payload as string),
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
}): Transaction<(Job & { readonly sources: readonly Ref[] }) | undefined> {
  const { queue, lease, leaseFor, now } = options;
  return function* (head): Reading<Outcome<(Job & { readonly sources: readonly Ref[] }) | undefined>> {
    const lane = [false, queue];
    const [rows = []] = yield [{ type: "find", table, index: "byLane", prefix: lane, limit: buriedAtOnce }];
    const first = rows.findIndex((row) => !spent(row, now));
    const row = first < 0 ? undefined : rows[first];
    const buried = rows
      .slice(0, first < 0 ? rows.length : first)
      .map((spent) => bury(spent, "lease_expired"));
    const writes = buried.map((row) => ({ type: "replace", table, row }) as const);
    // The transaction runs again when the outcome of its commit was unknown, and then finds its own lease.
    const mine = row?.lease === lease;
    if (row === undefined || (!mine && (row.readyAt as number) > now))
      return { head, writes, changes: [], value: undefined };
    const links = yield* readLinks(row.id as string);
    if (mine) return { head, writes, changes: [], value: claimed(row, links, now) };
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
      value: claimed(leased, links, now),
    };
  };
}

function claimed(row: Row, links: readonly Row[], now: number): Job & { readonly sources: readonly Ref[] } {
  return { ...toJob(row, now), sources: links.map(toSource).map(({ kind, id }) => ({ kind, id })) };
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
    if (row === undefined || !holdsLease(head, job, row)) throw leaseLost();
    const links = yield* readLinks(job.id);
    return { head, writes: completed(row, links), changes: [], value: undefined };
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
    if (row === undefined || row.lease !== job.lease) throw leaseLost();
    const { error, now } = options;
    const attempts = row.attempts as number;
    const delay = options.delay ?? Math.min(firstDelay * 2 ** (attempts - 1), longestDelay);
    const over = options.dead || attempts >= (row.maxAttempts as number);
    return replaced(
      head,
      over ? bury(row, error) : { ...row, lease: undefined, error, readyAt: now + delay },
    );
  };
}

/** Prolongs a lease. */
export function extend(job: JobLease, until: number): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const row = yield* readJob(job.id);
    if (!holdsLease(head, job, row)) throw leaseLost();
    return replaced(head, { ...row, readyAt: until });
  };
}

/** Makes a dead letter an ordinary job again. */
export function revive(id: string, now: number): Transaction<void> {
  return function* (head): Reading<Outcome<void>> {
    const row = yield* readJob(id);
    if (row === undefined) throw new FluxError("not_found", "There is no such job in this partition");
    if (row.dead !== true) return unchanged(head, undefined);
    return replaced(head, { ...row, dead: false, attempts: 0, error: undefined, readyAt: now });
  };
}

function replaced(head: Outcome<void>["head"], row: Row): Outcome<void> {
  return { head, writes: [{ type: "replace", table, row }], changes: [], value: undefined };
}

function* readJob(id: string): Reading<Row | undefined> {
  const [[row] = []] = yield [{ type: "get", table, key: [id] }];
  return row;
}

function* readLinks(id: string): Reading<readonly Row[]> {
  const [links = []] = yield [
    { type: "find", table: systemTables.link, index: "byId", prefix: [table.name, id] },
  ];
  return links;
}
