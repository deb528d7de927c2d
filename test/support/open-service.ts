import type { ConfigOptions } from "../../src/service/config-keys.ts";
import { ManualClock } from "../../src/store/contract/manual-clock.ts";
import { runService } from "./run-service.ts";

/** A service that runs, by words alone, with a clock that the test decides. */
export async function openService(
  options: ConfigOptions = {},
  { place = "inmemory", clock = new ManualClock() } = {},
) {
  return { ...(await runService(options, { place, clock })), clock };
}
