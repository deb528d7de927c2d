import { expect, inject, test } from "vitest";
import { ask, connect, freshDatabase } from "../postgres/database.ts";
import { startPostgres } from "./postgres.ts";

const url = inject("postgresUrl");

test.for([
  { type: "vector", dimensions: 384 },
  { type: "halfvec", dimensions: 3072 },
])("a filtered search in an HNSW index on $type scans until it has enough", async ({ type, dimensions }) => {
  await using database = await freshDatabase(url);
  await using client = await connect(database.url);
  await client.query("create extension vector");
  // Only the last 5 of 500 pass the filter, and all others are nearer.
  await client.query(`create table t (id int primary key, v ${type}(${dimensions}))`);
  await client.query(
    `insert into t select i, array_cat(array[1000 - i, i], array_fill(1, array[$1 - 2]))::real[]::${type}
       from generate_series(1, 500) i`,
    [dimensions],
  );
  await client.query(`create index on t using hnsw (v ${type}_l2_ops)`);
  await client.query("set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off");
  const nearest = `
    select id from t where id + 0 > 495
     order by v <-> array_cat(array[1000, 0], array_fill(1, array[${dimensions - 2}]))::real[]::${type} limit 5`;
  const { rows: plan } = await client.query(`explain ${nearest}`);
  expect(JSON.stringify(plan)).toContain("Index Scan using t_v_idx");

  await client.query("set hnsw.iterative_scan = off");
  expect((await client.query(nearest)).rows).toEqual([]);
  await client.query("set hnsw.iterative_scan = strict_order");
  const found = (await client.query(nearest)).rows.map(({ id }) => id);
  expect(found).toEqual([496, 497, 498, 499, 500]);
});

test("pgvector is 0.8 or newer and knows the settings of iterative scans", async () => {
  await using database = await freshDatabase(url);
  await using client = await connect(database.url);
  await client.query("create extension vector");
  const { rows } = await client.query("select extversion from pg_extension where extname = 'vector'");
  expect(rows[0].extversion).toMatch(/^(0\.([89]|\d\d+)|[1-9]\d*)\./);
  // The library, which has the settings, is loaded by the first use of the type.
  await client.query("select '[1]'::vector");
  const settings = await client.query("select name from pg_settings where name like 'hnsw.%' order by name");
  expect(settings.rows.map(({ name }) => name)).toEqual([
    "hnsw.ef_search",
    "hnsw.iterative_scan",
    "hnsw.max_scan_tuples",
    "hnsw.scan_mem_multiplier",
  ]);
});

test("a restricted role makes tables in its schema, and is refused the extension", async () => {
  await using database = await freshDatabase(url, { restricted: true });
  await ask(database.url, `create table "${database.schema}".t (x int)`);
  await expect(ask(database.url, "create extension if not exists vector")).rejects.toMatchObject({
    code: "42501",
  });
});

test("a server started without pgvector does not offer it", async () => {
  await using server = await startPostgres({ pgvector: false });
  await expect(ask(server.url, "create extension if not exists vector")).rejects.toMatchObject({
    code: "0A000",
  });
});
