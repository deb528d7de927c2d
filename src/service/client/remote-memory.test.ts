/** The same expectations of the SDK's handle, of the service's, and of a client over a real connection. */
import { afterAll, describe, expect, test } from "vitest";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { serveRest } from "../../../test/support/rest-service.ts";
import type { ExportLine } from "../../flux/export-line.ts";
import { Flux } from "../../flux/flux.ts";
import type { ServedMemory } from "../../flux/flux-memory.ts";
import { repairText } from "../../model/unicode.ts";
import type { ServiceScope } from "../service-types.ts";
import { connectFlux } from "./connect-flux.ts";

type Open = () => Promise<{ for(scope: ServiceScope): ServedMemory }>;

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const kinds: Record<string, Open> = {
  SDK: async () => {
    const flux = await Flux.open("inmemory", { embedder: false });
    closing.push(() => flux.close());
    return {
      for: ({ userId = null, caller, ...scope }) =>
        flux.for({ ...scope, userId, caller: typeof caller === "string" ? caller : "anonymous:chat" }),
    };
  },
  service: async () => (await served()).service,
  client: async () => {
    const client = connectFlux((await served()).url);
    closing.push(() => client.close());
    return client;
  },
};

async function served() {
  const rest = await serveRest({ MAX_GRAINS_PER_MINUTE: 100_000, MAX_GRAINS_PER_CALL: 1000 });
  closing.push(() => rest[Symbol.asyncDispose]());
  return rest;
}

const code = (of: string) => expect.objectContaining({ code: of });
const stated = { provenance: "user_stated" } as const;

describe.each(Object.entries(kinds))("%s", (_, open) => {
  test("stores, recalls and reads with the same shapes", async () => {
    const memory = (await open()).for({ userId: "ali/ce ö", sessionId: "s", agentId: "a" });
    const stored = await memory.store("Alice is allergic to nuts", {
      ...stated,
      ...{ author: "Alice", statedAt: 5, importance: 0.9, pinned: true, metadata: { camelCase: ["x"] } },
    });
    expect(stored).toEqual({
      ...{ id: expect.any(String), kind: "text", grainIds: [expect.any(String)] },
      ...{ status: "stored", indexed: "now" },
    });
    const { hits, traceId, degraded, timings, ...result } = await memory.recall("nuts", { k: 5 });
    expect(traceId).toEqual(expect.any(String));
    expect(degraded).toBeUndefined();
    expect(timings.total).toEqual(expect.any(Number));
    expect(Object.keys(result).sort()).toEqual(["candidates", "confidence", "seq"]);
    expect(hits).toEqual([
      {
        ...{ id: stored.grainIds[0], owner: { kind: "text", id: stored.id } },
        ...{ text: "Alice is allergic to nuts", author: "Alice", saidAt: 5, status: "active" },
        ...{ sessionId: "s", agentId: "a", metadata: { camelCase: ["x"] }, ...stated },
        ...{ score: expect.any(Number), signals: expect.any(Array) },
      },
    ]);
    const record = await memory.get(stored.id);
    expect(record).toEqual({
      ...{ id: stored.id, kind: "text", text: "Alice is allergic to nuts", author: "Alice", ...stated },
      ...{ status: "active", saidAt: 5, recordedAt: expect.any(Number), version: expect.any(Number) },
      ...{ sessionId: "s", agentId: "a", metadata: { camelCase: ["x"] }, importance: 0.9, pinned: true },
      ...{ mentions: 0, grainIds: stored.grainIds },
    });
    expect(await memory.get(stored.grainIds[0] as string)).toEqual(record);
    expect(await memory.list()).toEqual({ items: [record] });
  });

  test("stores a batch of texts and messages, all or none", async () => {
    const memory = (await open()).for({ userId: "u", sessionId: "s" });
    const bad = [{ text: "a" }, { role: "user", content: "b", metadata: { a: {} } }];
    await expect(memory.storeBatch(bad as never)).rejects.toEqual(code("invalid_metadata"));
    expect(await memory.list()).toEqual({ items: [] });
    const results = await memory.storeBatch([
      { text: "Bob likes tea", ...stated },
      { role: "assistant", content: "Calling.", name: "Bot", toolCalls: [{ someName: 1 }], saidAt: 7 },
      { role: "tool", content: "", toolCallId: "c" },
      { text: "Bob likes tea", ...stated },
    ]);
    expect(results.map(({ kind, status }) => [kind, status])).toEqual([
      ["text", "stored"],
      ["message", "stored"],
      ["message", "stored"],
      ["text", "mentioned"],
    ]);
    expect(results[2]?.grainIds).toEqual([]);
    expect(await memory.get(results[1]?.id as string)).toMatchObject({
      ...{ role: "assistant", author: "Bot", saidAt: 7 },
    });
    const messages = await memory.list({ kind: "message", order: "oldest", limit: 1 });
    expect(messages.items.map(({ text }) => text)).toEqual(["Calling."]);
    const rest = await memory.list({ kind: "message", order: "oldest", after: messages.cursor });
    expect(rest.items.map(({ role }) => role)).toEqual(["tool"]);
    expect(rest).not.toHaveProperty("cursor");
  });

  test("stores episodes under ids of the caller's, and erases them by time and by text", async () => {
    const memory = (await open()).for({ userId: "u", sessionId: "s" });
    const first = { id: "e 1/%", input: "Hi", output: "", transcript: [{ someName: 1 }], occurredAt: 5 };
    const second = { input: "", output: "Bye, Ann.", metadata: { someName: "x" } };
    const stored = await memory.storeBatch([first, second]);
    expect(stored.map(({ kind, status }) => [kind, status])).toEqual([
      ["episode", "stored"],
      ["episode", "stored"],
    ]);
    expect(await memory.storeBatch([first])).toMatchObject([
      { id: "e 1/%", status: "unchanged", grainIds: [] },
    ]);
    expect(await memory.storeBatch([{ ...first, output: "Ho" }])).toMatchObject([{ status: "replaced" }]);
    expect(await memory.get("e 1/%")).toMatchObject({
      ...{
        kind: "episode",
        text: "Hi\nHo",
        input: "Hi",
        output: "Ho",
        transcript: [{ someName: 1 }],
        saidAt: 5,
      },
    });
    expect((await memory.list({ kind: "episode" })).items).toHaveLength(2);
    const wrong = [{ input: "a" }, { input: "a", output: "b", provenance: "ai_stated" }];
    for (const item of wrong)
      await expect(memory.storeBatch([item as never])).rejects.toEqual(code("invalid_argument"));
    expect((await memory.erase({ until: 6, sessionId: "s" })).counts).toMatchObject({ episode: 1 });
    expect((await memory.erase({ text: "ann" })).counts).toMatchObject({ episode: 1 });
    await expect(memory.erase({ text: "" })).rejects.toEqual(code("invalid_argument"));
    expect(await memory.list()).toEqual({ items: [] });
  });

  test("changes, archives and erases", async () => {
    const memory = (await open()).for({ userId: "u" });
    const { id } = await memory.store("Alice likes tea", { ...stated, importance: 1, expiresAt: 9e12 });
    const before = await memory.get(id);
    const after = await memory.update(id, { text: "Alice likes coffee", importance: null, expiresAt: null });
    expect(after).toMatchObject({ id, text: "Alice likes coffee" });
    expect(after).not.toHaveProperty("importance");
    expect(after).not.toHaveProperty("expiresAt");
    const old = { ifVersion: before?.version };
    await expect(memory.update(id, { pinned: true }, old)).rejects.toMatchObject({
      ...{ code: "conflict", details: { version: after.version } },
    });
    expect(await memory.update(id, { pinned: true }, { ifVersion: after.version })).toMatchObject({
      pinned: true,
    });
    expect(await memory.archive(id)).toMatchObject({ status: "archived" });
    expect(await memory.erase({ id })).toMatchObject({
      ...{ id: expect.any(String), state: expect.stringMatching(/erased$/), counts: { text: 1, grain: 1 } },
    });
    expect(await memory.get(id)).toBeUndefined();
    await memory.store("a", { sessionId: "s" });
    await memory.store("b");
    await memory.erase({ sessionId: "s" });
    expect((await memory.list()).items.map(({ text }) => text)).toEqual(["b"]);
    await memory.erase({ everything: true });
    expect(await memory.list()).toEqual({ items: [] });
  });

  test("purges, and takes back what was purged or archived", async () => {
    const memory = (await open()).for({ userId: "u" });
    const { id } = await memory.store("Alice likes tea", stated);
    const before = Date.now();
    const receipt = await memory.purge(id, { undoWindow: 60_000 });
    expect(receipt).toEqual({ id, erasedAt: expect.any(Number) });
    expect(receipt.erasedAt).toBeGreaterThanOrEqual(before + 60_000);
    expect(await memory.get(id)).toBeUndefined();
    expect((await memory.recall("tea")).hits).toEqual([]);
    expect(await memory.undo(id)).toMatchObject({ id, text: "Alice likes tea", status: "active" });
    await memory.archive(id);
    expect(await memory.undo(id)).toMatchObject({ id, status: "active" });
    await expect(memory.purge("none")).rejects.toEqual(code("not_found"));
    await expect(memory.undo("none")).rejects.toEqual(code("not_found"));
    await expect(memory.purge(id, { undoWindow: -1 })).rejects.toEqual(code("invalid_argument"));
    await expect(memory.purge(id, { window: 1 } as never)).rejects.toEqual(code("invalid_argument"));
  });

  test("exports and imports", async () => {
    const flux = await open();
    const memory = flux.for({ userId: "u", sessionId: "s" });
    await memory.storeBatch([
      { text: "Alice likes tea", metadata: { camelCase: ["x"] }, ...stated },
      { role: "assistant", content: "Calling.", toolCalls: [{ someName: 1 }], saidAt: 7 },
    ]);
    const lines: ExportLine[] = [];
    for await (const line of memory.export()) lines.push(line);
    expect(lines).toMatchObject([
      { type: "flux-memory", version: 2, exportedAt: expect.any(Number) },
      {
        type: "record",
        text: "Alice likes tea",
        metadata: { camelCase: ["x"] },
        grains: [{ id: expect.any(String) }],
      },
      { type: "record", text: "Calling.", role: "assistant", saidAt: 7, toolCalls: [{ someName: 1 }] },
    ]);
    const other = flux.for({ userId: "other" });
    expect(await other.import(lines)).toEqual({ stored: 2, mentioned: 0, expired: 0, conflicts: 0 });
    expect(await other.import(lines)).toEqual({ stored: 0, mentioned: 2, expired: 0, conflicts: 0 });
    expect((await other.list({ sessionId: "s" })).items).toHaveLength(2);
    expect(await other.import([])).toEqual({ stored: 0, mentioned: 0, expired: 0, conflicts: 0 });
    await expect(other.import([lines[1]] as never)).rejects.toEqual(code("invalid_argument"));
    for (const saidAt of [5n, Number.NaN])
      await expect(other.import([lines[0], { ...lines[1], saidAt }] as never)).rejects.toEqual(
        code("invalid_argument"),
      );
    await expect(other.import(5 as never)).rejects.toEqual(code("invalid_argument"));
    await expect(other.import("abc" as never)).rejects.toEqual(code("invalid_argument"));
  });

  test("tells how it is", async () => {
    const memory = (await open()).for({ userId: "u", caller: "one:chat" });
    await memory.store("Alice likes tea", stated);
    await memory.recall("tea");
    expect(await memory.health()).toEqual({
      ...{ status: "healthy", degraded: [], records: 2, bytes: expect.any(Number), pendingFeedback: 1 },
      grains: { active: 1, dormant: 0, quarantined: 0, archived: 0 },
    });
  });

  test("feedback is bound to recall, hit and caller", async () => {
    const flux = await open();
    const memory = flux.for({ userId: "u", caller: "one:chat" });
    const { grainIds } = await memory.store("Alice likes tea", stated);
    const grainId = grainIds[0] as string;
    const traceId = (await memory.recall("tea")).traceId as string;
    expect(await memory.pendingFeedback()).toEqual([
      { traceId, query: "tea", askedAt: expect.any(Number), hits: 1, grainIds: [grainId] },
    ]);
    expect(await memory.feedback(traceId, grainId, { useful: true })).toEqual({
      ...{ traceId, grainId, useful: true, status: "recorded" },
    });
    expect(await memory.feedbackBatch([{ traceId, grainId, useful: false }])).toEqual([
      { traceId, grainId, useful: false, status: "changed" },
    ]);
    expect(await memory.pendingFeedback({ limit: 5 })).toEqual([]);
    await expect(memory.feedback("none", grainId, { useful: true })).rejects.toEqual(code("not_found"));
    const other = flux.for({ userId: "u", caller: "two:chat" });
    await expect(other.feedback(traceId, grainId, { useful: true })).rejects.toEqual(code("forbidden"));
  });

  test("an operation id gives a write its effect once", async () => {
    const memory = (await open()).for({ userId: "u" });
    const once = { ...stated, operation: "op ö/1, 2" };
    const first = await memory.store("Alice likes tea", once);
    expect(await memory.store("Alice likes tea", once)).toEqual(first);
    await expect(memory.store("Bob likes tea", once)).rejects.toEqual(code("operation_conflict"));
    expect((await memory.list()).items).toHaveLength(1);
  });

  test("conditions of a recall hold", async () => {
    const memory = (await open()).for({ userId: "u" });
    await memory.storeBatch([
      { text: "tea in the morning", sessionId: "s", statedAt: 1, metadata: { topic: "drink" }, ...stated },
      { text: "tea at noon", statedAt: 2, ...stated },
      { role: "user", content: "tea at night", sessionId: "t", saidAt: 3 },
    ]);
    const texts = async (where: object) =>
      (await memory.recall("tea", { where })).hits.map(({ text }) => text).sort();
    expect(await texts({ sessionIds: ["s"] })).toEqual(["tea in the morning"]);
    expect(await texts({ sessionIds: [null] })).toEqual(["tea at noon"]);
    expect(await texts({ ownerKinds: ["message"] })).toEqual(["tea at night"]);
    expect(await texts({ from: 2, until: 3 })).toEqual(["tea at noon"]);
    expect(await texts({ filter: { topic: { in: ["drink"] } } })).toEqual(["tea in the morning"]);
    expect((await memory.recall("tea", { k: 1, minScore: 0, maxTokens: 50 })).hits).toHaveLength(1);
    expect((await memory.recall("tea", { minScore: 99 })).hits).toEqual([]);
  });

  test.each(hostileTexts)("text %# comes back as it was stored", async (text) => {
    const memory = (await open()).for({
      userId: text.isWellFormed() && !text.includes("\0") ? text.slice(0, 50) || null : null,
    });
    if (text.trim() === "") return expect(memory.store(text)).rejects.toEqual(code("invalid_argument"));
    const { id } = await memory.store(text, stated);
    const record = await memory.get(id);
    expect(record?.text).toBe(repairText(text));
    expect(record?.repaired).toBe(repairText(text) === text ? undefined : true);
  });

  test.each(["none", ".", "..", "a/b", "ö%", "?#", "x".repeat(512)])(
    "there is nothing with the id %s",
    async (id) => {
      const memory = (await open()).for({ userId: "u" });
      expect(await memory.get(id)).toBeUndefined();
      await expect(memory.update(id, { pinned: true })).rejects.toEqual(code("not_found"));
      await expect(memory.archive(id)).rejects.toEqual(code("not_found"));
    },
  );

  test.each(["", "\0", "\ud800", "x".repeat(513), 5, null, undefined])("%j is no id", async (id) => {
    const memory = (await open()).for({ userId: "u" });
    await expect(memory.get(id as never)).rejects.toEqual(code("invalid_id"));
    await expect(memory.archive(id as never)).rejects.toEqual(code("invalid_id"));
  });

  test("what is not known or of the wrong type is refused", async () => {
    const memory = (await open()).for({ userId: "u" });
    const refused: Promise<unknown>[] = [
      memory.store("a", { colour: "red" } as never),
      memory.store(5 as never),
      memory.store("a", null as never),
      memory.storeBatch("a" as never),
      memory.storeBatch([{ text: "a", colour: "red" } as never]),
      memory.storeBatch([null as never]),
      memory.recall(5 as never),
      memory.recall("a", { limit: 5 } as never),
      memory.recall("a", { k: 0 }),
      memory.recall("a", { signal: {} as never }),
      memory.list({ colour: "red" } as never),
      memory.list({ limit: 0 }),
      memory.list({ status: "lost" as never }),
      memory.update("a", { colour: "red" } as never),
      memory.erase({} as never),
      memory.erase({ id: "a", everything: true } as never),
      memory.erase(null as never),
      memory.feedback("t", "g", {} as never),
      memory.feedbackBatch([{ traceId: "t", grainId: "g" }] as never),
      memory.pendingFeedback({ limit: 0 }),
    ];
    for (const [index, result] of (await Promise.allSettled(refused)).entries())
      expect([index, result]).toEqual([index, expect.objectContaining({ reason: code("invalid_argument") })]);
    for (const where of [{ limit: 5 }, { filter: { a: { near: 1 } } }])
      await expect(memory.recall("a", { where: where as never })).rejects.toEqual(code("invalid_filter"));
  });
});

test("a service whose store does not answer says so, to whoever asks for its health or that of a memory", async () => {
  await using rest = await serveRest();
  await using client = connectFlux(rest.url);
  await rest.store.close();
  expect(await client.health()).toMatchObject({
    status: "unhealthy",
    warnings: expect.arrayContaining([expect.objectContaining({ code: "store_unavailable" })]),
  });
  await expect(client.for().health()).rejects.toMatchObject({
    ...{ code: "unavailable", message: expect.stringMatching(/store/), retryable: true },
  });
});
