import { patch } from "../store/batch.ts";
import { type Decision, definePlan } from "../store/plan.ts";
import { get } from "../store/read.ts";

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
