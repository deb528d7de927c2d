import type { Partition } from "../../model/partition.ts";
import type { Ledger } from "../ledger.ts";
import type { ManualClock } from "./manual-clock.ts";
import { RandomTenant } from "./random-tenant.ts";
import { RandomWorld } from "./random-world.ts";
import { Choices } from "./seeded-randomness.ts";

export interface RandomOperationsOptions {
  /** A new ledger, opened with the clock below. */
  readonly ledger: Ledger;
  /** The clock of the ledger: it is moved, forwards and back, so that records expire. */
  readonly clock: ManualClock;
  /** The same seed does the same operations. */
  readonly seed: number;
  /** Calls to make; a few more are made to compare. */
  readonly operations: number;
}

/** Partitions whose names invite confusion. */
const partitions: readonly Partition[] = [
  { namespace: "default", userId: null },
  { namespace: "default", userId: "null" },
  { namespace: "default", userId: "a" },
  { namespace: "default:a", userId: null },
  { namespace: "%", userId: "%" },
  { namespace: "default", userId: "\u{10000}" },
];

/**
 * Does random operations in several partitions at once and compares everything that the ledger answers, stores and tells
 * with a simple model. Rejects at the first difference.
 */
export async function runRandomOperations({
  ledger,
  clock,
  seed,
  operations,
}: RandomOperationsOptions): Promise<void> {
  const choices = new Choices(seed);
  const tenants = partitions.map(
    (partition, i) => new RandomTenant(ledger, partition, new Choices(seed * 1000 + i), clock),
  );
  const world = new RandomWorld(ledger, clock, choices, tenants);
  let done = 0;
  for (let round = 1; done < operations; round++) {
    try {
      // One call of each partition at the same time: each has its own order, and none may see another's.
      await Promise.all(tenants.map((tenant) => tenant.step(round)));
      done += tenants.length;
      if (choices.chance(20)) done += await world.step(round);
      if (round % 100 === 0 || done >= operations) await world.compare();
    } catch (error) {
      throw new Error(`Random operations with seed ${seed} differ in round ${round}`, { cause: error });
    }
  }
}
