import type { ClaimedJob } from "../store/ledger.ts";
import type { FluxParts } from "./open-flux.ts";
import { unmarkPlan } from "./unmark-plan.ts";

/** Has a text stand by itself again when what replaced it was erased. Completes the job in the commit; jobs about other kinds are left to others. */
export async function runDeriveMark(parts: FluxParts, job: ClaimedJob, signal: AbortSignal): Promise<void> {
  const { kind, id } = job.payload as unknown as { readonly kind: string; readonly id: string };
  if (kind !== "grain") return;
  const call = {
    operation: `job/${job.id}`,
    plan: unmarkPlan,
    input: { request: job.id },
    aside: { id },
    job,
  };
  await parts.ledger.update(job.partition, call, { signal });
}
