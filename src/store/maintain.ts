import { type Partition, partitionKey } from "../model/partition.ts";
import type { Ref } from "../model/record.ts";
import type { Driver, Transaction } from "./driver.ts";
import { expire } from "./erase.ts";
import type { MaintenanceReport } from "./ledger.ts";
import { ripen } from "./purge.ts";
import { recordTables } from "./schema.ts";
import { sealedMoment, systemTables } from "./system-tables.ts";

const batch = 500;

export interface MaintenanceTools {
  now(): number;
  key(): string;
  salt(): string;
  readonly changeRetention: number;
  transact<T>(partition: Partition, transaction: Transaction<T>): Promise<T>;
  /** @param mark where an erasure has none of its own */
  clean(partition: Partition, id: string, mark: string): Promise<boolean>;
  readonly signal: AbortSignal | undefined;
}

/** One round of everything that keeps a store small and clean. What fails in one partition does not stop the others. */
export async function maintain(driver: Driver, tools: MaintenanceTools): Promise<MaintenanceReport> {
  const { signal } = tools;
  const errors: { readonly partition: Partition; readonly error: unknown }[] = [];
  const attempt = async <T>(partition: Partition, step: () => Promise<T>): Promise<T | undefined> => {
    signal?.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      errors.push({ partition, error });
      return undefined;
    }
  };

  const due = () => ({ after: sealedMoment, until: tools.now() });
  let expired = 0;
  for (const table of Object.values(recordTables).filter(({ expires }) => expires)) {
    for (let more = true; more; ) {
      const found = await driver.expired(table, due(), batch, { signal });
      const failures = errors.length;
      for (const { partition, refs } of byPartition(table.name, found)) {
        const request = { refs, key: tools.key(), now: tools.now() };
        expired += (await attempt(partition, () => tools.transact(partition, expire(request)))) ?? 0;
      }
      // What failed would be found again and again.
      more = found.length === batch && errors.length === failures;
    }
  }
  for (let more = true; more; ) {
    const found = await driver.expired(systemTables.purge, due(), batch, { signal });
    const failures = errors.length;
    for (const { partition, id } of found) {
      const request = { id, key: tools.key(), now: tools.now(), salt: tools.salt() };
      expired += (await attempt(partition, () => tools.transact(partition, ripen(request)))) ?? 0;
    }
    more = found.length === batch && errors.length === failures;
  }
  let cleaned = 0;
  const pending = await driver.pendingErasures(batch, { signal });
  // One mark, behind the commits of all of them: one run of cleaning serves them all.
  const mark = pending.length === 0 ? "" : await driver.cleanMark({ signal });
  for (const { partition, id } of pending) {
    if ((await attempt(partition, () => tools.clean(partition, id, mark))) === true) cleaned += 1;
  }
  const changes = await driver.pruneChanges(tools.now() - tools.changeRetention, { signal });
  await driver.maintain?.({ signal });
  return { expired, cleaned, changes, errors };
}

function byPartition(
  kind: string,
  found: readonly { readonly partition: Partition; readonly id: string }[],
): Iterable<{ readonly partition: Partition; readonly refs: Ref[] }> {
  const groups = new Map<string, { readonly partition: Partition; readonly refs: Ref[] }>();
  for (const { partition, id } of found) {
    const key = partitionKey(partition);
    const group = groups.get(key) ?? { partition, refs: [] };
    group.refs.push({ kind, id });
    groups.set(key, group);
  }
  return groups.values();
}
