/**
 * A time as a clock on the wall shows it: the milliseconds that `Date.UTC` gives for its fields. Calendar arithmetic is
 * done on these, where every day has 24 hours; only the result is turned into an instant of a zone.
 */
export type Wall = number;

export type CivilUnit = "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year" | "decade";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A half-open stretch of wall time. */
export interface WallSpan {
  readonly from: Wall;
  readonly to: Wall;
}

/** Month from 1; fields over their range carry over, and years below 100 are meant as they are. */
export function wall(year: number, month = 1, day = 1): Wall {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

/** Whether these are the fields of a day that exists. */
export function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  return new Date(wall(year, month + 1, 0)).getUTCDate();
}

export function yearOf(at: Wall): number {
  return new Date(at).getUTCFullYear();
}

/** From 1. */
export function monthOf(at: Wall): number {
  return new Date(at).getUTCMonth() + 1;
}

/** 1 is Monday, 7 is Sunday, as in ISO 8601. */
export function weekdayOf(at: Wall): number {
  return new Date(at).getUTCDay() || 7;
}

/** The beginning of the unit that contains a time. Weeks begin on Monday, decades with the year that ends in 0. */
export function startOf(unit: CivilUnit, at: Wall): Wall {
  const year = yearOf(at);
  switch (unit) {
    case "minute":
      return floor(at, minuteMs);
    case "hour":
      return floor(at, hourMs);
    case "day":
      return floor(at, dayMs);
    case "week":
      return floor(at, dayMs) - (weekdayOf(at) - 1) * dayMs;
    case "month":
      return wall(year, monthOf(at));
    case "quarter":
      return wall(year, monthOf(at) - ((monthOf(at) - 1) % 3));
    case "year":
      return wall(year);
    case "decade":
      return wall(year - (((year % 10) + 10) % 10));
  }
}

function floor(at: Wall, size: number): Wall {
  return Math.floor(at / size) * size;
}

/** The same time so many units away; a day that its month does not have becomes the last one ("a month after 31 May"). */
export function addUnits(at: Wall, unit: CivilUnit, count: number): Wall {
  if (unit === "minute") return at + count * minuteMs;
  if (unit === "hour") return at + count * hourMs;
  if (unit === "day") return at + count * dayMs;
  if (unit === "week") return at + count * 7 * dayMs;
  const months = { month: 1, quarter: 3, year: 12, decade: 120 }[unit] * count;
  const first = wall(yearOf(at), monthOf(at) + months);
  const day = Math.min(new Date(at).getUTCDate(), daysInMonth(yearOf(first), monthOf(first)));
  return first + (day - 1) * dayMs + (at - floor(at, dayMs));
}

/** The whole unit that is so many units from the one that contains a time. */
export function unitSpan(unit: CivilUnit, at: Wall, count = 0): WallSpan {
  const from = addUnits(startOf(unit, at), unit, count);
  return { from, to: addUnits(from, unit, 1) };
}

export type Season = "spring" | "summer" | "autumn" | "winter";

/**
 * The season that begins in a year, by the meteorological convention of whole months: in the north spring is March to May,
 * and the winter of 2022 goes from December 2022 to February 2023. In the south all are half a year away.
 */
export function seasonSpan(season: Season, year: number, hemisphere: "north" | "south"): WallSpan {
  const north = { spring: 3, summer: 6, autumn: 9, winter: 12 }[season];
  const month = hemisphere === "north" ? north : ((north + 5) % 12) + 1;
  return { from: wall(year, month), to: wall(year, month + 3) };
}
