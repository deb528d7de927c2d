import { followersName, linksName } from "./batch-reads.ts";
import type { RowRead } from "./driver.ts";
import { followersOf } from "./followers.ts";
import type { PreparedBatch } from "./prepared-batch.ts";
import { systemTables } from "./system-tables.ts";
import type { Row } from "./table.ts";

/**
 * A batch with the reads, behind its own, that only the rows of its own can name: of records that go with one that is removed, and
 * of jobs that are about one, what they rest on.
 */
export function withRemovals(batch: PreparedBatch, rows: readonly (readonly Row[])[]): PreparedBatch {
  const { link, job } = systemTables;
  const reads: RowRead[] = [...batch.reads];
  const places = new Map(batch.places);
  const rowsOf = (name: string): readonly Row[] => rows[batch.places.get(name) ?? -1] ?? [];
  const want = (table: { readonly name: string }, id: string): void => {
    const name = linksName("byId", table, id);
    if (places.has(name)) return;
    places.set(name, reads.length);
    reads.push({ type: "find", table: link, index: "byId", prefix: [table.name, id] });
  };
  for (const { type, table, id } of batch.mutations) {
    if (type !== "remove") continue;
    followersOf(table.name).forEach(({ table: follower }, i) => {
      for (const row of rowsOf(followersName(table, id, i))) want(follower, row.id as string);
    });
    for (const { derivedKind, derivedId } of rowsOf(linksName("bySource", table, id)))
      if (derivedKind === job.name) want(job, derivedId as string);
  }
  return reads.length === batch.reads.length ? batch : { ...batch, reads, places };
}
