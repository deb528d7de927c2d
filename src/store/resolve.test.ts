import { describe, expect, test } from "vitest";
import { partition } from "../model/partition.ts";
import { insert } from "./batch.ts";
import { lazyLedger } from "./lazy.ts";
import { inMemoryLedger } from "./memory/ledger.ts";
import { head } from "./read.ts";
import { ledgerUrls, openLedger } from "./resolve.ts";

describe("openLedger", () => {
  test.each([
    ["inmemory", "inmemory"],
    ["InMemory", "inmemory"],
    ["sqlite", "sqlite"],
    ["SQLITE::memory:", "sqlite"],
  ])("%s opens a store that works", async (url, adapter) => {
    await using ledger = openLedger(url);
    expect((await ledger.capabilities()).adapter).toBe(adapter);
    const anyone = partition({ userId: null });
    await ledger.append(anyone, {
      operation: "1",
      records: [insert("message", { sessionId: "s", role: "user", content: "hello", saidAt: 0 })],
    });
    expect((await ledger.read([anyone], [head()]))[0]?.records).toBe(1);
  });

  test("touches nothing before the first call", async () => {
    const ledger = openLedger("postgres://nobody:hunter2@127.0.0.1:1/nowhere");
    await ledger.close();
    await expect(ledger.capabilities()).rejects.toMatchObject({ code: "closed" });
  });

  test.each([
    "",
    "mysql://user:hunter2@localhost/db",
    "postgres:hunter2",
    "postgres://user:hunter2@local host/db",
    "sqlite:///abs/hunter2.db",
    "sqlite:",
    "inmemory:x",
    "redis://:hunter2@localhost:6379/0",
    "chroma:./hunter2",
    "just some text hunter2",
    "/tmp/hunter2.db",
  ])("%j is refused with what is accepted, and without repeating it", (url) => {
    let refused: unknown;
    try {
      openLedger(url);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ code: "invalid_url", hint: expect.stringContaining("sqlite:") });
    expect(JSON.stringify(refused) + String(refused)).not.toContain("hunter2");
  });

  test("names the kinds that the project has a place for but not built yet", () => {
    for (const url of ["redis://localhost", "chroma:./x"])
      expect(() => openLedger(url)).toThrow(/not available in this version/);
    expect(() => openLedger("mysql://localhost")).toThrow(/not known/);
  });

  test("a URL that is no string is a TypeError that lists what is accepted", () => {
    expect(() => openLedger(undefined as never)).toThrow(TypeError);
    expect(() => openLedger({} as never)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(ledgerUrls[2]) }),
    );
  });
});

describe("lazyLedger", () => {
  test("loads once, for concurrent first calls too", async () => {
    let loads = 0;
    await using ledger = lazyLedger(async () => {
      loads += 1;
      return inMemoryLedger();
    });
    await Promise.all([ledger.capabilities(), ledger.changes.head(), ledger.partitions()]);
    expect(loads).toBe(1);
  });

  test("a load that failed is an error of that call, and tried again by the next", async () => {
    let loads = 0;
    await using ledger = lazyLedger(async () => {
      loads += 1;
      if (loads === 1) throw new Error("not yet");
      return inMemoryLedger();
    });
    await expect(ledger.capabilities()).rejects.toThrow("not yet");
    expect((await ledger.capabilities()).adapter).toBe("inmemory");
  });

  test("has every method of a ledger", () => {
    const lazy = lazyLedger(async () => inMemoryLedger());
    const real = inMemoryLedger();
    const methods = (value: object): string[] => [
      ...Object.keys(value),
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(value)),
    ];
    expect(new Set(methods(lazy))).toEqual(new Set(methods(real)));
    for (const port of ["jobs", "changes"] as const) {
      const lent = lazy[port] as unknown as Record<string, unknown>;
      for (const name of methods(real[port])) {
        if (name !== "constructor") expect(lent[name], `${port}.${name}`).toBeTypeOf("function");
      }
    }
  });
});
