import { partition } from "../../src/model/partition.ts";
import { insert } from "../../src/store/batch.ts";
import { reinforce } from "../../src/store/contract/plans.ts";
import { conduit, grain, message, named, note } from "../../src/store/contract/samples.ts";
import type { Ledger } from "../../src/store/ledger.ts";

export const user = partition({ userId: "alice" });

/** One operation of each sort, in the order in which they build on each other. Each may be repeated. */
export const operations: { readonly [name: string]: (ledger: Ledger) => Promise<unknown> } = {
  append: (ledger) =>
    ledger.append(user, {
      operation: "append",
      records: [
        named("m", message("a message to keep")),
        named("x", message("a message to erase")),
        named("g", insert("grain", grain("message", "m"))),
        named("h", insert("grain", grain("message", "m"))),
        named("c", insert("conduit", conduit("g", "h"))),
        named("t", note("from the message to erase"), ["message", "x"]),
      ],
      jobs: [{ queue: "q", sources: [{ kind: "message", id: "m" }] }],
    }),
  update: (ledger) =>
    ledger.update(user, { operation: "update", plan: reinforce, input: { id: "c", step: 0.1 } }),
  erase: (ledger) => ledger.erase(user, { operation: "erase", refs: [{ kind: "message", id: "x" }] }),
};
