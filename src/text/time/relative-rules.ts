import {
  addUnits,
  type CivilUnit,
  dayMs,
  hourMs,
  startOf,
  unitSpan,
  type WallSpan,
  weekdayOf,
} from "./civil.ts";
import { directionBefore } from "./direction.ts";
import type { Precision, Rule } from "./draft.ts";
import { countPattern, readCount, readWeekday, weekdayPattern } from "./words.ts";

/** Rules for times that are told from the moment of speaking: "yesterday evening", "two weeks ago", "next Friday". */
export const relativeRules: readonly Rule[] = [
  {
    pattern:
      /\b(the day before yesterday|the day after tomorrow|yesterday|today|tomorrow)(?:'s|’s)?(?:\s+(morning|afternoon|evening|night))?\b/gi,
    read: ([, day = "", part], { now }) => {
      if (now === undefined) return undefined;
      const shift =
        { "the day before yesterday": -2, yesterday: -1, today: 0, tomorrow: 1 }[day.toLowerCase()] ?? 2;
      return partOfDay(startOf("day", now) + shift * dayMs, part);
    },
  },
  {
    pattern: /\bthe night before last\b/gi,
    read: (_, { now }) =>
      now === undefined ? undefined : partOfDay(startOf("day", now) - 2 * dayMs, "night"),
  },
  {
    // "The end of the month"; combining narrows it.
    pattern: /(?<=\b(?:beginning|start|middle|end)\s+of\s+)the\s+(week|month|quarter|year)\b/gi,
    read: ([, unit = ""], { now }) => (now === undefined ? undefined : period(now, unit, 0)),
  },
  {
    pattern: /\b(tonight|last night|this (?:morning|afternoon|evening))\b/gi,
    read: ([, words = ""], { now }) => {
      if (now === undefined) return undefined;
      const today = startOf("day", now);
      if (/^last/i.test(words)) return partOfDay(today - dayMs, "night");
      return partOfDay(today, /^this (.+)/i.exec(words)?.[1] ?? "night");
    },
  },
  {
    pattern: new RegExp(
      `\\b(${countPattern})\\s+(${unitPattern()})(?:\\s*(?:,|and)\\s*(${countPattern})\\s+(${unitPattern()})|(\\s+and a half))?\\s+ago\\b`,
      "gi",
    ),
    read: ([, count = "", unit = "", moreCount, moreUnit, half = ""], { now }) =>
      now === undefined ? undefined : shifted(now, -1, count + half, unit, moreCount, moreUnit),
  },
  {
    pattern: new RegExp(
      `\\b(${countPattern})\\s+(${unitPattern()})\\s+(?:from now|from today|hence)\\b`,
      "gi",
    ),
    read: ([, count = "", unit = ""], { now }) =>
      now === undefined ? undefined : shifted(now, 1, count, unit),
  },
  {
    // "In a minute" is no time, and "twice in a week" is a rate.
    pattern: new RegExp(
      `(?<!\\b(?:times|once|twice|day|days|hour|hours|all|done|only)\\s)\\bin\\s+(?!an?\\s+(?:second|minute|hour)\\b)(?:about\\s+)?(${countPattern})\\s+(${unitPattern()})(?:['’]s?)?(?:\\s+time)?\\b(?!\\s+(?:of|or|a|each|every|straight|flat))`,
      "gi",
    ),
    read: ([, count = "", unit = ""], reading) => {
      if (reading.now === undefined) return undefined;
      return shifted(reading.now, 1, count, unit);
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:the\\s+|these\\s+|my\\s+|our\\s+)?(last|past|previous|next|coming|following)\\s+(${countPattern})\\s+(${unitPattern()})\\b`,
      "gi",
    ),
    read: ([, which = "", count = "", unit = ""], { now }) =>
      now === undefined ? undefined : stretch(now, which, count, unit),
  },
  {
    pattern: /\bthe\s+(week|month|quarter|year|weekend)\s+(?:before last|after next)\b/gi,
    read: ([words, unit = ""], { now }) =>
      now === undefined ? undefined : period(now, unit, /last$/i.test(words) ? -2 : 2),
  },
  {
    pattern:
      /\b(last|this past|past|previous|this|current|next|coming|this coming|upcoming)\s+(week|month|quarter|year|weekend|decade)(?:['’]s)?\b(?!\s*-?\s*(?:old|long|end\b))/gi,
    read: ([, which = "", unit = ""], { now }) => {
      if (now === undefined) return undefined;
      const word = which.toLowerCase();
      // "The past week" ends now; "the past weekend" is the last one.
      if (/past$/.test(word) && !/weekend/i.test(unit)) return stretch(now, "past", "a", unit);
      return period(now, unit, /last|past|previous/.test(word) ? -1 : /next|coming/.test(word) ? 1 : 0);
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:on\\s+)?(${weekdayPattern})(?:\\s+(morning|afternoon|evening|night))?\\s+(?:of\\s+)?(last|this|next)\\s+week\\b`,
      "gi",
    ),
    read: ([, name = "", part, which = ""], { now }) => {
      const weekday = readWeekday(name);
      if (now === undefined || weekday === undefined) return undefined;
      const weeks = { last: -1, this: 0, next: 1 }[which.toLowerCase()] ?? 0;
      return partOfDay(startOf("week", now) + (weeks * 7 + weekday - 1) * dayMs, part);
    },
  },
  {
    // No plural and no "every": those are habits. "Black Friday" and the like are other days.
    pattern: new RegExp(
      `(?<!\\b(?:every|each|most|black|good|cyber|giving|ash|palm|fat|super|other)\\s)\\b(?:(last|this past|past|this|this coming|coming|next|on|by|since|until|till|before|after|for)\\s+)?(${weekdayPattern})(?:,?\\s+(morning|afternoon|evening|night))?\\b(?!['’]?s\\b|\\s+(?:school|schools|church|mornings|nights|evenings|afternoons)\\b)`,
      "gi",
    ),
    read: (match, reading) => {
      const [, which = "", name = "", part] = match;
      const weekday = readWeekday(name);
      if (reading.now === undefined || weekday === undefined) return undefined;
      // "sat", "sun" and "wed" are words; as days they are capitals after a word that expects a day.
      if (name.length < 6 && (which === "" || !/^\p{Lu}/u.test(name))) return undefined;
      if (!/^\p{Lu}/u.test(name) && which === "") return undefined;
      const before = reading.text.slice(Math.max(0, match.index - 60), match.index);
      // "Every Monday and Friday", "The Thursday Murder Club"
      if (habit.test(before)) return undefined;
      if (
        which === "" &&
        /\bthe\s$/i.test(before) &&
        /^\s\p{Lu}/u.test(reading.text.slice(match.index + name.length))
      ) {
        return undefined;
      }
      const day = nearestWeekday(reading.now, weekday, which, () =>
        directionBefore(reading.text, match.index + which.length),
      );
      const found = partOfDay(day, part);
      return part === undefined ? { ...found, weekday: true } : found;
    },
  },
];

const habit = new RegExp(
  `\\b(?:every|each)\\s+(?:${weekdayPattern}(?:,?\\s+(?:and|or)\\s+|,\\s*|\\s+))+$`,
  "i",
);

function unitPattern(): string {
  return "(?:minute|min|hour|day|night|week|weekend|month|quarter|year|decade)s?|mins|hrs?|yrs?";
}

const parts: Readonly<Record<string, readonly [number, number]>> = {
  // Hours; the night ends after midnight. Common usage, as no standard says when an evening begins.
  morning: [5, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [18, 30],
};

function partOfDay(day: number, part: string | undefined): { span: WallSpan; precision: Precision } {
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
function shifted(
  now: number,
  sign: 1 | -1,
  countWords: string,
  unitWord: string,
  moreCount?: string,
  moreUnit?: string,
): { span: WallSpan; precision: Precision; elapsed?: true } | undefined {
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
function stretch(
  now: number,
  which: string,
  countWords: string,
  unitWord: string,
): { span: WallSpan; precision: Precision } | undefined {
  const count = readCount(countWords);
  const unit = readUnit(unitWord);
  if (count === undefined || count.high > 10_000) return undefined;
  const precision = precisionOf[unit];
  const [step, size] = unit === "weekend" ? (["week", 1] as const) : ([unit, 1] as const);
  const length = Math.ceil(count.high * size);
  const floorUnit = step === "minute" || step === "hour" ? step : "day";
  if (/next|coming|following/i.test(which)) {
    return {
      span: {
        from: startOf(floorUnit, now),
        to: startOf(floorUnit, addUnits(now, step, length)) + stepMs(floorUnit),
      },
      precision,
    };
  }
  const to = startOf(floorUnit, now) + stepMs(floorUnit);
  return { span: { from: startOf(floorUnit, addUnits(now, step, -length)), to }, precision };
}

function stepMs(unit: "minute" | "hour" | "day"): number {
  return { minute: 60_000, hour: hourMs, day: dayMs }[unit];
}

function period(now: number, unitWord: string, count: number): { span: WallSpan; precision: Precision } {
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
function nearestWeekday(
  now: number,
  weekday: number,
  which: string,
  direction: () => "past" | "future" | undefined,
): number {
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
