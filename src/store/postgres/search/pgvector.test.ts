import { expect, inject, onTestFinished, test } from "vitest";
import { ask, connect, eventually, freshDatabase, freshSchema } from "../../../../test/postgres/database.ts";
import { insert } from "../../batch.ts";
import { alice } from "../../contract/expectations.ts";
import { grain, named, note } from "../../contract/samples.ts";
import type { Ledger } from "../../ledger.ts";
import { nearest } from "../../read.ts";
import { postgresLedger } from "../ledger.ts";

const url = inject("postgresUrl");

async function emptyDatabase(options: { restricted?: boolean } = {}) {
  const database = await freshDatabase(url, options);
  onTestFinished(() => database[Symbol.asyncDispose]());
  const admin = new URL(url);
  admin.pathname = new URL(database.url).pathname;
  return { place: { url: database.url, schema: database.schema }, admin: admin.href };
}

async function vectorsOf(place: { url: string; schema: string }): Promise<string> {
  await using ledger = postgresLedger(place);
  return (await ledger.capabilities()).vectors;
}

/** Whether vectors can be stored, and found. */
async function findsVectors(ledger: Ledger): Promise<void> {
  const { id } = await ledger.spaces.declare({ kind: "dense", maker: "two", dimensions: 2 });
  const index = [{ space: id, vector: Float32Array.of(0.6, 0.8) }];
  const records = [named("a", note("a")), insert("grain", grain("text", "a"), { id: "a", index })];
  await ledger.append(alice, { operation: "a", records, spaces: [id] });
  const op = nearest({ space: id, vector: Float32Array.of(1, 0), limit: 1 });
  const [found] = await ledger.read([alice], [op]);
  expect(found.map(({ grain, similarity }) => [grain.id, similarity.toFixed(4)])).toEqual([["a", "0.6000"]]);
  const wrong = nearest({ space: id, vector: Float32Array.of(1, 0, 0), limit: 1 });
  await expect(ledger.read([alice], [wrong])).rejects.toMatchObject({ code: "dimension_mismatch" });
}

test("the extension is made with the tables, in the schema public", async () => {
  const { place } = await emptyDatabase();
  await using ledger = postgresLedger(place);
  await findsVectors(ledger);
  expect((await ledger.capabilities()).vectors).toBe("pgvector");
  const where = `select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'vector'`;
  expect(await ask(place.url, where)).toEqual([{ nspname: "public" }]);
});

test("an extension that is there is used, wherever it lies", async () => {
  for (const schema of ["extensions", 'odd "name" $$', "select"]) {
    const { admin, place } = await emptyDatabase({ restricted: true });
    const quoted = `"${schema.replaceAll('"', '""')}"`;
    await ask(admin, `create schema ${quoted}`);
    await ask(admin, `create extension vector schema ${quoted}`);
    await ask(admin, `grant usage on schema ${quoted} to public`);
    await using ledger = postgresLedger(place);
    expect((await ledger.capabilities()).vectors).toBe("pgvector");
    await findsVectors(ledger);
    await ledger.maintain();
  }
});

test("a role that may not make the extension, or not use where it lies, has its vectors searched in process", async () => {
  const { place } = await emptyDatabase({ restricted: true });
  await using ledger = postgresLedger(place);
  expect((await ledger.capabilities()).vectors).toBe("in_process");
  await findsVectors(ledger);
  await ledger.maintain();

  const hidden = await emptyDatabase({ restricted: true });
  await ask(hidden.admin, "create schema hidden");
  await ask(hidden.admin, "create extension vector schema hidden");
  expect(await vectorsOf(hidden.place)).toBe("in_process");
});

test("an extension that comes later is for stores that are made later", async () => {
  const { admin, place } = await emptyDatabase({ restricted: true });
  await using before = postgresLedger(place);
  await findsVectors(before);
  await ask(admin, "create extension vector");
  await using ledger = postgresLedger(place);
  expect((await ledger.capabilities()).vectors).toBe("in_process");
  await findsVectors(ledger);
  await ask(admin, `create schema later authorization "${new URL(place.url).username}"`);
  expect(await vectorsOf({ ...place, schema: "later" })).toBe("pgvector");
});

test("a database without the schema public has its vectors searched in process", async () => {
  const { admin, place } = await emptyDatabase();
  await ask(admin, "drop schema public");
  expect(await vectorsOf(place)).toBe("in_process");
});

test("stores that are made at once in one database all have the extension", async () => {
  for (let round = 0; round < 2; round++) {
    const { place } = await emptyDatabase();
    const all = Array.from({ length: 6 }, () => vectorsOf({ ...place, schema: freshSchema() }));
    expect(await Promise.all(all)).toEqual(Array(6).fill("pgvector"));
  }
});

test("a store is made while somebody else is making the extension", async () => {
  const { admin, place } = await emptyDatabase();
  await using other = await connect(admin);
  await other.query("begin; create extension vector");
  const vectors = vectorsOf(place);
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await eventually(async () => (await ask(admin, waiting)).length > 0);
  await other.query("commit");
  expect(await vectors).toBe("pgvector");
});
