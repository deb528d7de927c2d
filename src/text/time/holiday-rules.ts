import { dayMs, unitSpan, type WallSpan, wall, weekdayOf, yearOf } from "./civil.ts";
import { nearestYear } from "./direction.ts";
import type { Rule } from "./draft.ts";

// Days of the year that people use as dates. Thanksgiving is that of the United States.
const days: readonly (readonly [RegExp, (year: number) => number])[] = [
  [/^christmas eve$/i, (year) => wall(year, 12, 24)],
  [/^christmas(?: day)?$/i, (year) => wall(year, 12, 25)],
  [/^new year['’]?s eve$/i, (year) => wall(year, 12, 31)],
  [/^new year['’]?s(?: day)?$/i, (year) => wall(year, 1, 1)],
  [/^valentine['’]?s day$/i, (year) => wall(year, 2, 14)],
  [/^halloween$/i, (year) => wall(year, 10, 31)],
  [/^(?:the )?(?:fourth|4th) of july$|^independence day$/i, (year) => wall(year, 7, 4)],
  [/^thanksgiving(?: day)?$/i, (year) => fourthThursday(year)],
  [/^easter(?: sunday)?$/i, (year) => easter(year)],
];

/** Rules for days that have a name: with "last", "next" or a year, or after a word that expects a time. */
export const holidayRules: readonly Rule[] = [
  {
    pattern:
      /\b(?:(last|this past|past|this|next|coming|on|at|by|since|until|till|before|after|over|during|around)\s+)(christmas eve|christmas(?: day)?|new year['’]?s(?: eve| day)|valentine['’]?s day|halloween|(?:the )?(?:fourth|4th) of july|independence day|thanksgiving(?: day)?|easter(?: sunday)?)\b(?!['’]s)(?:,?\s+((?:19|20)\d\d)\b)?|\b(christmas eve|christmas(?: day)?|new year['’]?s(?: eve| day)|valentine['’]?s day|halloween|thanksgiving(?: day)?|easter(?: sunday)?)(?:,|\s+of)?\s+((?:19|20)\d\d)\b/gi,
    read: (match, reading) => {
      const [, before = "", name = match[4] ?? "", year = match[5]] = match;
      const dayOf = days.find(([pattern]) => pattern.test(name))?.[1];
      if (dayOf === undefined) return undefined;
      const inYear = (some: number): WallSpan => unitSpan("day", dayOf(some));
      if (year !== undefined) return { span: inYear(Number(year)), precision: "day" };
      const { now } = reading;
      if (now === undefined) return undefined;
      const word = before.toLowerCase();
      const direction = /last|past|since/.test(word)
        ? "past"
        : /next|coming|by|until|till/.test(word)
          ? "future"
          : undefined;
      if (word === "this") return { span: inYear(yearOf(now)), precision: "day" };
      const span = nearestYear(inYear, reading, match.index, direction);
      return span === undefined ? undefined : { span, precision: "day", inYear };
    },
  },
];

function fourthThursday(year: number): number {
  const first = wall(year, 11, 1);
  return first + (((4 - weekdayOf(first) + 7) % 7) + 21) * dayMs;
}

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm in Meeus, "Astronomical Algorithms", chapter 8). */
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return wall(year, Math.floor(n / 31), (n % 31) + 1);
}
