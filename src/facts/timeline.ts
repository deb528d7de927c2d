import type { Evidence, WorldTime } from "../model/fact.ts";
import { authorityOf } from "./authority.ts";
import { cardinalityOf } from "./cardinality.ts";

/** What is said of a subject: that an object holds, or does not. */
export interface Statement {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly subjectKey: string;
  readonly objectKey: string;
  readonly affirmed: boolean;
}

/** One time that something was said. */
export interface Saying extends Statement {
  readonly evidence: Evidence;
  /** How many times it stands for: a version that was said very often keeps only some of them. */
  readonly times: number;
  /** Place in the order in which they were recorded. */
  readonly order: number;
  /** Id of the version that it is kept in. Absent for a new one. */
  readonly version?: string | undefined;
  /** The fact that it is a new version of. */
  readonly factId?: string | undefined;
  readonly reason?: string | undefined;
}

/** An interval in which something holds, by all that was said of it. */
export interface Interval extends Statement {
  /** In the order of the times that they are about. */
  readonly sayings: Saying[];
  /** In milliseconds; `-Infinity` when nobody knows. */
  readonly start: number;
  readonly validFrom: WorldTime | undefined;
  end: number;
  validUntil: WorldTime | undefined;
  /** What holds since its end instead of it. */
  closedBy: Interval | undefined;
  authority: number;
  /** The latest time that it was said to hold from. */
  lastStart: number;
}

/** Something that was said and has no place in the timeline, since something else holds at that time. */
export interface Lost {
  readonly saying: Saying;
  readonly by: Interval;
  /** `contested` by a higher authority, or `superseded` by what was said later of the very same time. */
  readonly retired: "contested" | "superseded";
}

export interface Timeline {
  readonly intervals: readonly Interval[];
  readonly lost: readonly Lost[];
}

/** When what was said begins to hold: as it says, else when it was said; nobody knows of what had ended by then. */
export function startOf({ validFrom, validUntil, saidAt }: Evidence): number {
  if (validFrom !== undefined) return validFrom.at;
  return validUntil !== undefined && validUntil.at <= saidAt ? Number.NEGATIVE_INFINITY : saidAt;
}

/**
 * The timeline of one subject and the predicates that are judged together: which of what was said holds when. It depends on what was
 * said alone, not on the order in which it was recorded, but for ties.
 *
 * Sayings are taken in the order of the times that they are about. One joins the interval of the same statement that is open then. Else it
 * ends what it excludes and begins an interval of its own, unless something of a higher authority holds then. Of two that exclude each
 * other and begin at the same moment, the higher authority counts, then what was said later, then what was recorded later.
 */
export function timelineOf(sayings: readonly Saying[]): Timeline {
  const alone = new Set<Saying>();
  for (;;) {
    const line = new Line();
    for (const moment of momentsOf(sayings, alone)) line.add(moment);
    // What has nothing to end, as that is not believed either, says of itself that something held until then.
    if (line.idle.length === 0) return line;
    for (const saying of line.idle) alone.add(saying);
  }
}

/** A saying at its place in time. */
interface Moment {
  readonly saying: Saying;
  readonly at: number;
  readonly validFrom: WorldTime | undefined;
  /** Whether something ends at this moment, which began before it. */
  readonly ends: boolean;
  /** Whether all that is known is that it had begun by then. */
  readonly begun?: true;
}

/** @param alone ends that have nothing to end */
function momentsOf(sayings: readonly Saying[], alone: ReadonlySet<Saying>): Moment[] {
  const ends = sayings.filter(({ evidence }) => evidence.ends);
  const rest = sayings.filter(({ evidence }) => !evidence.ends);
  const long = rest.filter(({ evidence: { validFrom } }) => validFrom && widths[validFrom.precision] > 0);
  const endsOf = Map.groupBy(ends, statementOf);
  const begun = rest.map((saying): Moment => {
    const after = [...(endsOf.get(statementOf(saying)) ?? []), ...long];
    const before = Math.min(...after.map((later) => overBy(later, saying)));
    if (before < Infinity) return { saying, at: before - 1, validFrom: undefined, ends: false, begun: true };
    return { saying, at: startOf(saying.evidence), validFrom: firstTime(saying.evidence), ends: false };
  });
  const begunOf = Map.groupBy(begun, (moment) => statementOf(moment.saying));
  const ended = ends.map((saying): Moment => {
    const at = endOf(saying);
    if (!alone.has(saying) && begunOf.get(statementOf(saying))?.some((moment) => moment.at < at))
      return { saying, at, validFrom: undefined, ends: true };
    const { validFrom } = saying.evidence;
    return { saying, at: validFrom?.at ?? Number.NEGATIVE_INFINITY, validFrom, ends: false };
  });
  return [...ended, ...begun].sort(byTime);
}

/**
 * The moment by which something is over that was said to hold without its beginning, in words that were said later; infinite if they do
 * not say so. Who says that it had ended before the moment at which it was said means that it began earlier. So does who says that
 * something else holds since "today" or "this month", in which it was said: at a moment of that time, and not at its first. And so does
 * who says that something else began lately: after "I live in Tokyo", "I moved to Berlin last week" is about now.
 *
 * @param later an end of the same statement, or something else that was said to hold
 */
function overBy(later: Saying, saying: Saying): number {
  const { evidence } = saying;
  if (evidence.validFrom !== undefined || later.evidence.saidAt < evidence.saidAt) return Infinity;
  if (authority(later) < authority(saying)) return Infinity;
  const saidAt = startOf(evidence);
  const { validFrom } = later.evidence;
  if (later.evidence.ends) return endOf(later) <= saidAt ? endOf(later) : Infinity;
  if (validFrom === undefined || validFrom.at > saidAt) return Infinity;
  const end = validFrom.at + widths[validFrom.precision];
  if (saidAt >= end && later.evidence.saidAt >= end + recent) return Infinity;
  return excludes(later, saying) ? validFrom.at : Infinity;
}

const day = 24 * 3_600_000;

/** Who says that something began in a time that ended so many milliseconds ago at most tells news: what holds now, not what once was. */
const recent = 31 * day;

/** Milliseconds that a time takes at most. */
const widths: Readonly<Record<WorldTime["precision"], number>> = {
  ...{ instant: 0, minute: 60_000, hour: 3_600_000, day, week: 7 * day, month: 31 * day },
  ...{ quarter: 92 * day, season: 93 * day, year: 366 * day },
};

function firstTime(evidence: Evidence): WorldTime | undefined {
  const at = startOf(evidence);
  return evidence.validFrom ?? (Number.isFinite(at) ? { at, precision: "instant" } : undefined);
}

function endOf({ evidence: { validUntil, saidAt } }: Saying): number {
  return validUntil?.at ?? saidAt;
}

function byTime(a: Moment, b: Moment): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.ends !== b.ends) return a.ends ? -1 : 1;
  const [one, other] = [a.saying, b.saying];
  return (
    authority(other) - authority(one) ||
    other.evidence.saidAt - one.evidence.saidAt ||
    other.order - one.order
  );
}

function authority({ evidence: { provenance, confidence } }: Saying): number {
  return authorityOf(provenance, confidence);
}

class Line implements Timeline {
  readonly intervals: Interval[] = [];
  readonly lost: Lost[] = [];
  readonly idle: Saying[] = [];

  add(moment: Moment): void {
    if (moment.ends) this.#end(moment);
    else this.#begin(moment);
  }

  #begin({ saying, at, validFrom, begun }: Moment): void {
    const open = this.intervals.filter(({ start, end }) => start <= at && at < end);
    const same = open.find((interval) => isSame(interval, saying));
    if (same !== undefined) {
      same.sayings.push(saying);
      same.authority = Math.max(same.authority, authority(saying));
      same.lastStart = at;
      untilAsSaid(same);
      return;
    }
    // Of two whose beginnings nobody knows, neither is before the other.
    const rivals = Number.isFinite(at) ? open.filter((interval) => excludes(saying, interval)) : [];
    const higher = rivals.find((rival) => rival.authority > authority(saying));
    const tied = rivals.find((rival) => rival.lastStart === at);
    const by = higher ?? tied;
    if (by !== undefined) {
      this.lost.push({ saying, by, retired: higher === undefined ? "superseded" : "contested" });
      return;
    }
    const { subject, predicate, object, subjectKey, objectKey, affirmed } = saying;
    const first = validFrom ?? (Number.isFinite(at) ? { at, precision: "instant" as const } : undefined);
    // As early as what was there before it allows.
    const unknown = begun && !this.intervals.some((interval) => excludes(saying, interval));
    const interval: Interval = {
      ...{ subject, predicate, object, subjectKey, objectKey, affirmed, sayings: [saying] },
      ...(unknown
        ? { start: Number.NEGATIVE_INFINITY, validFrom: undefined }
        : { start: at, validFrom: first }),
      ...{ end: Number.POSITIVE_INFINITY, validUntil: undefined },
      ...{ closedBy: undefined, authority: authority(saying), lastStart: at },
    };
    for (const rival of rivals) {
      rival.end = at;
      rival.validUntil = first && withoutWords(first);
      rival.closedBy = interval;
    }
    untilAsSaid(interval);
    this.intervals.push(interval);
  }

  #end({ saying, at }: Moment): void {
    const before = this.intervals.filter((interval) => isSame(interval, saying) && interval.start < at);
    const interval = before.find(({ end }) => at < end) ?? before.at(-1);
    if (interval === undefined) {
      this.idle.push(saying);
      return;
    }
    if (interval.authority > authority(saying)) {
      this.lost.push({ saying, by: interval, retired: "contested" });
      return;
    }
    interval.sayings.push(saying);
    if (at >= interval.end) return;
    interval.end = at;
    interval.validUntil = saying.evidence.validUntil ?? { at, precision: "instant" };
    interval.closedBy = undefined;
  }
}

/** The same time for another fact, which has nothing of the words of this one. */
export function withoutWords({ at, precision, zone }: WorldTime): WorldTime {
  return { at, precision, ...(zone === undefined ? {} : { zone }) };
}

/** Ends an interval where what was said last of its end says so. */
function untilAsSaid(interval: Interval): void {
  const { sayings, start } = interval;
  let latest: Saying | undefined;
  for (const saying of sayings) {
    const { validUntil, saidAt } = saying.evidence;
    if (validUntil === undefined || validUntil.at <= start) continue;
    if (latest === undefined || saidAt >= latest.evidence.saidAt) latest = saying;
  }
  if (latest === undefined) return;
  interval.validUntil = latest.evidence.validUntil;
  interval.end = interval.validUntil?.at ?? Number.POSITIVE_INFINITY;
}

/** One string for one statement of a subject. */
function statementOf({ predicate, objectKey, affirmed }: Statement): string {
  return `${predicate}\0${objectKey}\0${affirmed}`;
}

export function isSame(a: Statement, b: Statement): boolean {
  return a.predicate === b.predicate && a.objectKey === b.objectKey && a.affirmed === b.affirmed;
}

/** Whether what is said means that something else does not hold any more. */
export function excludes(
  saying: Statement & { readonly evidence: Pick<Evidence, "cardinality"> },
  other: Statement,
): boolean {
  const { predicate, objectKey, affirmed, evidence } = saying;
  if (other.predicate !== predicate) return other.objectKey === objectKey && affirmed && other.affirmed;
  if (other.objectKey === objectKey) return other.affirmed !== affirmed;
  return affirmed && other.affirmed && cardinalityOf(predicate, evidence.cardinality) === "one";
}
