import { definePlan } from "../store/plan.ts";
import type { ReadOp } from "../store/read.ts";
import { Restoration, type RestoreResult } from "./restoration.ts";
import type { RestoreAside } from "./restore-item.ts";
import { restoreReads } from "./restore-reads.ts";

/**
 * Restores what was exported, under its own ids, as far as it is not there. What is there is never changed: what has another content
 * under the same id, or does not go together with what is known, is left out and counted.
 */
export const restorePlan = definePlan({
  name: "flux-restore",
  module: import.meta.url,
  reads: (_input: { readonly request: string }, aside: RestoreAside): readonly ReadOp[] => [
    ...restoreReads(aside).values(),
  ],
  decide(_input, rows: readonly unknown[], { aside, id }) {
    const found = new Map([...restoreReads(aside).keys()].map((name, i) => [name, rows[i]]));
    const restoration = new Restoration(aside, found, id);
    for (const item of aside.items) restoration.add(item);
    const result: RestoreResult = restoration.result();
    return { mutations: restoration.mutations, jobs: restoration.jobs(), spaces: aside.spaces, result };
  },
});
