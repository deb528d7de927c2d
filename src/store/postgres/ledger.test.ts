import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { ask, freshSchema } from "../../../test/postgres/database.ts";
import { FluxError } from "../../model/errors.ts";
import { insert } from "../batch.ts";
import { find, get, head } from "../read.ts";
import { openLedger } from "../resolve.ts";
import { latestVersion } from "../sql/migration.ts";
import { type PostgresOptions, postgresLedger } from "./ledger.ts";
import { migrations } from "./migrations.ts";

const url = inject("postgresUrl");
const alice = { namespace: "n", userId: "alice" };
const schemaVersion = latestVersion(migrations);
const message = insert("message", { sessionId: "s", role: "user", content: "hello", saidAt: 1 });

function open(options: Partial<PostgresOptions> = {}) {
  const ledger = postgresLedger({ url, schema: freshSchema(), ...options });
  onTestFinished(() => ledger.close());
  return ledger;
}

describe("options", () => {
  test.each([
    [{ url: 5 }, "invalid_url"],
    [{ url: "mysql://a:secret@b/c" }, "invalid_url"],
    [{ schema: "" }, "invalid_argument"],
    [{ schema: 5 }, "invalid_argument"],
    [{ schema: "x".repeat(64) }, "invalid_argument"],
    [{ schema: "é".repeat(32) }, "invalid_argument"],
    [{ schema: "a\0b" }, "invalid_argument"],
    [{ schema: "\ud800" }, "invalid_argument"],
    [{ schema: "pg_catalog" }, "invalid_argument"],
    [{ poolSize: 0 }, "invalid_argument"],
    [{ poolSize: 1.5 }, "invalid_argument"],
    [{ statementTimeout: 0 }, "invalid_argument"],
    [{ statementTimeout: 2 ** 31 }, "invalid_argument"],
    [{ retryFor: -1 }, "invalid_argument"],
    [{ retryFor: Number.NaN }, "invalid_argument"],
  ])("that are wrong are refused at once: %j", (options, code) => {
    const make = (): unknown => postgresLedger({ url, ...options } as unknown as PostgresOptions);
    expect(make).toThrow(expect.objectContaining({ code }));
    expect(make).toThrow(FluxError);
    expect(make).not.toThrow(/secret/);
  });

  test("connect nothing before the first call", async () => {
    const schema = freshSchema();
    const ledger = open({ schema });
    expect(await ask(url, "select 1 from pg_namespace where nspname = $1", [schema])).toEqual([]);
    await ledger.capabilities();
    expect(await ask(url, "select 1 from pg_namespace where nspname = $1", [schema])).toHaveLength(1);
  });

  test("of a URL alone are those of openLedger", async () => {
    await using ledger = openLedger(url);
    await expect(ledger.capabilities()).resolves.toEqual({
      ...{ adapter: "postgres", durability: "fsync", shared: true, schemaVersion, vectors: "pgvector" },
    });
    expect(await ask(url, `select 1 from flux.meta`)).toHaveLength(1);
  });
});

describe("a schema", () => {
  test.each([
    'Quo"ted',
    "a.b",
    "select",
    "Ünïcode 😀",
    "'; drop schema public; --",
    "x".repeat(63),
    "$1",
    "%s",
  ])("may have any name: %s", async (name) => {
    const ledger = open({ schema: name });
    onTestFinished(async () => {
      await ask(url, `drop schema "${name.replaceAll('"', '""')}" cascade`);
    });
    const { ids } = await ledger.append(alice, { operation: "a", records: [message] });
    await expect(ledger.read([alice], [get("message", ids[0] as string)])).resolves.toMatchObject([
      { content: "hello" },
    ]);
    const waiting = ledger.changes.wait({ timeout: 5_000 });
    await ledger.erase(alice, { operation: "e", everything: true });
    await waiting;
    const { changes } = await ledger.changes.read();
    expect(changes.map(({ operation }) => operation).filter((operation) => operation === "insert")).toEqual(
      [],
    );
    await ledger.maintain();
  });

  test("holds a store of its own", async () => {
    const [one, other] = [open(), open()];
    await one.append(alice, { operation: "a", records: [message] });
    await expect(other.read([alice], [head()])).resolves.toEqual([undefined]);
    await expect(other.append(alice, { operation: "a", records: [] })).resolves.toMatchObject({
      replayed: false,
    });
  });

  test("is found whatever the search path, and functions of others are not", async () => {
    const decoy = freshSchema();
    await ask(url, `create schema "${decoy}"`);
    onTestFinished(async () => {
      await ask(url, `drop schema "${decoy}" cascade`);
    });
    // What a careless search path would find first.
    await ask(url, `create table "${decoy}".message (id text); create table "${decoy}".meta (version int)`);
    await ask(
      url,
      `create function "${decoy}".octet_length(text) returns int language sql as 'select 1 / 0';
      create function "${decoy}".left(text, int) returns text language sql as 'select null::text'`,
    );
    const path = encodeURIComponent(`-c search_path="${decoy}",pg_catalog`);
    const ledger = open({ url: `${url}?options=${path}` });
    await ledger.append(alice, { operation: "a", records: [message] });
    const [{ items }] = await ledger.read([alice], [find("message")]);
    expect(items).toHaveLength(1);
    await expect(ledger.partitions()).resolves.toEqual({ partitions: [alice] });
  });
});

test("a server or a role with other defaults changes nothing", async () => {
  const settings = {
    default_transaction_isolation: "serializable",
    extra_float_digits: "-15",
    datestyle: "German",
    intervalstyle: "sql_standard",
    bytea_output: "escape",
    standard_conforming_strings: "off",
    quote_all_identifiers: "on",
    timezone: "Asia/Kathmandu",
    client_encoding: "LATIN1",
    enable_nestloop: "on",
    array_nulls: "off",
    transform_null_equals: "on",
    xmloption: "document",
    idle_in_transaction_session_timeout: "2000",
    // Short, yet long enough for the statement that replaces it.
    statement_timeout: "2000",
  };
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(" ", "\\ ")}`,
  );
  const ledger = open({ url: `${url}?options=${encodeURIComponent(options.join(" "))}` });
  const content = "é \\ ' \u0001 😀 \\' \\u00e9";
  const fact = insert("conduit", {
    fromId: "a",
    toId: "b",
    relation: content,
    weight: 0.1 + 0.2,
    useCount: 0,
  });
  const grains = ["a", "b"].map((id) =>
    insert(
      "grain",
      {
        ...{ ownerKind: "text", ownerId: "t", status: "active", provenance: "user_stated", saidAt: 1 },
        importance: 1 / 3,
      },
      { id },
    ),
  );
  const owner = insert(
    "text",
    { form: "note", content, provenance: "user_stated", statedAt: 1 },
    { id: "t" },
  );
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => ledger.append(alice, { operation: `o${i}`, records: [message] })),
  );
  await ledger.append(alice, { operation: "all", records: [owner, ...grains, fact] });
  const [text, grain, { items }] = await ledger.read(
    [alice],
    [get("text", "t"), get("grain", "a"), find("conduit", { index: "byEnds", prefix: ["a", "b", content] })],
  );
  expect(text).toMatchObject({ content });
  expect(grain).toMatchObject({ importance: 1 / 3 });
  expect(items).toMatchObject([{ weight: 0.1 + 0.2 }]);
});

test("durability is what the server's settings allow", async () => {
  const ledger = open({ url: `${url}?options=${encodeURIComponent("-c synchronous_commit=off")}` });
  await expect(ledger.capabilities()).resolves.toMatchObject({ durability: "os" });
});

describe("closing", () => {
  test("waits for calls under way, can be repeated, and refuses later calls", async () => {
    const ledger = open();
    const calls = Array.from({ length: 20 }, (_, i) =>
      ledger.append({ ...alice, userId: `u${i}` }, { operation: "a", records: [message] }),
    );
    const read = ledger.read([alice], [head()]);
    const capabilities = ledger.capabilities();
    const [first, second] = [ledger.close(), ledger.close()];
    await Promise.all([first, second]);
    await expect(Promise.all(calls)).resolves.toHaveLength(20);
    await read;
    await expect(capabilities).resolves.toMatchObject({ schemaVersion });
    await ledger.close();
    await expect(ledger.read([alice], [head()])).rejects.toMatchObject({ code: "closed" });
    await expect(ledger.append(alice, { operation: "b", records: [] })).rejects.toMatchObject({
      code: "closed",
    });
  });

  test("before the first call is nothing", async () => {
    await postgresLedger({ url: "postgres://nobody@nowhere.invalid/nothing" }).close();
  });

  test("leaves nothing that keeps the process alive, nor a connection", async () => {
    const schema = freshSchema();
    const program = `
      const { postgresLedger } = await import(${JSON.stringify(new URL("../../postgres.ts", import.meta.url).href)});
      const { insert } = await import(${JSON.stringify(new URL("../batch.ts", import.meta.url).href)});
      const ledger = postgresLedger({
        url: ${JSON.stringify(`${url}?application_name=${schema}`)},
        schema: ${JSON.stringify(schema)},
      });
      const waiting = ledger.changes.wait({ timeout: 60_000 });
      await Promise.all([0, 1, 2].map((i) =>
        ledger.append({ namespace: "n", userId: String(i) }, { operation: "a", records: [] })));
      await ledger.changes.wait({ timeout: 300 });
      const controller = new AbortController();
      const aborted = ledger.read([{ namespace: "n", userId: "0" }], [], { signal: controller.signal });
      controller.abort();
      await aborted.catch(() => undefined);
      await ledger.close();
      await waiting;
      const closed = performance.now();
      process.on("exit", () => console.log(performance.now() - closed));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      program,
    ]);
    // Idle connections of the pool would keep it for a minute, and whoever listens for ever.
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(Number(stdout)).toBeLessThan(20_000);
    const left = await ask(url, "select query from pg_stat_activity where application_name = $1", [schema]);
    expect(left).toEqual([]);
  });
});
