import { type GrainStatus, grainStatusSchema } from "../model/grain.ts";
import type { Partition } from "../model/partition.ts";
import type { CallOptions } from "../store/driver.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, head } from "../store/read.ts";
import { checkKnown, checkSignal } from "./check-options.ts";
import { pendingFeedback } from "./feedback.ts";
import type { MemoryHealth } from "./flux-memory.ts";
import type { FluxParts } from "./open-flux.ts";
import { names } from "./option-names.ts";
import type { Scope } from "./scope.ts";
import { statusOf } from "./status.ts";

/** Recalls without feedback that are counted. */
const mostPending = 1000;
const page = 1000;

export async function healthOf(parts: FluxParts, scope: Scope, options: CallOptions): Promise<MemoryHealth> {
  const { signal } = checkKnown(options, names.call);
  checkSignal(signal);
  const { ledger } = parts;
  const { partition } = scope;
  const { degraded } = await statusOf(parts, { signal });
  const [state] = await ledger.read([partition], [head()], { signal });
  const pending = await pendingFeedback(parts, scope, { limit: mostPending, signal });
  return {
    status: degraded.length > 0 ? "degraded" : "healthy",
    degraded,
    records: state?.records ?? 0,
    bytes: state?.bytes ?? 0,
    grains: await countGrains(ledger, partition, { signal }),
    pendingFeedback: pending.length,
  };
}

async function countGrains(
  ledger: Ledger,
  partition: Partition,
  options: CallOptions,
): Promise<Readonly<Record<GrainStatus, number>>> {
  const counts = { active: 0, dormant: 0, quarantined: 0, archived: 0 };
  await Promise.all(
    grainStatusSchema.options.map(async (status) => {
      for (let after: string | undefined; ; ) {
        const op = find("grain", { index: "byStatus", prefix: [status], limit: page, after });
        const [{ items, cursor }] = await ledger.read([partition], [op], options);
        counts[status] += items.length;
        if (cursor === undefined) return;
        after = cursor;
      }
    }),
  );
  return counts;
}
