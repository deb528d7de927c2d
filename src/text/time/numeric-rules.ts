import { dayMs, isDay, unitSpan, type WallSpan, wall, weekdayOf } from "./civil.ts";
import type { Found, Rule } from "./draft.ts";
import { fullYear, readWeekday, weekdayPattern } from "./words.ts";
import { isZone } from "./zone.ts";

/** Rules for dates in figures. */
export const numericRules: readonly Rule[] = [
  {
    // "On the 15th." but not "on the 5th floor"; "Friday the 13th".
    pattern: new RegExp(
      `\\b(?:on|(${weekdayPattern}),?)\\s+the\\s+(\\d\\d?)(?:st|nd|rd|th)\\b(?=\\s*(?:[.,;!?)]|$|at\\s|and\\s))`,
      "gi",
    ),
    read: ([, weekday, day], { now }) =>
      now === undefined
        ? undefined
        : dayOfMonth(now, Number(day), weekday === undefined ? undefined : readWeekday(weekday)),
  },
  {
    pattern:
      /(?<![\w.:/-])(\d{4})[-/](\d\d?)[-/](\d\d?)(?:(?:T|\s+|,\s*)(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s?(Z\b|UTC\b|[+-]\d\d:?\d\d))?)?(?![\w/:-])/gi,
    read: (match) => readIso(match),
  },
  {
    pattern: /(?<![\w.:/-])(\d{4})-(\d\d)(?![\w/:-]|\.\d)/g,
    read: ([, year, month]) =>
      isDay(Number(year), Number(month), 1)
        ? { span: unitSpan("month", wall(Number(year), Number(month))), precision: "month" }
        : undefined,
  },
  {
    pattern: /(?<![\w.:/-])(\d\d?)\/(\d\d?)\/(\d{4}|\d\d)(?![\w/:-]|\.\d)/g,
    read: ([, first, second, year = ""], { dateOrder }) => {
      const [a, b] = [Number(first), Number(second)];
      const [month, day] = dateOrder === "mdy" ? [a, b] : [b, a];
      // A month over 12 can only be the other order.
      return month > 12 ? readDay(fullYear(year), day, month) : readDay(fullYear(year), month, day);
    },
  },
  {
    // With stops between them, the day comes first in every country that writes dates so.
    pattern: /(?<![\w.:/-])(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})(?![\w/:-]|\.\d)/g,
    read: ([, day, month, year]) => readDay(Number(year), Number(month), Number(day)),
  },
];

/** The nearest day with this number in its month, and on this weekday if one is given. */
function dayOfMonth(now: number, day: number, weekday: number | undefined): Found | undefined {
  let best: WallSpan | undefined;
  const reach = weekday === undefined ? 1 : 12;
  for (let month = -reach; month <= reach; month++) {
    const { from, to } = unitSpan("month", now, month);
    const start = from + (day - 1) * dayMs;
    if (day < 1 || start >= to || (weekday !== undefined && weekdayOf(start) !== weekday)) continue;
    if (best === undefined || Math.abs(start - now) < Math.abs(best.from - now))
      best = { from: start, to: start + dayMs };
  }
  return best === undefined ? undefined : { span: best, precision: "day" };
}

function readDay(year: number, month: number, day: number): Found | undefined {
  return isDay(year, month, day)
    ? { span: unitSpan("day", wall(year, month, day)), precision: "day" }
    : undefined;
}

function readIso(match: RegExpExecArray): Found | undefined {
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const found = readDay(Number(year), Number(month), Number(day));
  if (found === undefined || hour === undefined) return found;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 60) return undefined;
  const ms = Number((fraction ?? "").slice(0, 3).padEnd(3, "0"));
  const from =
    found.span.from + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000 + ms;
  const length = second === undefined ? 60_000 : fraction === undefined ? 1000 : 1;
  const precision = second === undefined ? "minute" : "instant";
  const timed: Found = { span: { from, to: from + length }, precision };
  if (zone === undefined) return timed;
  const named = /^[zu]/i.test(zone) ? "UTC" : zone.replace(/^(...):?(..)$/, "$1:$2");
  return isZone(named) ? { ...timed, zone: named } : undefined;
}
