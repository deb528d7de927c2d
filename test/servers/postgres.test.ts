import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Client } from "pg";
import { expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "./postgres.ts";

async function query(server: PostgresServer, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

test("what was committed outlives a kill and a stop, and nothing outlives remove()", async () => {
  const server = await startPostgres();
  await query(server, "create table t as select 1 as x");
  await server.kill();
  await expect(query(server, "select x from t")).rejects.toThrow();
  await server.restart();
  await query(server, "insert into t values (2)");
  await server.stop("immediate");
  await server.restart();
  expect(await query(server, "select x from t order by x")).toEqual([{ x: 1 }, { x: 2 }]);
  await server.remove();
  await expect(query(server, "select x from t")).rejects.toThrow();
  expect(existsSync(dirname(server.dataDir))).toBe(false);
});

test("servers run side by side, with their own settings, and ask for the password", async () => {
  await using one = await startPostgres({ settings: { max_connections: 7 } });
  await using other = await startPostgres();
  expect(await query(one, "show max_connections")).toEqual([{ max_connections: "7" }]);
  expect(await query(other, "show fsync")).toEqual([{ fsync: "on" }]);
  const intruder = new Client({ connectionString: other.url.replace(/:[^:@]*@/, ":guess@") });
  await expect(intruder.connect()).rejects.toThrow("password authentication failed");
});

test("a server that cannot start says why and leaves nothing", async () => {
  await expect(startPostgres({ settings: { shared_buffers: "lots" } })).rejects.toThrow(
    /invalid value.*shared_buffers/,
  );
});
