import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import { partition } from "../model/partition.ts";
import { find, get } from "../store/read.ts";
import { Flux } from "./flux.ts";
import { maxPieceUnits } from "./pieces.ts";
import type { StoreItem } from "./store-items.ts";

const alice = partition({ userId: "alice" });

onEveryStore((store) => {
  test("a text is kept word for word, with what was said about it", async () => {
    await using one = await openMemory(store);
    const { id, grainIds, ...rest } = await one.memory.store("I moved to Porto.", {
      provenance: "ai_inferred",
      author: "Ann",
      metadata: { plan: "pro" },
      statedAt: 5,
      importance: 0.9,
      pinned: true,
      sessionId: "s",
    });
    expect(rest).toEqual({ kind: "text", status: "stored", indexed: "now" });
    const [text, grain] = await one.ledger.read([alice], [get("text", id), get("grain", grainIds[0] ?? "")]);
    expect(text).toMatchObject({
      ...{ content: "I moved to Porto.", form: "note", provenance: "ai_inferred", statedAt: 5 },
      ...{ sessionId: "s", metadata: { plan: "pro" } },
    });
    expect(grain).toMatchObject({
      ...{ ownerKind: "text", ownerId: id, status: "active", provenance: "ai_inferred", author: "Ann" },
      ...{ saidAt: 5, importance: 0.9, pinned: true, sessionId: "s", metadata: { plan: "pro" } },
    });
    expect(grain?.start).toBeUndefined();
  });

  test("the same text again, in other form, is a mention, also fifty times at once", async () => {
    await using one = await openMemory(store);
    const forms = ["I like tea.", "i like  TEA", "I like tea!", "Ｉ like tea"];
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) => one.memory.store(forms[i % forms.length] ?? "")),
    );
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(results.filter(({ status }) => status === "stored")).toHaveLength(1);
    const [texts, grains] = await one.ledger.read([alice], [find("text"), find("grain")]);
    expect(texts.items).toHaveLength(1);
    expect(grains.items.map(({ mentions }) => mentions)).toEqual([49]);
  });

  test("another author, provenance, agent or user, and a question, is another text", async () => {
    await using one = await openMemory(store);
    await one.memory.store("You like tea");
    const others = [
      one.memory.store("You like tea?"),
      one.memory.store("You like tea", { author: "Ann" }),
      one.memory.store("You like tea", { provenance: "external_source" }),
      one.flux.for({ userId: "alice", agentId: "a" }).store("You like tea"),
      one.flux.for({ userId: "bob" }).store("You like tea"),
      one.flux.for({ userId: null }).store("You like tea"),
      one.flux.for({ userId: "alice", namespace: "other" }).store("You like tea"),
    ];
    for (const { status } of await Promise.all(others)) expect(status).toBe("stored");
  });

  test("messages are always kept, and a batch tells what became of each item, in order", async () => {
    await using one = await openMemory(store);
    const items: StoreItem[] = [
      { role: "user", content: "Yes.", name: "Ann", saidAt: 7 },
      { text: "Ann likes tea" },
      { role: "user", content: "Yes.", name: "Ann", saidAt: 7 },
      { text: "ann likes tea." },
      { role: "assistant", content: "", toolCalls: [{ id: "c" }] },
      { role: "tool", content: "42", toolCallId: "c" },
    ];
    const memory = one.flux.for({ userId: "alice", sessionId: "s", agentId: "a" });
    const results = await memory.storeBatch(items);
    expect(results.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      ...["message stored", "text stored", "message stored", "text mentioned"],
      ...["message stored", "message stored"],
    ]);
    expect(results.map(({ grainIds }) => grainIds.length)).toEqual([1, 1, 1, 1, 0, 1]);
    expect(results[3]).toMatchObject({ id: results[1]?.id, grainIds: results[1]?.grainIds });
    const [messages, grains] = await one.ledger.read(
      [alice],
      [find("message", { index: "bySession", prefix: ["s"] }), find("grain", { index: "byTime" })],
    );
    expect(messages.items.map(({ role, content, saidAt }) => [role, content, saidAt])).toEqual([
      ["user", "Yes.", 7],
      ["user", "Yes.", 7],
      ["assistant", "", one.clock.now()],
      ["tool", "42", one.clock.now()],
    ]);
    const said = grains.items.map(({ author, provenance, mentions }) => ({ author, provenance, mentions }));
    expect(said).toEqual([
      { author: "Ann", provenance: "user_stated", mentions: undefined },
      { author: "Ann", provenance: "user_stated", mentions: undefined },
      { author: undefined, provenance: "user_stated", mentions: 1 },
      { author: undefined, provenance: "external_source", mentions: undefined },
    ]);
    expect(grains.items.every(({ agentId, sessionId }) => agentId === "a" && sessionId === "s")).toBe(true);
  });

  test("an operation repeated has its effect once and the same results; with another payload it is refused", async () => {
    await using one = await openMemory(store);
    const memory = one.flux.for({ userId: "alice", sessionId: "s" });
    await memory.store("known");
    const items: StoreItem[] = [
      { role: "user", content: "hello" },
      { text: "new" },
      { text: "known" },
      { text: "New." },
      { text: "word. ".repeat(1000) },
    ];
    const first = await memory.storeBatch(items, { operation: "o" });
    one.clock.advance(60_000);
    expect(await memory.storeBatch(structuredClone(items), { operation: "o" })).toEqual(first);
    await expect(memory.storeBatch([{ text: "other" }], { operation: "o" })).rejects.toMatchObject({
      code: "operation_conflict",
    });
    const [texts, messages] = await one.ledger.read([alice], [find("text"), find("message")]);
    expect([texts.items.length, messages.items.length]).toEqual([3, 1]);
    // An erasure of something else takes the result; without mentions it follows from what was inserted.
    const plain = await memory.storeBatch(items.slice(0, 1), { operation: "plain" });
    await one.ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: first[1]?.id ?? "" }] });
    expect(await memory.storeBatch(items.slice(0, 1), { operation: "plain" })).toEqual([
      { ...plain[0], compared: false },
    ]);
    expect("compared" in (plain[0] ?? {})).toBe(false);
    await expect(memory.storeBatch(items, { operation: "o" })).rejects.toMatchObject({ code: "erased" });
    // The same text may be stored anew.
    expect((await memory.store("new")).status).toBe("stored");
  });

  test("a retry is compared by what the caller gave: the defaults of a version are no part of it", async () => {
    await using one = await openMemory(store);
    const first = await one.memory.store("I like tea", { operation: "o", author: undefined });
    expect(await one.memory.store("I like tea", { operation: "o" })).toEqual(first);
    for (const call of [
      one.memory.store("I like tea.", { operation: "o" }),
      one.memory.store("I like tea", { operation: "o", provenance: "user_stated" }),
      one.flux.for({ userId: "alice", agentId: "a" }).store("I like tea", { operation: "o" }),
    ])
      await expect(call).rejects.toMatchObject({ code: "operation_conflict" });
  });

  test("a batch is stored whole or not at all", async () => {
    await using one = await openMemory(store);
    const memory = one.flux.for({ userId: "alice", sessionId: "s" });
    const good: StoreItem = { text: "good" };
    const bad: [StoreItem, string][] = [
      [{ role: "nobody" as "user", content: "x" }, "invalid_record"],
      [{ role: "user", content: "x", sessionId: "" }, "invalid_id"],
      [{ text: "x", sessionId: "\ud800" }, "invalid_id"],
    ];
    for (const [item, code] of bad)
      await expect(memory.storeBatch([good, item])).rejects.toMatchObject({ code });
    await one.ledger.setPolicy(alice, { maxRecords: 3 });
    await expect(memory.storeBatch([good, { text: "one" }])).rejects.toMatchObject({
      code: "quota_exceeded",
    });
    const [texts] = await one.ledger.read([alice], [find("text")]);
    expect(texts.items).toEqual([]);
  });

  test("a long text is several grains, each with its span", async () => {
    await using one = await openMemory(store);
    const text = Array.from({ length: 200 }, (_, i) => `This is sentence number ${i}.`).join(" ");
    const { id, grainIds } = await one.memory.store(text, { metadata: { caption: "a zebra" } });
    const [grains] = await one.ledger.read(
      [alice],
      [find("grain", { index: "byOwner", prefix: ["text", id] })],
    );
    expect(grains.items.map((grain) => grain.id)).toEqual(grainIds);
    expect(grainIds.length).toBe(Math.ceil(text.length / maxPieceUnits));
    const { hits } = await one.memory.recall("sentence number 150");
    expect(hits).toHaveLength(1);
    expect(hits[0]?.text).toContain("number 150.");
    expect(hits[0]?.text.length).toBeLessThanOrEqual(maxPieceUnits);
    // What is shown with a text is found by its caption, at the beginning of the text.
    const [first] = (await one.memory.recall("zebra")).hits;
    expect(first?.text).toContain("number 0.");
    expect(first?.signals[0]?.name).toBe("words");
  });

  test("hostile texts are stored and found again, and marked where they were repaired", async () => {
    await using one = await openMemory(store);
    const memory = one.flux.for({ userId: "alice", sessionId: "s" });
    const items = hostileTexts.map(
      (content): StoreItem => ({ role: "user", content, name: content.slice(0, 600) }),
    );
    const results = await memory.storeBatch(items);
    const records = await one.ledger.read(
      [alice],
      results.map(({ id }) => get("message", id)),
    );
    for (const [i, text] of hostileTexts.entries()) {
      const stored = text.toWellFormed().replaceAll("\0", "\ufffd");
      expect(records[i]?.content).toBe(stored);
      expect(records[i]?.repaired).toBe(stored === text ? undefined : true);
    }
    for (const text of hostileTexts) {
      const result = await memory.recall(text);
      expect(result.degraded).toBeUndefined();
    }
    const { hits } = await memory.recall("我住在北京");
    expect(hits[0]?.text).toBe("我住在北京，喜欢喝茶");
  });

  test("what a caller changes after the call has no effect", async () => {
    await using one = await openMemory(store);
    const metadata = { tags: ["a"] };
    const items: StoreItem[] = [{ text: "one", metadata }];
    const storing = one.memory.storeBatch(items);
    metadata.tags.push("b");
    items.push({ text: "two" });
    const [{ id } = { id: "" }] = await storing;
    const [text, all] = await one.ledger.read([alice], [get("text", id), find("text")]);
    expect(text?.metadata).toEqual({ tags: ["a"] });
    expect(all.items).toHaveLength(1);
  });

  test("an item is read once, whatever its getters say later; a role that is undefined is none", async () => {
    await using one = await openMemory(store);
    let reads = 0;
    const item = {
      role: undefined,
      text: "tea",
      get sessionId() {
        reads += 1;
        return `s${reads}`;
      },
      get expiresAt() {
        reads += 1;
        return reads > 2 ? -1 : one.clock.now() + 1000;
      },
    };
    const [{ id, grainIds } = { id: "", grainIds: [] }] = await one.memory.storeBatch([item as never]);
    const [text, grain] = await one.ledger.read([alice], [get("text", id), get("grain", grainIds[0] ?? "")]);
    const expected = { sessionId: "s1", expiresAt: one.clock.now() + 1000 };
    expect([text, grain]).toMatchObject([expected, expected]);
    expect(reads).toBe(2);
  });

  test("nothing is written for an aborted signal", async () => {
    await using one = await openMemory(store);
    const reason = new Error("enough");
    await expect(one.memory.store("x", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stop = new AbortController();
    const storing = one.memory.storeBatch([{ text: "x" }, { text: "y" }], { signal: stop.signal });
    stop.abort(reason);
    await expect(storing).rejects.toBe(reason);
    const [texts] = await one.ledger.read([alice], [find("text")]);
    expect(texts.items).toEqual([]);
  });
});

test("what is too large is refused before anything is made of it", async () => {
  const embedder = new TestEmbedder();
  await using flux = await Flux.open("inmemory", { embedder });
  const memory = flux.for({ userId: "alice" });
  const tooLarge = { code: "too_large" };
  await expect(memory.store("x".repeat(2 ** 24 + 1))).rejects.toMatchObject(tooLarge);
  const half = { text: "é".repeat(2 ** 22 + 1) };
  await expect(memory.storeBatch([half, half])).rejects.toMatchObject(tooLarge);
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k${i}`, "x".repeat(1000)]));
  await expect(memory.store("word ".repeat(1_500_000), { metadata })).rejects.toMatchObject(tooLarge);
  expect(embedder.calls).toBe(0);
});
