import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { Child } from "../../test/support/child.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import type { Ledger } from "../store/ledger.ts";
import { createAnalyser } from "../text/analyser.ts";
import type { FluxRecallResult } from "./flux.ts";
import { Flux } from "./flux.ts";

/** A clock on which pauses between attempts, and leases, are short. The same in every process. */
const fast = { now: () => Date.now() * 10 };
const users = ["ann", "bob", "cleo"];
const animals = ["dog", "cat", "bird", "fish", "horse"];

/** Stores some texts for three users. */
async function fill(flux: Flux, rounds = 3): Promise<void> {
  for (const userId of users) {
    const memory = flux.for({ userId, sessionId: "s" });
    for (let i = 0; i < rounds; i++) {
      await memory.storeBatch(
        animals.map((animal) => ({
          role: "user" as const,
          content: `${userId} saw ${animal}s running, number ${i}`,
          name: "Ann",
          metadata: { caption: `picture of a ${animal}` },
        })),
      );
    }
  }
}

function essence({ hits, degraded }: FluxRecallResult): unknown {
  return [
    hits.map(({ text, score, signals }) => [text, score.toFixed(6), signals.map(({ name }) => name)]),
    degraded,
  ];
}

async function allRecalls(flux: Flux): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const userId of users)
    for (const query of ["Who saw a dog run?", "bird 2", "What did Ann see today?"])
      found.push(essence(await flux.for({ userId }).recall(query, { k: 20, askedAt: 1_000_000 })));
  return found;
}

onEveryStore((store) => {
  test("another embedder takes the place of the present one at once, and the old vectors go", async () => {
    await using ledger = store.open(store.place(), { clock: fast });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1", 32) });
    await fill(flux);
    const next = new TestEmbedder("new/1", 48);
    const progress: string[] = [];
    await flux.rebuild({
      embedder: next,
      onProgress: ({ total, done }) => progress.push(`${done}/${total}`),
    });
    expect(new Set(next.texts).size).toBe(45);
    expect(next.texts).toContain("Ann: ann saw dogs running, number 0 picture of a dog");
    expect(progress.at(-1)).toBe("3/3");
    const { embedder, spaces, degraded, pending } = await flux.status();
    expect([embedder?.id, degraded, pending]).toEqual(["new/1", [], { jobs: 0, dead: 0 }]);
    expect(spaces.map(({ maker, state }) => [maker, state])).toEqual([
      [createAnalyser().id, "active"],
      ["new/1", "active"],
    ]);
    await using fresh = await Flux.open(store.open(store.place(), { clock: fast }), {
      embedder: new TestEmbedder("new/1", 48),
    });
    await fill(fresh);
    expect((await flux.for({ userId: "ann" }).recall("Who saw a dog?")).hits.map(({ text }) => text)).toEqual(
      (await fresh.for({ userId: "ann" }).recall("Who saw a dog?")).hits.map(({ text }) => text),
    );
    await fresh.ledger.close();
  });

  test("another analyser is rebuilt the same way, together with an embedder or alone", async () => {
    await using ledger = store.open(store.place(), { clock: fast });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
    await fill(flux, 1);
    const ann = flux.for({ userId: "ann" });
    const words = async (query: string) =>
      (await ann.recall(query)).hits.filter(({ signals }) => signals.some(({ name }) => name === "words"))
        .length;
    expect(await words("runs")).toBe(5);
    await flux.rebuild({ analyser: createAnalyser({ stem: false }) });
    expect(await words("runs")).toBe(0);
    expect(await words("running")).toBe(5);
    await flux.rebuild({ analyser: createAnalyser(), embedder: new TestEmbedder("new/1") });
    expect(await words("runs")).toBe(5);
    const { embedder, analyser, spaces } = await flux.status();
    expect([embedder?.id, analyser.id, spaces.length]).toEqual(["new/1", createAnalyser().id, 2]);
  });

  test("an operation of the caller's that has the name of the rebuild's own does not stop it", async () => {
    await using ledger = store.open(store.place(), { clock: fast });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
    const ann = flux.for({ userId: "ann" });
    for (let space = 1; space < 10; space++)
      await ann.store(`dog ${space}`, { operation: `rebuild/${space}` });
    const next = new TestEmbedder("new/1");
    await flux.rebuild({ embedder: next });
    // By the fast clock a lease ends after a second, and what took longer is done again.
    expect(new Set(next.texts).size).toBe(9);
  });

  test("a store without vectors gets them", async () => {
    await using ledger = store.open(store.place(), { clock: fast });
    await using flux = await Flux.open(ledger, { embedder: false });
    await fill(flux, 1);
    await flux.rebuild({ embedder: new TestEmbedder() });
    const { hits } = await flux.for({ userId: "ann" }).recall("ann saw dogs");
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("meaning");
  });

  test("the first vectors of a store are searched once all of them are there", async () => {
    const place = store.place();
    await using ledger = store.open(place, { clock: fast });
    await using flux = await Flux.open(ledger, { embedder: false });
    await fill(flux, 1);
    const embedder = new TestEmbedder();
    const stop = new AbortController();
    embedder.before = () => stop.abort(new Error("enough"));
    await expect(flux.rebuild({ embedder, signal: stop.signal })).rejects.toThrow("enough");
    await using other = await Flux.open(ledger, { embedder: new TestEmbedder() });
    for (const one of [flux, other]) {
      const { hits, degraded } = await one.for({ userId: "ann" }).recall("ann saw dogs");
      expect(hits.flatMap(({ signals }) => signals.map(({ name }) => name))).not.toContain("meaning");
      expect([hits.length > 0, degraded]).toEqual([true, undefined]);
      expect(await one.status()).toMatchObject({ embedder: undefined, degraded: [] });
    }
    embedder.before = () => undefined;
    await flux.rebuild({ embedder });
    for (const userId of users) {
      const { hits } = await flux.for({ userId }).recall("saw dogs", { k: 5 });
      const meant = hits.filter(({ signals }) => signals.some(({ name }) => name === "meaning"));
      expect(meant.length).toBeGreaterThan(0);
    }
    expect((await flux.status()).embedder).toEqual({ id: "test/1", available: true });
  });

  test("a rebuild that ends late leaves the space of a later one alone", async () => {
    await using inner = store.open(store.place(), { clock: fast });
    const newer = { kind: "dense", maker: "newer/1", dimensions: 8 } as const;
    // Between the activation of the one and the removal of the old index, the other begins.
    const spaces: Ledger["spaces"] = {
      list: (...args) => inner.spaces.list(...args),
      declare: (...args) => inner.spaces.declare(...args),
      drop: (...args) => inner.spaces.drop(...args),
      activate: async (...args) => {
        const active = await inner.spaces.activate(...args);
        await inner.spaces.declare(newer);
        return active;
      },
    };
    const ledger = new Proxy(inner, {
      get: (target, name) => {
        if (name === "spaces") return spaces;
        const value = target[name as keyof Ledger] as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
    await fill(flux, 1);
    await flux.rebuild({ embedder: new TestEmbedder("new/1") });
    const states = (await inner.spaces.list()).map(({ maker, state }) => [maker, state]);
    expect(states).toEqual([
      [createAnalyser().id, "active"],
      ["new/1", "active"],
      ["newer/1", "building"],
    ]);
  });

  test("what is stored, recalled and erased meanwhile, with and without the new embedder, is right afterwards", async () => {
    const place = store.place();
    await using ledger = store.open(place, { clock: fast });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1", 32) });
    // Another process as it were: it has the old embedder alone, and learns of the new space from refusals.
    await using other = await Flux.open(ledger, { embedder: new TestEmbedder("old/1", 32) });
    await fill(flux);
    const next = new TestEmbedder("new/1", 48);
    const erased: string[] = [];
    let round = 0;
    next.before = async (_texts, { kind }) => {
      if (kind === "query" || round >= 6) return;
      round += 1;
      const n = round;
      const ann = other.for({ userId: "ann" });
      const { id } = await ann.store(`late one ${n}`);
      await other.for({ userId: `new ${n}` }).store(`late newcomer ${n}`);
      const found = await ann.recall("dogs running");
      expect(found.hits.length).toBeGreaterThan(0);
      if (n % 2 === 0) {
        const { partition } = await import("../model/partition.ts");
        await ledger.erase(partition({ userId: "ann" }), {
          operation: `e${n}`,
          refs: [{ kind: "text", id }],
        });
        erased.push(`late one ${n}`);
      }
    };
    await flux.rebuild({ embedder: next });
    expect(round).toBeGreaterThan(2);
    await flux.work({ once: true });
    await expect
      .poll(async () => {
        await flux.work({ once: true });
        return (await flux.status()).pending.jobs;
      })
      .toBe(0);
    const dense = (await flux.status()).spaces.find(({ kind }) => kind === "dense");
    expect(dense).toMatchObject({ maker: "new/1", state: "active" });
    for (let n = 1; n <= round; n++) {
      const text = `late one ${n}`;
      const { hits } = await flux.for({ userId: "ann" }).recall(text, { k: 50 });
      const hit = hits.find((one) => one.text === text);
      expect([text, hit?.signals.some(({ name }) => name === "meaning")]).toEqual([
        text,
        erased.includes(text) ? undefined : true,
      ]);
      const [first] = (await flux.for({ userId: `new ${n}` }).recall("newcomer")).hits;
      expect(first?.signals.map(({ name }) => name)).toContain("meaning");
    }
    // The other one works on by words, and says so.
    expect((await other.for({ userId: "ann" }).recall("dogs")).degraded?.map(({ code }) => code)).toEqual([
      "embedder_missing",
    ]);
  });

  test("two rebuilds at once do no harm; repeating one changes nothing", async () => {
    const place = store.place();
    await using ledger = store.open(place, { clock: fast });
    await using one = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
    await using two = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
    await fill(one);
    await Promise.all([
      one.rebuild({ embedder: new TestEmbedder("new/1", 48) }),
      two.rebuild({ embedder: new TestEmbedder("new/1", 48) }),
    ]);
    const before = await allRecalls(one);
    expect(await allRecalls(two)).toEqual(before);
    await Promise.all([one.rebuild(), two.rebuild()]);
    await one.rebuild({ embedder: new TestEmbedder("new/1", 48) });
    expect(await allRecalls(two)).toEqual(before);
    expect((await ledger.spaces.list()).map(({ state }) => state)).toEqual(["active", "active"]);
  });

  test("an embedder that fails is tried again; one that is given up is told, and the present index stays", async () => {
    await using ledger = store.open(store.place(), { clock: fast });
    await using flux = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
    await fill(flux, 1);
    const next = new TestEmbedder("new/1", 48);
    let failures = 0;
    next.before = () => {
      failures += 1;
      if (failures <= 2) throw new Error("no network");
    };
    await flux.rebuild({ embedder: next });
    expect((await flux.status()).embedder?.id).toBe("new/1");

    const broken = new TestEmbedder("broken/1", 48);
    const stop = new AbortController();
    broken.before = () => {
      stop.abort(new Error("enough"));
      throw new Error("no network");
    };
    await expect(flux.rebuild({ embedder: broken, signal: stop.signal })).rejects.toThrow("enough");
    expect((await flux.status()).embedder?.id).toBe("new/1");
    const { hits, degraded } = await flux.for({ userId: "ann" }).recall("dogs");
    expect([hits.length > 0, degraded]).toEqual([true, undefined]);
    // Another choice takes the place of the one that was begun.
    await flux.rebuild({ embedder: new TestEmbedder("third/1", 48) });
    expect((await ledger.spaces.list()).map(({ maker }) => maker)).toEqual([createAnalyser().id, "third/1"]);
  });

  test("without the embedder of the present index it cannot be made anew, and says so", async () => {
    await using ledger = store.open(store.place(), { clock: fast });
    await using first = await Flux.open(ledger, { embedder: new TestEmbedder("old/1") });
    await fill(first, 1);
    await using second = await Flux.open(ledger, { embedder: new TestEmbedder("other/1") });
    await expect(second.rebuild()).rejects.toMatchObject({ code: "invalid_argument" });
    await second.rebuild({ analyser: createAnalyser({ stem: false }) });
  });
});

const folder = temporaryFolder();

test("an index whose rows were lost is made anew from the records, and finds the same", async () => {
  const path = folder.path("memory.db");
  const embedder = new TestEmbedder();
  let before: unknown[];
  {
    await using flux = await Flux.open(`sqlite:${path}`, { embedder });
    await fill(flux);
    await flux.for({ userId: "ann" }).store("A long text about whales. ".repeat(300), { author: "Bob" });
    before = await allRecalls(flux);
  }
  const database = new Database(path);
  for (const table of ["entry", "vector", "index_size"]) database.prepare(`delete from "${table}"`).run();
  database.prepare(`insert into "entry_tokens" ("entry_tokens") values ('delete-all')`).run();
  database.close();
  await using flux = await Flux.open(`sqlite:${path}`, { embedder });
  expect((await flux.for({ userId: "ann" }).recall("dog")).hits).toEqual([]);
  await flux.rebuild();
  expect(await allRecalls(flux)).toEqual(before);
});

test("a rebuild that is killed goes on in the next process", async () => {
  const path = folder.path("memory.db");
  const url = JSON.stringify(`sqlite:${path}`);
  const source = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const program = (delay: number) => `
    const { Flux } = await import(${source("./flux.ts")});
    const { TestEmbedder } = await import(${source("../../test/support/test-embedder.ts")});
    const clock = { now: () => Date.now() * 10 };
    const flux = await Flux.open(${url}, { clock, embedder: new TestEmbedder("old/1", 32) });
    const next = new TestEmbedder("new/1", 48);
    next.before = async () => {
      tell(next.texts.length);
      await new Promise((resolve) => setTimeout(resolve, ${delay}));
    };
    await flux.rebuild({ embedder: next });
    tell("done");
    await flux.close();
  `;
  const old = new TestEmbedder("old/1", 32);
  await using flux = await Flux.open(`sqlite:${path}`, { clock: fast, embedder: old });
  const many = Array.from({ length: 1000 }, (_, i) => ({ text: `text number ${i}` }));
  await flux.for({ userId: "many" }).storeBatch(many);
  await fill(flux, 1);
  for (let kill = 1; kill <= 3; kill++) {
    const child = new Child(program(150));
    for (let call = 0; call < kill; call++) await child.next();
    child.kill();
    await child.exit();
    expect((await flux.status()).embedder).toEqual({ id: "old/1", available: true });
    expect((await flux.for({ userId: "many" }).recall("text number 7")).degraded).toBeUndefined();
    await flux.for({ userId: "many" }).store(`stored after kill ${kill}`);
  }
  const last = new Child(program(0));
  const told = await last.rest<number | string>();
  expect(told.at(-1)).toBe("done");
  const next = new TestEmbedder("new/1", 48);
  await using after = await Flux.open(`sqlite:${path}`, { clock: fast, embedder: next });
  await after.work({ once: true });
  expect(await after.status()).toMatchObject({
    embedder: { id: "new/1", available: true },
    pending: { jobs: 0, dead: 0 },
  });
  for (const text of ["text number 0", "text number 999", "stored after kill 1", "stored after kill 3"]) {
    const { hits } = await after.for({ userId: "many" }).recall(text);
    const hit = hits.find((one) => one.text === text);
    expect([text, hit?.signals.some(({ name }) => name === "meaning")]).toEqual([text, true]);
  }
});
