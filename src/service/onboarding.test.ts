import { afterEach, expect, test, vi } from "vitest";
import { OpenAIServer } from "../../test/servers/openai-server.ts";
import { openService } from "../../test/support/open-service.ts";
import { Flux } from "../flux/flux.ts";
import type { ConfigOptions } from "./config-keys.ts";

afterEach(() => vi.unstubAllEnvs());

test("clients are told the workflow, the mode, the tools and the roles", async () => {
  for (const OPERATING_MODE of ["caller_extracts", "flux_extracts"] as const) {
    await using one = await openService({ OPERATING_MODE, MCP_SERVER_NAME: "my-memory" });
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
    await using one = await openService({
      OPERATING_MODE: "flux_extracts",
      LLM_BASE_URL: server.url,
      ...options,
    });
    await vi.waitUntil(async () => (await one.service.onboard()).modelAvailable === available, {
      timeout: 60_000,
    });
    const { warnings } = await one.service.health();
    return { model: (await one.service.onboard()).model, warnings: warnings.map((warning) => warning.code) };
  };
  expect(await told({}, true)).toEqual({ model: "ollama/llama3.1:8b", warnings: [] });
  server.failing = 500;
  const failing = await told({ LLM_MODEL: "ollama/qwen3:8b" }, false);
  expect(failing).toEqual({ model: "ollama/qwen3:8b", warnings: ["extractor_unavailable"] });
  await using one = await openService({ LLM_BASE_URL: server.url });
  const onboarding = await one.service.onboard();
  expect(onboarding).not.toHaveProperty("model");
  expect(onboarding).not.toHaveProperty("modelAvailable");
});

test("a model of another provider is not looked for where Ollama is by default", async () => {
  vi.stubEnv("OPENAI_API_KEY", "none");
  await using server = await OpenAIServer.start({ content: "[]" });
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  await using one = await openService({ OPERATING_MODE: "flux_extracts", LLM_MODEL: "openai/tiny" });
  server.models = ["tiny"];
  await vi.waitUntil(async () => (await one.service.onboard()).modelAvailable === true, { timeout: 60_000 });
});

test.each([{ LLM_BASE_URL: "http://127.0.0.1:9" }, { LLM_MODEL: "none" }])(
  "in flux_extracts rules keep facts whatever becomes of the model: %j",
  async (options) => {
    await using one = await openService({ OPERATING_MODE: "flux_extracts", ...options });
    const scope = { userId: "anna" };
    const memory = one.service.for(scope);
    await memory.storeBatch([
      // What callers say without more is what an agent says, and no fact.
      { text: "I live in Rome." },
      { text: "I live in Porto.", provenance: "user_stated" },
    ]);
    await using flux = await Flux.open(one.store.ledger, { embedder: false });
    const { facts } = flux.for(scope);
    await vi.waitUntil(async () => (await facts.count()) > 0, { timeout: 60_000 });
    expect((await facts.query()).items).toMatchObject([{ predicate: "lives_in", object: "Porto" }]);
  },
);

test("where callers extract nothing is derived", async () => {
  await using one = await openService();
  await one.service.store("I live in Porto.", { provenance: "user_stated" });
  const { memory } = await one.service.status();
  expect(memory?.extraction).toEqual({ mode: "caller_extracts", pending: { jobs: 0, dead: 0 } });
});

test("without a language model rules derive facts, and nothing is missing", async () => {
  await using one = await openService({ OPERATING_MODE: "flux_extracts", LLM_MODEL: "none" });
  const { memory } = await one.service.status();
  expect(memory?.extraction).toMatchObject({ mode: "flux_extracts", rules: true, pending: { jobs: 0 } });
  expect(memory?.extraction).not.toHaveProperty("model");
  expect((await one.service.health()).warnings).toEqual([]);
  expect(await one.service.onboard()).not.toHaveProperty("model");
});
