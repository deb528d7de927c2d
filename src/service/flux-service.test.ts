import { afterEach, expect, test, vi } from "vitest";
import { OpenAIServer } from "../../test/servers/openai-server.ts";
import { EmbeddingServer } from "../../test/support/embedding-server.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { Config } from "./config.ts";
import type { ConfigOptions } from "./config-keys.ts";
import { FluxService } from "./flux-service.ts";
import { FluxStore } from "./flux-store.ts";
import type { ServiceEvent, ServiceScope } from "./service-types.ts";

const folder = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

/** A service that runs, by words alone, with a clock that the test decides. */
async function open(options: ConfigOptions = {}, { place = "inmemory", clock = new ManualClock() } = {}) {
  const store = new FluxStore(place, { clock });
  const config = new Config({ EMBEDDER: "none", OPERATING_MODE: "caller_extracts", ...options });
  const service = new FluxService(store, { config });
  await service.start();
  return {
    ...{ store, service, clock },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await store.close();
    },
  };
}

const code = (of: string) => expect.objectContaining({ code: of });

test("C1: the SDK quick start", async () => {
  vi.stubEnv("HOME", folder.path("home"));
  const store = new FluxStore("~/.flux/my-memory/flux.db");
  const svc = new FluxService(store, { config: new Config() });
  await svc.start();
  const grainId = await svc.store("Paris is the capital of France", { provenance: "user_stated" });
  const result = await svc.retrieve("French capital");
  expect(result.grains[0]?.id === grainId).toBe(true);
  expect(result.grains[0]).toMatchObject({
    content: "Paris is the capital of France",
    provenance: "user_stated",
  });
  expect(await svc.feedback(result.traceId, grainId, { useful: true })).toMatchObject({ status: "recorded" });
  await svc.stop();
  await store.close();
});

test("two services on one SQLite file share what is stored, and what a caller owes", async () => {
  const place = folder.path("flux.db");
  const clock = new ManualClock();
  await using one = await open({}, { place, clock });
  await using two = await open({}, { place, clock });
  const id = await one.service.store("Alice is allergic to nuts", { caller: "codex:chat" });
  const { traceId, grains } = await two.service.retrieve("nuts", { caller: "codex:chat" });
  expect(grains.map((grain) => grain.id)).toEqual([id]);
  await two.service.for({ caller: "codex:chat" }).pendingFeedback();
  clock.advance(61_000);
  await expect(one.service.retrieve("nuts", { caller: "codex:chat" })).rejects.toMatchObject({
    code: "feedback_required",
    details: { pending: [{ traceId, grainIds: [id] }] },
  });
  await one.service.feedback(traceId, id, { useful: true, caller: "codex:chat" });
  expect((await two.service.retrieve("nuts", { caller: "codex:chat" })).grains).toHaveLength(1);
});

test("who owes feedback is refused a recall, and everybody else is not", async () => {
  await using one = await open();
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
  await using one = await open();
  await using free = await open({ FEEDBACK_ENFORCEMENT_ENABLED: false });
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

test("before the start and after the stop every call fails at once with closed, that of a handle from before too", async () => {
  await using store = new FluxStore("inmemory");
  const service = new FluxService(store, { config: new Config({ EMBEDDER: "none" }) });
  const calls = (memory = () => service.for()) => [
    () => service.store("x"),
    () => service.retrieve("x"),
    () => service.feedback("a", "b", { useful: true }),
    async () => memory().store("x"),
    async () => memory().list(),
  ];
  for (const call of calls()) await expect(call()).rejects.toThrow(code("closed"));
  expect((await service.health()).status).toBe("stopped");
  await Promise.all([service.start(), service.start()]);
  const handle = service.for();
  await handle.store("x");
  const stopping = service.stop();
  for (const call of calls(() => handle)) await expect(call()).rejects.toThrow(code("closed"));
  await stopping;
  await service.stop();
  for (const call of calls(() => handle)) await expect(call()).rejects.toThrow(code("closed"));
  await expect(service.start()).rejects.toThrow(code("closed"));
  expect((await service.health()).status).toBe("stopped");
  await new FluxService(store).stop();
});

test("a service that could not start may be started again", async () => {
  await using store = new FluxStore(folder.path("flux.db"));
  const service = new FluxService(store, { config: new Config({ EMBEDDER: "no such embedder" }) });
  await expect(service.start()).rejects.toThrow(code("invalid_argument"));
  await expect(service.start()).rejects.toThrow(code("invalid_argument"));
  await service.stop();
});

test("at most READ_WORKERS recalls run at once, whoever asks", async () => {
  await using server = await EmbeddingServer.start();
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "none");
  await using one = await open({ EMBEDDER: "openai", READ_WORKERS: 2 });
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

test("stop waits for calls under way, and gives them up at its deadline", async () => {
  await using server = await EmbeddingServer.start();
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "none");
  for (const timeout of [60_000, 20]) {
    const one = await open({ EMBEDDER: "openai" });
    await one.service.store("Alice likes tea");
    const before = server.texts.length;
    const release = server.hold();
    const asked = one.service.retrieve(`tea or coffee, in ${timeout}`);
    await server.received(before + 1);
    const stopped = one.service.stop({ timeout });
    if (timeout === 60_000) {
      release();
      expect((await asked).grains).toHaveLength(1);
    } else await expect(asked).rejects.toThrow(code("closed"));
    await stopped;
    release();
    await one.store.close();
  }
});

test("a caller that stored as much as it may in a minute must wait, and nobody else", async () => {
  await using one = await open({ MAX_GRAINS_PER_MINUTE: 3 });
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
  await using one = await open({ MAX_GRAINS_PER_CALL: 2 });
  const memory = one.service.for();
  const items = ["one", "two", "three"].map((text) => ({ text }));
  await expect(memory.storeBatch(items)).rejects.toThrow(code("too_large"));
  expect((await memory.list()).items).toEqual([]);
  await memory.storeBatch(items.slice(1));
});

test("beyond MAX_WRITE_QUEUE_DEPTH writes that are not done, others are refused and not counted", async () => {
  await using one = await open({ MAX_WRITE_QUEUE_DEPTH: 2, MAX_GRAINS_PER_MINUTE: 4 });
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

test("what is stored is ai_stated unless the call says otherwise, and messages have their role", async () => {
  await using one = await open();
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
  await using one = await open({ TOP_K: 2 });
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
  await using one = await open({ PURGE_UNDO_WINDOW_HOURS: 2 });
  const memory = one.service.for();
  const id = await one.service.store("Alice likes tea");
  const now = one.clock.now();
  expect(await memory.purge(id)).toEqual({ id, erasedAt: now + 2 * 3_600_000 });
  expect((await one.service.retrieve("tea")).grains).toEqual([]);
  expect((await memory.undo(id)).text).toBe("Alice likes tea");
  expect((await memory.purge(id, { undoWindow: 1000 })).erasedAt).toBe(now + 1000);
});

test("an import counts as one write, and keeps who stood behind each line", async () => {
  await using one = await open({ MAX_GRAINS_PER_CALL: 1, MAX_GRAINS_PER_MINUTE: 2 });
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
  await using one = await open({ MAX_GRAINS_PER_CALL: 1 });
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

test("health is about the process: healthy on an empty store, unhealthy when the store does not answer", async () => {
  await using one = await open();
  expect(await one.service.health()).toEqual({
    ...{ status: "healthy", warnings: [], operatingMode: "caller_extracts", startedAt: one.clock.now() },
    ...{ reads: { running: 0, waiting: 0 }, writes: { waiting: 0 } },
  });
  const status = await one.service.status();
  expect(status).toMatchObject({ serverName: "flux-memory", memory: { store: { adapter: "inmemory" } } });
  await one.store.close();
  expect(await one.service.health()).toMatchObject({
    status: "unhealthy",
    // The work in the background may have failed, too.
    warnings: expect.arrayContaining([
      expect.objectContaining({
        code: "store_unavailable",
        cause: expect.objectContaining({ code: "closed" }),
      }),
    ]),
  });
  expect(await one.service.status()).not.toHaveProperty("memory");
  const abort = AbortSignal.abort(new Error("no longer wanted"));
  await expect(one.service.health({ signal: abort })).rejects.toThrow("no longer wanted");
});

test("every HEALTH_TICK_MINUTES the health is among the events, and not at all with 0", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await using one = await open({ HEALTH_TICK_MINUTES: 2 });
    const events = one.service.events();
    vi.advanceTimersByTime(2 * 60_000);
    expect((await events.next()).value).toMatchObject({ type: "health", health: { status: "healthy" } });
    const before = vi.getTimerCount();
    await using silent = await open({ HEALTH_TICK_MINUTES: 0 });
    expect(vi.getTimerCount()).toBe(before);
    await silent.service.stop();
    await one.service.stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("what failed to be indexed is made up for in the background", async () => {
  await using server = await EmbeddingServer.start();
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "none");
  await using store = new FluxStore("inmemory");
  await using service = new FluxService(store, { config: new Config({ EMBEDDER: "openai" }) });
  await service.start();
  server.failing = true;
  expect(await service.for().store("Alice likes tea")).toMatchObject({ indexed: "later" });
  server.failing = false;
  await vi.waitUntil(async () => (await service.status()).memory?.pending.jobs === 0, {
    timeout: 25_000,
  });
});

test("a service works on a file in a thread of its own as well", async () => {
  const store = new FluxStore(folder.path("flux.db"), { worker: true });
  const service = new FluxService(store, { config: new Config({ FEEDBACK_ENFORCEMENT_GRACE_SECONDS: 0 }) });
  await service.start();
  const id = await service.store("Alice likes tea");
  const { traceId, grains } = await service.retrieve("tea");
  expect(grains.map((grain) => grain.id)).toEqual([id]);
  await expect(service.retrieve("tea")).rejects.toMatchObject({ details: { pending: [{ traceId }] } });
  await service.feedback(traceId, id, { useful: true });
  expect((await service.retrieve("tea")).grains).toHaveLength(1);
  await service.stop();
  await store.close();
});

test("clients are told the workflow, the mode, the tools and the roles", async () => {
  for (const OPERATING_MODE of ["caller_extracts", "flux_extracts"] as const) {
    await using one = await open({ OPERATING_MODE, MCP_SERVER_NAME: "my-memory" });
    const told = await one.service.onboard();
    expect(told).toMatchObject({ operatingMode: OPERATING_MODE, serverName: "my-memory" });
    for (const { name } of told.tools.filter(({ name }) => /store|retrieve|feedback$/.test(name)))
      expect(told.instructions).toContain(name === "flux_pending_feedback" ? "flux_feedback" : name);
    for (const role of told.roles) expect(told.instructions).toContain(role);
    expect(told.instructions).toContain("my-memory");
    expect(told.instructions).toMatch(OPERATING_MODE === "caller_extracts" ? /each fact/ : /word for word/);
    expect(told.model).toBe(OPERATING_MODE === "caller_extracts" ? undefined : "ollama/llama3.1:8b");
  }
});

test("it is told which model derives facts, whether it answers, and none where callers extract", async () => {
  await using server = await OpenAIServer.start({ content: "[]" });
  const told = async (options: ConfigOptions, available: boolean) => {
    await using one = await open({ OPERATING_MODE: "flux_extracts", LLM_BASE_URL: server.url, ...options });
    await vi.waitUntil(async () => (await one.service.onboard()).modelAvailable === available, {
      timeout: 20_000,
    });
    const { warnings } = await one.service.health();
    return { model: (await one.service.onboard()).model, warnings: warnings.map((warning) => warning.code) };
  };
  expect(await told({}, true)).toEqual({ model: "ollama/llama3.1:8b", warnings: [] });
  server.failing = 500;
  const failing = await told({ LLM_MODEL: "ollama/qwen3:8b" }, false);
  expect(failing).toEqual({ model: "ollama/qwen3:8b", warnings: ["extractor_unavailable"] });
  await using one = await open({ LLM_BASE_URL: server.url });
  const onboarding = await one.service.onboard();
  expect(onboarding).not.toHaveProperty("model");
  expect(onboarding).not.toHaveProperty("modelAvailable");
});

test("a model of another provider is not looked for where Ollama is by default", async () => {
  vi.stubEnv("OPENAI_API_KEY", "none");
  await using server = await OpenAIServer.start({ content: "[]" });
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  await using one = await open({ OPERATING_MODE: "flux_extracts", LLM_MODEL: "openai/tiny" });
  server.models = ["tiny"];
  await vi.waitUntil(async () => (await one.service.onboard()).modelAvailable === true, { timeout: 20_000 });
});

test("following a memory ends when the service stops", async () => {
  await using one = await open();
  const memory = one.service.for();
  const events = memory.events()[Symbol.asyncIterator]();
  const first = events.next();
  await memory.store("Alice likes tea");
  expect((await first).done).toBe(false);
  await one.service.stop();
  for (let next = await events.next(); !next.done; next = await events.next());
  expect(() => memory.events()).toThrow(code("closed"));
});

test("what makes no sense is refused, with the name of the option that was meant", async () => {
  await using store = new FluxStore("inmemory");
  expect(() => new FluxService("sqlite:x" as never)).toThrow(TypeError);
  expect(() => new FluxService(store, { config: { TOP_K: 1 } as never })).toThrow(TypeError);
  expect(() => new FluxService(store, { cfg: new Config() } as never)).toThrow(/not known/);
  await using one = await open();
  expect(() => one.service.for({ user: "a" } as never)).toThrow(/not known/);
  expect(() => one.service.for({ caller: "codex:boss" })).toThrow(code("invalid_argument"));
  expect(() => one.service.for({ caller: 5 as never })).toThrow(TypeError);
  expect(() => one.service.for({ userId: "" })).toThrow(code("invalid_user_id"));
  expect(() => one.service.for({ userId: undefined } as never)).toThrow(code("invalid_user_id"));
  await expect(one.service.store("x", { userId: undefined } as never)).rejects.toThrow(
    code("invalid_user_id"),
  );
  expect(() => one.service.events({ sinal: 1 } as never)).toThrow(/not known/);
  const category = { category: "x" } as never;
  await expect(one.service.store("x", category)).rejects.toThrow(/not known/);
  await expect(one.service.store("x", null as never)).rejects.toThrow(TypeError);
  await expect(one.service.store(5 as never)).rejects.toThrow(TypeError);
  await expect(one.service.retrieve(5 as never)).rejects.toThrow(TypeError);
  await expect(one.service.retrieve("x", category)).rejects.toThrow(/not known/);
  await expect(one.service.retrieve("x", { signal: 5 as never })).rejects.toThrow(TypeError);
  await expect(one.service.for().storeBatch(null as never)).rejects.toThrow(TypeError);
  await expect(one.service.for().storeBatch([null] as never)).rejects.toThrow(TypeError);
  await expect(one.service.stop({ timeout: -1 })).rejects.toThrow(code("invalid_argument"));
});
