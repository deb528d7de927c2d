import type { Evidence, FactVersion } from "../model/fact.ts";
import type { Ref, Stored } from "../model/record.ts";
import type { Saying } from "./timeline.ts";

/** The most sayings that a version keeps: the first and the newest. */
const maxEvidence = 32;

/**
 * What was said of a version.
 *
 * @param subjectKey of what its subject stands for
 */
export function sayingsOf(version: Stored<FactVersion>, subjectKey = version.subjectKey): Saying[] {
  const { subject, predicate, object, objectKey, affirmed, mentions = 0 } = version;
  const evidence = version.evidence ?? [ownEvidence(version)];
  const said = timesSaid(evidence);
  return evidence.map((one, i) => ({
    ...{ subject, predicate, object, subjectKey, objectKey, affirmed, evidence: one },
    // Those that are not kept any more stand with the first.
    times: one.ends ? 0 : 1 + (i === firstSaid(evidence) ? Math.max(0, mentions + 1 - said) : 0),
    order: version.seq + i / (maxEvidence + 1),
    version: version.id,
    factId: version.factId,
  }));
}

function firstSaid(evidence: readonly Evidence[]): number {
  return evidence.findIndex(({ ends }) => !ends);
}

/** Of a version that somebody wrote without it. */
function ownEvidence(version: Stored<FactVersion>): Evidence {
  const { validFrom, validUntil, provenance, confidence, recordedFrom, sessionId, agentId } = version;
  return {
    ...{ saidAt: recordedFrom, provenance, confidence },
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

/** The evidence that is kept of many sayings: the first, with which the interval begins, and those that were said last. */
export function keptEvidence(sayings: readonly Saying[]): readonly Evidence[] {
  const all = sayings.map(({ evidence }) => evidence);
  if (all.length <= maxEvidence) return all;
  const [first, ...rest] = sayings;
  const newest = rest
    .toSorted((a, b) => b.evidence.saidAt - a.evidence.saidAt || b.order - a.order)
    .slice(0, maxEvidence - 1);
  return all.filter((_, i) => i === 0 || newest.includes(sayings[i] ?? (first as Saying)));
}

/** How often it was said, as far as that is kept. */
export function timesSaid(evidence: readonly Evidence[]): number {
  return evidence.filter(({ ends }) => !ends).length;
}

/** What is left of evidence when only some sources are: that which never had any, and that which has one yet. */
export function evidenceLeft(evidence: readonly Evidence[], isLeft: (source: Ref) => boolean): Evidence[] {
  return evidence.flatMap((one): Evidence[] => {
    if (one.sources === undefined) return [one];
    const sources = one.sources.filter(isLeft);
    return sources.length > 0 ? [{ ...one, sources }] : [];
  });
}

/** What was said of a version by those sources that are left. Where that is nothing, it stands with whatever else it rests on. */
export function saidYet(
  { evidence, mentions = 0 }: Pick<FactVersion, "evidence" | "mentions">,
  isLeft: (source: Ref) => boolean,
): Pick<FactVersion, "evidence" | "mentions"> {
  if (evidence === undefined) return {};
  const left = evidenceLeft(evidence, isLeft);
  const again = mentions - timesSaid(evidence) + timesSaid(left);
  return { evidence: left.length > 0 ? left : undefined, mentions: again > 0 ? again : undefined };
}

/** Whether two sayings are one: the same record says it, and of no other time. */
export function isRepeated(a: Evidence, b: Evidence): boolean {
  if (a.ends !== b.ends) return false;
  const from = [a.validFrom?.at, b.validFrom?.at];
  if (from[0] !== undefined && from[1] !== undefined && from[0] !== from[1]) return false;
  return (a.sources ?? []).some((one) =>
    (b.sources ?? []).some(({ kind, id }) => kind === one.kind && id === one.id),
  );
}
