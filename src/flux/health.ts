import type { CallOptions } from "../store/driver.ts";
import { head } from "../store/read.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import { pendingFeedback } from "./feedback.ts";
import type { MemoryHealth } from "./flux-memory.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";
import { degradedOf } from "./status.ts";

/** Recalls without feedback that are counted: health is polled, and says whether they pile up. */
const mostPending = 100;

export async function healthOf(parts: FluxParts, scope: Scope, options: CallOptions): Promise<MemoryHealth> {
  const { signal } = checkKnown(options, names.call);
  checkSignal(signal);
  const degraded = await degradedOf(parts, signal);
  const [state] = await parts.ledger.read([scope.partition], [head()], { signal });
  const pending = await pendingFeedback(parts, scope, { limit: mostPending, signal });
  return {
    status: degraded.length > 0 ? "degraded" : "healthy",
    degraded,
    records: state?.records ?? 0,
    bytes: state?.bytes ?? 0,
    grains: state?.grains ?? { active: 0, dormant: 0, quarantined: 0, archived: 0 },
    pendingFeedback: pending.length,
  };
}
