import { dayMs, startOf, type WallSpan, yearOf } from "./civil.ts";
import { type ClockDraft, comparePrecision, type Draft, type Reading } from "./draft.ts";

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
  const coarser = comparePrecision(first.precision, second.precision) > 0 ? first : second;
  const zone = first.zone ?? second.zone;
  return {
    ...place,
    span: { from: from.from, to: to.to },
    precision: coarser.precision,
    ...(zone === undefined ? {} : { zone }),
  };
}
