import { canonicalKey, canonicalPredicate } from "./canonical.ts";
import { changesOf, statusOf } from "./changes.ts";
import type { Claim } from "./claim.ts";
import { type Judged, judge, type Version } from "./judge.ts";

/** A claim in its canonical form, as it is judged. */
function sampleClaim(claim: Claim): Judged {
  const { subject, predicate, object, affirmed = true, change = "assert", confidence = 1, factId } = claim;
  const {
    provenance = "user_stated",
    saidAt = 0,
    validFrom,
    validUntil,
    cardinality,
    sources,
    reason,
  } = claim;
  return {
    ...{
      subject,
      predicate: canonicalPredicate(predicate),
      subjectKey: canonicalKey(subject),
      affirmed,
      change,
    },
    ...(object === undefined ? {} : { object, objectKey: canonicalKey(object) }),
    ...(factId === undefined ? {} : { factId }),
    ...(reason === undefined ? {} : { reason }),
    evidence: {
      ...{ saidAt, provenance, confidence },
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validUntil === undefined ? {} : { validUntil }),
      ...(cardinality === undefined ? {} : { cardinality }),
      ...(sources === undefined ? {} : { sources: sources.map(({ kind, id }) => ({ kind, id })) }),
    },
  };
}

/** Versions in plain memory, written as a plan would, for tests. */
export class SampleStore {
  versions: readonly Version[] = [];
  #seq = 0;

  get current(): readonly Version[] {
    return this.versions.filter(({ status }) => status === "current");
  }

  /** Takes claims in one commit; what was found of them. */
  take(...claims: readonly Claim[]): readonly string[] {
    const retired = this.versions.filter(({ status }) => status === "retired");
    const present = this.versions.filter(({ status }) => status !== "retired");
    const judgement = judge(claims.map(sampleClaim), { present, retired, keyOf: canonicalKey });
    const changes = changesOf(judgement, present);
    const now = ++this.#seq;
    const gone = new Map(changes.retired.map(({ version, reason }) => [version.id, reason]));
    this.versions = this.versions.map((version) => {
      const retiredReason = gone.get(version.id);
      return retiredReason === undefined
        ? version
        : { ...version, status: statusOf(retiredReason), retiredAt: version.retiredAt ?? now, retiredReason };
    });
    const added = [
      ...changes.placed.flatMap(({ kept, factId, content }) =>
        kept === undefined ? [{ content, factId, more: { status: "current" as const } }] : [],
      ),
      ...changes.contested.map(({ content, lost }) => ({
        ...{ content, factId: undefined },
        more: { status: "contested" as const, retiredAt: now, retiredReason: lost.retired },
      })),
    ];
    for (const { content, factId, more } of added) {
      const id = `v${++this.#seq}`;
      const stamp = { id, seq: this.#seq, updatedSeq: this.#seq, recordedAt: now, recordedFrom: now };
      this.versions = [
        ...this.versions,
        { ...content, factId: factId ?? `fact of ${id}`, ...stamp, ...more },
      ];
    }
    return judgement.findings.map((finding) => (finding.type === "ignored" ? finding.reason : finding.type));
  }

  /** What holds when, a line for each interval that is believed, in the order of the times. */
  timeline(): readonly string[] {
    const at = (time: { readonly at: number } | undefined): string =>
      time === undefined ? "?" : `${time.at}`;
    return this.current
      .toSorted((a, b) => (a.validFrom?.at ?? -1) - (b.validFrom?.at ?? -1) || (a.object < b.object ? -1 : 1))
      .map(
        ({ subject, predicate, object, affirmed, validFrom, validUntil, mentions = 0 }) =>
          `${subject} ${affirmed ? "" : "not "}${predicate} ${object} ${at(validFrom)}-${validUntil === undefined ? "" : validUntil.at}${mentions > 0 ? ` +${mentions}` : ""}`,
      );
  }
}
