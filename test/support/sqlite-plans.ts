import { FluxError } from "../../src/model/errors.ts";
import { insert, patch } from "../../src/store/batch.ts";
import { definePlan } from "../../src/store/plan.ts";
import { get } from "../../src/store/read.ts";

/** Counts up, starting with a conduit that it makes. */
export const count = definePlan({
  name: "count",
  module: import.meta.url,
  reads: () => [get("conduit", "counter")],
  decide: (_input: null, [conduit]) => {
    const useCount = (conduit?.useCount ?? 0) + 1;
    const value = { fromId: "a", toId: "b", relation: "r", weight: 1, useCount };
    return {
      mutations:
        conduit === undefined
          ? [
              insert("grain", grain, { id: "a" }),
              insert("grain", grain, { id: "b" }),
              insert("text", text, { id: "t" }),
              insert("conduit", value, { id: "counter" }),
            ]
          : [patch("conduit", "counter", { useCount })],
      result: useCount,
    };
  },
});

const text = { form: "note", content: "t", provenance: "user_stated", statedAt: 0 } as const;
const grain = {
  ownerKind: "text",
  ownerId: "t",
  status: "active",
  provenance: "user_stated",
  saidAt: 0,
} as const;

class Mistake extends RangeError {
  override readonly name = "Mistake";
  readonly step = 3;
}

/** Fails as a program does that has a mistake. */
export const mistaken = definePlan({
  name: "mistaken",
  module: import.meta.url,
  reads: () => [],
  decide: (): never => {
    throw new Mistake("a mistake in the plan");
  },
});

/** Refuses what it was asked for, with an error of ours. */
export const refused = definePlan({
  name: "refused",
  module: import.meta.url,
  reads: () => [],
  decide: (): never => {
    throw new FluxError("quota_exceeded", "Enough", { hint: "Pay.", retryable: true });
  },
});

/** Ends the process that runs it, or the thread. */
export const deadly = definePlan({
  name: "deadly",
  module: import.meta.url,
  reads: () => [],
  decide: (): never => process.exit(3),
});
