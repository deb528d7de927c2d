import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { connect, freshSchema } from "../../../test/postgres/database.ts";
import type { RowRead, RowWrite } from "../driver.ts";
import { recordTables } from "../schema.ts";
import { systemTables } from "../system-tables.ts";
import { Connections } from "./connections.ts";
import { PostgresDriver } from "./driver.ts";
import { Session } from "./session.ts";

const url = inject("postgresUrl");
const schema = freshSchema();
const options = { url, schema, poolSize: 2, statementTimeout: 30_000, retryFor: 1_000 };
const driver = new PostgresDriver(options);
const partition = { namespace: "n", userId: "u1" };
const { message, text } = recordTables;
const { job } = systemTables;

/** What PostgreSQL says of a part of a plan. */
interface Node {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Node[];
  readonly [property: string]: unknown;
}

/** How many rows the busiest part of a plan dealt with. */
function busiest(node: Node): number {
  const removed = Object.entries(node).filter(([property]) => property.startsWith("Rows Removed by"));
  const each = removed.reduce((sum, [, rows]) => sum + (rows as number), node["Actual Rows"]);
  return Math.max(each * node["Actual Loops"], ...(node.Plans ?? []).map(busiest));
}

// A store that grew faster than its statistics: PostgreSQL knows nothing of the sizes.
beforeAll(async () => {
  await driver.capabilities();
  await using client = await connect(url);
  await client.query(`set search_path to "${schema}"`);
  for (const table of ["partitions", "change", "message", "text", "job", "link", "operation"])
    await client.query(`alter table "${table}" set (autovacuum_enabled = off)`);
  await client.query(`
    insert into partitions (key, namespace, user_id, salt)
      select '["n","u' || g || '"]', 'n', 'u' || g, '5a17' from generate_series(1, 2000) g;
    insert into message select 1 + g % 2, 'm' || g, g, g, 1, null, 10, 's' || g % 3, '', 'user', 'hello', null, null, '', g,
      '{"a":1}', case when g % 10 = 0 then g end from generate_series(1, 6000) g;
    insert into job select 1 + g % 500, 'j' || g, g, 'q', null, false, 0, 8, g, '', 0, null from generate_series(1, 3000) g;
    insert into change (xid, seq, partition, kind, id, operation, at)
      select '5', g, 1 + g % 2000, 'message', 'm' || g, 'insert', g from generate_series(1, 5000) g`);
});
afterAll(() => driver.close());

test("no statement deals with more rows than it is about, whatever PostgreSQL takes the tables for", async () => {
  const query = vi.spyOn(Session.prototype, "query");
  onTestFinished(() => query.mockRestore());
  const find = { type: "find", table: message, limit: 5, now: 3 } as const;
  const reads: RowRead[] = [
    ...[10, 500, 4_000].map((n): RowRead => ({ type: "get", table: message, key: [`m${n}`], now: 3 })),
    ...Array.from({ length: 40 }, (_, n): RowRead => ({ type: "get", table: text, key: [`t${n}`] })),
    { ...find, index: "byId", prefix: [] },
    { ...find, index: "byId", prefix: [], after: ["m3"], reverse: true },
    { ...find, index: "bySession", prefix: ["s1"] },
    { ...find, index: "bySession", prefix: ["s1"], after: [3_000, "m3000"] },
    { ...find, index: "bySession", prefix: ["s1"], range: { gte: 900, lt: 950 }, reverse: true },
    { ...find, index: "byTime", prefix: [], range: { gt: 5_000 } },
    { ...find, index: "byTime", prefix: [2_000] },
    { ...find, index: "byTime", prefix: [], filter: { type: "test", key: "a", test: { op: "exists" } } },
    { type: "find", table: job, index: "byLane", prefix: [false, "q"], limit: 5 },
    { type: "find", table: systemTables.link, index: "bySource", prefix: ["message", "m1"] },
  ];
  const row = (id: string) => ({
    ...{
      id,
      seq: 1,
      updatedSeq: 1,
      recordedAt: 1,
      bytes: 1,
      sessionId: "s",
      role: "user",
      content: "x",
      saidAt: 1,
    },
  });
  const writes: RowWrite[] = [
    { type: "remove", table: message, key: ["m10"] },
    { type: "remove", table: systemTables.link, key: ["message", "m1", "message", "m2", "source"] },
    { type: "replace", table: message, row: row("m12") },
    { type: "insert", table: message, row: row("new") },
    { type: "scrub" },
  ];
  await driver.snapshot(partition, reads);
  await driver.transact(
    partition,
    () => expect.unreachable(),
    function* (head) {
      yield reads;
      const change = { seq: 9_000, kind: "message", id: "new", operation: "insert" } as const;
      return { head: { ...head, seq: 9_000 }, writes, changes: [change], value: undefined };
    },
  );
  await driver.partitions('["n","u1', 10);
  const { cursor } = await driver.changes(undefined, 10);
  await driver.changes(cursor, 10);
  await driver.changesHead();
  await driver.readyLanes(["q", "other"], 100, 10);
  await driver.expired(message, { after: 0, until: 100 }, 10);
  await driver.pendingErasures(10);

  const statements = query.mock.calls.filter(([text]) =>
    /^\s*(select|with|insert|update|delete)\b/.test(text),
  );
  expect(statements.length).toBeGreaterThan(12);
  const connections = await Connections.load({ ...options, connectTimeout: 5_000 });
  try {
    for (const [text, values] of statements) {
      const rows = await connections.use(async (session) => {
        await session.command("begin");
        await session.command(`delete from "${schema}".message where id = 'new'`);
        const [[json] = []] = await session.query(
          `explain (analyze, timing off, format json) ${text}`,
          values,
        );
        await session.command("rollback");
        return busiest((JSON.parse(json as string) as [{ readonly Plan: Node }])[0].Plan);
      });
      // As many as there are gets of one form, or ready jobs that are looked at.
      const most = text.includes("with ready") ? 250 : 60;
      expect(rows, text).toBeLessThan(most);
    }
  } finally {
    await connections.close();
  }
});
