import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/folder.ts";
import { FluxError } from "../model/errors.ts";
import { lazyLedger } from "../store/lazy.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import type { AgentMemory } from "./agent-memory.ts";
import { type MemoryChoice, resolveMemory } from "./resolve.ts";
import { VectorMemory } from "./vector-memory.ts";

const folder = temporaryFolder();
const quiet = { logger: false, embedder: "hash" } as const;

afterEach(() => {
  vi.unstubAllEnvs();
});

async function backendOf(choice: MemoryChoice): Promise<string> {
  await using memory = resolveMemory(choice);
  return (await memory.status()).backend;
}

async function remembersOverReopen(choice: MemoryChoice): Promise<boolean> {
  for (const step of ["write", "read"]) {
    await using memory = resolveMemory(choice);
    const user = memory.for({ userId: "alice" });
    if (step === "write") await user.remember({ input: "I like tea." });
    else return (await user.recall("tea")).length > 0;
  }
  return false;
}

describe("forms", () => {
  test("nothing, inmemory and sqlite are stores that go with the process, and sqlite: a file", async () => {
    vi.stubEnv("FLUX_EMBEDDER", "hash");
    const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect(await backendOf(undefined as never)).toBe("inmemory");
    expect(await backendOf("inmemory")).toBe("inmemory");
    expect(await backendOf(" sqlite ")).toBe("sqlite");
    expect(await remembersOverReopen(`sqlite:${folder.path("a.db")}`)).toBe(true);
    expect(await remembersOverReopen("sqlite")).toBe(false);
    // Stores that are alike are told of once.
    expect(log.mock.calls.flat().map((line) => String(line).split(";")[0])).toEqual([
      "flux-memory: new store, inmemory",
      "flux-memory: new store, sqlite",
    ]);
    log.mockRestore();
  });

  test("an object says the same: backend or type in any case, path or url", async () => {
    expect(await backendOf({ backend: "InMemory", ...quiet })).toBe("inmemory");
    expect(await backendOf({ type: "sqlite", ...quiet })).toBe("sqlite");
    expect(await backendOf({ backend: "sqlite", path: ":memory:", ...quiet })).toBe("sqlite");
    const path = folder.path("b.db");
    expect(await remembersOverReopen({ backend: "sqlite", path, ...quiet })).toBe(true);
    expect(await remembersOverReopen({ backend: "sqlite", url: path, ...quiet })).toBe(true);
    expect(await remembersOverReopen({ backend: "sqlite", url: `sqlite:${path}`, ...quiet })).toBe(true);
  });

  test("a memory is taken as it is, a ledger stays the caller's to close", async () => {
    const own = new VectorMemory({ logger: false });
    expect(resolveMemory(own)).toBe(own);
    const custom: AgentMemory = {
      ...{ for: own.for.bind(own), status: own.status.bind(own), flux: own.flux.bind(own) },
      ...{ flush: own.flush.bind(own), work: own.work.bind(own), close: own.close.bind(own) },
      [Symbol.asyncDispose]: () => own.close(),
    };
    expect(resolveMemory(custom)).toBe(custom);
    await own.close();
    const store = inMemoryLedger();
    const memory = resolveMemory({ store, ...quiet });
    await memory.for({ userId: "alice" }).remember({ input: "I like tea." });
    await memory.close();
    await expect(store.capabilities()).resolves.toMatchObject({ adapter: "inmemory" });
    await store.close();
  });

  test("postgres URLs, by either name and in either form, touch no network until the first call, and no error has the password", async () => {
    const address = new URL(inject("postgresUrl"));
    address.password = "hunter2";
    const url = address.href;
    const choices: readonly MemoryChoice[] = [
      ...["postgres:", "postgresql:"].map((scheme) => url.replace(/^postgres(ql)?:/, scheme)),
      { backend: "postgres", url, ...quiet },
      { backend: "postgresql", dsn: url, ...quiet },
    ];
    for (const choice of choices) {
      await using memory = resolveMemory(choice);
      const error: unknown = await memory
        .for({ userId: "alice" })
        .recall("tea")
        .catch((error: unknown) => error);
      expect(error).toBeInstanceOf(FluxError);
      expect(`${error} ${(error as FluxError).hint} ${JSON.stringify(error)}`).not.toContain("hunter2");
    }
  });
});

describe("what cannot be resolved", () => {
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ["an empty string", "", /inmemory.*sqlite/],
    ["another scheme", "mysql://localhost/x", /inmemory.*sqlite.*postgres/],
    ["a URL with slashes where a path belongs", "sqlite:///x.db", /sqlite:\/absolute\/path\.db/],
    ["sqlite: without a path", "sqlite:", /sqlite:\.\/memory\.db/],
    ["inmemory with something behind", "inmemory:x", /inmemory/],
    ["postgres: without a host", "postgres:", /postgres:\/\/user/],
    ["a form that is not built yet", "chroma:./folder", /inmemory.*sqlite/],
    ["another form that is not built yet", "redis://localhost:6379/0", /inmemory.*sqlite/],
    ["a number", 42, /inmemory.*sqlite/],
    ["null", null, /inmemory.*sqlite/],
    ["a list", [], /inmemory.*sqlite/],
    ["an object without a backend", {}, /inmemory, sqlite, postgres/],
    ["a backend that is no string", { backend: 5 }, /inmemory, sqlite, postgres/],
    ["an unknown backend", { backend: "sqllite" }, /Perhaps sqlite was meant/],
    [
      "a server as the file of sqlite",
      { backend: "sqlite", url: "postgres://u:p@h/d" },
      /sqlite:path\/to\/file/,
    ],
    ["a backend that is not built yet", { backend: "redis" }, /inmemory, sqlite, postgres/],
    ["an unknown property", { backend: "sqlite", with_facts: true }, /Perhaps withFacts was meant/],
    ["a path in a store in memory", { backend: "inmemory", path: "x" }, /inmemory takes nothing/],
    ["a path in PostgreSQL", { backend: "postgres", path: "x" }, /postgres takes url or dsn/],
    ["PostgreSQL without a URL", { backend: "postgres" }, /postgres:\/\/user/],
    ["another store's URL in PostgreSQL", { backend: "postgres", url: "inmemory" }, /postgres:\/\/user/],
    ["two places", { backend: "sqlite", path: "a.db", url: "b.db" }, /two names of the same/],
    ["two backends", { backend: "sqlite", type: "sqlite" }, /two names of the same/],
    ["a store and a backend", { backend: "sqlite", store: inMemoryLedger() }, /neither/],
    ["a store that is none", { store: {} }, /openLedger/],
    ["withFacts that is no boolean", { backend: "inmemory", withFacts: "yes" }, /^$/],
    ["an unknown side", { backend: "inmemory", storeSides: "left" }, /both, input, output/],
    ["a negative cap", { backend: "inmemory", transcriptMaxBytes: -1 }, /no limit/],
    ["a logger that is none", { backend: "inmemory", logger: () => 0 }, /^$/],
    ["a namespace that is no id", { backend: "inmemory", namespace: "" }, /^$/],
  ];
  test.each(wrong)("%s is an error at once that says what is accepted", (_name, choice, hint) => {
    let error: unknown;
    try {
      resolveMemory(choice as MemoryChoice);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(FluxError);
    expect((error as FluxError).code).toMatch(/^invalid_/);
    expect((error as FluxError).hint ?? "").toMatch(hint);
  });

  test("no message repeats a URL, which may hold a password", () => {
    for (const choice of ["mysql://user:hunter2@host", "postgres:user:hunter2@host", "sqlite://hunter2"])
      expect(() => resolveMemory(choice)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
      );
    expect(() => resolveMemory({ backend: "postgres://user:hunter2@host" })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
    );
  });
});

describe("the first call", () => {
  test("ends with its signal while the store is being opened", async () => {
    const opened = Promise.withResolvers<void>();
    const store = lazyLedger(async () => {
      await opened.promise;
      return inMemoryLedger();
    });
    await using memory = resolveMemory({ ...quiet, store });
    const user = memory.for({ userId: "alice", sessionId: "s" });
    const stop = new AbortController();
    const { signal } = stop;
    const calls = [
      user.remember({ input: "I like tea." }, { signal }),
      user.recall("tea", { signal }),
      user.facts.query({ signal }),
      user.facts.add({ subject: "user", predicate: "likes", object: "tea" }, { signal }),
      user.sessionMessages("s", { signal }),
      user.updateBlock("persona", "Kind.", { signal }),
      user.working({ signal }),
      user.forget({ sessionId: "s" }, { signal }),
      memory.status({ signal }),
    ];
    const waiting = user.episodes.list();
    const reason = new Error("enough");
    stop.abort(reason);
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toEqual({ status: "rejected", reason });
    opened.resolve();
    expect((await waiting).items).toEqual([]);
    await store.close();
  });

  test("that fails to open the store is an error of that call; the next one tries again", async () => {
    let attempts = 0;
    const store = lazyLedger(async () => {
      attempts += 1;
      if (attempts === 1) throw new FluxError("unavailable", "not yet", { retryable: true });
      return inMemoryLedger();
    });
    await using memory = resolveMemory({ store, ...quiet });
    const user = memory.for({ userId: "alice" });
    expect(attempts).toBe(0);
    const both = await Promise.allSettled([user.remember({ input: "tea" }), user.recall("tea")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(attempts).toBe(1);
    await user.remember({ input: "tea" });
    expect(await user.recall("tea")).toHaveLength(1);
    expect(attempts).toBe(2);
    await store.close();
  });
});

describe("the embedder of a new store", () => {
  const chosen = async (embedder?: string) => {
    const lines: string[] = [];
    const logger = { info: (line: string) => lines.push(line) };
    await using memory = resolveMemory({ backend: "inmemory", embedder, logger });
    const { embedder: made, embedderFrom } = await memory.status();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(made?.id);
    expect(lines[0]).toContain(embedderFrom);
    expect(lines[0]).not.toContain("sk-");
    return `${made?.id.split(/[/;]/)[0]} ${embedderFrom}`;
  };

  test("is the one that is given, then what the environment names, then OpenAI's with a key, else the table of words", async () => {
    for (const name of ["FLUX_EMBEDDER", "LOOMFLOW_EMBEDDER", "OPENAI_API_KEY"]) vi.stubEnv(name, "");
    expect(await chosen()).toMatch(/^static default$/);
    vi.stubEnv("OPENAI_API_KEY", "sk-test");
    expect(await chosen()).toMatch(/openai.* OPENAI_API_KEY$/);
    vi.stubEnv("LOOMFLOW_EMBEDDER", "shingle-hash");
    expect(await chosen()).toMatch(/shingle.* LOOMFLOW_EMBEDDER$/);
    vi.stubEnv("FLUX_EMBEDDER", "hash");
    expect(await chosen()).toMatch(/^hash.* FLUX_EMBEDDER$/);
    expect(await chosen("shingle-hash")).toMatch(/shingle.* given$/);
    vi.stubEnv("FLUX_EMBEDDER", "no-such");
    await expect(chosen()).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
