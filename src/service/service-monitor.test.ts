import { afterEach, expect, test, vi } from "vitest";
import { EmbeddingServer } from "../../test/support/embedding-server.ts";
import { openService } from "../../test/support/open-service.ts";
import { Config } from "./config.ts";
import { FluxService } from "./flux-service.ts";
import { FluxStore } from "./flux-store.ts";

afterEach(() => vi.unstubAllEnvs());

test("health is about the process: healthy on an empty store, unhealthy when the store does not answer", async () => {
  await using one = await openService();
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
    await using one = await openService({ HEALTH_TICK_MINUTES: 2 });
    const events = one.service.events();
    vi.advanceTimersByTime(2 * 60_000);
    expect((await events.next()).value).toMatchObject({ type: "health", health: { status: "healthy" } });
    const before = vi.getTimerCount();
    await using silent = await openService({ HEALTH_TICK_MINUTES: 0 });
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
    timeout: 60_000,
  });
});
