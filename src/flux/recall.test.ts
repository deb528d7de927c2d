import { expect, onTestFinished, test, vi } from "vitest";
import { Child } from "../../test/support/child.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import { partition } from "../model/partition.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import type { Filter } from "../store/filter.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, get } from "../store/read.ts";
import { Flux } from "./flux.ts";
import type { MemoryRecord } from "./memory-record.ts";

const alice = partition({ userId: "alice" });
const day = 24 * 3_600_000;
const texts = (result: { readonly hits: readonly { readonly text: string }[] }): string[] =>
  result.hits.map(({ text }) => text);

async function tracesOf(ledger: Ledger) {
  const [page] = await ledger.read([alice], [find("trace", { index: "bySeq" })]);
  return page.items;
}

onEveryStore((store) => {
  const openOne = async (options: Parameters<typeof Flux.open>[1] = {}) => {
    const clock = new ManualClock(Date.UTC(2026, 4, 20, 12));
    const ledger = store.open(store.place(), { clock });
    const flux = await Flux.open(ledger, { clock, embedder: new TestEmbedder(), ...options });
    return {
      ...{ clock, ledger, flux, memory: flux.for({ userId: "alice", sessionId: "s" }) },
      async [Symbol.asyncDispose]() {
        await flux.close();
        await ledger.close();
      },
    };
  };

  test("has the conditions of the call, whatever becomes of their object, and refuses values that nothing has", async () => {
    await using one = await openOne();
    await one.memory.store("I like tea.");
    const where = { sessionIds: ["s"], filter: { not: { topic: "work" } } };
    const found = one.memory.recall("tea", { where });
    where.sessionIds[0] = "other";
    where.filter.not = 5 as never;
    expect(texts(await found)).toEqual(["I like tea."]);
    for (const wrong of [{ status: ["actve"] }, { ownerKinds: ["texts"] }, { provenance: ["user"] }])
      await expect(one.memory.recall("tea", { where: wrong as never })).rejects.toMatchObject({
        code: "invalid_filter",
      });
  });

  test("tags are a list in the metadata: recall and list find by one, by any and by all of them", async () => {
    await using one = await openOne();
    await one.memory.store("Pizza on Friday.", { metadata: { tags: ["food", "week"] } });
    await one.memory.store("Pizza for two.", { metadata: { tags: ["food"] } });
    await one.memory.store("Pizza is a word.");
    const tagged = async (filter: Filter): Promise<readonly string[]> => {
      const { hits } = await one.memory.recall("pizza", { where: { filter } });
      const { items } = await one.memory.list({ filter });
      expect(hits.map(({ text }) => text).sort()).toEqual(items.map(({ text }) => text).sort());
      return items.map(({ text }) => text).sort();
    };
    const [food, week] = [{ tags: { contains: "food" } }, { tags: { contains: "week" } }];
    expect(await tagged({ tags: { contains: "food" } })).toEqual(["Pizza for two.", "Pizza on Friday."]);
    expect(await tagged({ and: [food, week] })).toEqual(["Pizza on Friday."]);
    expect(await tagged({ or: [food, week] })).toHaveLength(2);
    expect(await tagged({ tags: { contains: "fo" } })).toEqual([]);
    const [{ id }] = (await one.memory.list({ filter: { tags: { contains: "week" } } })).items as [
      MemoryRecord,
    ];
    await one.memory.update(id, { metadata: { tags: ["archive"] } });
    expect(await tagged({ tags: { contains: "week" } })).toEqual([]);
    expect(await tagged({ tags: { contains: "archive" } })).toEqual(["Pizza on Friday."]);
  });

  test("finds by words, meaning and time, from where and when it is asked, and says why", async () => {
    await using one = await openOne();
    await one.memory.storeBatch([
      {
        role: "user",
        content: "I adopted a dog called Luna.",
        name: "Ann",
        saidAt: one.clock.now() - 15 * day,
      },
      { role: "user", content: "Work was tiring.", name: "Ann", saidAt: one.clock.now() },
    ]);
    const { hits, degraded, seq, confidence } = await one.memory.recall(
      "Which dog did Ann adopt two weeks ago?",
    );
    expect(hits[0]).toMatchObject({ text: "I adopted a dog called Luna.", author: "Ann", sessionId: "s" });
    const signals = hits[0]?.signals.map(({ name }) => name);
    expect(signals).toEqual(expect.arrayContaining(["words", "meaning", "speaker", "date"]));
    expect(degraded).toBeUndefined();
    expect(seq).toBeGreaterThan(0);
    expect(confidence).toBeGreaterThan(0.3);
    const asked = { askedAt: one.clock.now() + 200 * day, zone: "Asia/Tokyo" };
    const later = await one.memory.recall("Which dog did Ann adopt two weeks ago?", asked);
    expect(later.hits[0]?.signals.map(({ name }) => name)).not.toContain("date");
    // The day on which it was said is part of what is searched.
    expect(texts(await one.memory.recall("What happened on May 5, 2026?"))[0]).toContain("Luna");
  });

  test("an empty memory has no hits; nobody finds what another user stored", async () => {
    await using one = await openOne();
    expect(await one.memory.recall("dog")).toMatchObject({ hits: [], confidence: 0, seq: 0 });
    await one.memory.store("dog");
    for (const scope of [{ userId: "bob" }, { userId: null }, { userId: "alice", namespace: "n" }])
      expect(texts(await one.flux.for(scope).recall("dog"))).toEqual([]);
    expect(
      texts(await one.flux.for({ userId: "alice", sessionId: "other", agentId: "a" }).recall("dog")),
    ).toEqual(["dog"]);
    expect(texts(await one.memory.recall("dog", { where: { sessionIds: ["other"] } }))).toEqual([]);
  });

  test("a failing embedder makes a recall degraded, not empty; so does an embedder that is too slow or wrong", async () => {
    const embedder = new TestEmbedder();
    await using one = await openOne({ embedder, modelTimeout: 500 });
    await one.memory.store("I have a dog");
    embedder.before = () => {
      throw new Error("no network");
    };
    const failed = await one.memory.recall("dog");
    expect([texts(failed), failed.degraded?.[0]?.code]).toEqual([["I have a dog"], "embedder_failed"]);
    embedder.before = () => new Promise(() => undefined);
    const slow = await one.memory.recall("dog");
    expect([texts(slow), slow.degraded?.[0]?.code]).toEqual([["I have a dog"], "embedder_failed"]);
    embedder.before = () => undefined;
    embedder.after = (vectors) => vectors.map(() => new Float32Array(3));
    const wrong = await one.memory.recall("dog");
    expect([texts(wrong), wrong.degraded?.[0]?.code]).toEqual([["I have a dog"], "embedder_failed"]);
  });

  test("a trace of each recall is written behind, small, and expires", async () => {
    await using one = await openOne({ traceRetention: day });
    const items = Array.from({ length: 100 }, (_, i) => ({ text: `a dog, number ${i} of them` }));
    await one.memory.storeBatch(items);
    const memory = one.flux.for({ userId: "alice", sessionId: "s", agentId: "a" });
    // The moment after which they are written does not come until they are looked for.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { traceId, hits } = await memory.recall(`dog ${"\ud800 🐶 very long query ".repeat(500)}`, {
      k: 100,
    });
    const none = await memory.recall("");
    expect(await tracesOf(one.ledger)).toEqual([]);
    vi.useRealTimers();
    await one.flux.flush();
    const [first, second] = await tracesOf(one.ledger);
    expect([first?.id, second?.id]).toEqual([traceId, none.traceId]);
    expect(first).toMatchObject({ sessionId: "s", agentId: "a", expiresAt: one.clock.now() + day });
    expect(first?.hits.length).toBeGreaterThanOrEqual(15);
    for (const [i, hit] of (first?.hits ?? []).entries()) {
      expect(hit.grainId).toBe(hits[i]?.id);
      expect(hit.score).toBeCloseTo(hits[i]?.score ?? 0, 3);
    }
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThanOrEqual(2048);
    one.clock.advance(day);
    await one.flux.work({ once: true });
    expect(await tracesOf(one.ledger)).toEqual([]);
  });

  test("traces are written a moment later by themselves, and when it is closed", async () => {
    await using one = await openOne();
    await one.memory.recall("one");
    await expect.poll(() => tracesOf(one.ledger)).toHaveLength(1);
    await one.memory.recall("two");
    await one.flux.close();
    expect(await tracesOf(one.ledger)).toHaveLength(2);
  });

  test("no traces are kept where none are wanted", async () => {
    await using one = await openOne({ traceRetention: 0 });
    await one.memory.store("dog");
    const result = await one.memory.recall("dog");
    expect("traceId" in result).toBe(false);
    await one.flux.flush();
    expect(await tracesOf(one.ledger)).toEqual([]);
  });

  test("a trace that waits while something is erased is not written", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("My dog is called Luna");
    await one.memory.recall("Is Luna a dog?");
    await one.ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id }] });
    await one.memory.recall("Who is a cat?");
    await one.flux.flush();
    expect((await tracesOf(one.ledger)).map(({ query }) => query)).toEqual(["Who is a cat?"]);
  });

  test("recalled text that comes back is a mention of what it was, unless the user states it", async () => {
    await using one = await openOne();
    const [said] = await one.memory.storeBatch([{ role: "user", content: "My dog is called Luna." }]);
    await one.memory.store("Something else about a dog", { statedAt: 5 });
    // Before anything was recalled it is new to the memory.
    const inferred = { provenance: "ai_inferred" } as const;
    const early = await one.memory.store("Something else", inferred);
    expect(early.status).toBe("stored");
    await one.memory.recall("dog");
    const back = await one.memory.store("my dog is called  LUNA", inferred);
    expect(back).toMatchObject({
      id: said?.id,
      kind: "message",
      status: "mentioned",
      grainIds: said?.grainIds,
    });
    await one.flux.flush();
    const [again] = await one.memory.storeBatch([
      { text: "My dog is called Luna!", provenance: "external_source" },
    ]);
    expect(again).toMatchObject({ id: said?.id, status: "mentioned" });
    const [grain] = await one.ledger.read([alice], [get("grain", said?.grainIds[0] ?? "")]);
    expect(grain?.mentions).toBe(2);
    // A statement of the user, a message, another text, and what was recalled too long ago are kept.
    expect((await one.memory.store("My dog is called Luna")).status).toBe("stored");
    const [message] = await one.memory.storeBatch([{ role: "assistant", content: "My dog is called Luna." }]);
    expect(message?.status).toBe("stored");
    expect((await one.memory.store("My dog is called Lena", inferred)).status).toBe("stored");
    one.clock.advance(2 * day);
    expect((await one.memory.store("My dog is called Luna", inferred)).status).toBe("stored");
  });

  test("recalled text that is to stay longer than what was recalled is stored", async () => {
    await using one = await openOne();
    const inferred = { provenance: "ai_inferred" } as const;
    const soon = one.clock.now() + 1000;
    const { id } = await one.memory.store("My dog is called Luna", { expiresAt: soon });
    await one.memory.recall("dog");
    const sooner = await one.memory.store("My dog is called Luna", { ...inferred, expiresAt: soon });
    expect(sooner).toMatchObject({ id, status: "mentioned" });
    const kept = await one.memory.store("My dog is called Luna", inferred);
    expect(kept.status).toBe("stored");
    one.clock.advance(2000);
    expect((await one.memory.recall("dog")).hits.map(({ owner }) => owner.id)).toEqual([kept.id]);
  });

  test("a retry of what was stored before it was recalled is the same operation", async () => {
    await using one = await openOne();
    const options = { provenance: "ai_stated", operation: "o" } as const;
    const first = await one.memory.store("My dog is called Luna", options);
    await one.memory.recall("dog");
    expect(await one.memory.store("My dog is called Luna", options)).toEqual(first);
  });

  test("what was recalled and erased since is stored anew", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("My dog is called Luna");
    await one.memory.recall("dog");
    await one.ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id }] });
    const anew = await one.memory.store("My dog is called Luna", { provenance: "ai_stated" });
    expect(anew.status).toBe("stored");
    expect(anew.id).not.toBe(id);
  });

  test("an aborted recall rejects with the reason", async () => {
    await using one = await openOne();
    const reason = new Error("enough");
    await expect(one.memory.recall("x", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

const folder = temporaryFolder();

test("text that another process recalled is recognised", async () => {
  const path = folder.path("memory.db");
  await using flux = await Flux.open(`sqlite:${path}`, { embedder: false });
  const memory = flux.for({ userId: "alice" });
  const { id } = await memory.store("My dog is called Luna");
  const flux2 = JSON.stringify(new URL("./flux.ts", import.meta.url).href);
  const child = new Child(`
    const { Flux } = await import(${flux2});
    const flux = await Flux.open(${JSON.stringify(`sqlite:${path}`)});
    tell(await flux.for({ userId: "alice" }).recall("dog"));
    await flux.close();
  `);
  const [found] = await child.rest<{ hits: { text: string }[] }>();
  expect(found?.hits[0]?.text).toBe("My dog is called Luna");
  const back = await memory.store("My dog is called Luna.", { provenance: "ai_stated" });
  expect(back).toMatchObject({ id, status: "mentioned" });
});
