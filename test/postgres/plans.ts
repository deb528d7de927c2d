import { definePlan, find, insert, patch } from "../../src/index.ts";

/** Adds one to a counter that any number of callers and processes share. */
export const increment = definePlan({
  name: "increment",
  module: import.meta.url,
  reads: ({ key }: { key: string }) => [
    find("value", { index: "byKey", prefix: ["agent", "scope", key], limit: 1 }),
  ],
  decide: ({ key }, [{ items }]) => {
    const [counter] = items;
    const value = ((counter?.value as number | undefined) ?? 0) + 1;
    return {
      mutations: [
        counter === undefined
          ? insert("value", { agentId: "agent", scope: "scope", key, value })
          : patch("value", counter.id, { value }),
      ],
      result: value,
    };
  },
});
