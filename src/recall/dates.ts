import { column } from "./column.ts";
import type { Pool } from "./pool.ts";
import { type AnalysedQuery, type TimeRange, unbounded } from "./query.ts";

const day = 24 * 3_600_000;

/**
 * How near each candidate was said to a time that the query names: 1 within it, and less the farther away, down to 0 at
 * three times its length, or three days if that is more. People tell of things some days after they happened.
 */
export function scoreDates({ ranges }: AnalysedQuery, { candidates }: Pool): Float64Array {
  if (ranges.length === 0) return new Float64Array(candidates.length);
  return column(candidates, ({ grain }) =>
    ranges.reduce((best, range) => Math.max(best, nearness(grain.saidAt, range)), 0),
  );
}

function nearness(at: number, { start, end }: TimeRange): number {
  if (at >= start && at < end) return 1;
  const distance = at < start ? start - at : at - end;
  // "Since May" has no length.
  const length = start === -unbounded || end === unbounded ? 0 : end - start;
  return Math.max(0, 1 - distance / (3 * Math.max(day, length)));
}
