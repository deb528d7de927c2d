import type { WorldTime } from "../model/fact.ts";
import { isZone, wallAt } from "../text/time/zone.ts";

/**
 * A world time as exactly as it is known, to the day, as in "2019", "2019-05" and "2019-05-17"; in the zone in which it was given, as a day
 * that begins at midnight there begins on another one in UTC.
 */
export function dayText({ at, precision, zone }: WorldTime): string {
  const wall = new Date(zone !== undefined && isZone(zone) ? wallAt(at, zone) : at);
  // A zone can put the last moment of JavaScript's dates behind it.
  const day = (Number.isNaN(wall.getTime()) ? new Date(at) : wall).toISOString().replace(/T.*$/, "");
  if (precision === "year") return day.replace(/-\d\d-\d\d$/, "");
  const inMonths = precision === "month" || precision === "quarter" || precision === "season";
  return inMonths ? day.replace(/-\d\d$/, "") : day;
}
