import type { Partition } from "../model/partition.ts";
import type { Ref } from "../model/record.ts";
import type { Driver, Transaction } from "./driver.ts";
import { expire } from "./erase.ts";
import type { MaintenanceReport } from "./ledger.ts";
import { recordTables } from "./schema.ts";

const batch = 500;

export interface MaintenanceTools {
  now(): number;
  key(): string;
  readonly changeRetention: number;
  transact<T>(partition: Partition, transaction: Transaction<T>): Promise<T>;
  clean(partition: Partition, id: string): Promise<boolean>;
  readonly signal: AbortSignal | undefined;
}

/** One round of everything that keeps a store small and clean. */
export async function maintain(driver: Driver, tools: MaintenanceTools): Promise<MaintenanceReport> {
  const { signal } = tools;
  let expired = 0;
  for (const table of Object.values(recordTables).filter(({ expires }) => expires)) {
    for (;;) {
      signal?.throwIfAborted();
      const found = await driver.expired(table, tools.now(), batch, { signal });
      const refs = new Map<Partition, Ref[]>();
      for (const { partition, id } of found) {
        const list = refs.get(partition) ?? [];
        list.push({ kind: table.name, id });
        refs.set(partition, list);
      }
      for (const [partition, list] of refs) {
        expired += await tools.transact(
          partition,
          expire({ refs: list, key: tools.key(), now: tools.now() }),
        );
      }
      if (found.length < batch) break;
    }
  }
  let cleaned = 0;
  for (const { partition, id } of await driver.pendingErasures(batch, { signal })) {
    if (await tools.clean(partition, id)) cleaned += 1;
  }
  const changes = await driver.pruneChanges(tools.now() - tools.changeRetention, { signal });
  return { expired, cleaned, changes };
}
