import { type Kind, recordTables } from "../schema.ts";
import { closureOf, eraseNames } from "./erasure-model.ts";
import { type ModelPurge, type PartitionModel, refOf } from "./partition-model.ts";

export type Counts = Readonly<Record<string, number>>;

/** What hiding or showing comes to. */
export interface Turned {
  readonly counts: Counts;
  /** Payloads of the jobs that it leaves, as text. */
  readonly derive: readonly string[];
}

/** Hides the named records that can be seen, with what goes with them. */
export function hideNames(
  model: PartitionModel,
  names: readonly string[],
  { id, now, until }: { readonly id: string; readonly now: number; readonly until: number },
): Turned {
  const visible = (name: string): boolean => {
    const record = model.records.get(name);
    return record !== undefined && !model.isGone(record, now);
  };
  const named = new Set(names.filter(visible));
  const { gone, goneJobs } = closureOf(model, named, (name) => model.isHidden(name));
  const records = [...gone].filter(
    (name) => recordTables[refOf(name).kind as Kind].expires && (visible(name) || model.isHidden(name)),
  );
  const fresh = records.filter(visible);
  const jobs = [...goneJobs].flatMap((name) => model.jobs.get(refOf(name).id) ?? []);
  for (const job of jobs) model.jobs.delete(job.id);
  model.purges.set(id, { until, named, records: new Set(records), jobs });
  const derive = fresh.filter(isFact).map((name) => deriving(model, name, { hidden: true }));
  advance(model, now, { changes: fresh.map((name) => `delete ${name}`), derive });
  return { counts: countsOf(records, jobs.length), derive };
}

/** Brings back what a purge hides; undefined when it cannot. */
export function showNames(model: PartitionModel, id: string, now: number): Turned | undefined {
  const purge = model.purges.get(id);
  if (purge === undefined || purge.until <= Math.max(now, model.recordedAt)) return undefined;
  model.purges.delete(id);
  const shown = show(model, purge);
  if (Object.keys(shown.counts).length > 0) {
    advance(model, now, shown);
    return shown;
  }
  model.purges.set(id, purge);
  return undefined;
}

function show(
  model: PartitionModel,
  { records, jobs }: ModelPurge,
): Turned & { readonly changes: readonly string[] } {
  const back = [...records].filter((name) => !model.isHidden(name));
  const waiting = jobs.filter((job) => model.sourcesOf(`job ${job.id}`).length > 0);
  for (const job of waiting) model.jobs.set(job.id, job);
  const threads = new Map(back.filter(isFact).map((name) => [model.records.get(name)?.record.factId, name]));
  return {
    counts: countsOf(back, waiting.length),
    changes: back.map((name) => `insert ${name}`),
    derive: [...threads.values()].map((name) => deriving(model, name)),
  };
}

function isFact(name: string): boolean {
  return refOf(name).kind === "fact";
}

function deriving(model: PartitionModel, name: string, hidden: { readonly hidden?: true } = {}): string {
  const thread = model.records.get(name)?.record.factId;
  return JSON.stringify({ ...refOf(name), thread, ...hidden });
}

/** What maintenance does about purges: rows that go, and what the feed tells. */
export function ripenPurges(
  model: PartitionModel,
  now: number,
): { readonly touched: boolean; readonly gone: number; readonly changes: readonly string[] } {
  const changes: string[] = [];
  let gone = 0;
  let touched = false;
  const erase = (names: readonly string[], expired: boolean): void => {
    touched = true;
    const { counts } = eraseNames(model, names, { now, expired });
    for (const count of Object.values(counts)) gone += count;
    changes.push(...(model.changes.at(-1)?.items ?? []));
  };
  for (const [id, purge] of [...model.purges]) {
    const { until, named, records } = purge;
    if (until <= now) {
      erase(
        [...named].filter((name) => records.has(name)),
        false,
      );
      model.purges.delete(id);
      changes.push(...show(model, purge).changes);
      continue;
    }
    const due = [...records].filter((name) => {
      const record = model.records.get(name);
      return record !== undefined && model.isExpired(record, now);
    });
    if (due.length > 0) erase(due, true);
  }
  return { touched, gone, changes };
}

function countsOf(names: readonly string[], jobs: number): Counts {
  const counts: Record<string, number> = jobs > 0 ? { job: jobs } : {};
  for (const name of names) counts[refOf(name).kind] = (counts[refOf(name).kind] ?? 0) + 1;
  return counts;
}

function advance(
  model: PartitionModel,
  now: number,
  { changes: items, derive }: { readonly changes: readonly string[]; readonly derive: readonly string[] },
): void {
  model.seq += items.length + derive.length;
  model.recordedAt = Math.max(now, model.recordedAt);
  model.exists = true;
  model.changes.push({ items, ordered: false });
}
