import assert from "node:assert/strict";
import type { ClaimedJob, Ledger } from "../ledger.ts";
import { alice } from "./expectations.ts";

export async function enqueue(
  ledger: Ledger,
  queue: string,
  payloads: readonly (string | number)[],
  user = alice,
): Promise<void> {
  const jobs = payloads.map((payload) => ({ queue, payload }));
  await ledger.append(user, { operation: `enqueue ${queue} ${payloads}`, records: [], jobs });
}

export async function claimOne(ledger: Ledger, queue = "q", leaseFor = 1000): Promise<ClaimedJob> {
  const [job] = await ledger.jobs.claim({ queues: [queue], leaseFor });
  return job ?? assert.fail("no job is ready");
}

export async function payloads(ledger: Ledger, dead = false): Promise<unknown[]> {
  return (await ledger.jobs.list(alice, { queue: "q", dead })).jobs.map(({ payload }) => payload);
}
