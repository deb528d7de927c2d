import { renameSync, rmSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import type { Embedder } from "../embed/embedder.ts";
import { HashEmbedder } from "../embed/hash-embedder.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import type { Ledger } from "../store/ledger.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { openLedger } from "../store/resolve.ts";
import { createAnalyser } from "../text/analyser.ts";
import { Flux } from "./flux.ts";

afterEach(() => vi.unstubAllEnvs());
const folder = temporaryFolder();

test("the store may be given among the options", async () => {
  const path = folder.path("among.db");
  {
    await using flux = await Flux.open({ store: `sqlite:${path}`, embedder: "hash" });
    expect((await flux.status()).embedder?.id).toContain("hash");
    await flux.for({ userId: "a" }).store("I have a dog");
  }
  await using ledger = inMemoryLedger();
  await using lent = await Flux.open({ store: ledger, embedder: false });
  expect(lent.ledger).toBe(ledger);
  await using again = await Flux.open(`sqlite:${path}`);
  expect((await again.for({ userId: "a" }).list()).items).toHaveLength(1);
});

test.each([
  [[{ store: "inmemory", embeder: false }], /property that is not known/],
  [[{ store: "inmemory" }, {}], /twice/],
  [[{ store: undefined }], /store must be a URL or a ledger/],
  [[{ embedder: false }], /store must be a URL or a ledger/],
])("what cannot be opened is refused: %j", async (given, message) => {
  const call = Flux.open as (...args: readonly unknown[]) => Promise<Flux>;
  await expect(call(...given)).rejects.toThrow(message);
});

onEveryStore((store) => {
  test("a store is created with the chosen embedder and analyser, and they are recorded", async () => {
    await using ledger = store.open(store.place());
    const analyser = createAnalyser({ stem: false });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder(), analyser });
    const status = await flux.status();
    expect(status).toMatchObject({
      embedder: { id: "test/1", available: true },
      analyser: { id: analyser.id, available: true },
      degraded: [],
      pending: { jobs: 0, dead: 0 },
    });
    expect(status.spaces.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      "dense active",
      "lexical active",
    ]);
    expect(status.store).toEqual(await ledger.capabilities());
  });

  test("without an embedder it is a memory by words, and stays one", async () => {
    await using ledger = store.open(store.place());
    await using flux = await Flux.open(ledger, { embedder: false });
    await flux.for({ userId: "a" }).store("I have a dog");
    await using again = await Flux.open(ledger, { embedder: new TestEmbedder() });
    expect((await again.status()).embedder).toBeUndefined();
    const { hits, degraded } = await again.for({ userId: "a" }).recall("dogs");
    expect([hits.length, degraded]).toEqual([1, undefined]);
  });

  test("the recorded embedder wins over another one; without it recall is by words and says so", async () => {
    await using ledger = store.open(store.place());
    await using first = await Flux.open(ledger, { embedder: new TestEmbedder("test/1") });
    await first.for({ userId: "a" }).store("I have a dog");
    const other = new TestEmbedder("test/2");
    await using second = await Flux.open(ledger, { embedder: other });
    const memory = second.for({ userId: "a" });
    const status = await second.status();
    expect(status.embedder).toEqual({ id: "test/1", available: false });
    expect(status.degraded.map(({ code }) => code)).toEqual(["embedder_missing"]);
    const found = await memory.recall("dogs");
    expect([found.hits.length, found.degraded?.map(({ code }) => code)]).toEqual([1, ["embedder_missing"]]);
    // What it stores is found by words, and gets its vector from whoever has the embedder.
    expect((await memory.store("I have a cat")).indexed).toBe("later");
    expect(other.calls).toBe(0);
    expect(await second.work({ once: true })).toBe(0);
    expect((await second.status()).pending).toEqual({ jobs: 1, dead: 0 });
    await expect.poll(() => first.work({ once: true }), { interval: 300 }).toBe(1);
    const hits = (await first.for({ userId: "a" }).recall("cat")).hits;
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("meaning");
  });

  test("an analyser of this package is known by its recorded id; without an unknown one recall says so", async () => {
    await using ledger = store.open(store.place());
    await using first = await Flux.open(ledger, {
      embedder: false,
      analyser: createAnalyser({ stem: false }),
    });
    await first.for({ userId: "a" }).store("I have dogs");
    await using second = await Flux.open(ledger);
    const memory = second.for({ userId: "a" });
    expect((await memory.recall("dogs")).hits).toHaveLength(1);
    expect((await memory.recall("dog")).hits).toHaveLength(0);

    await using foreign = store.open(store.place());
    const letters = { id: "letters/1", analyse: (text: string) => createAnalyser().analyse(text) };
    await using third = await Flux.open(foreign, { embedder: false, analyser: letters });
    await third.for({ userId: "a" }).store("I have dogs");
    await using fourth = await Flux.open(foreign);
    const { hits, degraded } = await fourth.for({ userId: "a" }).recall("dogs");
    expect([hits.length, degraded?.map(({ code }) => code)]).toEqual([1, ["analyser_missing"]]);
    expect((await fourth.status()).analyser).toEqual({ id: "letters/1", available: false });
  });

  test("many who create a store at once with different embedders agree on one", async () => {
    const place = store.place();
    await using ledger = store.open(place);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => Flux.open(ledger, { embedder: new TestEmbedder(`test/${i % 4}`) })),
    );
    const statuses = await Promise.all(all.map((flux) => flux.status()));
    expect(new Set(statuses.map(({ embedder }) => embedder?.id)).size).toBe(1);
    const spaces = await ledger.spaces.list();
    expect(spaces.filter(({ kind }) => kind === "lexical")).toHaveLength(1);
    expect(spaces.filter(({ kind }) => kind === "dense")).toHaveLength(1);
    await Promise.all(all.map((flux, i) => flux.for({ userId: "a" }).store(`text ${i}`)));
    for (const flux of all) expect((await flux.for({ userId: "a" }).recall("text")).hits).toHaveLength(8);
    for (const flux of all) await flux.close();
  });

  test("when a store is created with and without an embedder at once, the first choice holds, and no text lacks its vector", async () => {
    await using ledger = store.open(store.place());
    const gate = Promise.withResolvers<void>();
    const spaces: Ledger["spaces"] = {
      list: (...args) => ledger.spaces.list(...args),
      declare: async (...args) => {
        await gate.promise;
        return ledger.spaces.declare(...args);
      },
      drop: (...args) => ledger.spaces.drop(...args),
      activate: (...args) => ledger.spaces.activate(...args),
    };
    const slow = new Proxy(ledger, {
      get: (target, name) => {
        if (name === "spaces") return spaces;
        const value = target[name as keyof Ledger] as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const opening = Flux.open(slow, { embedder: new TestEmbedder() });
    await using without = await Flux.open(ledger, { embedder: false });
    await without.for({ userId: "a" }).store("tea before");
    gate.resolve();
    await using flux = await opening;
    await flux.for({ userId: "a" }).store("tea after");
    for (const one of [flux, without]) {
      const { hits, degraded } = await one.for({ userId: "a" }).recall("tea");
      expect([hits.length, degraded]).toEqual([2, undefined]);
      expect((await one.status()).embedder).toBeUndefined();
    }
    expect((await ledger.spaces.list()).map(({ kind }) => kind)).toEqual(["lexical"]);
  });

  test("an opener that died between its two spaces leaves a store that the next one completes", async () => {
    await using ledger = store.open(store.place());
    const dense = { kind: "dense", maker: "test/1", dimensions: 64 } as const;
    await ledger.spaces.declare({ ...dense, state: "building" });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("test/2") });
    expect((await flux.status()).embedder).toEqual({ id: "test/1", available: false });
    expect((await ledger.spaces.list()).map(({ state }) => state)).toEqual(["active", "active"]);
  });

  test("an embedder of the recorded id with other dimensions is not the recorded one, and the reason says so", async () => {
    await using ledger = store.open(store.place());
    await using first = await Flux.open(ledger, { embedder: new TestEmbedder("test/1", 32) });
    await first.for({ userId: "a" }).store("one dog");
    const wide = new TestEmbedder("test/1", 48);
    await using second = await Flux.open(ledger, { embedder: wide });
    const memory = second.for({ userId: "a" });
    expect((await memory.store("two dogs")).indexed).toBe("later");
    const { hits, degraded } = await memory.recall("dogs");
    expect(hits).toHaveLength(2);
    const hint = "It makes vectors of 48 numbers, and those of the store have 32: give it another id.";
    expect(degraded).toMatchObject([
      { code: "embedder_missing", cause: { code: "dimension_mismatch", hint } },
    ]);
    expect((await second.status()).embedder).toEqual({ id: "test/1", available: false });
    expect(wide.calls).toBe(0);
    const mismatch = { code: "dimension_mismatch" };
    await expect(second.rebuild({ embedder: wide })).rejects.toMatchObject(mismatch);
    // The one that is in use still is.
    await expect(first.rebuild({ embedder: wide })).rejects.toMatchObject(mismatch);
    expect((await first.for({ userId: "a" }).store("three dogs")).indexed).toBe("now");
    expect((await first.for({ userId: "a" }).recall("dogs")).degraded).toBeUndefined();
  });

  test("an embedder whose id or dimensions change while the store is open is missing, for store and recall", async () => {
    await using ledger = store.open(store.place());
    const embedder: { -readonly [K in keyof Embedder]: Embedder[K] } = new TestEmbedder("test/1", 32);
    await using flux = await Flux.open(ledger, { embedder });
    const memory = flux.for({ userId: "a" });
    embedder.id = "test/2";
    expect((await memory.store("one dog")).indexed).toBe("later");
    const { degraded } = await memory.recall("dog");
    expect(degraded).toMatchObject([
      { code: "embedder_missing", cause: { hint: "The embedder's id changed while the store was open." } },
    ]);
    expect((await flux.status()).embedder).toEqual({ id: "test/1", available: false });
    embedder.id = "test/1";
    embedder.dimensions = 16;
    expect((await memory.store("two dogs")).indexed).toBe("now");
    expect((await memory.recall("dogs")).degraded).toBeUndefined();
  });

  test("a closed Flux refuses calls; a ledger that was given stays open; closing waits for calls", async () => {
    await using ledger = store.open(store.place());
    const flux = await Flux.open(ledger, { embedder: new TestEmbedder() });
    const memory = flux.for({ userId: "a" });
    const storing = memory.store("under way");
    const working = flux.work();
    await Promise.all([flux.close(), flux.close()]);
    expect((await storing).status).toBe("stored");
    expect(await working).toBe(0);
    const closed = { code: "closed" };
    await expect(memory.store("x")).rejects.toMatchObject(closed);
    await expect(memory.recall("x")).rejects.toMatchObject(closed);
    await expect(flux.status()).rejects.toMatchObject(closed);
    await expect(flux.work()).rejects.toMatchObject(closed);
    await expect(flux.rebuild()).rejects.toMatchObject(closed);
    await expect(flux.flush()).rejects.toMatchObject(closed);
    expect(() => flux.for({ userId: "a" })).toThrow("closed");
    const content = { form: "note", content: "x", provenance: "user_stated", statedAt: 0 } as const;
    await ledger.append(partition({ userId: "a" }), { operation: "o", records: [insert("text", content)] });
  });
});

test("what is no store is refused, and the error names what is one", async () => {
  for (const wrong of [undefined, null, 5, {}, { append() {} }, new URL("http://x/")]) {
    const opening = Flux.open(wrong as never, { embedder: "hash" });
    const error = await opening.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("store must be a URL or a ledger"),
      hint: expect.stringContaining("sqlite:path/to/file.db"),
    });
  }
});

test("a ledger that was opened by URL is closed with it", async () => {
  const flux = await Flux.open("inmemory");
  const { ledger } = flux;
  await flux.close();
  await expect(ledger.capabilities()).rejects.toMatchObject({ code: "closed" });
});

test("a file that another store took the place of is neither searched nor written to as if nothing had happened", async () => {
  const [path, other] = [folder.path("opened.db"), folder.path("bare.db")];
  await using flux = await Flux.open(`sqlite:${path}`, { embedder: "hash" });
  const memory = flux.for({ userId: "a" });
  await memory.store("I like tea.");
  {
    await using bare = openLedger(`sqlite:${other}`);
    await bare.spaces.list();
  }
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  renameSync(other, path);
  await expect(memory.store("I like cake.")).rejects.toMatchObject({ code: "unavailable" });
  const refused = { code: "storage_corrupt", hint: expect.stringContaining("another one took its place") };
  await expect(memory.store("I like cake.")).rejects.toMatchObject(refused);
  await expect(memory.recall("cake")).rejects.toMatchObject(refused);
  expect((await memory.list()).items).toEqual([]);
});

test("by default the word table of this package makes the vectors, and is found again without being named", async () => {
  const path = folder.path("memory.db");
  {
    await using flux = await Flux.open(`sqlite:${path}`);
    expect((await flux.status()).embedder?.id).toMatch(/^static\//);
    await flux.for({ userId: "a" }).store("The puppy sleeps");
  }
  vi.stubEnv("FLUX_EMBEDDER", "hash");
  await using again = await Flux.open(`sqlite:${path}`);
  expect((await again.status()).embedder).toMatchObject({ available: true });
  const { hits } = await again.for({ userId: "a" }).recall("dog");
  expect(hits[0]?.signals.map(({ name }) => name)).toContain("meaning");
  await using other = await Flux.open("inmemory");
  expect((await other.status()).embedder?.id).toBe("hash/1;384");
});

test("hash embedders are known by their recorded id; a name that is none is refused", async () => {
  const ledger = inMemoryLedger();
  await using first = await Flux.open(ledger, { embedder: new HashEmbedder({ dimensions: 16 }) });
  await using second = await Flux.open(ledger, { embedder: "static" });
  expect((await second.status()).embedder).toEqual({
    id: (await first.status()).embedder?.id,
    available: true,
  });
  await expect(Flux.open(ledger, { embedder: "nosuch" })).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(Flux.open("inmemory", { embedder: "nosuch" })).rejects.toMatchObject({
    code: "invalid_argument",
  });
  await expect(Flux.open("inmemory", { embedder: {} as never })).rejects.toMatchObject({
    code: "invalid_argument",
  });
});

test("a table that cannot be read is no reason not to open a store that has other vectors", async () => {
  const ledger = inMemoryLedger();
  await using first = await Flux.open(ledger, { embedder: new TestEmbedder() });
  await first.for({ userId: "a" }).store("dog");
  await using second = await Flux.open(ledger, { embedder: "transformers:/no/such/model" });
  const { degraded } = await second.status();
  expect(degraded.map(({ code }) => code)).toEqual(["embedder_missing"]);
  expect(degraded[0]?.cause?.code).toMatch(/^(missing_package|unavailable|model_failed)$/);
  expect((await second.for({ userId: "a" }).recall("dog")).degraded).toEqual(degraded);
});
