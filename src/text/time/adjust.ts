import { addUnits, type CivilUnit, dayMs, startOf, unitSpan, weekdayOf } from "./civil.ts";
import { comparePrecision, type Draft, type Precision } from "./draft.ts";
import { countPattern, readCount, readWeekday, weekdayPattern } from "./words.ts";

const part =
  /\b(?:(early|mid|late)[\s-]+(?:in\s+)?(?:the\s+)?|(?:the\s+)?(beginning|start|middle|end)\s+of\s+(?:the\s+)?)(?:of\s+|in\s+)?$/i;

/** "Early next month", "the end of 2019": a third of the time, whose precision is that of the whole. */
export function narrow(draft: Draft, text: string): Draft {
  if (comparePrecision(draft.precision, "week") < 0) return draft;
  const lead = /^(?:of|in)\s+/i.exec(text.slice(draft.start, draft.end))?.[0].length ?? 0;
  const before = text.slice(Math.max(0, draft.start - 24), draft.start + lead);
  const own = /^(early|mid|late)[\s-]+/i.exec(text.slice(draft.start, draft.end));
  const match = own ?? part.exec(before);
  if (match === null) return draft;
  const word = (match[1] ?? match[2] ?? "").toLowerCase();
  const { from, to } = draft.span;
  const third = Math.round((to - from) / 3 / dayMs) * dayMs;
  const index = /early|beginning|start/.test(word) ? 0 : /mid/.test(word) ? 1 : 2;
  const span = { from: from + index * third, to: index === 2 ? to : from + (index + 1) * third };
  const start = own === null ? draft.start + lead - (before.length - match.index) : draft.start;
  return { ...draft, start, span };
}

const ordinals: Readonly<Record<string, number>> = {
  ...{ first: 0, second: 1, third: 2, fourth: 3, "1st": 0, "2nd": 1, "3rd": 2, "4th": 3, last: -1 },
};

/** "The first week of June", counted from its first day, and "the last day of June". */
export function pickWithin(draft: Draft, text: string): Draft {
  const from = Math.max(0, draft.start - 28);
  // The word "of" may have been read as part of the month.
  const own = /^of\s+/i.exec(text.slice(draft.start, draft.end))?.[0].length ?? 0;
  const match = /\b(?:the\s+)?(first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(week|day)\s+of\s+$/i.exec(
    text.slice(from, draft.start + own),
  );
  const index = ordinals[match?.[1]?.toLowerCase() ?? ""];
  if (match === null || index === undefined || comparePrecision(draft.precision, "month") < 0) return draft;
  const week = /week/i.test(match[2] ?? "");
  const size = week ? 7 * dayMs : dayMs;
  const start = index < 0 ? draft.span.to - size : draft.span.from + index * size;
  const { inYear: _, ...rest } = draft;
  return {
    ...rest,
    start: from + match.index,
    span: { from: start, to: start + size },
    precision: week ? "week" : "day",
  };
}

/** "The week of 5 May" is the week that holds the day. */
export function widenToWeek(draft: Draft, text: string): Draft {
  const before = text.slice(Math.max(0, draft.start - 24), draft.start);
  const match = /\b(?:the\s+)?week\s+(?:of|beginning|starting|commencing)\s+(?:the\s+)?$/i.exec(before);
  if (match === null || draft.precision !== "day") return draft;
  const { weekday: _, inYear: __, ...rest } = draft;
  return {
    ...rest,
    start: draft.start - (before.length - match.index),
    span: unitSpan("week", draft.span.from),
    precision: "week",
  };
}

const unit = "(day|night|week|weekend|month|quarter|year)";
const toDate = new RegExp(
  `\\b(?:(?:(${countPattern})\\s+${unit}s?|the\\s+(?:${unit}|(${weekdayPattern})))\\s+(before|after|prior to|following))\\s+(?:the\\s+)?$`,
  "i",
);

/** "Two days after 5 May", "the week before Christmas": a time told from the date that follows. */
export function toldFrom(draft: Draft, text: string): Draft {
  // The word "before" or "after" may have been read as part of the date.
  const own =
    /^(?:before|after|prior to|following)\s+/i.exec(text.slice(draft.start, draft.end))?.[0].length ?? 0;
  const from = Math.max(0, draft.start - 48);
  const before = text.slice(from, draft.start + own);
  const match = toDate.exec(before);
  if (match === null || comparePrecision(draft.precision, "month") > 0) return draft;
  const [, count = "a", counted, single, weekday, word = ""] = match;
  const sign = /before|prior/i.test(word) ? -1 : 1;
  const moved =
    weekday === undefined
      ? away(draft, count, counted ?? single ?? "day", sign)
      : weekdayFrom(draft, weekday, sign);
  return moved === undefined ? draft : { ...moved, start: from + match.index, end: draft.end };
}

const anaphors = new RegExp(
  `\\b(?:the\\s+(next|following|previous)\\s+${unit}|the\\s+${unit}\\s+(before|after)(?=\\s*(?:[.,;!?)]|$|and\\b|but\\b))|(${countPattern})\\s+${unit}s?\\s+(later|earlier|before|after)\\b)`,
  "gi",
);

/** "The week after", "two days later": a time told from the last one that the text named before; without one, nothing. */
export function readAnaphors(drafts: readonly Draft[], text: string): Draft[] {
  const found: Draft[] = [];
  let next = 0;
  let last: Draft | undefined;
  for (const match of text.matchAll(anaphors)) {
    const start = match.index;
    const end = start + match[0].length;
    while (next < drafts.length && (drafts[next]?.end ?? 0) <= start) last = drafts[next++];
    const overlaps = (drafts[next]?.start ?? Number.POSITIVE_INFINITY) < end;
    if (last === undefined || overlaps || start - last.end > 300) continue;
    const [, order, ordered, plain, side, count = "a", counted, later] = match;
    if (/before|after/i.test(later ?? "") && !/^\s*(?:[.,;!?)]|$)/.test(text.slice(end, end + 3))) continue;
    const sign = /previous|before|earlier/i.test(order ?? side ?? later ?? "") ? -1 : 1;
    const moved = away(last, count, ordered ?? plain ?? counted ?? "day", sign);
    if (moved !== undefined) {
      last = { ...moved, start, end };
      found.push(last);
    }
  }
  return found;
}

function away(draft: Draft, countWords: string, unitWord: string, sign: 1 | -1): Draft | undefined {
  const count = readCount(countWords);
  if (count === undefined || count.high > 10_000 || !Number.isInteger(count.low)) return undefined;
  const name = unitWord.toLowerCase();
  const { weekday: _, inYear: __, ...rest } = draft;
  const base = sign < 0 ? draft.span.from : draft.span.to - 1;
  if (name === "weekend") {
    // After a weekend comes the next one; before anything, that of the week before.
    const weeks = sign < 0 ? -1 : weekdayOf(base) >= 6 ? 1 : 0;
    const saturday = startOf("week", base) + (weeks * 7 + 5) * dayMs;
    return { ...rest, span: { from: saturday, to: saturday + 2 * dayMs }, precision: "day" };
  }
  const step = (name === "night" ? "day" : name) as CivilUnit & Precision;
  const far = unitSpan(step, addUnits(base, step, sign * count.high));
  const near = unitSpan(step, addUnits(base, step, sign * count.low));
  const span = { from: Math.min(far.from, near.from), to: Math.max(far.to, near.to) };
  return { ...rest, span, precision: step };
}

/** "The Sunday before 25 May": the nearest such day on that side, never the date itself. */
function weekdayFrom(draft: Draft, name: string, sign: 1 | -1): Draft | undefined {
  const weekday = readWeekday(name);
  if (weekday === undefined) return undefined;
  const base = startOf("day", sign < 0 ? draft.span.from : draft.span.to - 1);
  const ahead = (weekday - weekdayOf(base) + 7) % 7 || 7;
  const from = base + (sign > 0 ? ahead : ahead - (ahead === 7 ? 14 : 7)) * dayMs;
  const { weekday: _, inYear: __, ...rest } = draft;
  return { ...rest, span: { from, to: from + dayMs }, precision: "day" };
}
