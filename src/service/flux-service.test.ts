import { afterEach, expect, test, vi } from "vitest";
import { EmbeddingServer } from "../../test/support/embedding-server.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { openService } from "../../test/support/open-service.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { Config } from "./config.ts";
import { FluxService } from "./flux-service.ts";
import { FluxStore } from "./flux-store.ts";

const folder = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

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
  await using one = await openService({}, { place, clock });
  await using two = await openService({}, { place, clock });
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

test("stop waits for calls under way, and gives them up at its deadline", async () => {
  await using server = await EmbeddingServer.start();
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "none");
  for (const timeout of [60_000, 20]) {
    const one = await openService({ EMBEDDER: "openai" });
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

test("following a memory ends when the service stops", async () => {
  await using one = await openService();
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
  await using one = await openService();
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
