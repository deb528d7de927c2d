import { addUnits, type CivilUnit, dayMs, hourMs, startOf, unitSpan, type Wall, weekdayOf } from "./civil.ts";
import type { Found, Precision } from "./draft.ts";
import { readCount } from "./words.ts";

export const unitPattern =
  "(?:minute|min|hour|day|night|week|weekend|month|quarter|year|decade)s?|mins|hrs?|yrs?";

const parts: Readonly<Record<string, readonly [number, number]>> = {
  // Hours; the night ends after midnight. Common usage, as no standard says when an evening begins.
  morning: [5, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [18, 30],
};

export function partOfDay(day: Wall, part: string | undefined): Found {
  const hours = part === undefined ? undefined : parts[part.toLowerCase()];
  if (hours === undefined) return { span: { from: day, to: day + dayMs }, precision: "day" };
  return { span: { from: day + hours[0] * hourMs, to: day + hours[1] * hourMs }, precision: "hour" };
}

function readUnit(word: string): CivilUnit | "weekend" {
  const lower = word.toLowerCase();
  if (lower.startsWith("min")) return "minute";
  if (lower.startsWith("h")) return "hour";
  if (lower.startsWith("yr")) return "year";
  if (lower.startsWith("night")) return "day";
  return lower.replace(/s$/, "") as CivilUnit | "weekend";
}

const precisionOf: Readonly<Record<CivilUnit | "weekend", Precision>> = {
  ...{ minute: "minute", hour: "hour", day: "day", week: "week", weekend: "day" },
  ...{ month: "month", quarter: "quarter", year: "year", decade: "year" },
};

/** A count of units before or after now, as the whole unit that it lands in: "two weeks ago" is a week, not a day. */
export function shifted(
  now: Wall,
  sign: 1 | -1,
  countWords: string,
  unitWord: string,
  moreCount?: string,
  moreUnit?: string,
): Found | undefined {
  let count = readCount(countWords);
  let unit = readUnit(unitWord);
  if (count === undefined) return undefined;
  if (unit === "weekend") {
    return count.low === count.high ? period(now, "weekend", sign * count.low) : undefined;
  }
  let base = now;
  if (moreCount !== undefined && moreUnit !== undefined) {
    base = addUnits(base, unit, sign * Math.round(count.low));
    count = readCount(moreCount);
    unit = readUnit(moreUnit);
    if (count === undefined || unit === "weekend") return undefined;
  }
  // Half of a unit is counted in smaller ones.
  const smaller = {
    year: ["month", 12],
    month: ["day", 30],
    week: ["day", 7],
    day: ["hour", 24],
    hour: ["minute", 60],
  } as const;
  let { low, high } = count;
  if (!Number.isInteger(low) && unit in smaller) {
    const [part, size] = smaller[unit as keyof typeof smaller];
    unit = part;
    low = Math.round(low * size);
    high = Math.round(high * size);
  }
  if (high > 10_000) return undefined;
  const far = unitSpan(unit, addUnits(base, unit, sign * high));
  const near = unitSpan(unit, addUnits(base, unit, sign * low));
  const span = { from: Math.min(far.from, near.from), to: Math.max(far.to, near.to) };
  const elapsed = unit === "hour" || unit === "minute";
  return { span, precision: precisionOf[unit], ...(elapsed ? { elapsed } : {}) };
}

/** A stretch that ends or begins now: "the last three months". */
export function stretch(now: Wall, which: string, countWords: string, unitWord: string): Found | undefined {
  const count = readCount(countWords);
  const unit = readUnit(unitWord);
  if (count === undefined || count.high > 10_000) return undefined;
  const precision = precisionOf[unit];
  const step = unit === "weekend" ? "week" : unit;
  const length = Math.ceil(count.high);
  const ahead = /next|coming|following/i.test(which);
  const [first, last] = ahead ? [now, addUnits(now, step, length)] : [addUnits(now, step, -length), now];
  const ends = step === "minute" || step === "hour" ? step : "day";
  return { span: { from: startOf(ends, first), to: unitSpan(ends, last).to }, precision };
}

/** The unit that is so many units from the present one: "last week", "this weekend". */
export function period(now: Wall, unitWord: string, count: number): Found {
  const unit = readUnit(unitWord);
  if (unit !== "weekend") return { span: unitSpan(unit, now, count), precision: precisionOf[unit] };
  // On a weekend, "last weekend" is the one before and "this weekend" the present one.
  const saturday = startOf("week", now) + (count * 7 + 5) * dayMs;
  return { span: { from: saturday, to: saturday + 2 * dayMs }, precision: "day" };
}

/**
 * The day that a weekday's name means. "Last" is the latest before today and "this" the first from today on. "Next" is in the
 * following week, Monday first, which is how chrono-node reads it too. With no such word it is the nearest one, or the
 * nearest in the direction that the sentence speaks of.
 */
export function nearestWeekday(
  now: Wall,
  weekday: number,
  which: string,
  direction: () => "past" | "future" | undefined,
): Wall {
  const today = startOf("day", now);
  const ahead = (weekday - weekdayOf(now) + 7) % 7;
  const behind = (weekdayOf(now) - weekday + 7) % 7;
  const word = which.toLowerCase();
  if (/last|past/.test(word)) return today - (behind || 7) * dayMs;
  if (word === "next") return startOf("week", now) + (7 + weekday - 1) * dayMs;
  if (/coming/.test(word)) return today + (ahead || 7) * dayMs;
  if (word === "this") return today + ahead * dayMs;
  const meant =
    word === "since" ? "past" : word === "by" || word === "until" || word === "till" ? "future" : direction();
  if (meant === "past") return today - behind * dayMs;
  if (meant === "future") return today + ahead * dayMs;
  return ahead <= behind ? today + ahead * dayMs : today - behind * dayMs;
}
