import { afterEach, expect, test, vi } from "vitest";
import { EmbeddingServer } from "../../test/support/embedding-server.ts";
import { openService } from "../../test/support/open-service.ts";
import type { ServiceEvent, ServiceScope } from "./service-types.ts";

afterEach(() => vi.unstubAllEnvs());

const code = (of: string) => expect.objectContaining({ code: of });

test("what is stored is ai_stated unless the call says otherwise, and messages have their role", async () => {
  await using one = await openService();
  const memory = one.service.for();
  await one.service.store("one");
  await one.service.store("two", { provenance: "external_source" });
  await memory.store("three", { provenance: undefined });
  await memory.storeBatch([{ text: "four" }, { text: "five", provenance: "user_stated" }]);
  await memory.storeBatch([{ role: "user", content: "six", sessionId: "s" }]);
  const { items } = await memory.list({ order: "oldest" });
  expect(items.map(({ text, provenance }) => [text, provenance])).toEqual([
    ["one", "ai_stated"],
    ["two", "external_source"],
    ["three", "ai_stated"],
    ["four", "ai_stated"],
    ["five", "user_stated"],
    ["six", "user_stated"],
  ]);
});

test("recalls return TOP_K grains unless the call says otherwise, and of the user who asks alone", async () => {
  await using one = await openService({ TOP_K: 2 });
  for (const text of ["tea at one", "tea at two", "tea at three"])
    await one.service.store(text, { userId: "alice", sessionId: text.slice(-3) });
  const ask = { userId: "alice", caller: "codex:background_lookup" };
  expect((await one.service.retrieve("tea", ask)).grains).toHaveLength(2);
  expect((await one.service.retrieve("tea", { ...ask, k: 3 })).grains).toHaveLength(3);
  expect((await one.service.retrieve("tea", { ...ask, k: undefined })).grains).toHaveLength(2);
  expect((await one.service.retrieve("tea", { ...ask, userId: "bob" })).grains).toEqual([]);
  expect((await one.service.retrieve("tea", { caller: "codex:chat" })).grains).toEqual([]);
});

test("a purge can be undone for PURGE_UNDO_WINDOW_HOURS unless the call says otherwise", async () => {
  await using one = await openService({ PURGE_UNDO_WINDOW_HOURS: 2 });
  const memory = one.service.for();
  const id = await one.service.store("Alice likes tea");
  const now = one.clock.now();
  expect(await memory.purge(id)).toEqual({ id, erasedAt: now + 2 * 3_600_000 });
  expect((await one.service.retrieve("tea")).grains).toEqual([]);
  expect((await memory.undo(id)).text).toBe("Alice likes tea");
  expect((await memory.purge(id, { undoWindow: 1000 })).erasedAt).toBe(now + 1000);
});

test("who owes feedback is refused a recall, and everybody else is not", async () => {
  await using one = await openService();
  const id = await one.service.store("Alice likes tea");
  const caller = "codex:chat";
  const { traceId } = await one.service.retrieve("tea", { caller });
  const again = (scope: ServiceScope = {}) => one.service.retrieve("tea", { caller, ...scope });
  await one.service.for({ caller }).pendingFeedback();
  one.clock.advance(60_000);
  await expect(again()).rejects.toThrow(code("feedback_required"));
  await expect(one.service.for({ caller }).recall("tea")).rejects.toThrow(code("feedback_required"));
  for (const scope of [{ caller: "codex:memory_writer" }, { caller: "claude:chat" }, { userId: "bob" }]) {
    await again(scope);
  }
  await one.service.store("Alice likes coffee", { caller });
  const other = one.service.feedback(traceId, id, { useful: true, caller: "claude:chat" });
  await expect(other).rejects.toThrow(code("forbidden"));
  await one.service.feedback(traceId, id, { useful: true, caller });
  await again();
});

test("background lookups and administration are not asked for feedback, and nobody where it is not enforced", async () => {
  await using one = await openService();
  await using free = await openService({ FEEDBACK_ENFORCEMENT_ENABLED: false });
  for (const [{ service, clock }, role] of [
    [one, "background_lookup"],
    [one, "admin"],
    [free, "chat"],
  ] as const) {
    const caller = { client: "codex", role };
    await service.store("Alice likes tea");
    for (let i = 0; i < 3; i++) {
      expect((await service.retrieve("tea", { caller })).grains).toHaveLength(1);
      await service.for({ caller }).pendingFeedback();
      clock.advance(100_000);
    }
  }
});

test("at most READ_WORKERS recalls run at once, whoever asks", async () => {
  await using server = await EmbeddingServer.start();
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "none");
  await using one = await openService({ EMBEDDER: "openai", READ_WORKERS: 2 });
  await one.service.store("Alice likes tea");
  const before = server.texts.length;
  const release = server.hold();
  const asked = Array.from({ length: 6 }, (_, i) =>
    one.service.retrieve(`question ${i}`, { caller: `caller-${i}:chat` }),
  );
  await server.received(before + 2);
  const { reads } = await one.service.health();
  expect(reads).toEqual({ running: 2, waiting: 4 });
  expect(server.texts.slice(before)).toEqual(["question 0", "question 1"]);
  release();
  await Promise.all(asked);
  expect((await one.service.health()).reads).toEqual({ running: 0, waiting: 0 });
});

test("a caller that stored as much as it may in a minute must wait, and nobody else", async () => {
  await using one = await openService({ MAX_GRAINS_PER_MINUTE: 3 });
  const codex = one.service.for({ userId: "alice", caller: "codex:chat" });
  await codex.storeBatch([{ text: "one" }, { role: "user", content: "two", sessionId: "s" }]);
  await expect(codex.storeBatch([{ text: "three" }, { text: "four" }])).rejects.toMatchObject({
    ...{ code: "rate_limited", retryable: true, details: { retryAfter: 61_000 } },
  });
  await codex.store("three");
  await expect(codex.remember("four")).rejects.toThrow(code("rate_limited"));
  expect((await codex.list()).items.map(({ text }) => text).sort()).toEqual(["one", "three", "two"]);
  for (const other of [
    { userId: "alice", caller: "codex:memory_writer" },
    { userId: "alice", caller: { client: "claude" } },
    { userId: "bob", caller: "codex:chat" },
    { userId: "alice", namespace: "work", caller: "codex:chat" },
  ]) {
    await one.service.for(other).store("four");
  }
  await codex.recall("one");
  one.clock.advance(61_000);
  await codex.store("four");
});

test("a batch that is too large is refused as a whole", async () => {
  await using one = await openService({ MAX_GRAINS_PER_CALL: 2 });
  const memory = one.service.for();
  const items = ["one", "two", "three"].map((text) => ({ text }));
  await expect(memory.storeBatch(items)).rejects.toThrow(code("too_large"));
  expect((await memory.list()).items).toEqual([]);
  await memory.storeBatch(items.slice(1));
});

test("beyond MAX_WRITE_QUEUE_DEPTH writes that are not done, others are refused and not counted", async () => {
  await using one = await openService({ MAX_WRITE_QUEUE_DEPTH: 2, MAX_GRAINS_PER_MINUTE: 4 });
  const memory = one.service.for();
  const results = await Promise.allSettled(["a", "b", "c", "d", "e"].map((text) => memory.store(text)));
  expect(results.map((result) => (result as { reason?: { code: string } }).reason?.code)).toEqual([
    ...[undefined, undefined],
    ...["overloaded", "overloaded", "overloaded"],
  ]);
  expect((await one.service.health()).writes).toEqual({ waiting: 0 });
  await memory.store("c");
  await memory.store("d");
  await expect(memory.store("e")).rejects.toThrow(code("rate_limited"));
});

test("an import counts as one write, and keeps who stood behind each line", async () => {
  await using one = await openService({ MAX_GRAINS_PER_CALL: 1, MAX_GRAINS_PER_MINUTE: 2 });
  const alice = one.service.for({ userId: "alice" });
  await alice.store("Alice likes tea", { provenance: "user_stated" });
  await alice.store("Alice has a dog");
  const bob = one.service.for({ userId: "bob" });
  expect(await bob.import(alice.export())).toMatchObject({ stored: 2 });
  const { items } = await bob.list({ order: "oldest" });
  expect(items.map(({ provenance }) => provenance)).toEqual(["user_stated", "ai_stated"]);
  await one.service.stop();
  expect(() => alice.export()).toThrow(code("closed"));
  await expect(bob.import([])).rejects.toThrow(code("closed"));
});

test("whoever listens is told what was done and refused, and never what it says", async () => {
  await using one = await openService({ MAX_GRAINS_PER_CALL: 1 });
  const events = one.service.events();
  const caller = "codex:chat";
  const id = await one.service.store("my secret", { userId: "alice", caller });
  const { traceId } = await one.service.retrieve("secret", { userId: "alice", caller });
  await one.service.feedback(traceId, id, { useful: false, userId: "alice", caller });
  await one.service
    .for({ caller })
    .storeBatch([{ text: "a" }, { text: "b" }])
    .catch(() => undefined);
  await one.service.stop();
  const told: ServiceEvent[] = [];
  for await (const event of events) told.push(event);
  expect(told.map(({ type, grainIds, code }) => ({ type, grainIds, code }))).toEqual([
    { type: "stored", grainIds: [id] },
    { type: "retrieved", grainIds: [id] },
    { type: "feedback", grainIds: [id] },
    { type: "refused", code: "too_large" },
  ]);
  expect(told[0]).toMatchObject({ caller, partition: { namespace: "default", userId: "alice" } });
  expect(JSON.stringify(told)).not.toContain("secret");
});
