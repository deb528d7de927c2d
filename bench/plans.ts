import { definePlan, find, patch } from "../src/index.ts";
import { counterAgent, counterScope } from "./store.ts";

/** Finds a keyed value and adds one to it: the shape of every decision that must not lose an update. */
export const increment = definePlan({
  name: "bench-increment",
  module: import.meta.url,
  reads: ({ key }: { key: string }) => [
    find("value", { index: "byKey", prefix: [counterAgent, counterScope, key], limit: 1 }),
  ],
  decide: (_input, [found]) => {
    const [counter] = found.items;
    if (counter === undefined) throw new Error("The counter is not there");
    return { mutations: [patch("value", counter.id, { value: Number(counter.value) + 1 })] };
  },
});
