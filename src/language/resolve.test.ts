import { mistral } from "@ai-sdk/mistral";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenAIServer } from "../../test/servers/openai-server.ts";
import { describe as describeValue } from "../model/errors.ts";
import type { LanguageModel } from "./model.ts";
import { resolveLanguageModel } from "./resolve.ts";

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", "");
});
afterEach(() => vi.unstubAllEnvs());

const call = { prompt: [{ role: "system" as const, content: "x" }], maxOutputTokens: 9, temperature: 0 };

describe("resolveLanguageModel", () => {
  it.each([
    ["llama3.1:8b", "ollama/llama3.1:8b"],
    [" ollama/hf.co/someone/some-model:Q4 ", "ollama/hf.co/someone/some-model:Q4"],
    ["openai/gpt-x", "openai/gpt-x"],
    ["anthropic/claude-x", "anthropic/claude-x"],
  ])("names %j without loading anything", (choice, name) => {
    expect(resolveLanguageModel(choice)).toMatchObject({ name, timeout: 60_000 });
  });

  it("takes any model of the AI SDK", async () => {
    // The type of the package is one of ours.
    const model: LanguageModel = mistral("mistral-small-latest");
    const resolved = resolveLanguageModel({ model, timeout: 5 });
    expect(resolved).toMatchObject({ name: "mistral/mistral-small-latest", timeout: 5 });
    expect(await resolved.load()).toEqual({ model });
  });

  it("loads other providers by their package", async () => {
    const { model, probe } = await resolveLanguageModel("mistral/mistral-small-latest").load();
    expect(model).toMatchObject({
      provider: expect.stringContaining("mistral"),
      modelId: "mistral-small-latest",
    });
    expect(probe).toBeUndefined();
  });

  it("gives a provider of a package the address and the key", async () => {
    await using server = await OpenAIServer.start({ content: "hello" });
    const settings = { model: "mistral/m", baseURL: `${server.url}/v1`, apiKey: "k1" };
    const { model } = await resolveLanguageModel(settings).load();
    await model.doGenerate(call);
    expect(server.keys).toEqual(["Bearer k1"]);
  });

  it("says which package is missing", async () => {
    await expect(resolveLanguageModel("nobody-has-this/model").load()).rejects.toMatchObject({
      code: "missing_package",
      hint: "npm install @ai-sdk/nobody-has-this",
    });
  });

  it("asks OpenAI as its models want to be asked, with the key of the environment", async () => {
    await using server = await OpenAIServer.start({ content: "hello" });
    vi.stubEnv("OPENAI_API_KEY", "k2");
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1/`);
    const { model } = await resolveLanguageModel("openai/gpt-x").load();
    await model.doGenerate(call);
    expect(server.keys).toEqual(["Bearer k2"]);
    expect(server.requests[0]).toMatchObject({ model: "gpt-x", max_completion_tokens: 9 });
    expect(server.requests[0]).not.toHaveProperty("temperature");
    expect(server.requests[0]).not.toHaveProperty("max_tokens");
  });

  it.each<[string, string, number | undefined, unknown]>([
    ["that lists the model", "llama3.1:8b", undefined, undefined],
    ["that lists its latest version", "mistral", undefined, undefined],
    ["without the model", "qwen:1b", undefined, { code: "unavailable", hint: "ollama pull qwen:1b" }],
    ["that takes another key", "llama3.1:8b", 401, { code: "unauthorized" }],
    ["that fails", "llama3.1:8b", 500, { code: "unavailable" }],
    ["that lists no models", "qwen:1b", 404, undefined],
  ])("looks for a server %s", async (_name, model, failing, error) => {
    await using server = await OpenAIServer.start();
    server.models = ["llama3.1:8b", "mistral:latest"];
    server.failing = failing;
    const { probe } = await resolveLanguageModel({ model, baseURL: server.url }).load();
    const outcome = await probe?.(new AbortController().signal).catch((failure: unknown) => failure);
    if (error === undefined) expect(outcome).toBeUndefined();
    else expect(outcome).toMatchObject(error as object);
  });

  it("does not ask other servers for the name of the model, which may be one they do not list", async () => {
    await using server = await OpenAIServer.start();
    const settings = { model: "openai-compatible/mine", baseURL: `${server.url}/v1` };
    const { probe } = await resolveLanguageModel(settings).load();
    await expect(probe?.(new AbortController().signal)).resolves.toBeUndefined();
  });

  it.each([
    ...["", " ", "openai/", "a b", "x/y z", "m\nn", "m\0", "x".repeat(300)],
    ...[undefined, null, 5, true, [], {}, () => 5, { model: 5 }, { model: "m", timout: 5 }],
    ...[0, -1, 1.5, Number.NaN, "60", 3_600_001].map((timeout) => ({ model: "m", timeout })),
    ...["", "x", "ftp://x", "http://u:p@x", "http://x?key=1", 5].map((baseURL) => ({ model: "m", baseURL })),
    ...["a b", "ü", "a\n", 5].map((apiKey) => ({ model: "m", apiKey })),
    { model: "openai-compatible/m" },
    { model: mistral("m"), baseURL: "http://x" },
    { model: mistral("m"), apiKey: "k" },
  ])(`refuses $0`, (choice) => {
    let error: unknown;
    try {
      resolveLanguageModel(choice as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error, describeValue(choice)).toMatchObject({ code: "invalid_argument" });
    expect(String(error)).not.toContain("u:p");
  });
});
