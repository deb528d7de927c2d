import type { Partition } from "../../model/partition.ts";
import type { JobCount } from "../ledger.ts";
import type { Table } from "../table.ts";
import type { Connection } from "./connection.ts";

// Reads over all partitions. Each has an index of its own, and the join is written as a cross join so that SQLite starts
// from it. Parameters are written `+?`, since SQLite plans anew at every call for a bare one.

const selectPartitions = `
  select "namespace", "user_id" from "partitions" where "key" > +? order by "key" limit +?`;

const selectPendingErasures = `
  select p."namespace", p."user_id", e."id"
  from "erasure" e cross join "partitions" p on p."id" = e."partition"
  where e."physical" = 0 limit +?`;

// Goes from lane to lane, not from job to job: a long lane costs no more than a short one.
const selectReadyLanes = `
  with recursive "lane" ("queue", "partition") as (
    select "value", (select min("partition") from "job" where "dead" = 0 and "queue" = "value")
    from json_each(?)
    union all
    select l."queue",
      (select min(j."partition") from "job" j
       where j."dead" = 0 and j."queue" = l."queue" and j."partition" > l."partition")
    from "lane" l where l."partition" is not null
  )
  select p."namespace", p."user_id", l."queue",
    (select j."ready_at" from "job" j
     where j."partition" = l."partition" and j."dead" = 0 and j."queue" = l."queue"
     order by j."seq", j."id" limit 1) as "ready_at"
  from "lane" l cross join "partitions" p on p."id" = l."partition"
  where "ready_at" <= +? order by "ready_at" limit +?`;

const countQueuedJobs = `
  select "queue", "dead", "error", count(*) from "job"
  where "queue" in (select "value" from json_each(?)) group by 1, 2, 3`;

export function listPartitions(
  connection: Connection,
  after: string | undefined,
  limit: number,
): readonly Partition[] {
  // Every key comes behind the empty string.
  const rows = connection.statement(selectPartitions).all(after ?? "", limit);
  return rows.map(toPartition);
}

export function listExpired(
  connection: Connection,
  table: Table,
  { after, until }: { readonly after: number; readonly until: number },
  limit: number,
): readonly { readonly partition: Partition; readonly id: string }[] {
  const text = `
    select p."namespace", p."user_id", t."id"
    from "${table.name}" t cross join "partitions" p on p."id" = t."partition"
    where t."expires_at" > +? and t."expires_at" <= +? order by t."expires_at" limit +?`;
  return connection.statement(text).all(after, until, limit).map(toRecord);
}

export function listPendingErasures(
  connection: Connection,
  limit: number,
): readonly { readonly partition: Partition; readonly id: string }[] {
  return connection.statement(selectPendingErasures).all(limit).map(toRecord);
}

/** Lanes whose first job that is not dead is ready, the longest waiting first. */
export function listReadyLanes(
  connection: Connection,
  queues: readonly string[],
  now: number,
  limit: number,
): readonly { readonly partition: Partition; readonly queue: string }[] {
  const distinct = JSON.stringify([...new Set(queues)]);
  const rows = connection.statement(selectReadyLanes).all(distinct, now, limit);
  return rows.map((row) => ({ partition: toPartition(row), queue: row[2] as string }));
}

/** Counts jobs by queue, state and error. */
export function countJobs(connection: Connection, queues: readonly string[]): readonly JobCount[] {
  const rows = connection.statement(countQueuedJobs).all(JSON.stringify(queues));
  return rows.map(([queue, dead, error, count]) => ({
    queue: queue as string,
    dead: dead === 1,
    error: (error as string | null) ?? undefined,
    count: count as number,
  }));
}

function toPartition([namespace, userId]: readonly unknown[]): Partition {
  return { namespace: namespace as string, userId: userId as string | null };
}

function toRecord(row: readonly unknown[]): { readonly partition: Partition; readonly id: string } {
  return { partition: toPartition(row), id: row[2] as string };
}
