import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type ChatReply, OpenAIServer } from "../../test/servers/openai-server.ts";
import type { FluxError } from "../model/errors.ts";
import { generate } from "./generate.ts";
import type { LanguageModel, LanguageModelChoice, ModelUsage, PlannedCall } from "./model.ts";
import { resolveLanguageModel } from "./resolve.ts";

const schema = z.strictObject({ words: z.array(z.string()) });
const secret = "the-user-said-this";
const key = "sk-very-secret";

function ask(choice: LanguageModelChoice, signal?: AbortSignal): Promise<string[]> {
  const request = { system: "List words.", user: secret, schema, name: "words", maxOutputTokens: 50, signal };
  return generate(resolveLanguageModel(choice), request).then(({ words }) => words);
}

async function askServer(
  replies: readonly ChatReply[],
  { timeout = 5000 } = {},
): Promise<{ readonly outcome: string[] | FluxError; readonly server: OpenAIServer }> {
  await using server = await OpenAIServer.start(...replies);
  const outcome = await ask({ model: "llama3.1:8b", baseURL: server.url, apiKey: key, timeout }).catch(
    (error: unknown) => error as FluxError,
  );
  return { outcome, server };
}

const good = { content: '{"words":["tea"]}' };

/** All that can be read of an error. */
function told(error: unknown): string {
  const { message, hint, stack, cause } = Object(error) as FluxError;
  return JSON.stringify([message, hint, stack, cause === undefined ? "" : told(cause), error]);
}

describe("generate", () => {
  it("asks a server with OpenAI's protocol in one call, with form, key and temperature", async () => {
    const { outcome, server } = await askServer([good]);
    expect(outcome).toEqual(["tea"]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      ...{ model: "llama3.1:8b", temperature: 0, max_tokens: 50 },
      messages: [
        { role: "system", content: "List words." },
        { role: "user", content: secret },
      ],
      response_format: { type: "json_schema" },
    });
    expect(server.keys).toEqual([`Bearer ${key}`]);
  });

  it("has an answer of no use put right once", async () => {
    const { outcome, server } = await askServer([{ content: "tea, milk" }, good]);
    expect(outcome).toEqual(["tea"]);
    const [, again] = server.requests;
    expect(again?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(again?.messages[2]?.content).toBe("tea, milk");
    expect(again?.messages[3]?.content).toContain('"words"');
  });

  it.each<[string, ChatReply]>([
    ["empty", { content: "" }],
    ["null", { content: null }],
    ["cut off by its length before it said anything", { content: "", reasoning: "Let me", finish: "length" }],
  ])("asks again for an answer that is %s, and says that it was of no use", async (_name, reply) => {
    const { outcome, server } = await askServer([reply]);
    expect(outcome).toMatchObject({ code: "model_failed", retryable: true });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
  });

  it("takes an answer that was only thought", async () => {
    const { outcome } = await askServer([{ content: null, reasoning: 'So it is {"words":["tea"]}' }]);
    expect(outcome).toEqual(["tea"]);
  });

  it.each<[string, ChatReply, FluxError["code"], boolean]>([
    ["a refusal", { content: "", finish: "content_filter" }, "model_failed", false],
    ["prose", { content: `I cannot do that: ${secret}` }, "model_failed", true],
    ["a huge answer", { content: `[${'"x",'.repeat(400_000)}` }, "model_failed", true],
    ["a body that is no JSON", { body: "<html>" }, "model_failed", true],
    ["a body of another form", { body: '{"choices":[]}' }, "unavailable", true],
    ["a connection that ends in the middle", { ...good, drop: true }, "model_failed", true],
    [
      "a key that is not taken",
      { status: 401, body: `{"error":{"message":"bad ${key}"}}` },
      "unauthorized",
      false,
    ],
    ["a key that is not allowed", { status: 403, body: "{}" }, "unauthorized", false],
    ["a model that is not there", { status: 404, body: "{}" }, "unavailable", true],
    ["too many calls", { status: 429, body: "{}", headers: { "retry-after": "7" } }, "rate_limited", true],
    ["a failure of the service", { status: 500, body: secret }, "unavailable", true],
    ["an overloaded service", { status: 503, body: secret }, "unavailable", true],
    ["a call that is refused", { status: 413, body: secret }, "model_failed", false],
  ])("tells %s as an error, without what was said", async (_name, reply, code, retryable) => {
    const { outcome } = await askServer([reply]);
    expect(outcome).toMatchObject({ code, retryable });
    expect(told(outcome)).not.toContain(secret);
    expect(told(outcome)).not.toContain(key);
  });

  it("says how long it is asked to wait", async () => {
    const { outcome } = await askServer([{ status: 429, body: "{}", headers: { "retry-after": "7" } }]);
    expect(outcome).toMatchObject({ details: { retryAfter: 7000 } });
  });

  it("says how to get a model that Ollama does not have", async () => {
    const { outcome } = await askServer([{ status: 404, body: "{}" }]);
    expect(outcome).toMatchObject({ hint: "ollama pull llama3.1:8b" });
  });

  it.each([400, 422])("goes without forms and temperature where they are refused with %i", async (status) => {
    const { outcome, server } = await askServer([{ status, body: "{}" }, good]);
    expect(outcome).toEqual(["tea"]);
    expect(server.requests[1]).not.toHaveProperty("response_format");
    expect(server.requests[1]).not.toHaveProperty("temperature");
  });

  it("ends a call that takes too long", async () => {
    const { outcome } = await askServer([{ hang: true }], { timeout: 50 });
    expect(outcome).toMatchObject({ code: "timeout", retryable: true });
  });

  it("ends with its signal, with its reason", async () => {
    const abort = new AbortController();
    await using server = await OpenAIServer.start(() => {
      abort.abort(new Error("enough"));
      return { hang: true };
    });
    await expect(ask({ model: "m", baseURL: server.url }, abort.signal)).rejects.toThrow("enough");
  });

  it("says that a server is not there", async () => {
    const nowhere = "http://127.0.0.1:9";
    await expect(ask({ model: "m", baseURL: nowhere })).rejects.toMatchObject({ code: "unavailable" });
  });

  it("follows no redirection, which would take the text to another host", async () => {
    await using elsewhere = await OpenAIServer.start(good);
    const headers = { location: `${elsewhere.url}/chat/completions` };
    const { outcome } = await askServer([{ status: 307, headers, body: "" }]);
    expect(outcome).toMatchObject({ code: "unavailable" });
    expect(elsewhere.requests).toEqual([]);
  });
});

const model = (answer: unknown, specificationVersion = "v4"): LanguageModel => ({
  ...{ specificationVersion, provider: "scripted.chat", modelId: "m" },
  doGenerate: async () => answer as never,
});
const content = [
  { type: "reasoning", text: "Hm." },
  { type: "text", text: '{"words":' },
  { type: "source" },
  { type: "text", text: '["tea"]}' },
];

describe("a model of the AI SDK", () => {
  it.each([
    ["v2", "stop"],
    ["v3", { unified: "stop", raw: "stop" }],
    ["v4", { unified: "stop", raw: undefined }],
  ])("answers by specification %s", async (version, finishReason) => {
    expect(await ask(model({ content, finishReason }, version))).toEqual(["tea"]);
  });

  it.each(["content-filter", { unified: "content-filter" }])("refuses: %j", async (finishReason) => {
    await expect(ask(model({ content: [], finishReason }))).rejects.toMatchObject({
      ...{ code: "model_failed", retryable: false },
    });
  });

  it.each([undefined, null, {}, { content: "text" }, { content: [null, 5, { type: "text", text: 5 }] }])(
    "says that %j is no answer",
    async (answer) => {
      await expect(ask(model(answer))).rejects.toMatchObject({ code: "model_failed", retryable: true });
    },
  );
});

describe("a budget", () => {
  it("is asked before every call, and told what each has used", async () => {
    await using server = await OpenAIServer.start({ content: "tea, milk" }, good);
    const planned: PlannedCall[] = [];
    const used: ModelUsage[] = [];
    const words = await ask({
      ...{ model: "m", baseURL: server.url },
      budget: async (call) => planned.push(call) > 0,
      onUsage(usage) {
        used.push(usage);
        throw new Error("the books are closed");
      },
    });
    expect(words).toEqual(["tea"]);
    expect(planned).toHaveLength(2);
    expect(planned[0]).toEqual({
      ...{ model: "ollama/m", maxOutputTokens: 50 },
      inputUnits: "List words.".length + secret.length,
    });
    expect(used).toEqual([0, 1].map(() => ({ model: "ollama/m", inputTokens: 1, outputTokens: 1 })));
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    ["false", () => false],
    ["a promise of false", async () => false],
    ["nothing", () => undefined as never],
    [
      "an error",
      () => {
        throw new Error("who knows");
      },
    ],
  ])("that says %s has no call made", async (_name, budget) => {
    await using server = await OpenAIServer.start(good);
    await expect(ask({ model: "m", baseURL: server.url, budget })).rejects.toMatchObject({
      ...{ code: "rate_limited", retryable: true },
      details: { budget: true, retryAfter: 3_600_000 },
    });
    expect(server.requests).toEqual([]);
  });

  it("that does not answer holds nothing up for longer than the model may", async () => {
    const budget = () => new Promise<boolean>(() => undefined);
    const waiting = ask({ model: model({ content }), timeout: 20, budget });
    await expect(waiting).rejects.toMatchObject({ code: "timeout" });
  });

  it.each([
    ["v2", { inputTokens: 7, outputTokens: undefined, totalTokens: undefined }, { inputTokens: 7 }],
    [
      "v4",
      { inputTokens: { total: 7, cacheRead: 3 }, outputTokens: { total: 2 } },
      { inputTokens: 7, outputTokens: 2 },
    ],
    ["v4", undefined, {}],
    ["v4", { inputTokens: "7", outputTokens: { total: null } }, {}],
  ])("is told of what is used by specification %s: %j", async (version, usage, told) => {
    const used: ModelUsage[] = [];
    const onUsage = (one: ModelUsage) => used.push(one);
    await ask({ model: model({ content, finishReason: "stop", usage }, version), onUsage });
    expect(used).toEqual([{ model: "scripted/m", ...told }]);
  });
});
