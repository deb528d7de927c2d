import { dayMs, minuteMs, type Wall, wall } from "./civil.ts";

// Making a format takes a hundred times as long as using it.
const formats = new Map<string, Intl.DateTimeFormat>();
const rememberedFormats = 1000;

/** Whether a name is a time zone: an IANA name such as "Asia/Kathmandu", or an offset such as "+05:45". */
export function isZone(zone: string): boolean {
  return fixedOffset(zone) !== undefined || formatFor(zone) !== undefined;
}

/** Which wall time an instant (UTC, ms) has in a zone. */
export function wallAt(instant: number, zone: string): Wall {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return instant + fixed * minuteMs;
  // "3/28/2023 AD, 06:40:00"; a tenth of the time that formatToParts takes.
  const shown = formatFor(zone)?.format(instant) ?? "";
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = (shown.match(/\d+/g) ?? []).map(
    Number,
  );
  const ms = ((instant % 1000) + 1000) % 1000;
  return (
    wall(shown.includes("B") ? 1 - year : year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 + ms
  );
}

/**
 * Which instant (UTC, ms) a wall time is in a zone. A time that occurs twice is its first occurrence; a time that a change of
 * clocks skips is as much later, as the clocks are (Temporal's "compatible").
 */
export function instantAt(at: Wall, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return at - fixed * minuteMs;
  // No zone changes its clocks twice within two days, nor by more than a day.
  const before = at - offsetAt(at - dayMs, zone);
  const after = at - offsetAt(at + dayMs, zone);
  const exact = [before, after].filter((instant) => wallAt(instant, zone) === at);
  return exact.length > 0 ? Math.min(...exact) : before;
}

function offsetAt(instant: number, zone: string): number {
  return wallAt(instant, zone) - instant;
}

/** Minutes east of Greenwich as "+05:45". */
export function offsetZone(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function fixedOffset(zone: string): number | undefined {
  if (zone === "UTC") return 0;
  const match = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/.exec(zone);
  if (match === null) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? -minutes : minutes;
}

function formatFor(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = createFormat(zone);
  // Only zones that exist are kept, and those come in any mixture of cases: a caller cannot fill the memory.
  if (formats.size >= rememberedFormats) formats.clear();
  if (format !== undefined) formats.set(zone, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const date = { era: "short", year: "numeric", month: "numeric", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { ...date, ...time, timeZone });
  } catch {
    return undefined;
  }
}
