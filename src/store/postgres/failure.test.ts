import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { promisify } from "node:util";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { ask, freshSchema } from "../../../test/postgres/database.ts";
import { FluxError } from "../../model/errors.ts";
import { insert } from "../batch.ts";
import { find, head } from "../read.ts";
import { DatabaseFailure } from "./failure.ts";
import { type PostgresOptions, postgresLedger } from "./ledger.ts";

const url = inject("postgresUrl");
const password = new URL(url).password;
const alice = { namespace: "n", userId: "alice" };
const message = insert("message", { sessionId: "s", role: "user", content: "hello", saidAt: 1 });

function open(options: Partial<PostgresOptions> = {}) {
  const ledger = postgresLedger({ url, schema: freshSchema(), retryFor: 100, ...options });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** The shared server's URL with something changed. */
function changed(change: (url: URL) => void): string {
  const other = new URL(url);
  change(other);
  return other.href;
}

/** What the first call comes to, which must not tell any secret. */
async function errorOf(call: Promise<unknown>): Promise<FluxError> {
  const error: unknown = await call.then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(error).toBeInstanceOf(FluxError);
  const { message, hint } = error as FluxError;
  for (const secret of [password, "secret"]) expect(`${message} ${hint}`).not.toContain(secret);
  return error as FluxError;
}

/** A role of its own, gone after the test. */
async function role(grants: (name: string) => readonly string[] = () => []): Promise<string> {
  const name = freshSchema();
  await ask(url, `create role "${name}" login password 'secret'`);
  onTestFinished(async () => {
    await ask(url, `drop owned by "${name}" cascade`);
    await ask(url, `drop role "${name}"`);
  });
  for (const grant of grants(name)) await ask(url, grant);
  return changed((url) => {
    url.username = name;
    url.password = "secret";
  });
}

/** A server that speaks something else, or nothing. */
async function strangeServer(answer: string | undefined): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (answer !== undefined) socket.end(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as { port: number };
  return `postgres://flux:secret@127.0.0.1:${port}/postgres`;
}

describe("a database that cannot be reached", () => {
  test.each([
    ["the password is wrong", (url: URL) => (url.password = "guess"), /password/],
    ["there is no password", (url: URL) => (url.password = ""), /password/],
    ["the role does not exist", (url: URL) => (url.username = "nobody"), /password/],
    ["the database does not exist", (url: URL) => (url.pathname = "/nowhere"), /create database/],
    // A name that is too long for one, so that no name server is asked, which might not be there.
    ["the host does not exist", (url: URL) => (url.hostname = "n".repeat(64)), /host/],
    [
      "it has no encryption that the URL asks for",
      (url: URL) => (url.search = "?sslmode=verify-full"),
      /sslmode/,
    ],
  ])("because %s is told at once, with a hint", async (_cause, change, hint) => {
    // If it were tried again, it would be for longer than the test may take.
    const ledger = open({
      url: changed((url) => {
        change(url);
      }),
      retryFor: 600_000,
    });
    const error = await errorOf(ledger.append(alice, { operation: "a", records: [message] }));
    expect(error).toMatchObject({ code: "unavailable", retryable: false, hint: expect.stringMatching(hint) });
    expect(error.cause).toBeDefined();
  });

  test("because nobody listens is tried again, and then told as something that may pass", async () => {
    const ledger = open({ url: changed((url) => (url.port = "1")), retryFor: 300 });
    const begun = performance.now();
    const error = await errorOf(ledger.read([alice], [head()]));
    const hint = expect.stringContaining("port");
    expect(error).toMatchObject({ code: "unavailable", retryable: true, hint });
    // Three pauses at least, of 10, 20 and 40 ms or up to twice as long.
    expect(performance.now() - begun).toBeGreaterThan(60);
  });

  test("because its server never answers is given up", async () => {
    const ledger = open({ url: await strangeServer(undefined), retryFor: 100 });
    expect(await errorOf(ledger.capabilities())).toMatchObject({ code: "unavailable", retryable: true });
  });

  test("because its server hangs up is told as something that may pass", async () => {
    const ledger = open({ url: await strangeServer(""), retryFor: 100 });
    expect(await errorOf(ledger.capabilities())).toMatchObject({ code: "unavailable", retryable: true });
  });

  test("is asked again by the next call", async () => {
    const name = freshSchema();
    const ledger = open({ url: changed((url) => (url.pathname = `/${name}`)) });
    expect(await errorOf(ledger.capabilities())).toMatchObject({ code: "unavailable" });
    await ask(url, `create database "${name}"`);
    try {
      await expect(ledger.append(alice, { operation: "a", records: [message] })).resolves.toMatchObject({
        seq: 1,
      });
    } finally {
      await ledger.close();
      await ask(url, `drop database "${name}" with (force)`);
    }
  });

  test("can be aborted while it is tried", async () => {
    const ledger = open({ url: changed((url) => (url.port = "1")), retryFor: 60_000 });
    const signal = AbortSignal.timeout(50);
    await expect(ledger.read([alice], [head()], { signal })).rejects.toThrow(/timeout/);
    await expect(ledger.append(alice, { operation: "a", records: [] }, { signal })).rejects.toThrow(
      /timeout/,
    );
  });
});

describe("a database", () => {
  test("with another encoding than UTF8 is refused", async () => {
    const name = freshSchema();
    await ask(
      url,
      `create database "${name}" encoding 'SQL_ASCII' locale 'C' locale_provider libc template template0`,
    );
    const ledger = open({ url: changed((url) => (url.pathname = `/${name}`)) });
    try {
      expect(await errorOf(ledger.capabilities())).toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("UTF8"),
      });
    } finally {
      await ledger.close();
      await ask(url, `drop database "${name}" with (force)`);
    }
  });

  test("whose role may not make a schema says what it needs", async () => {
    const ledger = open({ url: await role() });
    expect(await errorOf(ledger.append(alice, { operation: "a", records: [message] }))).toMatchObject({
      code: "unavailable",
      retryable: false,
      message: expect.stringContaining("privilege"),
      hint: expect.stringContaining("CREATE"),
    });
  });

  test("whose role may not use the schema says so, and one that may only read it reads", async () => {
    const schema = freshSchema();
    await open({ schema }).append(alice, { operation: "a", records: [message] });
    expect(await errorOf(open({ schema, url: await role() }).capabilities())).toMatchObject({
      message: expect.stringContaining("privilege"),
    });
    const reader = await role((name) => [
      `grant usage on schema "${schema}" to "${name}"`,
      `grant select on all tables in schema "${schema}" to "${name}"`,
    ]);
    const ledger = open({ schema, url: reader });
    const [{ items }] = await ledger.read([alice], [find("message")]);
    expect(items).toHaveLength(1);
    expect(await errorOf(ledger.append(alice, { operation: "b", records: [message] }))).toMatchObject({
      code: "unavailable",
      retryable: false,
    });
  });

  test("whose role may only read and write its tables can do all but clean them", async () => {
    const schema = freshSchema();
    await open({ schema }).capabilities();
    const ledger = open({
      schema,
      url: await role((name) => [
        `grant usage on schema "${schema}" to "${name}"`,
        `grant select, insert, update, delete on all tables in schema "${schema}" to "${name}"`,
      ]),
    });
    await ledger.append(alice, { operation: "a", records: [message] });
    await expect(ledger.erase(alice, { operation: "e", everything: true })).resolves.toMatchObject({
      state: "logically_erased",
    });
    // Its owner's maintenance does, once nobody else who uses the database can see what went.
    const owner = open({ schema });
    await expect.poll(async () => (await owner.maintain()).cleaned).toBe(1);
  });

  test("that takes no writes is read, and says so to a writer", async () => {
    const schema = freshSchema();
    await open({ schema }).append(alice, { operation: "a", records: [message] });
    const options = "?options=-c%20default_transaction_read_only=on";
    const ledger = open({ schema, url: `${url}${options}` });
    await expect(ledger.read([alice], [head()])).resolves.toMatchObject([{ seq: 1 }]);
    for (const partition of [alice, { ...alice, userId: "new" }]) {
      expect(await errorOf(ledger.append(partition, { operation: "b", records: [message] }))).toMatchObject({
        code: "storage_readonly",
        retryable: false,
      });
    }
    expect(await errorOf(open({ url: `${url}${options}` }).capabilities())).toMatchObject({
      code: "storage_readonly",
    });
  });
});

test.each([
  ["53100", "storage_full", true],
  ["25006", "storage_readonly", false],
  ["57014", "timeout", true],
  ["25P04", "timeout", true],
  ["53300", "unavailable", true],
  ["57P01", "unavailable", true],
  ["08006", "unavailable", true],
  ["40001", "unavailable", true],
  ["40P01", "unavailable", true],
  ["55P03", "busy", true],
  ["23505", "already_exists", false],
  ["54000", "too_large", false],
  ["XX001", "storage_corrupt", false],
  ["XX002", "storage_corrupt", false],
  ["58030", "storage_failed", false],
  ["3F000", "unavailable", false],
])("SQLSTATE %s is told as %s, without what PostgreSQL says of the content", (state, code, retryable) => {
  const cause = Object.assign(new Error('value "my diary" is wrong'), { code: state, detail: "my diary" });
  const error = new DatabaseFailure(cause).toFluxError();
  expect(error).toMatchObject({ code, retryable });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error)).not.toContain("diary");
});

test.each([
  ":notaport/db",
  "/db?sslmode=verify-full&sslrootcert=/nowhere",
  "/db?sslnegotiation=oops",
  "/%ff",
])("a URL that pg cannot read is told without repeating it: %s", async (rest) => {
  const ledger = open({ url: `postgres://flux:secret@127.0.0.1${rest}` });
  expect(await errorOf(ledger.capabilities())).toMatchObject({ code: "invalid_url", retryable: false });
});

test("without the package pg, the first call names what to install", async () => {
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier !== "pg") return next(specifier, context);
        throw Object.assign(new Error("Cannot find package 'pg'"), { code: "ERR_MODULE_NOT_FOUND" });
      },
    });
    const { postgresLedger } = await import(${JSON.stringify(new URL("../../postgres.ts", import.meta.url).href)});
    const ledger = postgresLedger({ url: "postgres://a:b@localhost/c" });
    try {
      await ledger.capabilities();
    } catch ({ code, hint }) {
      console.log(code, hint);
    }
    await ledger.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout.trim()).toBe("missing_package npm install pg");
});
