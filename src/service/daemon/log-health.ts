import type { ServiceEvent } from "../service-types.ts";
import type { DaemonLog } from "./daemon-log.ts";

/** Logs how a service is whenever that has changed, as far as its events tell. Ends with them. */
export async function logHealth(events: AsyncIterable<ServiceEvent>, log: DaemonLog): Promise<void> {
  let last = "";
  for await (const { health } of events) {
    if (health === undefined) continue;
    const { status } = health;
    const warnings = health.warnings.map(({ code }) => code).join(" ") || undefined;
    const now = `${status} ${warnings}`;
    if (now !== last) log.info("health", { status, warnings });
    last = now;
  }
}
