import { expect, test } from "vitest";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { runRandomUsers } from "./contract/random-users.ts";
import { resolveMemory } from "./resolve.ts";

test.each([1, 2])("eight users who do 30 random things each have their own, with seed %d", async (seed) => {
  const clock = new ManualClock();
  await using memory = resolveMemory({ backend: "inmemory", embedder: "hash", logger: false, clock });
  await expect(runRandomUsers({ memory, clock, seed, rounds: 30 })).resolves.toBeUndefined();
});
