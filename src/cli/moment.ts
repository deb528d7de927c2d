import { InvalidArgumentError } from "commander";

/** What commander reads an option with that is a day or a time, UTC unless it says otherwise; in milliseconds. */
export function moment(text: string): number {
  const [, date, time = "00:00", zone = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? [];
  const at = Date.parse(`${date}T${time}${zone}`);
  if (Number.isNaN(at))
    throw new InvalidArgumentError("It must be an ISO 8601 date, perhaps with a time and a zone.");
  return at;
}
