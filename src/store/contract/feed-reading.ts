import assert from "node:assert/strict";
import type { Change } from "../../model/change.ts";
import { type Partition, partitionKey } from "../../model/partition.ts";
import type { Ledger } from "../ledger.ts";

export const users: readonly Partition[] = ["a", "b", "c"].map((userId) => ({
  namespace: "default",
  userId,
}));

/** All changes behind a cursor, in steps. */
export async function readAll(ledger: Ledger, after?: string, limit = 1000): Promise<readonly Change[]> {
  const found: Change[] = [];
  for (let cursor = after; ; ) {
    const step = await ledger.changes.read({ after: cursor, limit });
    assert.ok(step.changes.length <= limit);
    if (step.changes.length === 0) return found;
    found.push(...step.changes);
    cursor = step.cursor;
  }
}

/** In each partition, every number comes once and later than those before it. */
export function assertOrdered(changes: readonly Change[]): void {
  const last = new Map<string, number>();
  for (const { partition, seq } of changes) {
    const key = partitionKey(partition);
    assert.ok(seq > (last.get(key) ?? 0), `${seq} comes after ${last.get(key)} in ${key}`);
    last.set(key, seq);
  }
}
