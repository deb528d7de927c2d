import { patch } from "../store/batch.ts";
import type { ClaimedJob } from "../store/ledger.ts";
import { type Decision, definePlan } from "../store/plan.ts";
import { get } from "../store/read.ts";
import type { FluxParts } from "./open-flux.ts";

/** Takes the mark from a grain whose replacement was erased. */
export const unmarkPlan = definePlan({
  name: "flux-unmark",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, { id }: { readonly id: string }) => [get("grain", id)],
  readsNext: (_input, [grain]) =>
    grain?.supersededBy === undefined ? [] : [get("grain", grain.supersededBy)],
  decide(_input, [grain], { next }): Decision<null> {
    const [replacement] = next;
    const isLost = grain?.supersededBy !== undefined && replacement === undefined;
    return {
      mutations: isLost ? [patch("grain", grain.id, { supersededBy: undefined })] : [],
      result: null,
    };
  },
});

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
