import {
  addUnits,
  type CivilUnit,
  dayMs,
  startOf,
  unitSpan,
  type WallSpan,
  weekdayOf,
  yearOf,
} from "./civil.ts";
import type { ClockDraft, Draft, Precision, Reading } from "./draft.ts";
import { countPattern, readCount, readWeekday, weekdayPattern } from "./words.ts";

const order: readonly Precision[] = [
  "instant",
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "season",
  "year",
];

/** Joins what stands side by side: a weekday and its date, a day and its time, the two ends of a range. */
export function combine(drafts: readonly (Draft | ClockDraft)[], reading: Reading): Draft[] {
  const sorted = drafts.toSorted((a, b) => a.start - b.start);
  const joined: (Draft | ClockDraft)[] = [];
  for (const draft of sorted) {
    const last = joined.at(-1);
    const pair = last === undefined ? undefined : join(last, draft, reading);
    if (pair === undefined) joined.push(draft);
    else joined[joined.length - 1] = pair;
  }
  return joined.flatMap((draft) => ("clock" in draft ? today(draft, reading) : [draft]));
}

/** A time without a day is one of the day on which the text was said. */
function today(draft: ClockDraft, { now }: Reading): Draft[] {
  return now === undefined ? [] : [atDay(draft, startOf("day", now), draft)];
}

function atDay(clock: ClockDraft, day: number, place: { start: number; end: number }): Draft {
  const { start, end } = place;
  const span = { from: day + clock.clock.from, to: day + clock.clock.to };
  return {
    start,
    end,
    span,
    precision: clock.precision,
    ...(clock.zone === undefined ? {} : { zone: clock.zone }),
  };
}

function join(first: Draft | ClockDraft, second: Draft | ClockDraft, reading: Reading): Draft | undefined {
  if (second.start < first.end || second.start - first.end > 16) return undefined;
  const between = reading.text.slice(first.end, second.start);
  const place = { start: first.start, end: second.end };
  if ("clock" in first) {
    if ("clock" in second || !isDayLong(second) || !/^[\s,]*(?:on|of)?\s*$/i.test(between)) return undefined;
    return atDay(first, startOf("day", second.span.from), place);
  }
  if ("clock" in second) {
    if (!isDayLong(first) || !/^[\s,]*(?:at|around|about|@|by|from)?\s*$/i.test(between)) return undefined;
    return atDay(second, startOf("day", first.span.from), place);
  }
  if (isDayOf(first, second, between, reading.text)) return { ...second, ...place };
  return range(first, second, between, reading, place);
}

/** "Tuesday, June 6 at 10:00": the date says which Tuesday is meant. */
function isDayOf(first: Draft, second: Draft, between: string, text: string): boolean {
  if (first.weekday !== true || second.weekday === true || !/^,?\s*(?:the\s+)?$/.test(between)) return false;
  return (
    isDayLong({ ...second, precision: "day" }) && /^\p{Lu}|^\d/u.test(text.slice(second.start, second.end))
  );
}

function isDayLong({ span, precision }: Draft): boolean {
  return (precision === "day" || precision === "hour") && span.to - span.from <= dayMs;
}

function range(
  first: Draft,
  second: Draft,
  between: string,
  { text }: Reading,
  place: { start: number; end: number },
): Draft | undefined {
  const opened =
    /\bbetween\s*$/i.test(text.slice(Math.max(0, first.start - 10), first.start)) ||
    /^between\b/i.test(text.slice(first.start, first.end));
  const connects = opened ? /^\s*(?:and|to|-|–)?\s*$/i : /^\s*(?:-|–|—|~|to|until|till|through|thru)?\s*$/i;
  const connector = opened ? /\band\b/i : /^(?:to|until|till|through|thru)\b/i;
  const own = text.slice(second.start, second.end);
  // The connecting word may have been read as part of the second time ("until Friday").
  if (!connects.test(between) || (between.trim() === "" && !connector.test(own))) return undefined;
  let from: WallSpan | undefined = first.span;
  let to: WallSpan | undefined = second.span;
  // "From May to July 2023": a year that only one end names holds for both.
  if (first.inYear !== undefined && second.inYear === undefined) {
    const year = yearOf(to.from);
    from = first.inYear(year);
    if (from !== undefined && from.from >= to.to) from = first.inYear(year - 1);
  } else if (second.inYear !== undefined) {
    const year = yearOf(from.from);
    to = second.inYear(year);
    if (to !== undefined && to.to <= from.from) to = second.inYear(year + 1);
  } else if (second.weekday === true && to.to <= from.from) {
    to = { from: to.from + 7 * dayMs, to: to.to + 7 * dayMs };
  }
  if (from === undefined || to === undefined || from.from >= to.to) return undefined;
  const precision = order[Math.max(order.indexOf(first.precision), order.indexOf(second.precision))] ?? "day";
  const zone = first.zone ?? second.zone;
  return {
    ...place,
    span: { from: from.from, to: to.to },
    precision,
    ...(zone === undefined ? {} : { zone }),
  };
}

const part =
  /\b(?:(early|mid|late)[\s-]+(?:in\s+)?(?:the\s+)?|(?:the\s+)?(beginning|start|middle|end)\s+of\s+(?:the\s+)?)(?:of\s+|in\s+)?$/i;

/** "Early next month", "the end of 2019": a third of the time, whose precision is that of the whole. */
export function narrow(draft: Draft, text: string): Draft {
  if (order.indexOf(draft.precision) < order.indexOf("week")) return draft;
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
  if (match === null || index === undefined || order.indexOf(draft.precision) < order.indexOf("month"))
    return draft;
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
  if (match === null || order.indexOf(draft.precision) > order.indexOf("month")) return draft;
  const [, count = "a", counted, single, weekday, word = ""] = match;
  const sign = /before|prior/i.test(word) ? -1 : 1;
  const moved =
    weekday === undefined
      ? away(draft, count, counted ?? single ?? "day", sign)
      : weekdayFrom(draft, weekday, sign);
  return moved === undefined ? draft : { ...moved, start: from + match.index, end: draft.end };
}

const anaphors = new RegExp(
  `\\b(?:the\\s+(next|following|previous)\\s+${unit}|the\\s+${unit}\\s+(before|after)(?=\\s*(?:[.,;!?)]|$|and\\b|but\\b))|(${countPattern})\\s+${unit}s?\\s+(later|earlier|before|after)(?=\\s*(?:[.,;!?)]|$|and\\b|but\\b|[a-z]*\\b)))`,
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
    const saturday =
      startOf("week", base) +
      5 * dayMs +
      (sign < 0 ? (weekdayOf(base) > 5 ? -7 : -7) : weekdayOf(base) >= 6 ? 7 : 0) * dayMs;
    return { ...rest, span: { from: saturday, to: saturday + 2 * dayMs }, precision: "day" };
  }
  const step = (name === "night" ? "day" : name) as CivilUnit;
  const far = unitSpan(step, addUnits(base, step, sign * count.high));
  const near = unitSpan(step, addUnits(base, step, sign * count.low));
  const span = { from: Math.min(far.from, near.from), to: Math.max(far.to, near.to) };
  return { ...rest, span, precision: step === "day" ? "day" : (step as Precision) };
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
