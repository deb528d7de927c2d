import type { WorldTime } from "../../model/fact.ts";
import { type DateMention, findDates } from "../../text/time/find-dates.ts";
import type { Draft } from "./rule.ts";

export interface ClaimTimes {
  readonly validFrom?: WorldTime;
  readonly validUntil?: WorldTime;
}

/** The times of a claim by the dates of its clause, of which the first counts. */
export function timesOf(draft: Draft, dates: readonly DateMention[], saidAt: number): ClaimTimes {
  const [date, second] = dates;
  if (date === undefined || draft.timing === "none") return {};
  const range = date.precision !== "instant" && isRange(date);
  // "I signed up for a workshop next month": the date is that of the workshop.
  if (draft.timing === "event" && date.start > saidAt) return {};
  if (draft.timing !== "state")
    return date.bound === "until" || date.bound === "before" ? {} : { validFrom: from(date) };
  if (draft.change === "end") {
    if (date.bound === "since" && second === undefined) return {};
    if (date.bound === "until" || date.bound === "before") return { validUntil: from(date) };
    if (second?.bound === "until" && second.start > date.start)
      return { validFrom: from(date), validUntil: from(second) };
    // "I lived in Kyoto from 2015 to 2018", "in 2015": the whole of it; "I quit last week": some day of it.
    if (draft.during === true && (range || date.precision === "year"))
      return { validFrom: from(date), validUntil: to(date) };
    return { validUntil: from(date) };
  }
  if (date.bound === "until") return { validUntil: from(date) };
  if (date.bound === "before" || date.bound === "after") return {};
  // A state that is said to hold has begun: what lies ahead says something else.
  return date.start > saidAt ? {} : { validFrom: from(date) };
}

const lasted =
  /\bfor\s+(?:(?:about|over|almost|nearly|around|more than|the (?:past|last))\s+)*((?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|\d{1,2})\s+(?:day|week|month|year|decade)s?)\b/i;

/** "For three years", of what still lasts: when it began, to the year. */
export function beginningOf(words: string, options: { at: number; zone?: string }): readonly DateMention[] {
  const length = lasted.exec(words)?.[1];
  return length === undefined
    ? []
    : findDates(`${length} ago`, options).map((date) => ({ ...date, words: `for ${length}` }));
}

function isRange(date: DateMention): boolean {
  return /\b(?:to|until|till|and|through)\b|[-–—]/i.test(date.words);
}

function from(date: DateMention): WorldTime {
  return { at: date.start, precision: date.precision, words: date.words, zone: date.zone };
}

function to(date: DateMention): WorldTime {
  return { at: date.end, precision: date.precision, words: date.words, zone: date.zone };
}
