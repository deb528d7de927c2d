import type { Evidence, FactVersion, Retirement } from "../model/fact.ts";
import type { Stored } from "../model/record.ts";
import { authorityOf } from "./authority.ts";
import { predicatesBeside } from "./cardinality.ts";
import type { ClaimChange } from "./claim.ts";
import { isRepeated, sayingsOf } from "./saying.ts";
import {
  excludes,
  type Interval,
  isSame,
  type Saying,
  type Statement,
  startOf,
  type Timeline,
  timelineOf,
  withoutWords,
} from "./timeline.ts";

export type Version = Stored<FactVersion>;

/** A claim in its canonical form. */
export interface Judged extends Omit<Statement, "object" | "objectKey"> {
  /** Both absent where all of subject and predicate is meant. */
  readonly object?: string | undefined;
  readonly objectKey?: string | undefined;
  readonly change: ClaimChange;
  readonly evidence: Evidence;
  readonly factId?: string | undefined;
  readonly reason?: string | undefined;
}

/** What is known of the subjects and predicates of some claims. */
export interface Known {
  /** Versions that are current or contested. */
  readonly present: readonly Version[];
  /** The latest that were corrected or retracted, of the claims' own subjects, predicates and objects. */
  readonly retired: readonly Version[];
  /** The key of what a subject stands for. */
  keyOf(subject: string): string;
}

/** What a claim came to, before it is known which versions are written. */
export type Finding =
  | { readonly type: "said"; readonly sayings: readonly Saying[]; readonly corrects: boolean }
  | { readonly type: "retracted"; readonly version: string | undefined }
  | { readonly type: "ignored"; readonly reason: string; readonly version?: string | undefined };

/** Why a version has no place any more, though nothing else took it: decided by a claim. */
export interface Withdrawn {
  readonly retired: Extract<Retirement, "corrected" | "retracted">;
  /** What was meant instead. */
  readonly by?: Saying | undefined;
}

export interface Judgement {
  /** One for each claim. */
  readonly findings: readonly Finding[];
  /** One for each subject with the predicates that are judged together. */
  readonly timelines: readonly Timeline[];
  /** By the ids of versions. */
  readonly withdrawn: ReadonlyMap<string, Withdrawn>;
}

/**
 * Judges claims one after the other by what is known: pure, and the same for the same.
 *
 * @param reopened versions that were retired for something that is gone now
 */
export function judge(claims: readonly Judged[], known: Known, reopened: readonly Version[] = []): Judgement {
  const judging = new Judging(known, reopened);
  const findings = claims.map((claim) => judging.take(claim));
  return { findings, timelines: judging.timelines(), withdrawn: judging.withdrawn };
}

class Judging {
  readonly withdrawn = new Map<string, Withdrawn>();
  /** By what is judged together. */
  readonly #topics: Map<string, Saying[]>;
  readonly #retired: ReadonlyMap<string, readonly Saying[]>;
  #order: number;

  constructor({ present, retired, keyOf }: Known, reopened: readonly Version[]) {
    const said = (versions: readonly Version[]): Saying[] =>
      versions.flatMap((version) => sayingsOf(version, keyOf(version.subject)));
    this.#topics = Map.groupBy(said([...present, ...reopened]), topicOf);
    this.#retired = Map.groupBy(said(retired), topicOf);
    this.#order = Math.max(0, ...[...present, ...retired, ...reopened].map(({ seq }) => seq)) + 1;
  }

  timelines(): Timeline[] {
    return [...this.#topics.values()].map(timelineOf);
  }

  take(claim: Judged): Finding {
    switch (claim.change) {
      case "assert":
        return this.#say(claim, {});
      case "correct":
        return this.#correct(claim);
      case "end":
        return this.#end(claim);
      case "retract":
        return this.#retract(claim);
    }
  }

  #say(claim: Judged, more: Partial<Saying>): Finding {
    const { object, objectKey } = claim;
    if (object === undefined || objectKey === undefined) return { type: "ignored", reason: "no_object" };
    const saying = this.#saying({ ...claim, object, objectKey }, more);
    const again = (one: Saying): boolean => isSame(one, saying) && isRepeated(one.evidence, saying.evidence);
    const topic = topicOf(claim);
    const sayings = this.#topics.get(topic) ?? [];
    const before = sayings.find(again);
    if (before !== undefined) return { type: "ignored", reason: "known", version: before.version };
    const gone = this.#retired.get(topic)?.find(again);
    if (gone !== undefined) return { type: "ignored", reason: "retired_before", version: gone.version };
    sayings.push(saying);
    this.#topics.set(topic, sayings);
    return { type: "said", sayings: [saying], corrects: false };
  }

  #saying(
    claim: Judged & { readonly object: string; readonly objectKey: string },
    more: Partial<Saying>,
  ): Saying {
    const { subject, predicate, object, subjectKey, objectKey, affirmed, evidence, reason } = claim;
    return {
      ...{ subject, predicate, object, subjectKey, objectKey, affirmed, evidence, reason },
      ...{ times: evidence.ends ? 0 : 1, order: this.#order++, ...more },
    };
  }

  #correct(claim: Judged): Finding {
    const wrong = claim.factId === undefined ? this.#excluded(claim) : this.#ofFact(claim.factId, claim);
    const [first] = wrong;
    if (claim.factId !== undefined && first === undefined) return { type: "ignored", reason: "not_found" };
    const level = correctingLevel(claim);
    // What somebody who knows better says is contested like any other claim.
    if (first === undefined || wrong.some((interval) => interval.authority > level))
      return this.#say(claim, {});
    const { validFrom = first.validFrom && withoutWords(first.validFrom) } = claim.evidence;
    const evidence = validFrom === undefined ? claim.evidence : { ...claim.evidence, validFrom };
    const topic = topicOf(claim);
    const before = this.#topics.get(topic) ?? [];
    this.#remove(topic, wrong);
    const factId = claim.factId === undefined ? undefined : first.sayings[0]?.factId;
    const finding = this.#say({ ...claim, evidence }, { factId });
    if (finding.type !== "said") {
      this.#topics.set(topic, before);
      return finding;
    }
    this.#withdraw(wrong, { retired: "corrected", by: finding.sayings[0] });
    return { ...finding, corrects: true };
  }

  #end(claim: Judged): Finding {
    const { validUntil, saidAt } = claim.evidence;
    const at = validUntil ?? { at: saidAt, precision: "instant" as const };
    const evidence: Evidence = { ...claim.evidence, validUntil: at, ends: true };
    if (claim.factId === undefined && claim.objectKey !== undefined)
      return this.#say({ ...claim, evidence }, {});
    const meant =
      claim.factId === undefined
        ? this.#intervals(claim).filter(
            ({ start, end, affirmed }) => affirmed === claim.affirmed && start <= at.at && at.at < end,
          )
        : this.#ofFact(claim.factId, claim);
    if (meant.length === 0) return { type: "ignored", reason: "not_found" };
    const findings = meant.map(({ predicate, object, objectKey, affirmed }) =>
      this.#say({ ...claim, predicate, object, objectKey, affirmed, evidence }, {}),
    );
    const sayings = findings.flatMap((finding) => (finding.type === "said" ? finding.sayings : []));
    return sayings.length > 0 ? { type: "said", sayings, corrects: false } : (findings[0] as Finding);
  }

  #retract(claim: Judged): Finding {
    const found =
      claim.factId === undefined
        ? this.#intervals(claim).filter(
            ({ objectKey, affirmed }) =>
              affirmed === claim.affirmed && (claim.objectKey ?? objectKey) === objectKey,
          )
        : this.#ofFact(claim.factId, claim);
    const level = authority(claim.evidence);
    const meant = found.filter((interval) => interval.authority <= level);
    if (meant.length === 0)
      return { type: "ignored", reason: found.length === 0 ? "not_found" : "contested" };
    this.#remove(topicOf(claim), meant);
    this.#withdraw(meant, { retired: "retracted" });
    const [version] = meant.flatMap(({ sayings }) => sayings.flatMap((saying) => saying.version ?? []));
    return { type: "retracted", version };
  }

  /** What the claim excludes at the time that it is about: when it was said, unless it is over by then. */
  #excluded(claim: Judged): readonly Interval[] {
    const { object, objectKey, evidence } = claim;
    if (object === undefined || objectKey === undefined) return [];
    const saying = this.#saying({ ...claim, object, objectKey }, {});
    const { validUntil, saidAt } = evidence;
    const at = validUntil !== undefined && validUntil.at <= saidAt ? startOf(evidence) : saidAt;
    return this.#intervals(claim, true).filter(
      (interval) => interval.start <= at && at < interval.end && excludes(saying, interval),
    );
  }

  /** The intervals of a fact, or of a version of it. */
  #ofFact(factId: string, claim: Judged): readonly Interval[] {
    return this.#intervals(claim, true).filter(({ sayings }) =>
      sayings.some((saying) => saying.factId === factId || saying.version === factId),
    );
  }

  /** What a claim may be about: who names no fact means what had been said by then, even if the claim arrives late. */
  #intervals(claim: Judged, beside = false): readonly Interval[] {
    const { factId, predicate, evidence } = claim;
    const sayings = this.#topics.get(topicOf(claim)) ?? [];
    const said =
      factId === undefined ? sayings.filter((saying) => saying.evidence.saidAt <= evidence.saidAt) : sayings;
    const { intervals } = timelineOf(said);
    return beside ? intervals : intervals.filter((interval) => interval.predicate === predicate);
  }

  #remove(topic: string, intervals: readonly Interval[]): void {
    const gone = new Set(intervals.flatMap(({ sayings }) => sayings));
    const left = (this.#topics.get(topic) ?? []).filter((saying) => !gone.has(saying));
    this.#topics.set(topic, left);
  }

  #withdraw(intervals: readonly Interval[], how: Withdrawn): void {
    for (const { sayings } of intervals)
      for (const { version } of sayings) if (version !== undefined) this.withdrawn.set(version, how);
  }
}

/** Who names the fact and gives no record for it has decided, however sure the fact is to be from then on. */
function correctingLevel({ factId, evidence }: Judged): number {
  const decided = factId !== undefined && evidence.sources === undefined;
  return decided ? authorityOf(evidence.provenance, 1) : authority(evidence);
}

function authority({ provenance, confidence }: Evidence): number {
  return authorityOf(provenance, confidence);
}

/** What is judged together. */
function topicOf({ subjectKey, predicate }: Pick<Statement, "subjectKey" | "predicate">): string {
  return `${predicatesBeside(predicate)[0]}\0${subjectKey}`;
}
