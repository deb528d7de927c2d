import { describe, FluxTypeError } from "../../model/errors.ts";
import { narrow, pickWithin, readAnaphors, toldFrom, widenToWeek } from "./adjust.ts";
import { calendarRules } from "./calendar-rules.ts";
import { type Wall, wall } from "./civil.ts";
import { combine } from "./combine.ts";
import type { Draft, Precision, Reading, Rule, TextSpan } from "./draft.ts";
import { readExplicit } from "./explicit.ts";
import { holidayRules } from "./holiday-rules.ts";
import { numericRules } from "./numeric-rules.ts";
import { relativeRules } from "./relative-rules.ts";
import { countPattern } from "./words.ts";
import { instantAt, isZone, wallAt } from "./zone.ts";

export interface DateOptions {
  /**
   * When the text was said: UTC milliseconds. Without it, only dates that stand for themselves are found ("5 May 2023"); the
   * present is never taken in its place.
   */
  readonly at?: number;
  /** The zone in which dates without a zone are meant: an IANA name or an offset such as "+05:45". Default "UTC". */
  readonly zone?: string;
  /** Which way round 5/6/2023 is read. Default "mdy", as English with slashes mostly is from the United States. */
  readonly dateOrder?: "mdy" | "dmy";
  /** Where "last summer" was. Default "north". */
  readonly hemisphere?: "north" | "south";
}

/** A time that a text names. */
export interface DateMention {
  /** UTC milliseconds, half-open: "in May 2023" ends when June begins. */
  readonly start: number;
  readonly end: number;
  /**
   * The unit in which start and end were given. A range of months has the precision "month" and a decade "year", whatever
   * their lengths.
   */
  readonly precision: Precision;
  /** The words it was read from, as written. */
  readonly words: string;
  /** The zone it was read in: the one that the words name, as an IANA name or an offset, else that of the options. */
  readonly zone: string;
  /** Where the words stand: UTF-16 offsets, half-open. */
  readonly span: TextSpan;
  /** What the words before say about it: "since 2019" is a time from it on, "until Friday" one that ends with it. */
  readonly bound?: "since" | "until" | "before" | "after";
}

/** The last millisecond of JavaScript's dates. */
const latest = 8.64e15;

const rules: readonly Rule[] = [...numericRules, ...relativeRules, ...holidayRules, ...calendarRules];

/** A text without any of these has no date, and that is most texts. */
const trigger =
  /\d|\b(?:yesterday|today|tomorrow|tonight|last|past|previous|this|next|coming|ago|from now|(?:beginning|start|middle|end) of|hence|in an?|in (?:one|two|three|four|five|six|seven|eight|nine|ten|half|a|several)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\b|january|february|march|april|june|july|august|september|october|november|december|christmas|new year|valentine|halloween|thanksgiving|easter|independence|quarter|fourth|noon|midday)/i;

/**
 * Finds the dates and times that an English text names, and figures in any language, in the order of the text and without
 * overlaps. Weeks begin on Monday; a weekday, month or day without a year is the nearest, or the nearest in the direction
 * that the sentence speaks of; a vague "two weeks ago" is the whole week. Only times in the years 1000 to 2999 are found.
 *
 * @throws FluxTypeError `invalid_argument` for a time that is no number or a zone that does not exist; never for a text
 */
export function findDates(text: string, options: DateOptions = {}): DateMention[] {
  const { at, zone = "UTC", dateOrder = "mdy", hemisphere = "north" } = options;
  if (at !== undefined && !(typeof at === "number" && Math.abs(at) <= latest)) {
    throw new FluxTypeError("invalid_argument", `at must be a time in milliseconds, not ${describe(at)}`);
  }
  if (!isZone(zone)) throw new FluxTypeError("invalid_argument", "zone is not a known time zone");
  if (!trigger.test(text)) return [];
  const reading = { text, now: at === undefined ? undefined : wallAt(at, zone), dateOrder, hemisphere };
  const byRules = readRules(reading);
  const drafts = combine([...byRules, ...readExplicit(blank(text, byRules), reading)], reading).map((draft) =>
    toldFrom(widenToWeek(pickWithin(narrow(draft, text), text), text), text),
  );
  const all = withoutOverlaps([...drafts, ...readAnaphors(drafts, text)]);
  const offset = at === undefined || reading.now === undefined ? 0 : reading.now - at;
  return all.flatMap((draft) => toMention(draft, text, zone, offset));
}

function readRules(reading: Reading): Draft[] {
  const found: Draft[] = [];
  for (const { pattern, read } of rules) {
    for (const match of reading.text.matchAll(pattern)) {
      const draft = read(match, reading);
      if (draft !== undefined)
        found.push({ ...draft, start: match.index, end: match.index + match[0].length });
    }
  }
  return withoutOverlaps(found);
}

/** Of drafts that overlap, the one that begins first stays, and of those the longest. */
function withoutOverlaps(drafts: readonly Draft[]): Draft[] {
  const kept: Draft[] = [];
  for (const draft of drafts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (draft.start >= (kept.at(-1)?.end ?? 0)) kept.push(draft);
  }
  return kept;
}

function blank(text: string, drafts: readonly Draft[]): string {
  let result = "";
  let at = 0;
  for (const { start, end } of drafts) {
    // Not white space, across which chrono-node would join what is left on both sides.
    result += text.slice(at, start) + "¦".repeat(end - start);
    at = end;
  }
  return (result + text.slice(at)).replace(duration, (words) => "¦".repeat(words.length));
}

// chrono-node would tell "two days after 5 May" from a day of its own choice.
const duration = new RegExp(`\\b${countPattern}\\s+(?:minute|hour|day|week|month|quarter|year)s?\\b`, "gi");

/** Words that a rule needs to see but that are no part of the date. */
const leading =
  /^(?:in(?!\s.*(?:minute|hour|day|week|month|quarter|year|decade)s?\b)|on|at|over|during|for|of|and|from|between|to|around|about|since|by|until|till|before|after)\s+(?:the\s+year\s+)?/i;

const firstYear = wall(1000);
const afterLastYear = wall(3000);

function toMention(draft: Draft, text: string, defaultZone: string, offset: number): DateMention[] {
  if (!(draft.span.from >= firstYear && draft.span.to <= afterLastYear)) return [];
  const zone = draft.zone ?? defaultZone;
  const instant = (at: Wall): number => (draft.elapsed === true ? at - offset : instantAt(at, zone));
  const start = instant(draft.span.from);
  const end = instant(draft.span.to);
  // A day that a zone left out (Samoa had no 30 December 2011) is no time.
  if (!(start < end)) return [];
  const lead = leading.exec(text.slice(draft.start, draft.end))?.[0] ?? "";
  const span = { start: draft.start + lead.length, end: draft.end };
  const words = text.slice(span.start, span.end);
  const bound = readBound(text.slice(Math.max(0, span.start - 16), span.start));
  return [
    { start, end, precision: draft.precision, words, zone, span, ...(bound === undefined ? {} : { bound }) },
  ];
}

function readBound(before: string): DateMention["bound"] {
  const word = /\b(since|until|till|by|before|after)\s+(?:the\s+)?$/i.exec(before)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  return word === "till" || word === "by" ? "until" : (word as "since" | "until" | "before" | "after");
}
