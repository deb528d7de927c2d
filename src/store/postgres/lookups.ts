import { type Partition, partition } from "../../model/partition.ts";
import type { JobCount } from "../ledger.ts";
import { tables } from "../schema.ts";
import { columnName } from "../sql/select.ts";
import { systemTables } from "../system-tables.ts";
import type { Table } from "../table.ts";
import type { SchemaNames } from "./names.ts";
import type { Session, TextRow } from "./session.ts";

/** How much of a partition's key is indexed: an index entry has a limit that a key of escaped characters may exceed. */
const indexedKeyLength = 512;

/** Existing partitions in the order of their keys. */
export async function listPartitions(
  session: Session,
  names: SchemaNames,
  after: string | undefined,
  limit: number,
): Promise<readonly Partition[]> {
  const start = `left("key", ${indexedKeyLength})`;
  const text = `
    select "namespace", "user_id" from ${names.partitions}
    where ${start} >= left($1, ${indexedKeyLength}) and "key" > $1
    order by ${start}, "key" limit $2::bigint`;
  return (await session.query(text, [after ?? "", limit])).map(toPartition);
}

type Lanes = readonly { readonly partition: Partition; readonly queue: string }[];

/** How many ready jobs are looked at, besides as many as lanes are wanted, before all lanes are. */
const spareJobs = 200;

/**
 * Lanes whose first job that is not dead is ready, the longest waiting first. Where few jobs wait behind others, they are
 * among those that have been ready longest; where many do, there are few lanes beside so many jobs.
 */
export async function readyLanes(
  session: Session,
  names: SchemaNames,
  queues: readonly string[],
  now: number,
  limit: number,
): Promise<Lanes> {
  const list = JSON.stringify([...new Set(queues)]);
  const job = names.table(systemTables.job);
  // Of a queue with more ready jobs than that, nothing is known behind the last of them.
  const text = `
    with ready as (
      select f.* from json_array_elements_text($1) q(name) cross join lateral (
        select "queue", "partition", "id", "ready_at" from ${job}
        where not "dead" and "queue" = q.name and "ready_at" <= $2::bigint
        order by "queue", "ready_at" limit $4::bigint
      ) f
    ), known as (
      select min(last) as "until" from (
        select max("ready_at") as last from ready group by "queue" having count(*) = $4::bigint
      ) f
    )
    select k."until" is null, (
      select json_agg(l) from (
        select p."namespace", p."user_id", r."queue"
        from ready r ${names.partitionOf('r."partition"')}
        where r."ready_at" <= coalesce(k."until", r."ready_at") and r."id" = (
          select "id" from ${job} j
          where not "dead" and "queue" = r."queue" and "partition" = r."partition"
          order by "queue", "partition", "seq", "id" limit 1
        )
        order by r."ready_at", r."partition", r."queue" limit $3::bigint
      ) l
    ) from known k`;
  const [[complete, json] = [] as TextRow] = await session.query(text, [list, now, limit, limit + spareJobs]);
  const found = json == null ? [] : (JSON.parse(json) as LaneRow[]);
  if (complete === "t" || found.length === limit) return found.map(toLane);
  return allLanes(session, names, list, now, limit);
}

/** The same, stepping from lane to lane along an index, whatever the number of jobs in them. */
async function allLanes(
  session: Session,
  names: SchemaNames,
  queues: string,
  now: number,
  limit: number,
): Promise<Lanes> {
  const job = names.table(systemTables.job);
  const text = `
    with recursive lane("queue", "partition", "ready_at") as (
      select f.* from json_array_elements_text($1) q(name) cross join lateral (
        select "queue", "partition", "ready_at" from ${job}
        where not "dead" and "queue" = q.name order by "queue", "partition", "seq", "id" limit 1
      ) f
      union all
      select f.* from lane l cross join lateral (
        select "queue", "partition", "ready_at" from ${job}
        where not "dead" and "queue" = l."queue" and "partition" > l."partition"
        order by "queue", "partition", "seq", "id" limit 1
      ) f
    )
    select json_agg(l) from (
      select p."namespace", p."user_id", l."queue"
      from lane l ${names.partitionOf('l."partition"')}
      where l."ready_at" <= $2::bigint
      order by l."ready_at", l."partition", l."queue" limit $3::bigint
    ) l`;
  const [[json] = [] as TextRow] = await session.query(text, [queues, now, limit]);
  return json == null ? [] : (JSON.parse(json) as LaneRow[]).map(toLane);
}

interface LaneRow {
  readonly namespace: string;
  readonly user_id: string | null;
  readonly queue: string;
}

function toLane({ namespace, user_id: userId, queue }: LaneRow): Lanes[number] {
  return { partition: partition({ namespace, userId }), queue };
}

/** Counts jobs by queue, state and error. */
export async function countJobs(
  session: Session,
  names: SchemaNames,
  queues: readonly string[],
): Promise<readonly JobCount[]> {
  const text = `
    select "queue", "dead", "error", count(*) from ${names.table(systemTables.job)}
    where "queue" in (select json_array_elements_text($1)) group by 1, 2, 3`;
  return (await session.query(text, [JSON.stringify(queues)])).map(([queue, dead, error, count]) => ({
    queue: queue as string,
    dead: dead === "t",
    error: error ?? undefined,
    count: Number(count),
  }));
}

/** Some rows whose `expiresAt` is after the one moment and not after the other, the earliest first. */
export async function listExpired(
  session: Session,
  names: SchemaNames,
  table: Table,
  { after, until }: { readonly after: number; readonly until: number },
  limit: number,
): Promise<readonly { readonly partition: Partition; readonly id: string }[]> {
  const text = `
    select p."namespace", p."user_id", t."id"
    from ${names.table(table)} t ${names.partitionOf('t."partition"')}
    where t."expires_at" > $1::bigint and t."expires_at" <= $2::bigint
    order by t."expires_at" limit $3::bigint`;
  return (await session.query(text, [after, until, limit])).map(toReference);
}

/** Some erasures that are not physical yet. */
export async function listPendingErasures(
  session: Session,
  names: SchemaNames,
  limit: number,
): Promise<readonly { readonly partition: Partition; readonly id: string }[]> {
  const text = `
    select p."namespace", p."user_id", t."id"
    from ${names.table(systemTables.erasure)} t ${names.partitionOf('t."partition"')}
    where not t."physical" limit $1::bigint`;
  return (await session.query(text, [limit])).map(toReference);
}

/** How many places in the rows of a partition hold one of the texts, as they are or as JSON writes them. */
export async function countPlaces(
  session: Session,
  names: SchemaNames,
  key: string,
  texts: readonly string[],
): Promise<number> {
  const counts = tables.map((table) => {
    const columns = Object.keys(table.columns).filter((column) =>
      /^(id|text|json)/.test(table.columns[column] ?? ""),
    );
    const places = columns.map((column) => {
      const value = `t.${columnName(column)}`;
      return `(strpos(${value}, x.plain) > 0 or strpos(${value}, x.escaped) > 0)::int`;
    });
    const sum = places.map((place) => `coalesce(${place}, 0)`).join(" + ");
    return `(select sum(${sum}) from ${names.table(table)} t, x where t."partition" = p."id")`;
  });
  const terms = [
    { table: names.entry, column: "terms" },
    { table: names.posting, column: "term" },
  ].map(
    ({ table, column }) => `(select sum((strpos(t."${column}", x.plain) > 0)::int) from ${table} t, x
      where t."partition" = p."id")`,
  );
  counts.push(...terms);
  const text = `
    with x as materialized (select * from json_to_recordset($2) as x(plain text, escaped text))
    select ${counts.map((count) => `coalesce(${count}, 0)`).join(" + ")}
    from ${names.partitions} p where p."key" = $1`;
  const forms = texts.map((plain) => ({ plain, escaped: JSON.stringify(plain).slice(1, -1) }));
  const [[count] = [] as TextRow] = await session.query(text, [key, JSON.stringify(forms)]);
  return Number(count ?? 0);
}

function toPartition([namespace, userId]: TextRow): Partition {
  return partition({ namespace: namespace as string, userId: userId as string | null });
}

function toReference(row: TextRow): { readonly partition: Partition; readonly id: string } {
  return { partition: toPartition(row), id: row[2] as string };
}
