import { describe, expect, inject, onTestFinished, test } from "vitest";
import { ask, connect, freshSchema } from "../../../test/postgres/database.ts";
import { startWorker } from "../../../test/postgres/worker-process.ts";
import { partitionKey } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import { createLedger } from "../engine.ts";
import { find, head } from "../read.ts";
import { tables } from "../schema.ts";
import { latestVersion, type Migration } from "../sql/migration.ts";
import { columnName } from "../sql/select.ts";
import { sealedMoment } from "../system-tables.ts";
import { type ColumnType, indexOrder } from "../table.ts";
import { PostgresDriver } from "./driver.ts";
import { migrations } from "./migrations.ts";

const url = inject("postgresUrl");
const alice = { namespace: "n", userId: "alice" };
const message = insert("message", { sessionId: "s", role: "user", content: "hello", saidAt: 1 });

function open(schema: string, list: readonly Migration[] = migrations) {
  const driver = new PostgresDriver({
    ...{ url, schema, poolSize: 2, statementTimeout: 30_000, retryFor: 30_000 },
    migrations: list,
  });
  const ledger = createLedger(driver);
  onTestFinished(() => ledger.close());
  return ledger;
}

/** An invented next version. */
function next(step: Partial<Migration> & Pick<Migration, "version">): Migration {
  return { minReader: 1, minWriter: 1, sql: "select 1", ...step };
}

// Versions that are invented, after those that there are.
const latest = latestVersion(migrations);
const second = next({ version: latest + 1, sql: `alter table "message" add column "mood" text` });
const third = next({
  version: latest + 2,
  sql: `create table "mood" ("id" bigint); insert into "mood" values (3)`,
});

async function storedVersion(schema: string): Promise<unknown> {
  const [row] = await ask(url, `select version, min_reader, min_writer from "${schema}".meta`);
  return row;
}

describe("the tables", () => {
  const snake = (name: string): string => columnName(name).slice(1, -1);
  const sqlTypes: Readonly<Record<string, string>> = {
    id: "text C",
    text: "text C",
    json: "text C",
    integer: "bigint",
    real: "double precision",
    boolean: "boolean",
  };
  const columnSql = (type: ColumnType): string =>
    // The absence of an id is an empty one.
    `${sqlTypes[type.replace("?", "")]} ${type.endsWith("?") && type !== "id?" ? "null" : "not null"}`;

  test("have every table, column and index that the schema declares, and no other", async () => {
    const schema = freshSchema();
    await open(schema).capabilities();
    const columns = await ask<{ table: string; column: string; type: string }>(
      url,
      `select table_name as "table", column_name as "column",
        concat_ws(' ', data_type, collation_name, case is_nullable when 'YES' then 'null' else 'not null' end) as "type"
      from information_schema.columns where table_schema = $1 order by table_name, ordinal_position`,
      [schema],
    );
    const indexes = await ask<{ definition: string }>(
      url,
      `select replace(replace(pg_get_indexdef(i.indexrelid), '"', ''), n.nspname || '.', '') as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and not exists (
        select from pg_class t where t.oid = i.indrelid and t.relname = any ($2)
      )`,
      [schema, ["meta", "partitions", "change", "space", "entry", "posting", "vector", "index_size"]],
    );
    const found: Record<string, string[]> = {};
    for (const { table, column, type } of columns) {
      found[table] ??= [];
      found[table].push(`${column} ${type}`);
    }
    const { meta, partitions, change, space, entry, posting, vector, index_size, ...scoped } = found;
    // A column that was added later stands at the end.
    const sorted = Object.entries(scoped).map(([table, columns]) => [table, columns.sort()]);
    expect(Object.fromEntries(sorted)).toEqual(
      Object.fromEntries(
        tables.map(({ name, columns }) => [
          name,
          [
            "partition integer not null",
            ...Object.entries(columns).map(([column, type]) => `${snake(column)} ${columnSql(type)}`),
          ].sort(),
        ]),
      ),
    );
    const others = [meta, partitions, change, space, entry, posting, vector, index_size];
    expect(others).not.toContain(undefined);
    expect(Object.keys(found)).toHaveLength(tables.length + others.length);

    const btree = (table: string, index: string, columns: readonly string[], unique = false): string => {
      const list = ["partition", ...columns.map(snake)];
      return `CREATE ${unique ? "UNIQUE " : ""}INDEX ${table}_${index} ON ${table} USING btree (${list.join(", ")})`;
    };
    const expected = tables.flatMap((table) => [
      btree(table.name, "pkey", table.key, true),
      ...Object.entries(table.indexes).map(([index, { columns, unique }]) =>
        unique
          ? btree(table.name, snake(index), columns, true)
          : btree(table.name, snake(index), indexOrder(table, index)),
      ),
      ...("expiresAt" in table.columns
        ? [
            `CREATE INDEX ${table.name}_expiry ON ${table.name} USING btree (expires_at) WHERE (expires_at IS NOT NULL)`,
          ]
        : []),
    ]);
    const global = [
      `CREATE INDEX operation_results ON operation USING btree (partition) WHERE (result IS NOT NULL)`,
      `CREATE INDEX job_ready ON job USING btree (queue, ready_at) WHERE (NOT dead)`,
      `CREATE INDEX job_lanes ON job USING btree (queue, partition, seq, id) WHERE (NOT dead)`,
      `CREATE INDEX erasure_pending ON erasure USING btree (partition, id) WHERE (NOT physical)`,
    ];
    expect(indexes.map(({ definition }) => definition).sort()).toEqual([...expected, ...global].sort());
  });

  test("are of the version of the last migration", async () => {
    const schema = freshSchema();
    await expect(open(schema).capabilities()).resolves.toMatchObject({ schemaVersion: latest });
    const last = migrations.at(-1);
    expect(await storedVersion(schema)).toEqual({
      version: latest,
      min_reader: last?.minReader,
      min_writer: last?.minWriter,
    });
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1));
  });

  test("are made once by ten processes that start at once", async () => {
    const schema = freshSchema();
    const workers = Array.from({ length: 10 }, () => startWorker({ task: "open", url, schema }));
    const results = await Promise.all(workers.map(({ result }) => result));
    expect(results).toEqual(Array(10).fill(expect.objectContaining({ schemaVersion: latest })));
    expect(await ask(url, `select 1 from "${schema}".meta`)).toHaveLength(1);
  });
});

test("the tables are made once by many connections of one process that start at once", async () => {
  for (let i = 0; i < 5; i++) {
    const schema = freshSchema();
    const all = await Promise.all(Array.from({ length: 8 }, () => open(schema).capabilities()));
    expect(all.map(({ schemaVersion }) => schemaVersion)).toEqual(Array(8).fill(latest));
  }
});

/** Tables as the code of these versions leaves them. */
async function makeOld(schema: string, list: readonly Migration[], sql = ""): Promise<void> {
  await open(schema, list).capabilities();
  await ask(
    url,
    `insert into "${schema}".partitions (id, key, namespace, user_id, seq, salt, recorded_at, records, bytes)
      overriding system value values (7, $1, 'n', 'alice', 1, $2, 1, 1, 1)`,
    [partitionKey(alice), "0".repeat(32)],
  );
  await ask(
    url,
    `insert into "${schema}".message
        (partition, id, seq, updated_seq, recorded_at, bytes, session_id, agent_id, role, content, tool_call_id, said_at)
      values (7, 'm', 1, 1, 1, 1, 's', '', 'user', 'hello', '', 1)`,
  );
  if (sql !== "") await ask(url, sql);
}

describe("later versions", () => {
  test("are reached from each earlier one, with the data that was there", async () => {
    const earlier = [...migrations, second].map((_, i, list) => list.slice(0, i + 1));
    for (const from of [[], ...earlier]) {
      const schema = freshSchema();
      if (from.length > 0) await makeOld(schema, from);
      const ledger = open(schema, [...migrations, second, third]);
      await expect(ledger.capabilities()).resolves.toMatchObject({ schemaVersion: latest + 2 });
      const [{ items }] = await ledger.read([alice], [find("message")]);
      expect(items.map(({ content }) => content)).toEqual(from.length > 0 ? ["hello"] : []);
      expect(await ask(url, `select id::int from "${schema}".mood`)).toEqual([{ id: 3 }]);
    }
  });

  test("count the grains that were there, without those that a purge hides", async () => {
    const schema = freshSchema();
    await makeOld(
      schema,
      migrations.slice(0, 4),
      `insert into "${schema}".grain
          (partition, id, seq, updated_seq, recorded_at, bytes, session_id, agent_id, owner_kind, owner_id, status,
           provenance, said_at, expires_at)
        select 7, g.id, 1, 1, 1, 1, '', '', 'message', 'm', g.status, 'user_stated', 0, g.expires_at
        from (values ('a', 'active', null::bigint), ('b', 'active', 4000000000000), ('c', 'archived', null),
          ('d', 'active', ${sealedMoment})) g (id, status, expires_at)`,
    );
    const [state] = await open(schema).read([alice], [head()]);
    expect(state?.grains).toEqual({ active: 2, dormant: 0, quarantined: 0, archived: 1 });
  });

  test("find the facts that were there by their subject, predicate and object, believed since they were recorded", async () => {
    const schema = freshSchema();
    await makeOld(
      schema,
      migrations.slice(0, 5),
      `insert into "${schema}".fact
          (partition, id, seq, updated_seq, recorded_at, bytes, session_id, agent_id, fact_id, subject, predicate, object,
           affirmed, confidence, provenance, status, retired_at)
        select 7, f.id, 1, 1, 3, 1, '', '', f.id, f.subject, 'likes', f.object, true, 1, 'user_stated', f.status, f.retired_at
        from (values ('a', 'Ann', ' Green Tea ', 'current', null::bigint), ('b', 'Ann', '', 'retired', 5),
          ('c', repeat('x', 512), repeat('\u{1F375}', 300), 'current', null)) f (id, subject, object, status, retired_at)`,
    );
    const [tea, empty, long] = await open(schema).read(
      [alice],
      [
        find("fact", { index: "bySubject", prefix: ["current", "ann", "likes", "green tea"] }),
        find("fact", { index: "byObject", prefix: ["retired", "-"] }),
        find("fact", { index: "bySubject", prefix: ["current", "x".repeat(60)] }),
      ],
    );
    expect(tea.items).toMatchObject([{ id: "a", recordedFrom: 3, object: " Green Tea " }]);
    expect(tea.items[0]).not.toHaveProperty("retiredReason");
    expect(empty.items).toMatchObject([{ id: "b", retiredReason: "replaced", retiredAt: 5 }]);
    expect(long.items.map(({ objectKey }) => objectKey)).toEqual(["\u{1F375}".repeat(60)]);
  });

  test("are not begun when a step fails in the middle, and reached by the next attempt", async () => {
    const schema = freshSchema();
    await open(schema).capabilities();
    const broken = { ...third, sql: `${third.sql}; select 1/0` };
    await expect(open(schema, [...migrations, second, broken]).capabilities()).rejects.toMatchObject({
      code: "storage_failed",
    });
    expect(await storedVersion(schema)).toMatchObject({ version: latest });
    const columns = `select 1 from information_schema.columns where table_schema = $1 and column_name = 'mood'`;
    expect(await ask(url, columns, [schema])).toEqual([]);
    await open(schema, [...migrations, second, third]).capabilities();
    expect(await storedVersion(schema)).toMatchObject({ version: latest + 2 });
  });

  test("are reached once by several at once, while others write", async () => {
    const schema = freshSchema();
    const old = open(schema);
    await old.capabilities();
    let writing = true;
    const writes = (async () => {
      for (let i = 0; writing; i++) await old.append(alice, { operation: `w${i}`, records: [message] });
    })();
    const list = [...migrations, second, third];
    const all = await Promise.all(Array.from({ length: 6 }, () => open(schema, list).capabilities()));
    expect(all.map(({ schemaVersion }) => schemaVersion)).toEqual(Array(6).fill(latest + 2));
    expect(await ask(url, `select id::int from "${schema}".mood`)).toEqual([{ id: 3 }]);
    writing = false;
    await writes;
  });

  test("that old code may write to leave it at work", async () => {
    const schema = freshSchema();
    const old = open(schema);
    await old.append(alice, { operation: "a", records: [message] });
    await open(schema, [...migrations, second]).capabilities();
    await old.append(alice, { operation: "b", records: [message] });
    await open(schema).append(alice, { operation: "c", records: [message] });
    const [{ items }] = await old.read([alice], [find("message")]);
    expect(items).toHaveLength(3);
  });

  test("that old code may only read refuse its writes, also of partitions that are not there, and not its reads", async () => {
    const schema = freshSchema();
    const old = open(schema);
    await old.append(alice, { operation: "a", records: [message] });
    await open(schema, [...migrations, { ...second, minWriter: latest + 1 }]).capabilities();
    for (const ledger of [old, open(schema)]) {
      for (const userId of ["alice", "bob"]) {
        await expect(
          ledger.append({ ...alice, userId }, { operation: "b", records: [message] }),
        ).rejects.toMatchObject({ code: "outdated", retryable: false });
      }
      const [{ items }] = await ledger.read([alice], [find("message")]);
      expect(items).toHaveLength(1);
    }
  });

  test("that old code cannot read refuse it at once, whether it was open before or not", async () => {
    const schema = freshSchema();
    const old = open(schema);
    await old.append(alice, { operation: "a", records: [message] });
    const breaking = next({
      ...{ version: latest + 1, minReader: latest + 1, minWriter: latest + 1 },
      sql: `alter table "message" rename column "content" to "body"`,
    });
    await open(schema, [...migrations, breaking]).capabilities();
    const outdated = expect.objectContaining({ code: "outdated", retryable: false });
    // Its statement, prepared or not, asks for a column that is gone.
    await expect(old.read([alice], [find("message")])).rejects.toEqual(outdated);
    await expect(old.read([alice], [find("block")])).rejects.toEqual(outdated);
    await expect(old.append(alice, { operation: "b", records: [message] })).rejects.toEqual(outdated);
    await expect(open(schema).capabilities()).rejects.toEqual(outdated);
  });

  test("wait for a commit that is under way, whose writer had looked at the version before", async () => {
    const schema = freshSchema();
    const old = open(schema);
    await old.append(alice, { operation: "a", records: [message] });
    // Holds the partition, so that the writer waits between its look at the version and its writes.
    await using holder = await connect(url);
    await holder.query("begin");
    await holder.query(`select 1 from "${schema}".partitions for update`);
    const write = old.append(alice, { operation: "b", records: [message] });
    await waitingFor(schema, "with ");
    const migrated = open(schema, [...migrations, { ...second, minWriter: latest + 1 }]).capabilities();
    await waitingFor(schema, "lock table");
    await holder.query("commit");
    await expect(write).resolves.toMatchObject({ seq: 2 });
    await migrated;
    await expect(old.append(alice, { operation: "c", records: [message] })).rejects.toMatchObject({
      code: "outdated",
    });
  });
});

/** Waits until a statement that begins so waits for a lock. */
async function waitingFor(schema: string, statement: string): Promise<void> {
  await using client = await connect(url);
  for (;;) {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like $1 and query like $2`,
      [`${statement}%`, `%${schema}%`],
    );
    if (rows.length > 0) return;
  }
}
