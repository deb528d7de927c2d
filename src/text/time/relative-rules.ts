import { dayMs, startOf } from "./civil.ts";
import { directionBefore } from "./direction.ts";
import type { Rule } from "./draft.ts";
import { nearestWeekday, partOfDay, period, shifted, stretch, unitPattern } from "./relative-spans.ts";
import { countPattern, readWeekday, weekdayPattern } from "./words.ts";

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
      `\\b(${countPattern})\\s+(${unitPattern})(?:\\s*(?:,|and)\\s*(${countPattern})\\s+(${unitPattern})|(\\s+and a half))?\\s+ago\\b`,
      "gi",
    ),
    read: ([, count = "", unit = "", moreCount, moreUnit, half = ""], { now }) =>
      now === undefined ? undefined : shifted(now, -1, count + half, unit, moreCount, moreUnit),
  },
  {
    pattern: new RegExp(`\\b(${countPattern})\\s+(${unitPattern})\\s+(?:from now|from today|hence)\\b`, "gi"),
    read: ([, count = "", unit = ""], { now }) =>
      now === undefined ? undefined : shifted(now, 1, count, unit),
  },
  {
    // "In a minute" is no time, and "twice in a week" is a rate.
    pattern: new RegExp(
      `(?<!\\b(?:times|once|twice|day|days|hour|hours|all|done|only)\\s)\\bin\\s+(?!an?\\s+(?:second|minute|hour)\\b)(?:about\\s+)?(${countPattern})\\s+(${unitPattern})(?:['’]s?)?(?:\\s+time)?\\b(?!\\s+(?:of|or|a|each|every|straight|flat))`,
      "gi",
    ),
    read: ([, count = "", unit = ""], reading) => {
      if (reading.now === undefined) return undefined;
      return shifted(reading.now, 1, count, unit);
    },
  },
  {
    pattern: new RegExp(
      `\\b(?:the\\s+|these\\s+|my\\s+|our\\s+)?(last|past|previous|next|coming|following)\\s+(${countPattern})\\s+(${unitPattern})\\b`,
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
