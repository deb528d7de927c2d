import { insert } from "../store/batch.ts";
import { definePlan } from "../store/plan.ts";
import { head } from "../store/read.ts";
import type { PendingTrace } from "./trace-writer.ts";

/** Writes traces, except those that are older than an erasure: they may quote what was erased. */
export const tracePlan = definePlan({
  name: "flux-trace",
  module: import.meta.url,
  reads: (_input: null, _aside: readonly PendingTrace[]) => [head()],
  decide(_input, [state], { aside }) {
    const current = aside.filter(({ generation }) => generation === (state?.generation ?? 0));
    return { mutations: current.map(({ id, value }) => insert("trace", value, { id })) };
  },
});
