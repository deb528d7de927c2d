import { canonicalKey } from "../facts/canonical.ts";
import { type Changes, changesOf } from "../facts/changes.ts";
import { userSubject } from "../facts/claim.ts";
import type { ClaimResult } from "../facts/claim-result.ts";
import { type Finding, type Judged, type Judgement, judge, type Version } from "../facts/judge.ts";
import { type ReplacedSource, replacedSources } from "../facts/replaced-sources.ts";
import { saidYet } from "../facts/saying.ts";
import type { Interval, Saying } from "../facts/timeline.ts";
import { FluxError } from "../model/errors.ts";
import type { Evidence } from "../model/fact.ts";
import type { NewJob } from "../model/job.ts";
import type { Json } from "../model/json.ts";
import type { Ref } from "../model/record.ts";
import { type OwnerRecords, ownerText } from "../recall/owner-text.ts";
import type { Mutation } from "../store/batch.ts";
import { type Decision, definePlan } from "../store/plan.ts";
import type { ReadOp } from "../store/read.ts";
import { defined } from "./draft.ts";
import {
  type ClaimSource,
  type FactAside,
  firstReads,
  type NamedReads,
  namedRows,
  type PreparedClaim,
  recordAmong,
  recordName,
  SubjectKeys,
  versionsAmong,
} from "./fact-reads.ts";
import { changeReads, type FactGrain, type FactWrites, factWrites } from "./fact-writes.ts";

/** What claims come to: what to write, and what became of each of them. */
export interface FactDecision {
  /** Their inserts take the ordinals from 0 on, in their order. */
  readonly mutations: readonly Mutation[];
  readonly jobs: readonly NewJob[];
  readonly results: readonly ClaimResult[];
  /** What is to be indexed of it. */
  readonly grains: readonly FactGrain[];
}

/** The first reads of a plan that commits claims. */
export function factReads(aside: FactAside): readonly ReadOp[] {
  return [...firstReads(aside).values()];
}

/** Its second reads. @param rows the results of {@link factReads} */
export function factReadsNext(rows: readonly unknown[], aside: FactAside): readonly ReadOp[] {
  return [...judged(rows, aside).next.values()];
}

/**
 * Decides what claims change.
 *
 * @param rows the results of {@link factReads}
 * @param next the results of {@link factReadsNext}
 * @param context record time, and the ids of inserts by their ordinals
 * @throws FluxError `conflict` when what was prepared is not so any more, or an expected version is not current
 */
export function decideFacts(
  rows: readonly unknown[],
  next: readonly unknown[],
  aside: FactAside,
  { now, id }: { readonly now: number; id(ordinal: number): string },
): FactDecision {
  const { first, claims, judgement, changes, known, next: nextReads } = judged(rows, aside);
  for (const version of aside.expected)
    checkExpected(first.get(`expected ${version}`) as Version | undefined);
  const all = new Map([...first, ...namedRows(nextReads, next)]);
  const writes = factWrites(changes, all, { aside, now, id });
  const findings = [...judgement.findings];
  const results = claims.map((claim) =>
    claim === undefined
      ? ({ outcome: "ignored", reason: "source_gone" } as const)
      : resultOf(findings.shift() as Finding, { judgement, changes, writes, known, now }),
  );
  return { mutations: writes.mutations, jobs: writes.jobs, results, grains: writes.grains };
}

/** The places in records that say what holds no more by what claims come to. @param rows the results of {@link factReads} */
export function replacedByFacts(rows: readonly unknown[], aside: FactAside): readonly ReplacedSource[] {
  return replacedSources(judged(rows, aside).changes);
}

/** Commits claims and nothing else. Its result is kept as short as it can be. */
export const factPlan = definePlan({
  name: "flux-facts",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, aside: FactAside) => factReads(aside),
  readsNext: (_input, rows, aside) => factReadsNext(rows, aside),
  decide(_input, rows, { aside, next, now, id }): Decision<Json> {
    const { results, mutations, jobs } = decideFacts(rows, next, aside, { now, id });
    return {
      ...{ mutations, jobs, spaces: aside.spaces },
      result: results.map(({ outcome, reason, factId = null, versionId = null }) => [
        ...[outcome, reason, factId, versionId],
      ]),
    };
  },
});

interface JudgedClaims {
  /** The first rows by their names. */
  readonly first: ReadonlyMap<string, unknown>;
  /** Undefined where nothing says it any more. */
  readonly claims: readonly (Judged | undefined)[];
  readonly judgement: Judgement;
  readonly changes: Changes;
  readonly known: readonly Version[];
  /** The reads of what the changes touch. */
  readonly next: NamedReads;
}

/** What was judged last. Each stage of a commit asks for the same, and judging is most of its work. */
const latest = new WeakMap<FactAside, { readonly rows: readonly unknown[]; readonly of: JudgedClaims }>();

function judged(rows: readonly unknown[], aside: FactAside): JudgedClaims {
  const before = latest.get(aside);
  // Another transaction has other rows, if only those of names.
  if (before?.rows.every((row, i) => row === rows[i])) return before.of;
  const of = judgedAnew(namedRows(firstReads(aside), rows), aside);
  latest.set(aside, { rows, of });
  return of;
}

function judgedAnew(rows: ReadonlyMap<string, unknown>, aside: FactAside): JudgedClaims {
  const keys = new SubjectKeys(rows, aside.claims);
  const claims = aside.claims.map((claim) => {
    // What a name stands for decides what is read, and so has to be known before.
    if (keys.keysOf(claim.subject).join("\n") !== claim.keys.join("\n")) throw changed();
    return judgedClaim(claim, rows, aside);
  });
  const shared = new Set(aside.shared.map(({ kind, id }) => recordName(kind, id)));
  const isHeard = ({ kind, id }: Ref): boolean =>
    !shared.has(recordName(kind, id)) || recordAmong(rows, { kind, id }) !== undefined;
  const known = versionsAmong(rows).map((version) => {
    const said = saidYet(version, isHeard);
    // What nothing says any more has a job that waits.
    return said.evidence === undefined ? version : { ...version, ...said };
  });
  const present = known.filter(({ status }) => status !== "retired");
  // What a replaced version said, another says, or what said it was hidden then.
  const retired = known.filter(
    ({ status, retiredReason }) => status === "retired" && retiredReason !== "replaced",
  );
  const left = claims.filter((claim) => claim !== undefined);
  const judgement = judge(left, { present, retired, keyOf: (subject) => keys.keyOf(subject) });
  const changes = changesOf(judgement, present);
  return { first: rows, claims, judgement, changes, known, next: changeReads(changes, known) };
}

/** A claim with what still says it; undefined when nothing does. */
function judgedClaim(
  { subject, predicate, object, affirmed, change, evidence, sources, factId, reason, keys }: PreparedClaim,
  rows: ReadonlyMap<string, unknown>,
  { labels }: FactAside,
): Judged | undefined {
  const left = sources.filter((source) => stillSays(source, rows));
  const [first] = left;
  if (first === undefined && sources.length > 0) return undefined;
  const { sessionId, agentId } = first === undefined ? labels : (recordAmong(rows, first) ?? {});
  const whole: Evidence = {
    ...evidence,
    ...defined({ sessionId, agentId }),
    ...(left.length > 0
      ? { sources: left.map(({ kind, id, start, end }) => ({ kind, id, ...defined({ start, end }) })) }
      : {}),
  };
  const [subjectKey = canonicalKey(subject)] = keys;
  return {
    ...{
      subject: subjectKey === userSubject ? userSubject : subject,
      subjectKey,
      predicate,
      affirmed,
      change,
    },
    ...(object === undefined ? {} : { object, objectKey: canonicalKey(object) }),
    ...{ evidence: whole, ...defined({ factId, reason }) },
  };
}

function stillSays(source: ClaimSource, rows: ReadonlyMap<string, unknown>): boolean {
  const record = recordAmong(rows, source);
  if (record === undefined) return false;
  const { said, start, end } = source;
  return said === undefined || sourceText(source.kind, record).slice(start, end) === said;
}

function sourceText(kind: string, record: object): string {
  return kind in textKinds ? ownerText(kind as "message", record as OwnerRecords["message"]) : "";
}

const textKinds = { message: true, episode: true, text: true, fact: true };

function changed(): FluxError {
  return new FluxError("conflict", "What is known of a name was changed meanwhile", {
    hint: "Try again: nothing was written.",
    retryable: true,
  });
}

function checkExpected(version: Version | undefined): void {
  if (version?.status === "current") return;
  throw new FluxError("conflict", "The fact has another version by now", {
    hint: "Read it again, and decide by what it says now.",
  });
}

function resultOf(
  finding: Finding,
  {
    judgement,
    changes,
    writes,
    known,
    now,
  }: Pick<JudgedClaims, "judgement" | "changes" | "known"> & {
    readonly writes: FactWrites;
    readonly now: number;
  },
): ClaimResult {
  const factOf = (version: string | undefined): Pick<ClaimResult, "factId" | "versionId"> => {
    const found = known.find(({ id }) => id === version);
    return found === undefined ? {} : { factId: found.factId, versionId: found.id };
  };
  if (finding.type === "ignored")
    return { ...factOf(finding.version), outcome: "ignored", reason: finding.reason };
  if (finding.type === "retracted")
    return { ...factOf(finding.version), outcome: "retracted", reason: "never_so" };
  const { sayings, corrects } = finding;
  const place = placeOf(sayings, judgement);
  if (place === undefined) return { outcome: "ignored", reason: "superseded" };
  const version = writes.versionOf(place.interval);
  const at = version === undefined ? {} : { factId: version.factId, versionId: version.id };
  if (place.lost !== undefined) return { ...at, outcome: "ignored", reason: place.lost };
  return { ...at, ...outcomeOf(place.interval, { sayings, corrects, changes, now }) };
}

/** Where what a claim says has its place, or what took it. */
function placeOf(
  sayings: readonly Saying[],
  { timelines }: Judgement,
): { readonly interval: Interval; readonly lost?: string } | undefined {
  const intervals = timelines.flatMap((timeline) => timeline.intervals);
  const interval = intervals.find((one) => one.sayings.some((saying) => sayings.includes(saying)));
  if (interval !== undefined) return { interval };
  const lost = timelines.flatMap((timeline) => timeline.lost);
  const loss = lost.find(({ saying }) => sayings.includes(saying));
  return loss === undefined ? undefined : { interval: loss.by, lost: loss.retired };
}

function outcomeOf(
  interval: Interval,
  {
    sayings,
    corrects,
    changes,
    now,
  }: {
    readonly sayings: readonly Saying[];
    readonly corrects: boolean;
    readonly changes: Changes;
    readonly now: number;
  },
): Pick<ClaimResult, "outcome" | "reason"> {
  const known = interval.sayings.some((saying) => !sayings.includes(saying));
  const ends = sayings.some(({ evidence }) => evidence.ends);
  if (ends)
    return known ? { outcome: "closed", reason: "ended" } : { outcome: "inserted_past", reason: "ended" };
  if (corrects) return { outcome: known ? "reinforced" : "added", reason: "corrected" };
  if (known) return { outcome: "reinforced", reason: "said_again" };
  if (interval.end <= now) return { outcome: "inserted_past", reason: "held_before" };
  const own = Math.min(...sayings.map(({ order }) => order));
  const closes = changes.placed.some(
    ({ interval: other }) => other.closedBy === interval && other.sayings.some(({ order }) => order < own),
  );
  return closes ? { outcome: "closed", reason: "superseded" } : { outcome: "added", reason: "new" };
}
