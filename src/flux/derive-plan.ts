import { cardinalityOf, predicatesBeside } from "../facts/cardinality.ts";
import { type Changes, changesOf, closedReason } from "../facts/changes.ts";
import { type Judgement, judge, type Version } from "../facts/judge.ts";
import { isRepeated, saidYet, timesSaid } from "../facts/saying.ts";
import { type Interval, isSame } from "../facts/timeline.ts";
import { supersededRole } from "../facts/to-fact.ts";
import { canonicalJson } from "../model/json.ts";
import { groundRole, isSameRef, type Ref, type Source } from "../model/record.ts";
import { type Mutation, patch } from "../store/batch.ts";
import { type Decision, definePlan } from "../store/plan.ts";
import { find, get, type Page, type ReadOp, sourcesOf } from "../store/read.ts";
import type { Kind } from "../store/schema.ts";
import { hiddenFactJob } from "./derived-records.ts";
import {
  aliasReads,
  type FactAside,
  type NamedReads,
  namedRows,
  recordAmong,
  recordName,
  SubjectKeys,
  topicReads,
  versionsAmong,
} from "./fact-reads.ts";
import { changeReads, type FactGrain, type FactWrites, factWrites, roleOf } from "./fact-writes.ts";

/** What is judged anew. */
export interface DeriveAside extends Pick<FactAside, "spaces" | "entries"> {
  /** The fact of which a version lost something that it rested on. */
  readonly thread: string;
  /** The keys of all names of its subject, and its predicate. */
  readonly subjects: readonly string[];
  readonly predicate: string;
  /** The version of it that a record had said which says something else by now. */
  readonly restated: string | undefined;
}

/** Versions of the thread that are looked at, the newest. */
const maxThread = 1000;

function firstReads({ thread, subjects, predicate }: DeriveAside): NamedReads {
  const reads = new Map<string, ReadOp>(aliasReads());
  for (const subject of subjects)
    for (const beside of predicatesBeside(predicate))
      for (const read of topicReads(subject, beside)) reads.set(JSON.stringify(read), read);
  reads.set("thread", find("fact", { index: "byFact", prefix: [thread], reverse: true, limit: maxThread }));
  return reads;
}

/** The reads of what versions rest on. */
function nextReads(rows: ReadonlyMap<string, unknown>): NamedReads {
  const reads = new Map<string, ReadOp>();
  const versions = involved(rows);
  const thread = (rows.get("thread") as Page<Version>).items;
  for (const { id } of [...versions, ...thread.filter(isClosed)])
    reads.set(`links ${id}`, sourcesOf("fact", id));
  for (const { evidence = [] } of [...versions, ...thread])
    for (const { sources = [] } of evidence)
      for (const { kind, id } of sources) reads.set(recordName(kind, id), get(kind as Kind, id));
  // Which of them are written anew is not known yet: all whose grains might go.
  const retired = versions.map((version) => ({ version, reason: "replaced" as const }));
  for (const [name, read] of changeReads({ placed: [], retired, contested: [] }, versions))
    reads.set(name, read);
  return reads;
}

/**
 * What is judged together with the thread, and of the thread itself the newest version where it is retired. Of a predicate with many
 * objects, what else is said of the same one.
 */
function involved(rows: ReadonlyMap<string, unknown>): readonly Version[] {
  const thread = (rows.get("thread") as Page<Version>).items;
  const all = versionsAmong(rows);
  const objects = new Set(thread.map(({ objectKey }) => objectKey));
  const versions = all.some(isOne) ? all : all.filter(({ objectKey }) => objects.has(objectKey));
  const [newest] = thread;
  return newest === undefined || versions.some(({ id }) => id === newest.id)
    ? versions
    : [...versions, newest];
}

function isOne({ predicate, evidence = [] }: Version): boolean {
  const hints = evidence.length > 0 ? evidence.map(({ cardinality }) => cardinality) : [undefined];
  return hints.some((hint) => cardinalityOf(predicate, hint) === "one");
}

/** Whether another fact put an end to it. */
function isClosed({ reason }: Version): boolean {
  return reason === closedReason;
}

export interface DeriveDecision {
  readonly mutations: readonly Mutation[];
  readonly jobs: FactWrites["jobs"];
  readonly grains: readonly FactGrain[];
}

export function deriveReads(aside: DeriveAside): readonly ReadOp[] {
  return [...firstReads(aside).values()];
}

export function deriveReadsNext(rows: readonly unknown[], aside: DeriveAside): readonly ReadOp[] {
  return [...nextReads(namedRows(firstReads(aside), rows)).values()];
}

/**
 * Judges what is known of a subject and a predicate anew, by what still says it: what had been closed, contested or corrected by
 * something that is gone is believed again.
 */
export function decideDerived(
  rows: readonly unknown[],
  next: readonly unknown[],
  aside: DeriveAside,
  { now, id }: { readonly now: number; id(ordinal: number): string },
): DeriveDecision {
  const first = namedRows(firstReads(aside), rows);
  const all = new Map([...first, ...namedRows(nextReads(first), next)]);
  const keys = new SubjectKeys(first, []);
  const versions = involved(first);
  const left = new Map(versions.map((version) => [version.id, withEvidenceLeft(version, all)]));
  const leftOf = (version: Version): Version => left.get(version.id) ?? version;
  const unsaid = versions.filter((version) => isUnsaid(version, leftOf(version), all));
  const said = versions.filter((version) => !unsaid.includes(version));
  const present = versions.filter(isPresent);
  const believed = said.filter(isPresent).map(leftOf);
  const reopened = said
    .filter((version) => isReopened(version, present, all))
    .flatMap((version) => notSaidBy(leftOf(version), believed));
  const known = {
    present: believed,
    retired: [],
    keyOf: (subject: string) => keys.keyOf(subject),
  };
  const judgement = judge([], known, reopened);
  const lessened = new Set(
    present
      .filter((version) => version.status === "contested" && isLess(version, leftOf(version), aside))
      .map((version) => version.id),
  );
  const changes = changesOf(judgement, present, { reopened, lessened });
  // Sources of what nobody wrote evidence of are its links.
  for (const { id, evidence } of left.values())
    if (evidence === undefined) all.set(`sources ${id}`, linksOf(id, all));
  const writes = factWrites(changes, all, { aside, now, id });
  return {
    ...writes,
    jobs: [...writes.jobs, ...unsaid.filter(isPresent).map(({ id }) => hiddenFactJob(id))],
    mutations: [
      ...writes.mutations,
      ...newLinks(judgement, changes, writes, all),
      ...spent(changes, all, { aside, now }),
    ],
  };
}

/** The version without what was said by records that are gone. */
function withEvidenceLeft(version: Version, rows: ReadonlyMap<string, unknown>): Version {
  return { ...version, ...saidYet(version, (ref) => recordAmong(rows, ref) !== undefined) };
}

function isPresent({ status }: Version): boolean {
  return status !== "retired";
}

/** Whether nothing says the version that can be seen. What says it may come back by an undo, and is read anew then. */
function isUnsaid(version: Version, left: Version, rows: ReadonlyMap<string, unknown>): boolean {
  const { evidence = [] } = version;
  if (evidence.length === 0 || left.evidence !== undefined) return false;
  const kept = evidence.flatMap(({ sources }) => sources ?? []);
  // Of very many sayings only some are kept: the links tell of the others.
  return !linksOf(version.id, rows).some(
    (link) => link.role === groundRole && !kept.some((one) => isSameRef(one, link)),
  );
}

/** Whether something that is gone had a part in what a version of the thread says, and something else says it too. */
function isLess(version: Version, left: Version, { thread, restated }: DeriveAside): boolean {
  if (version.factId !== thread || left.evidence === undefined) return false;
  return version.id === restated || left.evidence.length < (version.evidence ?? []).length;
}

/** Whether what a retired version gave way to is gone. What was retracted stays so. */
function isReopened(
  version: Version,
  present: readonly Version[],
  rows: ReadonlyMap<string, unknown>,
): boolean {
  const { id, factId, status, retiredReason } = version;
  if (status !== "retired" || (retiredReason !== "replaced" && retiredReason !== "corrected")) return false;
  if (present.some((other) => other.factId === factId)) return false;
  return !linksOf(id, rows).some(({ role }) => role === supersededRole);
}

/** The version with what no other says that is believed: it may have been merged with that one. */
function notSaidBy(version: Version, others: readonly Version[]): readonly Version[] {
  const same = others.filter((other) => isSame(other, version));
  const evidence = (version.evidence ?? []).filter(
    (one) =>
      !same.some(({ evidence = [] }) =>
        evidence.some((other) => isRepeated(one, other) || canonicalJson(one) === canonicalJson(other)),
      ),
  );
  if (version.evidence === undefined) return [version];
  return evidence.length > 0
    ? [{ ...version, evidence, mentions: Math.max(0, timesSaid(evidence) - 1) }]
    : [];
}

/** Links to what holds instead, where the version that was linked to is gone and something else has its place. */
function newLinks(
  { timelines }: Judgement,
  { placed, retired }: Changes,
  writes: FactWrites,
  rows: ReadonlyMap<string, unknown>,
): Mutation[] {
  const gone = new Set(retired.map(({ version }) => version.id));
  const links = new Map<string, { readonly by: Interval; readonly role: string }>();
  for (const { saying, by, retired: reason } of timelines.flatMap(({ lost }) => lost))
    if (saying.version !== undefined) links.set(saying.version, { by, role: roleOf(reason) });
  for (const { kept, interval } of placed)
    if (kept !== undefined && interval.closedBy !== undefined)
      links.set(kept.id, { by: interval.closedBy, role: supersededRole });
  return [...links].flatMap(([id, { by, role }]) => {
    const version = writes.versionOf(by);
    if (version === undefined || gone.has(id) || linksOf(id, rows).some((link) => link.role === role))
      return [];
    return [patch("fact", id, {}, { sources: [{ kind: "fact", id: version.id, role }] })];
  });
}

/**
 * Takes versions of the fact that are believed no more out of its history, if they say what something said that is gone: its words for a
 * time, or that another fact had put an end to this one. Maintenance erases them.
 */
function spent(
  { retired }: Changes,
  rows: ReadonlyMap<string, unknown>,
  { aside: { restated }, now }: { readonly aside: DeriveAside; readonly now: number },
): Mutation[] {
  const old = new Set(retired.map(({ version }) => version.id));
  const isGone = (ref: Ref): boolean => recordAmong(rows, ref) === undefined;
  return (rows.get("thread") as Page<Version>).items.flatMap((version) => {
    const { id, status, evidence = [] } = version;
    if (status === "current" && !old.has(id)) return [];
    const closer = linksOf(id, rows).some(({ role }) => role === supersededRole);
    const gone = id === restated || evidence.some(({ sources = [] }) => sources.some(isGone));
    return gone || (isClosed(version) && !closer) ? [patch("fact", id, { expiresAt: now })] : [];
  });
}

function linksOf(id: string, rows: ReadonlyMap<string, unknown>): readonly Source[] {
  return (rows.get(`links ${id}`) as readonly Source[] | undefined) ?? [];
}

/** Judges facts anew and completes the job that asked for it. */
export const derivePlan = definePlan({
  name: "flux-derive-facts",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, aside: DeriveAside) => deriveReads(aside),
  readsNext: (_input, rows, aside) => deriveReadsNext(rows, aside),
  decide(_input, rows, { aside, next, now, id }): Decision<null> {
    const { mutations, jobs } = decideDerived(rows, next, aside, { now, id });
    return { mutations, jobs, spaces: aside.spaces, result: null };
  },
});
