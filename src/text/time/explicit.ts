import { Chrono, configuration, type ParsedResult } from "chrono-node/en";
import { hourMs, isDay, minuteMs, type Wall, type WallSpan, wall } from "./civil.ts";
import { nearestYear } from "./direction.ts";
import type { ClockDraft, Draft, Precision, Reading } from "./draft.ts";
import { offsetZone } from "./zone.ts";

type Components = ParsedResult["start"];

const chrono = new Chrono(configuration.createConfiguration(false));
// Nothing that is computed from it is used: only what the words themselves say (chrono-node's certain components).
const anyDate = new Date(2024, 0, 15, 12);

/** Names of zones that change their clocks, for which chrono-node would use the host's clock. */
const namedZones: Readonly<Record<string, string>> = {
  ...{ ET: "America/New_York", CT: "America/Chicago", MT: "America/Denver", PT: "America/Los_Angeles" },
  ...{ CET: "Europe/Paris" },
};

/**
 * Dates that name a day and a month, with or without year and time, and times of day: read by chrono-node, as far as they
 * stand for themselves. `text` is the reading's text with what other rules have read blanked out.
 */
export function readExplicit(text: string, reading: Reading): (Draft | ClockDraft)[] {
  const found: (Draft | ClockDraft)[] = [];
  for (const { start, end } of pieces(text)) {
    for (const result of chrono.parse(text.slice(start, end), anyDate)) {
      const draft = readResult(result, start, reading);
      if (draft !== undefined) found.push(draft);
    }
  }
  for (const match of text.matchAll(/\b(?:at\s+)?(?:noon|midday)\b/gi)) {
    const place = { start: match.index, end: match.index + match[0].length };
    found.push({ ...place, clock: { from: 12 * hourMs, to: 12 * hourMs + minuteMs }, precision: "minute" });
  }
  return found;
}

/** chrono-node takes time that grows with the square of the length: it gets a sentence or so at a time. */
const longestPiece = 300;

/** What chrono-node has something to say about: most figures are no dates, and it is slow. */
const explicit =
  /\d.*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).*\d|\d[:.]\d\d|\d\s?(?:[ap]\.?m\b|o\W?clock)/is;

function* pieces(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + longestPiece);
    const piece = text.slice(start, end);
    if (end < text.length) {
      const stop = Math.max(
        piece.lastIndexOf(". "),
        piece.lastIndexOf("\n"),
        piece.lastIndexOf("? "),
        piece.lastIndexOf("! "),
      );
      const space = stop > 0 ? stop : piece.lastIndexOf(" ");
      if (space > 0) end = start + space + 1;
    }
    const taken = text.slice(start, end);
    // A piece without a space is data.
    if (explicit.test(taken) && (taken.length < longestPiece || taken.includes(" "))) yield { start, end };
    start = end;
  }
}

function readResult(result: ParsedResult, offset: number, reading: Reading): Draft | ClockDraft | undefined {
  if (result.tags().has("result/relativeDate")) return undefined;
  const lead = /^[\s,(]*/.exec(result.text)?.[0].length ?? 0;
  const written = result.text.slice(lead).replace(/[\s,]+$/, "");
  const start = offset + result.index + lead;
  const place = { start, end: start + written.length };
  // A bare fraction or pair of figures ("1/2", "24/7", "5.6") is no date.
  if (/^\d{1,2}\s?[/.-]\s?\d{1,2}$/.test(written)) return undefined;
  const zone = readZone(result.start, written);
  const zoned = zone === undefined ? {} : { zone };
  const clock = readClock(result.start);
  if (!result.start.isCertain("day") || !result.start.isCertain("month")) {
    // "John 3:16", "3:20 ahead": a single figure needs a word that makes it a time.
    if (
      /^\d:\d\d$/.test(written) &&
      !/\b(?:at|by|from|until|till|around|about|before|after|to)\s$|[-–@]\s?$/i.test(
        reading.text.slice(Math.max(0, start - 8), start),
      )
    )
      return undefined;
    if (clock === undefined || result.start.isCertain("weekday") || result.start.isCertain("month"))
      return undefined;
    const last = result.end ? readClock(result.end) : undefined;
    const to = last === undefined || last.from <= clock.from ? clock.to : last.from;
    return { ...place, clock: { from: clock.from, to }, precision: clock.precision, ...zoned };
  }
  const inYear = (year: number): WallSpan | undefined => spanIn(year, result, clock);
  const precision: Precision = clock?.precision ?? "day";
  const known = result.start.isCertain("year") ? result.start.get("year") : null;
  if (known !== null) {
    const span = known < 1000 || known > 2999 ? undefined : inYear(known);
    return span === undefined ? undefined : { ...place, span, precision, ...zoned };
  }
  if (result.end?.isCertain("year")) {
    // "March 23 to March 30, 2024": the year at the end holds for both.
    const last = result.end.get("year") ?? 0;
    const span = last < 1000 || last > 2999 ? undefined : (inYear(last) ?? inYear(last - 1));
    return span === undefined ? undefined : { ...place, span, precision, ...zoned };
  }
  const span = nearestYear(inYear, reading, start);
  return span === undefined ? undefined : { ...place, span, precision, inYear, ...zoned };
}

function spanIn(year: number, result: ParsedResult, clock: Clock | undefined): WallSpan | undefined {
  const first = dayIn(year, result.start);
  if (first === undefined) return undefined;
  const { end } = result;
  // chrono-node's types leave out that it is null.
  if (!end) {
    return clock === undefined
      ? { from: first, to: first + 24 * hourMs }
      : { from: first + clock.from, to: first + clock.to };
  }
  const lastYear = end.isCertain("year") ? (end.get("year") ?? year) : year;
  let last = end.isCertain("day") || end.isCertain("month") ? dayIn(lastYear, end) : first;
  // "30 December to 2 January" ends in the next year.
  if (last !== undefined && last < first && !end.isCertain("year")) last = dayIn(year + 1, end);
  if (last === undefined || last < first) return undefined;
  const lastClock = readClock(end);
  const from = first + (clock?.from ?? 0);
  const to = lastClock === undefined ? last + 24 * hourMs : last + lastClock.from;
  return from < to ? { from, to } : undefined;
}

function dayIn(year: number, components: Components): Wall | undefined {
  const [month, day] = [components.get("month") ?? 0, components.get("day") ?? 0];
  return isDay(year, month, day) ? wall(year, month, day) : undefined;
}

interface Clock {
  readonly from: number;
  readonly to: number;
  readonly precision: Precision;
}

/** A time of day that says which half of the day it means, or has minutes; "at 7" could be either. */
function readClock(components: Components): Clock | undefined {
  if (!components.isCertain("hour")) return undefined;
  const hour = components.get("hour") ?? 0;
  const withMinutes = components.isCertain("minute") && (components.get("minute") ?? 0) !== 0;
  if (!components.isCertain("meridiem") && !withMinutes) return undefined;
  const from = hour * hourMs + (components.get("minute") ?? 0) * minuteMs;
  if (components.isCertain("second")) {
    const at = from + (components.get("second") ?? 0) * 1000;
    return { from: at, to: at + 1000, precision: "instant" };
  }
  return { from, to: from + minuteMs, precision: "minute" };
}

function readZone(components: Components, written: string): string | undefined {
  const name = /\d\s?(?:[AaPp]\.?[Mm]\.?)?\s\(?(ET|CT|MT|PT|CET)\b/.exec(written)?.[1];
  if (name !== undefined) return namedZones[name];
  const minutes = components.isCertain("timezoneOffset") ? components.get("timezoneOffset") : null;
  if (minutes === null || Math.abs(minutes) > 14 * 60) return undefined;
  return minutes === 0 ? "UTC" : offsetZone(minutes);
}
