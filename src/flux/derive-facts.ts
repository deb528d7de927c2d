import type { Version } from "../facts/judge.ts";
import { presentOf } from "../model/clock.ts";
import type { NewJob } from "../model/job.ts";
import type { Partition } from "../model/partition.ts";
import { deriveQueue } from "../store/derive-jobs.ts";
import type { ClaimedJob } from "../store/ledger.ts";
import { derivedFrom, find, get, type Page, type ReadOp } from "../store/read.ts";
import { whilePrepared } from "./commit-claims.ts";
import { type DeriveAside, decideDerived, derivePlan, deriveReads, deriveReadsNext } from "./derive-plan.ts";
import { aliasReads, namedRows, SubjectKeys } from "./fact-reads.ts";
import type { FluxParts } from "./open-flux.ts";
import { entriesOf } from "./prepare-claims.ts";

/** What a job of the queue `derive` says of a fact. */
interface DerivePayload {
  readonly kind: string;
  readonly id: string;
  readonly thread: string;
  /** Whether a record that it rested on says something else by now. */
  readonly restated?: boolean;
  /** Whether the version is hidden: then it is about what that had ended. */
  readonly hidden?: boolean;
}

/**
 * Judges a fact anew, of which a version lost something that it rested on: a source that said it, or the fact that had closed, contested or
 * corrected it. Completes the job in the commit.
 */
export async function runDeriveFact(parts: FluxParts, job: ClaimedJob, signal: AbortSignal): Promise<void> {
  const { kind, id, thread, restated = false, hidden = false } = job.payload as unknown as DerivePayload;
  // Whatever else lost something has a queue of its own for that.
  if (kind !== "fact") return;
  if (hidden) return judgeWithout(parts, job, id, signal);
  await whilePrepared(parts, signal, async () => {
    const aside = await prepareDerive(parts, job.partition, {
      thread,
      restated: restated ? id : undefined,
      signal,
    });
    // All versions of it are gone: what it had closed has a job of its own.
    if (aside === undefined) return;
    const call = { operation: `job/${job.id}`, plan: derivePlan, input: { request: job.id }, aside, job };
    await parts.ledger.update(job.partition, call, { signal });
  });
}

/** Leaves a job for each fact that a version had ended or contested which is hidden now. */
async function judgeWithout(
  { ledger }: FluxParts,
  job: ClaimedJob,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { partition } = job;
  const [derived] = await ledger.read([partition], [derivedFrom("fact", id)], { signal });
  const reads = derived.flatMap((one) => (one.kind === "fact" ? [get("fact", one.id)] : []));
  const versions = await ledger.read([partition], reads, { signal });
  const there = versions.filter((version) => version !== undefined);
  const jobs = [...new Map(there.map((version) => [version.factId, version])).values()].map(threadJob);
  if (jobs.length === 0) return;
  await ledger.append(partition, { operation: `job/${job.id}`, records: [], jobs, job }, { signal });
}

function threadJob({ id, factId }: Pick<Version, "id" | "factId">): NewJob {
  return {
    ...{ queue: deriveQueue, payload: { kind: "fact", id, thread: factId } },
    sources: [{ kind: "fact", id }],
  };
}

async function prepareDerive(
  parts: FluxParts,
  partition: Partition,
  {
    thread,
    restated,
    signal,
  }: { readonly thread: string; readonly restated: string | undefined; readonly signal: AbortSignal },
): Promise<DeriveAside | undefined> {
  const { ledger, clock } = parts;
  const newest = find("fact", { index: "byFact", prefix: [thread], reverse: true, limit: 1 });
  const reads = new Map<string, ReadOp>([...aliasReads(), ["newest", newest]]);
  const found = namedRows(reads, await ledger.read([partition], [...reads.values()], { signal }));
  const [version] = (found.get("newest") as Page<Version>).items;
  if (version === undefined) return undefined;
  const { subject, subjectKey, predicate } = version;
  const subjects = [...new Set([subjectKey, ...new SubjectKeys(found, []).keysOf(subject)])];
  const aside = { thread, subjects, predicate, restated, spaces: [], entries: new Map() };
  const rows = await ledger.read([partition], deriveReads(aside), { signal });
  const next = await ledger.read([partition], deriveReadsNext(rows, aside), { signal });
  const context = { now: presentOf(clock), id: (ordinal: number) => `${ordinal}` };
  const { grains } = decideDerived(rows, next, aside, context);
  return { ...aside, ...(await entriesOf(parts, grains, signal)) };
}
