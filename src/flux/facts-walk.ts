import type { FactConditions } from "../facts/facts.ts";
import { holdsAt, type Moments } from "../facts/moments.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Partition } from "../model/partition.ts";
import type { Stored } from "../model/record.ts";
import type { CallOptions, IndexRange } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { type FindOptions, find } from "../store/read.ts";

/** Which versions of facts are wanted, in the form in which they are stored. */
export interface VersionConditions
  extends Moments,
    Pick<FactConditions, "affirmed" | "minConfidence" | "agentId" | "sessionId"> {
  /** Of all names that the subject has. */
  readonly subjectKeys?: readonly string[] | undefined;
  readonly predicate?: string | undefined;
  readonly objectKey?: string | undefined;
}

export interface FoundVersions {
  /** Those that fulfil the conditions. */
  readonly versions: readonly Stored<FactVersion>[];
  /** `seq` behind which to go on; absent at the end. */
  readonly end: number | undefined;
}

/** Versions that a read of the ledger gives at most. */
export const mostVersions = 1000;

/** Reads versions behind a `seq` in the order in which they were recorded, or in the reverse order. */
export async function readVersions(
  { ledger, partition }: { readonly ledger: Pick<Ledger, "read">; readonly partition: Partition },
  conditions: VersionConditions,
  {
    behind,
    reverse,
    limit,
  }: { readonly behind: number | undefined; readonly reverse: boolean; readonly limit: number },
  options: CallOptions,
): Promise<FoundVersions> {
  const range = rangeBehind(behind, reverse);
  const ops = waysTo(conditions).map((way) => find("fact", { ...way, range, reverse, limit }));
  const pages = await ledger.read([partition], ops, options);
  const all = pages.flatMap(({ items }) => items);
  all.sort((a, b) => (reverse ? b.seq - a.seq : a.seq - b.seq));
  const first = all.slice(0, limit);
  const more = all.length > limit || pages.some(({ cursor }) => cursor !== undefined);
  return {
    versions: first.filter((version) => fulfils(version, conditions)),
    end: more ? first.at(-1)?.seq : undefined,
  };
}

/** The versions that fulfil the conditions, the newest first and no more than so many; and whether there are others. */
export async function readNewest(
  source: Parameters<typeof readVersions>[0],
  conditions: VersionConditions,
  most: number,
  options: CallOptions,
): Promise<{ readonly versions: readonly Stored<FactVersion>[]; readonly bounded: boolean }> {
  const versions: Stored<FactVersion>[] = [];
  for (let behind: number | undefined; ; ) {
    // Few are enough at first; where they are not those that are wanted, it goes on faster.
    const limit = behind === undefined ? Math.min(most + 1, mostVersions) : mostVersions;
    const step = { behind, reverse: true, limit };
    const found = await readVersions(source, conditions, step, options);
    versions.push(...found.versions);
    if (versions.length > most) return { versions: versions.slice(0, most), bounded: true };
    if (found.end === undefined) return { versions, bounded: false };
    behind = found.end;
  }
}

function rangeBehind(seq: number | undefined, reverse: boolean): IndexRange | undefined {
  if (seq === undefined) return undefined;
  return reverse ? { lt: seq } : { gt: seq };
}

/** The index that leaves the least to look at, for each status that there is to look at. */
function waysTo(conditions: VersionConditions): Pick<FindOptions, "index" | "prefix">[] {
  const { subjectKeys, predicate, objectKey, sessionId, agentId, knownAt } = conditions;
  // What is believed no more was believed once.
  const statuses = knownAt === undefined ? ["current"] : ["current", "retired", "contested"];
  const along = (index: string, ...keys: readonly string[]): Pick<FindOptions, "index" | "prefix">[] =>
    statuses.map((status) => ({ index, prefix: [status, ...keys] }));
  if (subjectKeys !== undefined && predicate !== undefined && objectKey !== undefined)
    return subjectKeys.flatMap((key) => along("bySubject", key, predicate, objectKey));
  if (objectKey !== undefined) return along("byObject", objectKey);
  if (subjectKeys !== undefined && predicate !== undefined)
    return subjectKeys.flatMap((key) => along("bySubjectPredicate", key, predicate));
  if (subjectKeys !== undefined) return subjectKeys.flatMap((key) => along("bySubjectSeq", key));
  if (sessionId !== undefined) return [{ index: "bySession", prefix: [sessionId] }];
  if (predicate !== undefined) return along("byPredicate", predicate);
  if (agentId !== undefined) return [{ index: "byAgent", prefix: [agentId] }];
  return along("byStatus");
}

/** Whether a version fulfils all conditions, those of the index among them: it may serve one alone. */
function fulfils(version: Stored<FactVersion>, conditions: VersionConditions): boolean {
  const { subjectKeys, predicate, objectKey, affirmed, minConfidence = 0, agentId, sessionId } = conditions;
  return (
    (subjectKeys === undefined || subjectKeys.includes(version.subjectKey)) &&
    (predicate === undefined || version.predicate === predicate) &&
    (objectKey === undefined || version.objectKey === objectKey) &&
    (affirmed === undefined || version.affirmed === affirmed) &&
    version.confidence >= minConfidence &&
    (agentId === undefined || version.agentId === agentId) &&
    (sessionId === undefined || version.sessionId === sessionId) &&
    holdsAt(version, conditions)
  );
}
