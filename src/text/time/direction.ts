import { dayMs, type WallSpan, yearOf } from "./civil.ts";
import type { Reading } from "./draft.ts";

const future =
  /\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)? (?:to|on|for)|upcoming|next|can't wait|looking forward|excited (?:for|about)|booked|scheduled|due|see you|let's|hop(?:e|ing) to|deadline)\b|'ll\b/i;
const past =
  /\b(?:was|were|had|did|didn't|went|got|took|came|saw|met|bought|made|won|lost|began|started|finished|moved|joined|left|visited|attended|since|ago|back in|remember|happened|[a-z]{3,}ed)\b/i;

/**
 * Whether the words before a date without a year, such as "on Friday" or "in May", speak of the past or the future; undefined
 * when they say neither or both. Looks back within the sentence.
 */
export function directionBefore(text: string, at: number): "past" | "future" | undefined {
  const before =
    text
      .slice(Math.max(0, at - 60), at)
      .split(/[.!?;\n]/)
      .at(-1) ?? "";
  const ahead = future.test(before);
  const back = past.test(before);
  if (ahead === back) return undefined;
  return ahead ? "future" : "past";
}

/** Of the same time in the years around now, the one that is meant: by direction, else the nearest. */
export function nearestYear(
  inYear: (year: number) => WallSpan | undefined,
  reading: Reading,
  at: number,
  direction = directionBefore(reading.text, at),
): WallSpan | undefined {
  const { now } = reading;
  if (now === undefined) return undefined;
  let nearest: WallSpan | undefined;
  let directed: WallSpan | undefined;
  const distance = ({ from, to }: WallSpan): number => (from > now ? from - now : Math.max(0, now - to));
  const closer = (span: WallSpan, than: WallSpan | undefined): WallSpan =>
    than === undefined || distance(span) < distance(than) ? span : than;
  // Far enough to reach a 29 February.
  for (let year = yearOf(now) - 4; year <= yearOf(now) + 4; year++) {
    const span = inYear(year);
    if (span === undefined) continue;
    nearest = closer(span, nearest);
    if ((direction === "past" && span.from > now) || (direction === "future" && span.to <= now)) continue;
    directed = closer(span, directed);
  }
  // Words that speak of the past or the future may belong to something else; days beside most of a year outweigh them.
  if (nearest === undefined || directed === undefined) return nearest;
  return distance(nearest) < 30 * dayMs && distance(directed) > 300 * dayMs ? nearest : directed;
}
