import type { WorldTime } from "../../model/fact.ts";
import type { Wall, WallSpan } from "./civil.ts";

/** How exactly words tell a time: "2019" is a year, "last week" a week. */
export type Precision = WorldTime["precision"];

const fineToCoarse: readonly Precision[] = [
  ...(["instant", "minute", "hour", "day", "week", "month", "quarter", "season", "year"] as const),
];

/** Negative when the first is finer than the second, positive when it is coarser. */
export function comparePrecision(a: Precision, b: Precision): number {
  return fineToCoarse.indexOf(a) - fineToCoarse.indexOf(b);
}

/** Where words stand in a text: UTF-16 offsets, half-open. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A time as read from words, before the zone turns it into instants. */
export interface Draft extends TextSpan {
  readonly span: WallSpan;
  readonly precision: Precision;
  /** The zone that the words themselves name. */
  readonly zone?: string;
  /** The words name no year: where the time lies in a given one. */
  readonly inYear?: (year: number) => WallSpan | undefined;
  /** Counted in hours or minutes from now: the clocks did not change meanwhile, whatever the zone did. */
  readonly elapsed?: true;
  /** Only a day of the week was named; a date beside it says which. */
  readonly weekday?: true;
}

/** A time of day without a day, in milliseconds after midnight. */
export interface ClockDraft extends TextSpan {
  readonly clock: { readonly from: number; readonly to: number };
  readonly precision: Precision;
  readonly zone?: string;
}

/** What the rules may know besides the words. */
export interface Reading {
  readonly text: string;
  /** The wall time at which the text was said; without it only dates that stand for themselves are read. */
  readonly now: Wall | undefined;
  readonly dateOrder: "mdy" | "dmy";
  readonly hemisphere: "north" | "south";
}

/** What a rule makes of its match; where that stands is added to it. */
export type Found = Omit<Draft, "start" | "end">;

/** One form of words: `read` gets a match and returns undefined when it is none after all. */
export interface Rule {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, reading: Reading) => Found | undefined;
}
