import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Child } from "../../../test/support/child.ts";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { partition, partitionKey } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import { createLedger } from "../engine.ts";
import type { Ledger } from "../ledger.ts";
import { find, head } from "../read.ts";
import { recordTables, tables } from "../schema.ts";
import { latestVersion, type Migration } from "../sql/migration.ts";
import { columnName } from "../sql/select.ts";
import { sealedMoment } from "../system-tables.ts";
import { indexOrder, isOptional, type Table } from "../table.ts";
import { SqliteDriver } from "./driver.ts";
import { sqliteLedger } from "./ledger.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";

const folder = temporaryFolder();
const ann = partition({ userId: "ann" });
const open: Ledger[] = [];
let path: string;

beforeEach(() => {
  path = folder.path("test.db");
});
afterEach(async () => {
  for (const ledger of open.splice(0)) await ledger.close();
});

function ledgerWith(list: readonly Migration[]): Ledger {
  const ledger = createLedger(new SqliteDriver({ path, busyTimeout: 60_000, migrations: list }));
  open.push(ledger);
  return ledger;
}

function say(ledger: Ledger, operation: string): Promise<unknown> {
  const value = { sessionId: "s", role: "user", content: operation, saidAt: 0 } as const;
  return ledger.append(ann, { operation, records: [insert("message", value)] });
}

async function contents(ledger: Ledger): Promise<string[]> {
  const [page] = await ledger.read([ann], [find("message", { index: "bySession", prefix: ["s"] })]);
  return page.items.map(({ content }) => content);
}

// Versions that are invented, after those that there are.
const latest = latestVersion(migrations);
const second: Migration = {
  version: latest + 1,
  minReader: 1,
  minWriter: 1,
  sql: `create table "extra" ("a" integer) strict; insert into "extra" values (1);`,
};
const third: Migration = {
  version: latest + 2,
  minReader: 1,
  minWriter: latest + 2,
  sql: `alter table "extra" add column "b" integer;`,
};
const fourth: Migration = {
  version: latest + 3,
  minReader: latest + 3,
  minWriter: latest + 3,
  sql: `drop table "extra";`,
};
const broken: Migration = {
  version: latest + 2,
  minReader: 1,
  minWriter: 1,
  sql: `create table "half" ("a" integer); insert into "missing" values (1);`,
};

/** What SQLite says about a table: its columns, and each index by the columns it holds. */
function describeTable(db: Database.Database, name: string): unknown {
  const columns = db.prepare(`select name, type, "notnull" from pragma_table_info(?)`).raw().all(name);
  const indexes = db
    .prepare<[string], { name: string; unique: number; partial: number }>(
      `select name, "unique", partial from pragma_index_list(?)`,
    )
    .all(name)
    .map(({ name, unique, partial }) => {
      const keys = db.prepare(`select name from pragma_index_info(?)`).pluck().all(name).join(" ");
      return `${name.startsWith("sqlite_") ? "primary" : name}${unique ? " unique" : ""}${partial ? " partial" : ""}: ${keys}`;
    });
  // A column that was added later stands at the end.
  return { columns: columns.sort(), indexes: indexes.sort() };
}

const types = {
  id: "TEXT",
  text: "TEXT",
  json: "TEXT",
  integer: "INTEGER",
  boolean: "INTEGER",
  real: "REAL",
};
const plain = (column: string): string => columnName(column).replaceAll('"', "");

/** The same, from the schema. */
function expectedTable(table: Table): unknown {
  const columns = Object.entries(table.columns).map(([column, type]) => {
    const stored = types[type.replace("?", "") as keyof typeof types];
    return [plain(column), stored, isOptional(type) && type !== "id?" ? 0 : 1];
  });
  const list = (names: readonly string[]): string => ["partition", ...names.map(plain)].join(" ");
  const named = Object.entries(table.indexes).map(([name, { columns, unique }]) => {
    const full = `${table.name}_${plain(name)}`;
    return unique ? `${full} unique: ${list(columns)}` : `${full}: ${list(indexOrder(table, name))}`;
  });
  const indexes = [`primary unique: ${list(table.key)}`, ...named, ...(global[table.name] ?? [])];
  if ("expiresAt" in table.columns) indexes.push(`${table.name}_expiry partial: expires_at`);
  return { columns: [["partition", "INTEGER", 1], ...columns].sort(), indexes: indexes.sort() };
}

/** Indexes across partitions, which the schema does not name. */
const global: Readonly<Record<string, readonly string[]>> = {
  operation: ["operation_results partial: partition"],
  job: ["job_lanes partial: queue partition", "job_states: queue dead error"],
  erasure: ["erasure_pending partial: partition"],
};

/** Tables that the schema does not name. */
const adapterTables = [
  ...["change", "meta", "partitions"],
  ...["space", "entry", "entry_tokens", "entry_vocabulary", "vector", "index_size", "sqlite_sequence"],
];

test("the migrated database has every table, column and index of the schema, and no other", () => {
  const db = new Database(":memory:");
  migrate(db);
  for (const table of tables.filter(({ name }) => name !== "conduit")) {
    expect(describeTable(db, table.name), table.name).toEqual(expectedTable(table));
  }
  const names = db.prepare(`select name from sqlite_schema where type = 'table' order by name`).pluck().all();
  const others = names.filter((name) => !String(name).startsWith("entry_tokens_"));
  expect(others).toEqual([...tables.map(({ name }) => name), ...adapterTables].sort());
});

test("conduits are stored in the order of their ends", () => {
  const db = new Database(":memory:");
  migrate(db);
  const { columns } = expectedTable(recordTables.conduit) as { columns: unknown };
  expect(describeTable(db, "conduit")).toEqual({
    columns,
    indexes: [
      "conduit_by_id unique: partition id",
      "conduit_by_target: partition to_id from_id id",
      "primary unique: partition from_id to_id relation",
    ],
  });
});

test("migrations are numbered from 1 on, and ask for no code that is newer than they are", () => {
  for (const { version, minReader, minWriter } of migrations) {
    expect(minReader).toBeLessThanOrEqual(version);
    expect(minWriter).toBeLessThanOrEqual(version);
  }
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1));
});

/** A database as the code of these versions leaves it. */
function makeOld(list: readonly Migration[], sql = ""): void {
  const db = new Database(path);
  migrate(db, list);
  db.prepare(
    `insert into "partitions"
      ("id", "key", "namespace", "user_id", "seq", "generation", "salt", "recorded_at", "records", "bytes", "policy")
    values (7, ?, 'default', 'ann', 1, 0, ?, 1, 1, 1, '{}')`,
  ).run(partitionKey(ann), "0".repeat(32));
  db.exec(`insert into "message"
      ("partition", "id", "seq", "updated_seq", "recorded_at", "bytes", "session_id", "agent_id", "role", "content",
       "tool_call_id", "said_at")
    values (7, 'm', 1, 1, 1, 1, 's', '', 'user', 'kept', '', 0)`);
  db.exec(sql);
  db.close();
}

test("a database is brought from each earlier version to the latest, and keeps its records", async () => {
  const list = [...migrations, second, { ...third, minWriter: 1 }];
  for (let from = 1; from < list.length; from++) {
    path = folder.path(`from-${from}.db`);
    makeOld(list.slice(0, from));
    const upgraded = ledgerWith(list);
    await say(upgraded, "added");
    expect(await contents(upgraded)).toEqual(["kept", "added"]);
    expect((await upgraded.capabilities()).schemaVersion).toBe(latest + 2);
  }
});

test("grains that were there are counted once heads count them, those that a purge hides are not", async () => {
  const grain = (id: string, status: string, expiresAt: string): string => `insert into "grain"
    ("partition", "id", "seq", "updated_seq", "recorded_at", "bytes", "session_id", "agent_id", "owner_kind", "owner_id",
     "status", "provenance", "said_at", "expires_at")
    values (7, '${id}', 1, 1, 1, 1, '', '', 'message', 'm', '${status}', 'user_stated', 0, ${expiresAt});`;
  const grains = [
    ...[grain("a", "active", "null"), grain("b", "active", "4000000000000")],
    ...[grain("c", "archived", "null"), grain("d", "active", `${sealedMoment}`)],
  ];
  makeOld(migrations.slice(0, 4), grains.join(""));
  const [state] = await ledgerWith(migrations).read([ann], [head()]);
  expect(state?.grains).toEqual({ active: 2, dormant: 0, quarantined: 0, archived: 1 });
});

test("facts that were there are found by their subject, predicate and object, and believed since they were recorded", async () => {
  const fact = (id: string, subject: string, object: string, status: string): string => `insert into "fact"
    ("partition", "id", "seq", "updated_seq", "recorded_at", "bytes", "session_id", "agent_id", "fact_id", "subject", "predicate",
     "object", "affirmed", "confidence", "provenance", "status", "retired_at")
    values (7, '${id}', 1, 1, 3, 1, '', '', '${id}', '${subject}', 'likes', '${object}', 1, 1, 'user_stated', '${status}',
      ${status === "retired" ? 5 : "null"});`;
  const facts = [
    fact("a", "Ann", " Green Tea ", "current"),
    fact("b", "Ann", "", "retired"),
    fact("c", "x".repeat(512), "\u{1F375}".repeat(300), "current"),
  ];
  makeOld(migrations.slice(0, 7), facts.join(""));
  const ledger = ledgerWith(migrations);
  const [tea, empty, long] = await ledger.read(
    [ann],
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

test("a migration that fails in the middle leaves the database as it was", async () => {
  await say(ledgerWith(migrations), "kept");
  await expect(say(ledgerWith([...migrations, second, broken]), "lost")).rejects.toMatchObject({
    code: "storage_failed",
  });
  const db = new Database(path);
  expect(db.prepare(`select name from sqlite_schema where name in ('extra', 'half')`).all()).toEqual([]);
  expect(db.prepare(`select version from meta`).pluck().get()).toBe(latest);
  db.close();
  expect(await contents(ledgerWith(migrations))).toEqual(["kept"]);
});

test("several processes that start at once migrate once, and all of them work", async () => {
  const program = `
    const ledger = sqliteLedger({ path: ${JSON.stringify(path)} });
    await ledger.append(partition({ userId: "u" + process.pid }), { operation: "o", records: [message("hello")] });
    await ledger.close();`;
  const children = Array.from({ length: 5 }, () => new Child(program));
  for (const child of children) await child.success();
  const ledger = ledgerWith(migrations);
  expect((await ledger.partitions()).partitions).toHaveLength(5);
});

test("code that is too old to read is refused, whether it opens the database or has it open", async () => {
  const old = ledgerWith(migrations);
  await say(old, "before");
  await say(ledgerWith([...migrations, second, third, fourth]), "by the newer one");
  const outdated = { code: "outdated", retryable: false };
  await expect(contents(old)).rejects.toMatchObject(outdated);
  await expect(old.changes.read()).rejects.toMatchObject(outdated);
  await expect(say(old, "after")).rejects.toMatchObject(outdated);
  await expect(contents(ledgerWith(migrations))).rejects.toMatchObject(outdated);
});

test("code that is only too old to write still reads", async () => {
  const old = ledgerWith(migrations);
  await say(old, "before");
  await say(ledgerWith([...migrations, second, third]), "by the newer one");
  for (const ledger of [old, ledgerWith(migrations)]) {
    expect(await contents(ledger)).toEqual(["before", "by the newer one"]);
    await expect(say(ledger, "after")).rejects.toMatchObject({ code: "outdated" });
  }
});

test("code that is older but may write goes on", async () => {
  const old = ledgerWith(migrations);
  await say(old, "before");
  await say(ledgerWith([...migrations, second]), "by the newer one");
  await say(old, "after");
  expect(await contents(old)).toEqual(["before", "by the newer one", "after"]);
});

test("a database of another application is left alone", async () => {
  const other = new Database(path);
  other.exec("create table message (id integer)");
  other.close();
  await expect(say(sqliteLedger({ path }), "mine")).rejects.toMatchObject({ code: "invalid_argument" });
  const again = new Database(path);
  expect(again.prepare("select name from sqlite_schema").pluck().all()).toEqual(["message"]);
  again.close();
});
