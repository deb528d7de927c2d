import type { Evidence, FactVersion, Retirement } from "../model/fact.ts";
import { canonicalJson } from "../model/json.ts";
import { authorityOf, combinedConfidence } from "./authority.ts";
import { userSubject } from "./claim.ts";
import type { Judgement, Version } from "./judge.ts";
import { keptEvidence } from "./saying.ts";
import type { Interval, Lost, Saying } from "./timeline.ts";

/** All of a version that follows from what was said. */
export type FactContent = Omit<
  FactVersion,
  "factId" | "status" | "recordedFrom" | "retiredAt" | "retiredReason"
>;

/** Where an interval of the timeline is written. */
export interface Placed {
  readonly interval: Interval;
  /** The version that says it already. */
  readonly kept?: Version | undefined;
  /** The version whose place a new one takes. */
  readonly replaced?: Version | undefined;
  /** The fact that it is a version of; absent for a new one. */
  readonly factId?: string | undefined;
  /** Of a new version. */
  readonly content: FactContent;
}

/** A version that is not believed any more: contested while its reason is `contested` or `superseded`, else retired. */
export interface Retired {
  readonly version: Version;
  readonly reason: Retirement;
  /** What took its place, if that is not a version of the same fact. */
  readonly by?: Interval | undefined;
}

/** What a version is that is not believed any more for this reason. */
export function statusOf(reason: Retirement): "contested" | "retired" {
  return reason === "contested" || reason === "superseded" ? "contested" : "retired";
}

/** What was said and is not believed. It becomes a version that is contested from the beginning. */
export interface Contested {
  readonly lost: Lost;
  readonly content: FactContent;
}

export interface Changes {
  readonly placed: readonly Placed[];
  readonly retired: readonly Retired[];
  readonly contested: readonly Contested[];
}

/**
 * What has to be written so that the versions that are believed say what was judged. Versions are only retired and added: an
 * interval that says something else than before is a new version of the same fact.
 *
 * @param present versions that are current or contested
 * @param more.reopened versions that are retired, and have a place again if they were judged to
 * @param more.lessened contested versions that said more than is left of them: what is, is written anew
 */
export function changesOf(
  { timelines, withdrawn }: Judgement,
  present: readonly Version[],
  {
    reopened = [],
    lessened = new Set(),
  }: { readonly reopened?: readonly Version[]; readonly lessened?: ReadonlySet<string> } = {},
): Changes {
  const replaceable = new Map(present.map((version) => [version.id, version]));
  const known = new Map([...present, ...reopened].map((version) => [version.id, version]));
  const taken = new Set<string>();
  const placed: Placed[] = [];
  const by = new Map<string, Interval>();
  const intervals = timelines.flatMap((timeline) => timeline.intervals);
  for (const interval of intervals) {
    const origins = new Set(interval.sayings.flatMap(({ version }) => version ?? []));
    for (const id of origins) if (!by.has(id)) by.set(id, interval);
    const before = [...origins].map((id) => known.get(id)).find((one) => one && !taken.has(one.id));
    if (before !== undefined) taken.add(before.id);
    const content = contentOf(interval, before);
    const replaced = before === undefined ? undefined : replaceable.get(before.id);
    if (replaced?.status === "current" && saysTheSame(replaced, content))
      placed.push({ interval, kept: replaced, factId: replaced.factId, content });
    else {
      const pinned = interval.sayings.find(
        ({ version, factId }) => version === undefined && factId !== undefined,
      );
      placed.push({ interval, replaced, factId: before?.factId ?? pinned?.factId, content });
    }
  }
  const lost = timelines.flatMap((timeline) => timeline.lost);
  const keeping = new Set(placed.map(({ kept }) => kept?.id));
  const replacing = new Set(placed.map(({ replaced }) => replaced?.id));
  const retired = present.flatMap((version): Retired[] => {
    if (keeping.has(version.id)) return [];
    if (replacing.has(version.id)) return [{ version, reason: "replaced" }];
    const withdrawal = withdrawn.get(version.id);
    if (withdrawal !== undefined) {
      const { by: saying } = withdrawal;
      const instead = saying && intervals.find(({ sayings }) => sayings.includes(saying));
      return [{ version, reason: withdrawal.retired, by: instead }];
    }
    const merged = by.get(version.id);
    if (merged !== undefined) return [{ version, reason: "replaced", by: merged }];
    const loss = lost.find(({ saying }) => saying.version === version.id);
    if (version.status === "contested")
      return lessened.has(version.id) ? [{ version, reason: "replaced" }] : [];
    return [{ version, reason: loss?.retired ?? "replaced", by: loss?.by }];
  });
  const contested = lost.flatMap((one): Contested[] => {
    const { version } = one.saying;
    if (version !== undefined && !by.has(version) && !lessened.has(version)) return [];
    return [{ lost: one, content: contentOfSayings([one.saying]) }];
  });
  return { placed, retired, contested };
}

/** The content of an interval, in the spelling that the fact had. */
function contentOf(interval: Interval, before: Version | undefined): FactContent {
  const content = contentOfSayings(interval.sayings);
  const { validFrom, validUntil, subjectKey } = interval;
  const spelling = before === undefined ? {} : { subject: before.subject, object: before.object };
  const { validFrom: _from, validUntil: _until, reason, ...rest } = content;
  return {
    ...{ ...rest, ...spelling, ...(subjectKey === userSubject ? { subject: userSubject } : {}) },
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
    reason: before === undefined ? (reason ?? "stated") : whyAnew(before, interval),
  };
}

/** The reason of a version that ends where another fact begins. */
export const closedReason = "superseded";

function whyAnew(before: Version, { validUntil, closedBy, sayings }: Interval): string {
  if (validUntil?.at !== before.validUntil?.at) {
    if (validUntil === undefined) return "reopened";
    return closedBy === undefined ? "ended" : closedReason;
  }
  if (sayings.some(({ version }) => version === undefined)) return "said_again";
  return before.status === "retired" ? "reopened" : "source_gone";
}

function contentOfSayings(sayings: readonly Saying[]): FactContent {
  const [first] = sayings as readonly [Saying, ...Saying[]];
  const { subject, predicate, object, subjectKey, objectKey, affirmed, reason } = first;
  const stated = sayings.filter(({ evidence }) => !evidence.ends);
  const telling = stated.length > 0 ? stated : sayings;
  const evidence = keptEvidence(sayings);
  const mentions = sayings.reduce((sum, { times }) => sum + times, 0) - 1;
  const { validFrom, validUntil } = first.evidence;
  return {
    ...labelsOf(evidence),
    ...{ subject, predicate, object, subjectKey, objectKey, affirmed },
    confidence: confidenceOf(telling),
    provenance: best(telling).evidence.provenance,
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
    ...(mentions > 0 ? { mentions } : {}),
    evidence: [...evidence],
    ...(reason === undefined ? {} : { reason }),
  };
}

/** What one record says twice, it is not surer of. */
function confidenceOf(sayings: readonly Saying[]): number {
  const highest = new Map<string, number>();
  for (const [i, { evidence }] of sayings.entries()) {
    const [source] = evidence.sources ?? [];
    const key = source === undefined ? `${i}` : JSON.stringify([source.kind, source.id]);
    highest.set(key, Math.max(highest.get(key) ?? 0, evidence.confidence));
  }
  const [only, ...more] = highest.values();
  return more.length === 0 ? (only ?? 0) : combinedConfidence([...highest.values()]);
}

/** The first of those who know most. */
function best(sayings: readonly Saying[]): Saying {
  const rank = ({ evidence }: Saying): number => authorityOf(evidence.provenance, 1);
  return sayings.reduce((top, saying) => (rank(saying) > rank(top) ? saying : top));
}

/** Labels that all of it has. With that of one session, its erasure would take what others say as well. */
function labelsOf(evidence: readonly Evidence[]): Pick<FactContent, "sessionId" | "agentId"> {
  const [first] = evidence;
  const shared = <K extends "sessionId" | "agentId">(name: K): boolean =>
    first?.[name] !== undefined && evidence.every((one) => one[name] === first[name]);
  return {
    ...(shared("sessionId") ? { sessionId: first?.sessionId } : {}),
    ...(shared("agentId") ? { agentId: first?.agentId } : {}),
  };
}

const compared = ["validFrom", "validUntil", "confidence", "provenance", "mentions"] as const;

function saysTheSame(version: Version, content: FactContent): boolean {
  const [before, evidence = []] = [version.evidence, content.evidence];
  // Of what was written without evidence, only the end can be another.
  if (before === undefined) return evidence.length === 1 && version.validUntil?.at === content.validUntil?.at;
  return (
    before.length === evidence.length &&
    before.every((one, i) => isEqual(one, evidence[i])) &&
    compared.every((name) => isEqual(version[name], content[name]))
  );
}

/** Most are the very same, as what was said once is not changed. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
