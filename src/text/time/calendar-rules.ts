import {
  dayMs,
  monthOf,
  type Season,
  seasonSpan,
  startOf,
  unitSpan,
  type WallSpan,
  wall,
  yearOf,
} from "./civil.ts";
import { nearestYear } from "./direction.ts";
import type { Found, Precision, Reading, Rule } from "./draft.ts";
import { fullYear, monthPattern, readMonth, readOrdinal } from "./words.ts";

const yearPattern = "(?:1[89]\\d\\d|20\\d\\d)";
const cameBefore = "(?:last|this past|past|previous|this|next|coming|this coming)";
/** Words after which four digits are a year. */
const yearIntroduced =
  "(?:in|since|until|till|by|before|after|during|from|to|of|around|about|circa|year|late|early|mid|through|back in)";
const afterYear =
  "(?![\\d:/%°]|[.,-]\\d|\\s*(?:k?m|meters?|metres?|miles?|people|dollars?|euros?|users?|calories|steps|words|pages|times|hours|minutes|days|points|items|tokens|rows|members|followers)\\b)";

/** Rules for parts of the calendar: months, years, decades, quarters, halves, seasons, weeks by number. */
export const calendarRules: readonly Rule[] = [
  {
    // "5 May" and "May 5" are days, which chrono-node reads.
    pattern: new RegExp(
      `(?<!\\d(?:st|nd|rd|th)?\\s(?:of\\s)?)\\b(${monthPattern})(?:\\s+of)?(?:,?\\s+|\\s*')(${yearPattern}|(?<=')\\d\\d)\\b${afterYear}`,
      "gi",
    ),
    read: ([, name = "", year = ""]) => {
      const month = readMonth(name);
      return month === undefined ? undefined : fixed(monthSpan(month)(fullYear(year)), "month");
    },
  },
  {
    pattern: new RegExp(
      `(?<!\\d(?:st|nd|rd|th)?\\s(?:of\\s)?)\\b(?:(${cameBefore}|in|since|by|until|till|before|after|during|from|between|to|and|of|for|around|early|late|mid|through)[\\s-]+)?(${monthPattern})(?!\\s*(?:\\d|the\\s+\\d))(?:\\s+(?:of\\s+)?(last|this|next)\\s+year)?`,
      "gi",
    ),
    read: (match, reading) => readMonthName(match, reading),
  },
  {
    pattern: new RegExp(
      `(?<=\\b${yearIntroduced}(?:\\s+the\\s+year)?[\\s-]+)${yearPattern}\\b${afterYear}|(?<=\\()${yearPattern}(?=\\))`,
      "gi",
    ),
    read: ([year]) => fixed(unitSpan("year", wall(Number(year))), "year"),
  },
  {
    pattern: new RegExp(
      `(?<=\\bbetween\\s+)(${yearPattern})\\s+and\\s+(${yearPattern})\\b${afterYear}|\\b(?<![\\d-])(${yearPattern})\\s?(?:-|–|—|to|until|through)\\s?(${yearPattern})\\b(?![-\\d])`,
      "gi",
    ),
    read: ([, first, last, plainFirst, plainLast]) => {
      const from = wall(Number(first ?? plainFirst));
      const to = wall(Number(last ?? plainLast) + 1);
      return from < to ? { span: { from, to }, precision: "year" } : undefined;
    },
  },
  {
    pattern:
      /\b(?:the\s+)?(?:(early|mid|late)[\s-]+)?(?:((?:1[89]|20)\d0)['’]?s\b|['’]?([1-9]0)['’]?s\b(?<=\bthe\s+(?:(?:early|mid|late)[\s-]+)?['’]?\d0['’]?s))/gi,
    read: ([, part, four, two]) => {
      // Decades of two digits are those of the last century, as "the 20s" of this one are mostly years of age.
      const year = four === undefined ? 1900 + Number(two) : Number(four);
      const third = { early: [0, 3], mid: [3, 7], late: [7, 10] }[part?.toLowerCase() ?? ""] ?? [0, 10];
      return {
        span: { from: wall(year + (third[0] ?? 0)), to: wall(year + (third[1] ?? 10)) },
        precision: "year",
      };
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:Q([1-4])|([1-4])Q|(?:the\\s+)?(first|second|third|fourth|1st|2nd|3rd|4th)\\s+quarter)(?:\\s*(?:of\\s+)?(?:'|FY\\s?)?(?:(${yearPattern}|(?<=\\dQ|')\\d\\d)\\b${afterYear}|(last|this|next)\\s+year))?(?![\\w-]|\\s?[:)])`,
      "gi",
    ),
    read: (match, reading) => {
      const quarter = readOrdinal(match[1] ?? match[2] ?? match[3] ?? "");
      // "The first quarter" of a match is no time; with a year it is one. "Q1:" numbers a question.
      if (
        quarter === undefined ||
        (match[3] !== undefined && match[4] === undefined && match[5] === undefined)
      )
        return undefined;
      return inSomeYear(quarterSpan(quarter), "quarter", match[4], match[5], match, reading);
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:H([12])|(?:the\\s+)?(first|second|1st|2nd)\\s+half)\\s*(?:of\\s+)?(?:(${yearPattern})\\b${afterYear}|(last|this|next)\\s+year)`,
      "gi",
    ),
    read: (match, reading) => {
      const half = readOrdinal(match[1] ?? match[2] ?? "");
      if (half === undefined) return undefined;
      const span = (year: number): WallSpan => ({
        from: wall(year, half * 6 - 5),
        to: wall(year, half * 6 + 1),
      });
      return inSomeYear(span, "quarter", match[3], match[4], match, reading);
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:(${cameBefore})\\s+)?(spring|summer|autumn|fall|winter)(?:(?:\\s+of|,)?\\s+'?(?:(${yearPattern}|(?<=')\\d\\d)\\b${afterYear}|(last|this|next)\\s+year))?\\b`,
      "gi",
    ),
    read: (match, reading) => readSeason(match, reading),
  },
  {
    pattern: /(?<![\w-])(\d{4})-?W(\d\d)(?![\w-])|\bweek\s+(\d{1,2})\s+(?:of|in)\s+(\d{4})\b/g,
    read: ([, year, week, plainWeek, plainYear]) => {
      const number = Number(week ?? plainWeek);
      // ISO 8601: week 1 holds 4 January.
      const first = startOf("week", wall(Number(year ?? plainYear), 1, 4));
      const from = first + (number - 1) * 7 * dayMs;
      return number < 1 || number > 53
        ? undefined
        : { span: { from, to: from + 7 * dayMs }, precision: "week" };
    },
  },
];

function fixed(span: WallSpan, precision: Precision): Found {
  return { span, precision };
}

function monthSpan(month: number): (year: number) => WallSpan {
  return (year) => unitSpan("month", wall(year, month));
}

function quarterSpan(quarter: number): (year: number) => WallSpan {
  return (year) => unitSpan("quarter", wall(year, quarter * 3));
}

function inSomeYear(
  inYear: (year: number) => WallSpan,
  precision: Precision,
  year: string | undefined,
  relativeYear: string | undefined,
  match: RegExpExecArray,
  reading: Reading,
): Found | undefined {
  if (year !== undefined) return fixed(inYear(fullYear(year)), precision);
  if (reading.now === undefined) return undefined;
  if (relativeYear !== undefined)
    return fixed(inYear(yearOf(reading.now) + yearShift(relativeYear)), precision);
  const span = nearestYear(inYear, reading, match.index);
  return span === undefined ? undefined : { span, precision, inYear };
}

function yearShift(word: string): number {
  return { last: -1, next: 1 }[word.toLowerCase()] ?? 0;
}

/** Months that are no other word and hardly a name, so that they need no word before them. */
const plainMonth = /^(?:january|february|july|september|october|november|december)$/i;

function readMonthName(match: RegExpExecArray, reading: Reading): Found | undefined {
  const [, before = "", written = "", relativeYear] = match;
  const { now } = reading;
  const name = written.replace(/\.$/, "");
  const month = readMonth(name);
  const introduced = before.toLowerCase();
  if (month === undefined || now === undefined || !/^\p{Lu}/u.test(name)) return undefined;
  if (relativeYear === undefined && !plainMonth.test(name) && !isTime(introduced, match, reading.text))
    return undefined;
  const inYear = monthSpan(month);
  if (relativeYear !== undefined) return fixed(inYear(yearOf(now) + yearShift(relativeYear)), "month");
  const here = yearOf(now);
  if (/last|past|previous/.test(introduced))
    return fixed(inYear(monthOf(now) > month ? here : here - 1), "month");
  if (/next|coming/.test(introduced)) return fixed(inYear(monthOf(now) < month ? here : here + 1), "month");
  if (introduced === "this") return fixed(inYear(here), "month");
  const direction =
    introduced === "since" ? "past" : /^(?:by|until|till)$/.test(introduced) ? "future" : undefined;
  const span = nearestYear(inYear, reading, match.index, direction);
  return span === undefined ? undefined : { span, precision: "month", inYear };
}

/** Whether "May", "June" or "April" is a month here: after "in" and its like, in a range, or as "the end of". */
function isTime(introduced: string, match: RegExpExecArray, text: string): boolean {
  const before = text.slice(Math.max(0, match.index - 24), match.index);
  const after = text.slice(match.index + match[0].length, match.index + match[0].length + 30);
  switch (introduced) {
    case "":
    case "for":
      return false;
    case "of":
      return /\b(?:beginning|start|middle|end|rest|weeks?|half|days?|part|whole|all)\s+$/i.test(before);
    case "from":
    case "between":
      return rangeGoesOn.test(after);
    case "to":
    case "and":
      return monthEnds.test(before);
    default:
      return true;
  }
}

const rangeGoesOn = new RegExp(`^\\s*(?:-|–|to|until|through|and)\\s+${monthPattern}`, "i");
const monthEnds = new RegExp(`\\b(?:from|between)\\s+${monthPattern}\\s+$`, "i");

function readSeason(match: RegExpExecArray, reading: Reading): Found | undefined {
  const [, before, name = "", year, relativeYear] = match;
  const season = (name.toLowerCase() === "fall" ? "autumn" : name.toLowerCase()) as Season;
  const inYear = (some: number): WallSpan => seasonSpan(season, some, reading.hemisphere);
  if (year !== undefined) return fixed(inYear(fullYear(year)), "season");
  const { now } = reading;
  if (now === undefined) return undefined;
  if (relativeYear !== undefined) return fixed(inYear(yearOf(now) + yearShift(relativeYear)), "season");
  // "In summer" alone is any summer.
  if (before === undefined) return undefined;
  const years = [-2, -1, 0, 1, 2].map((shift) => inYear(yearOf(now) + shift));
  const word = before.toLowerCase();
  let span: WallSpan | undefined;
  if (/last|past|previous/.test(word)) span = years.findLast(({ to }) => to <= now);
  else if (/next|coming/.test(word)) span = years.find(({ from }) => from > now);
  // The one we are in, else the one of this year.
  else span = years.find(({ from, to }) => from <= now && now < to) ?? years[2];
  return span === undefined ? undefined : fixed(span, "season");
}
