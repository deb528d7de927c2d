import type { WorldTime } from "../../model/fact.ts";
import type { DateMention } from "../../text/time/find-dates.ts";
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
  if (draft.timing !== "state")
    return date.bound === "until" || date.bound === "before" ? {} : { validFrom: from(date) };
  if (draft.change === "end") {
    if (date.bound === "since" && second === undefined) return {};
    if (date.bound === "until" || date.bound === "before") return { validUntil: from(date) };
    if (second?.bound === "until") return { validFrom: from(date), validUntil: from(second) };
    // "I lived in Kyoto from 2015 to 2018", "in 2015": the whole of it; "I quit last week": some day of it.
    if (isPast.test(draft.reason) && (range || date.precision === "year"))
      return { validFrom: from(date), validUntil: to(date) };
    return { validUntil: from(date) };
  }
  if (date.bound === "until") return { validUntil: from(date) };
  if (date.bound === "before" || date.bound === "after") return {};
  // A state that is said to hold has begun: what lies ahead says something else.
  return date.start > saidAt ? {} : { validFrom: from(date) };
}

const isPast =
  /^(?:lives in|works at|works as|is a|based in|owns|studies at|has a relative|has a pet|role at|student at)$/;

function isRange(date: DateMention): boolean {
  return /\b(?:to|until|till|and|through)\b|[-–—]/i.test(date.words);
}

function from(date: DateMention): WorldTime {
  return { at: date.start, precision: date.precision, words: date.words, zone: date.zone };
}

function to(date: DateMention): WorldTime {
  return { at: date.end, precision: date.precision, words: date.words, zone: date.zone };
}
