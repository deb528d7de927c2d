import type { RowConditions } from "../driver.ts";

/** Whether they leave out anything but what has expired. */
export function hasConditions({ allowed, from, until, filter }: RowConditions): boolean {
  return allowed.length > 0 || from !== undefined || until !== undefined || filter !== undefined;
}
