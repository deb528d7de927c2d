import type { SchemaNames } from "../names.ts";
import { partitionLock } from "../partition-lock.ts";
import type { Session, TextRow } from "../session.ts";

/**
 * Removes what a space that is retired holds, a partition at a time and with its lock, as those who remove grains do the same.
 * What was removed before it is interrupted stays so, and the next attempt goes on.
 */
export async function emptySpace(session: Session, names: SchemaNames, space: number): Promise<void> {
  const { indexSize, partitions, posting, entry, vector } = names;
  await session.unhurried();
  for (;;) {
    const text = `
      select p."id", p."key" from (
        select "partition" from ${indexSize} where "space" = $1::bigint order by "partition" limit 1
      ) z cross join lateral (select "id", "key" from ${partitions} where "id" = z."partition" offset 0) p`;
    const [[partition, key] = [] as TextRow] = await session.query(text, [space]);
    if (partition == null) return;
    await session.command("begin");
    await session.query("select pg_advisory_xact_lock($1)", [partitionLock(names, key as string)]);
    for (const table of [posting, entry, vector, indexSize]) {
      const where = `where "partition" = $1::integer and "space" = $2::bigint`;
      await session.query(`delete from ${table} ${where}`, [partition, space]);
    }
    await session.command("commit");
  }
}
