import type { Pool } from "pg";
import type { Size } from "./store.ts";

/** What the tables and indexes of a schema take, after dead rows were cleared. */
export async function postgresSizes(pool: Pool, schema: string): Promise<readonly Size[]> {
  const tables = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'r'",
    [`"${schema}"`],
  );
  for (const { name } of tables.rows) await pool.query(`vacuum "${schema}"."${name}"`);
  const { rows } = await pool.query<{ table: string; index: boolean; bytes: string }>(
    `select t.relname as "table", c.relkind = 'i' as index, pg_table_size(c.oid) as bytes
    from pg_class c left join pg_index i on i.indexrelid = c.oid join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
    where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'i')`,
    [`"${schema}"`],
  );
  return rows.map(({ table, index, bytes }) => ({ table, index, bytes: Number(bytes) }));
}
