import type { RowConditions } from "./driver.ts";
import { matches } from "./filter.ts";
import type { Row } from "./table.ts";

/** Whether a grain meets conditions, and has not expired. */
export function meets(row: Row, { allowed, from, until, filter }: RowConditions, now: number): boolean {
  if (row.expiresAt !== undefined && (row.expiresAt as number) <= now) return false;
  const saidAt = row.saidAt as number;
  if ((from !== undefined && saidAt < from) || (until !== undefined && saidAt >= until)) return false;
  if (!allowed.every(([column, values]) => values.includes((row[column] as string | undefined) ?? "")))
    return false;
  if (filter === undefined) return true;
  return matches(filter, row.metadata === undefined ? undefined : JSON.parse(row.metadata as string));
}
