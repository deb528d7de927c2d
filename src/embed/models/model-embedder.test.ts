import { describe, expect, test, vi } from "vitest";
import { aiSdkEmbedder } from "./ai-sdk-embedder.ts";
import type { EmbeddingCall, EmbeddingModel } from "./model.ts";

const document = { kind: "document" } as const;

/** A model that follows a script: one function a call, the last one for all that come after. */
function scripted(...script: ((call: EmbeddingCall) => unknown)[]) {
  const calls: EmbeddingCall[] = [];
  const model: EmbeddingModel = {
    specificationVersion: "v3",
    provider: "scripted.embedding",
    modelId: "model",
    maxEmbeddingsPerCall: 3,
    supportsParallelCalls: false,
    async doEmbed(call) {
      calls.push(call);
      const embeddings = (await (script[calls.length - 1] ?? script.at(-1) ?? lengths)(call)) as number[][];
      return { embeddings };
    },
  };
  return { model, calls };
}

const lengths = ({ values }: EmbeddingCall): number[][] => values.map((value) => [value.length, 1]);
const fails = (error: unknown) => (): never => {
  throw error;
};
const http = (statusCode: number, responseHeaders = {}): Error =>
  Object.assign(new Error("text of the user: secret"), { statusCode, responseHeaders });

describe("an embedder of an AI SDK model", () => {
  test("splits texts into calls within the model's limit, and keeps their order", async () => {
    const { model, calls } = scripted();
    const embedder = await aiSdkEmbedder(model, { dimensions: 2 });
    const texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"];
    const vectors = await embedder.embed(texts, document);
    expect(calls.map(({ values }) => values.length)).toEqual([3, 3, 1]);
    vectors.forEach((vector, i) => {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
      expect((vector[0] ?? 0) / (vector[1] ?? 1)).toBeCloseTo(i + 1, 4);
    });
    expect(embedder).toMatchObject({ id: "scripted/model;2", dimensions: 2 });
  });

  test("splits by characters too, and cuts texts that are too long without splitting a character", async () => {
    const { model, calls } = scripted();
    const options = { dimensions: 2, maxCharacters: 9, maxCharactersPerCall: 20 };
    const embedder = await aiSdkEmbedder(model, options);
    await embedder.embed(["👍".repeat(50), "x".repeat(9), "y".repeat(9)], document);
    expect(calls.map(({ values }) => values)).toEqual([["👍👍👍👍", "x".repeat(9)], ["y".repeat(9)]]);
  });

  test("calls in parallel only where the model allows it, four at a time", async () => {
    const { model } = scripted();
    let running = 0;
    let most = 0;
    const slow: EmbeddingModel = {
      ...model,
      maxEmbeddingsPerCall: Promise.resolve(1),
      supportsParallelCalls: Promise.resolve(true),
      async doEmbed(call) {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return { embeddings: lengths(call) };
      },
    };
    const texts = Array.from({ length: 12 }, (_, i) => "x".repeat(i + 1));
    const vectors = await (await aiSdkEmbedder(slow, { dimensions: 2 })).embed(texts, document);
    expect(most).toBe(4);
    expect(vectors.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual(texts.map((text) => text.length));
  });

  test("sends no empty text, and nothing that is not well-formed", async () => {
    const { model, calls } = scripted();
    const embedder = await aiSdkEmbedder(model, { dimensions: 2 });
    const vectors = await embedder.embed(["", " \n", "a\ud800b\0", "日本語"], document);
    expect(calls.map(({ values }) => values)).toEqual([["a\ufffdb\ufffd", "日本語"]]);
    expect(vectors.slice(0, 2)).toEqual([new Float32Array(2), new Float32Array(2)]);
    expect(vectors[2]?.[0]).toBeGreaterThan(0);
    await embedder.embed(["", ""], document);
    expect(await embedder.embed([], document)).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  test.each([
    ["cohere.textEmbedding", { cohere: { inputType: "search_query" } }],
    ["google.generative-ai", { google: { taskType: "RETRIEVAL_QUERY" } }],
    ["voyage", { voyage: { inputType: "query" } }],
    ["openai.embedding", undefined],
    ["constructor", undefined],
  ])("tells %s that a text is a query", async (provider, expected) => {
    const { model, calls } = scripted();
    const embedder = await aiSdkEmbedder({ ...model, provider }, { dimensions: 2 });
    await embedder.embed(["a"], { kind: "query" });
    expect(calls[0]?.providerOptions).toEqual(expected);
  });

  test("asks a model that it does not know for its dimensions, once", async () => {
    const { model, calls } = scripted();
    const embedder = await aiSdkEmbedder(model);
    expect(embedder.dimensions).toBe(2);
    expect(calls).toHaveLength(1);
    const known = await aiSdkEmbedder({ ...model, modelId: "text-embedding-3-large" });
    expect(known.dimensions).toBe(3072);
    expect(calls).toHaveLength(1);
  });

  test("tries again after a failure that may pass, waiting for longer each time", async () => {
    vi.useFakeTimers();
    try {
      const { model, calls } = scripted(fails(http(500)), fails(new TypeError("fetch failed")), lengths);
      const embedder = await aiSdkEmbedder(model, { dimensions: 2 });
      const vectors = embedder.embed(["a"], document);
      await vi.advanceTimersByTimeAsync(370);
      expect(calls).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(260);
      expect(calls).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(1300);
      expect(await vectors).toHaveLength(1);
      expect(calls).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after-ms": "1500" }, 1500],
    [new Headers({ "Retry-After": "2" }), 2000],
  ])("waits for as long as the service asks: %j", async (headers, wait) => {
    vi.useFakeTimers();
    try {
      const { model, calls } = scripted(fails(http(429, headers)), lengths);
      const vectors = (await aiSdkEmbedder(model, { dimensions: 2 })).embed(["a"], document);
      await vi.advanceTimersByTimeAsync(wait - 50);
      expect(calls).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(100);
      expect(await vectors).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("does not wait for an hour", async () => {
    const { model, calls } = scripted(fails(http(429, { "retry-after": "3600" })));
    const embedder = await aiSdkEmbedder(model, { dimensions: 2 });
    await expect(embedder.embed(["a"], document)).rejects.toMatchObject({
      code: "rate_limited",
      retryable: true,
    });
    expect(calls).toHaveLength(1);
  });

  test.each([
    [fails(http(400)), "model_failed", false],
    [fails(http(404)), "model_failed", false],
    [fails(http(401)), "unauthorized", false],
    [fails(http(403)), "unauthorized", false],
    [fails(http(429)), "rate_limited", true],
    [fails(http(503)), "unavailable", true],
    [fails(http(200)), "model_failed", true],
    [fails(Object.assign(new Error("x"), { status: 502 })), "unavailable", true],
    [fails(new TypeError("fetch failed")), "unavailable", true],
    [fails(undefined), "unavailable", true],
    [() => undefined, "model_failed", true],
    [() => [], "model_failed", true],
    [
      () => [
        [1, 2],
        [3, 4],
      ],
      "model_failed",
      true,
    ],
    [() => ["text"], "model_failed", true],
    [() => [[1, Number.NaN]], "model_failed", true],
    [() => [[1, null]], "model_failed", true],
    [() => [[1, 2, 3]], "dimension_mismatch", false],
  ])("fails as it should, case %#", async (answer, code, retryable) => {
    const { model, calls } = scripted(answer);
    const embedder = await aiSdkEmbedder(model, { dimensions: 2, maxRetries: 0 });
    const error = await embedder.embed(["a"], document).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: "FluxError", code, retryable });
    expect(String(error)).not.toContain("secret");
    expect(calls).toHaveLength(1);
  });

  test("does not try again what will not pass", async () => {
    const { model, calls } = scripted(fails(http(400)));
    const embedder = await aiSdkEmbedder(model, { dimensions: 2, maxRetries: 5 });
    await expect(embedder.embed(["a"], document)).rejects.toMatchObject({ code: "model_failed" });
    expect(calls).toHaveLength(1);
  });

  test("gives up on a call that takes too long, even one that pays no attention", async () => {
    const { model, calls } = scripted(() => new Promise(() => {}));
    const embedder = await aiSdkEmbedder(model, { dimensions: 2, timeout: 20, maxRetries: 0 });
    await expect(embedder.embed(["a"], document)).rejects.toMatchObject({ code: "timeout", retryable: true });
    expect(calls[0]?.abortSignal?.aborted).toBe(true);
  });

  test("ends with the caller's reason when aborted, in a call and between two", async () => {
    const controller = new AbortController();
    const hanging = scripted(() => new Promise(() => {}));
    const embedder = await aiSdkEmbedder(hanging.model, { dimensions: 2 });
    const call = embedder.embed(["a"], { ...document, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 10);
    await expect(call).rejects.toThrow("enough");

    const failing = scripted(fails(http(503)));
    const waiting = (await aiSdkEmbedder(failing.model, { dimensions: 2 })).embed(["a"], {
      ...document,
      signal: AbortSignal.timeout(30),
    });
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
    expect(failing.calls).toHaveLength(1);
  });

  test("after a failure, starts no more calls", async () => {
    const { model, calls } = scripted(lengths, fails(http(400)));
    const embedder = await aiSdkEmbedder(model, { dimensions: 2, maxTextsPerCall: 1 });
    await expect(embedder.embed(["a", "b", "c", "d"], document)).rejects.toMatchObject({
      code: "model_failed",
    });
    expect(calls).toHaveLength(2);
  });

  test.each([
    { dimensions: 0 },
    { dimensions: 2.5 },
    { dimensions: 2, timeout: -1 },
    { dimensions: 2, maxRetries: -1 },
    { dimensions: 2, maxCharacters: Number.NaN },
    { dimensions: 2, maxTextsPerCall: 0 },
  ])("refuses %j", async (options) => {
    await expect(aiSdkEmbedder(scripted().model, options)).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });

  test.each([[undefined], [{}], [5], [{ doEmbed: "no" }], ["gpt-4"], ["/x"], ["../x/y"], [""]])(
    "refuses %j as a model",
    async (model) => {
      await expect(aiSdkEmbedder(model as never)).rejects.toMatchObject({ code: "invalid_argument" });
    },
  );

  test("names the package of a provider that is not installed", async () => {
    await expect(aiSdkEmbedder("nobody-has-this/model")).rejects.toMatchObject({
      code: "missing_package",
      hint: "npm install @ai-sdk/nobody-has-this",
    });
  });
});
