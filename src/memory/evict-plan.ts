import { patch } from "../store/batch.ts";
import { definePlan } from "../store/plan.ts";
import { find, get } from "../store/read.ts";

/** Ends the time of episodes and of what finds them: nothing reads them any more, and maintenance erases them. */
export const evictPlan = definePlan({
  name: "flux-evict",
  module: import.meta.url,
  reads: ({ ids }: { readonly ids: readonly string[] }) => ids.map((id) => get("episode", id)),
  readsNext: ({ ids }) =>
    ids.map((id) => find("grain", { index: "byOwner", prefix: ["episode", id], limit: 1000 })),
  decide(_input, episodes, { next, now }) {
    const there = episodes.filter((episode) => episode !== undefined);
    const grains = next.flatMap(({ items }) => items);
    return {
      mutations: [
        ...there.map(({ id }) => patch("episode", id, { expiresAt: now })),
        ...grains.map(({ id }) => patch("grain", id, { expiresAt: now })),
      ],
    };
  },
});
