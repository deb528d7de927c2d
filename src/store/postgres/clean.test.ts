import { expect, inject, onTestFinished, test } from "vitest";
import { ask, connect, freshSchema } from "../../../test/postgres/database.ts";
import { startPostgres } from "../../../test/servers/postgres.ts";
import { insert } from "../batch.ts";
import { noGrains } from "../grain-counts.ts";
import { find } from "../read.ts";
import { PostgresDriver } from "./driver.ts";
import { postgresLedger } from "./ledger.ts";

// A database of its own, since whoever reads in the same one delays the cleaning.
const database = freshSchema();
const url = new URL(inject("postgresUrl"));
await ask(url.href, `create database "${database}"`);
url.pathname = `/${database}`;

const alice = { namespace: "n", userId: "alice" };
const message = insert("message", { sessionId: "s", role: "user", content: "a secret diary", saidAt: 1 });

function open() {
  const schema = freshSchema();
  const ledger = postgresLedger({ url: url.href, schema });
  onTestFinished(() => ledger.close());
  return { ledger, schema };
}

async function deadRows(schema: string): Promise<number> {
  await ask(url.href, "create extension if not exists pgstattuple");
  const [row] = await ask<{ n: number }>(
    url.href,
    `select dead_tuple_count::int as n from pgstattuple('"${schema}".message')`,
  );
  return row?.n ?? -1;
}

test("an erasure is physical at once when nobody can see what went", async () => {
  const { ledger, schema } = open();
  await ledger.append(alice, { operation: "a", records: [message, message] });
  const receipt = await ledger.erase(alice, { operation: "e", sessionId: "s" });
  expect(receipt.state).toBe("physically_erased");
  await expect(ledger.verify(alice, receipt.id, { probes: ["secret diary"] })).resolves.toMatchObject({
    clean: true,
    probes: { rows: 0, files: undefined },
  });
  expect(await deadRows(schema)).toBe(0);
});

test.each([
  [
    "a reader with an older snapshot",
    ["begin isolation level repeatable read", "select 1 from pg_class"],
    "commit",
  ],
  ["a writer that has begun before", ["begin", "select pg_current_xact_id()"], "commit"],
])("it is not while there is %s, and after its end it is", async (_name, begin, end) => {
  const { ledger, schema } = open();
  await ledger.append(alice, { operation: "a", records: [message] });
  await using other = await connect(url.href);
  for (const statement of begin) await other.query(statement);
  const receipt = await ledger.erase(alice, { operation: "e", sessionId: "s" });
  expect(receipt.state).toBe("logically_erased");
  expect(await deadRows(schema)).toBe(1);
  const [{ items }] = await ledger.read([alice], [find("message")]);
  expect(items).toEqual([]);
  expect((await ledger.maintain()).cleaned).toBe(0);
  await other.query(end);
  expect((await ledger.maintain()).cleaned).toBe(1);
  await expect(ledger.erasure(alice, receipt.id)).resolves.toMatchObject({ state: "physically_erased" });
  expect(await deadRows(schema)).toBe(0);
});

test("it is not while a prepared transaction may still need what went", async () => {
  await using server = await startPostgres({
    settings: { max_prepared_transactions: 2, wal_level: "replica" },
  });
  const driver = new PostgresDriver({
    ...{ url: server.url, schema: "flux", poolSize: 2, statementTimeout: 10_000, retryFor: 1_000 },
  });
  onTestFinished(() => driver.close());
  const commit = (): Promise<void> =>
    driver.transact(
      alice,
      () => ({
        ...{ partition: alice, seq: 0, generation: 0, salt: "5a17", recordedAt: 0, records: 0, bytes: 0 },
        ...{ grains: noGrains, policy: {} },
      }),
      function* (head) {
        yield [];
        return { head: { ...head, seq: head.seq + 1 }, writes: [], changes: [], value: undefined };
      },
    );
  await commit();
  await ask(server.url, "create table other (id int)");
  {
    await using other = await connect(server.url);
    await other.query("begin");
    await other.query("insert into other values (1)");
    await other.query("prepare transaction 'open'");
  }
  await commit();
  const mark = await driver.cleanMark();
  await expect(driver.clean(mark)).resolves.toBe(false);
  await ask(server.url, "rollback prepared 'open'");
  await expect(driver.clean(mark)).resolves.toBe(true);
  await expect(driver.clean(await driver.cleanMark())).resolves.toBe(true);
});

test("many erasures are cleaned together", async () => {
  const { ledger, schema } = open();
  await using other = await connect(url.href);
  await ledger.append(alice, { operation: "a", records: [message] });
  await other.query("begin isolation level repeatable read");
  await other.query("select 1 from pg_class");
  const users = Array.from({ length: 20 }, (_, i) => ({ ...alice, userId: `u${i}` }));
  const receipts = await Promise.all(
    users.map(async (user) => {
      await ledger.append(user, { operation: "a", records: [message] });
      return ledger.erase(user, { operation: "e", everything: true });
    }),
  );
  expect(receipts.map(({ state }) => state)).toEqual(Array(20).fill("logically_erased"));
  await other.query("commit");
  const vacuums = async (): Promise<number> => {
    const [row] = await ask<{ n: number }>(
      url.href,
      "select vacuum_count::int as n from pg_stat_user_tables where schemaname = $1 and relname = 'message'",
      [schema],
    );
    return row?.n ?? -1;
  };
  expect((await ledger.maintain()).cleaned).toBe(20);
  await ledger.close();
  expect(await vacuums()).toBe(1);
});

test("cleaning that waits for a reader can be aborted", async () => {
  const { ledger, schema } = open();
  await ledger.append(alice, { operation: "a", records: [message] });
  const driver = new PostgresDriver({
    ...{ url: url.href, schema, poolSize: 1, statementTimeout: 10_000, retryFor: 1_000 },
  });
  onTestFinished(() => driver.close());
  await using other = await connect(url.href);
  await other.query("begin isolation level repeatable read");
  await other.query("select 1 from pg_class");
  await ledger.append(alice, { operation: "b", records: [message] });
  const mark = await driver.cleanMark();
  await expect(driver.clean(mark)).resolves.toBe(false);
  await expect(driver.clean(mark, { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/);
  await other.query("commit");
  await expect(driver.clean(mark)).resolves.toBe(true);
});
