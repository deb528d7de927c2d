import { expect, test } from "vitest";
import type { WorldTime } from "../model/fact.ts";
import { dayText } from "./day-text.ts";

const midnightInLisbon = Date.UTC(2026, 4, 1) - 3_600_000;
const lastMoment = 8.64e15;

test.each<[WorldTime, string]>([
  [{ at: midnightInLisbon, precision: "day", zone: "Europe/Lisbon" }, "2026-05-01"],
  [{ at: midnightInLisbon, precision: "day" }, "2026-04-30"],
  [{ at: midnightInLisbon, precision: "month", zone: "+01:00" }, "2026-05"],
  [{ at: midnightInLisbon, precision: "season", zone: "nowhere" }, "2026-04"],
  [{ at: midnightInLisbon, precision: "year" }, "2026"],
  [{ at: midnightInLisbon, precision: "instant" }, "2026-04-30"],
  [{ at: lastMoment, precision: "day", zone: "+14:00" }, "+275760-09-13"],
])("a world time is a day of its own zone, as exactly as it is known: %j", (time, text) => {
  expect(dayText(time)).toBe(text);
});
