import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { OpenAIEmbedder, type OpenAIEmbedderOptions } from "./openai-embedder.ts";

type Request = {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: { model: string; input: string[]; dimensions?: number; encoding_format: string };
};
type Answer = (request: Request, response: ServerResponse) => void;

const document = { kind: "document" } as const;
const requests: Request[] = [];
let script: Answer[] = [];

/** Speaks the protocol of OpenAI's /v1/embeddings, as the script says. */
const server = createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const key = incoming.headers.authorization;
  const request = { url: incoming.url, key, body: JSON.parse(Buffer.concat(chunks).toString()) };
  requests.push(request);
  const answer = script.length > 1 ? script.shift() : script[0];
  answer?.(request, response);
});

const send = (status: number, body: unknown, headers = {}): Answer => {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
};
const vectors = ({ body }: Request, size = body.dimensions ?? 4) =>
  body.input.map((text, index) => ({
    object: "embedding",
    index,
    embedding: Array.from({ length: size }, (_, i) => (i === 0 ? text.length : 1)),
  }));
const good: Answer = (request, response) => {
  const usage = { prompt_tokens: 1, total_tokens: 1 };
  // Out of order, which the protocol allows.
  send(200, { object: "list", data: vectors(request).reverse(), usage })(request, response);
};

const make = (options: OpenAIEmbedderOptions = {}, model = "some-model") => {
  const { port } = server.address() as AddressInfo;
  const baseURL = `http://127.0.0.1:${port}/v1/`;
  return new OpenAIEmbedder(model, {
    baseURL,
    apiKey: "key-of-test",
    dimensions: 4,
    maxRetries: 0,
    ...options,
  });
};

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  requests.length = 0;
  vi.unstubAllEnvs();
});

describe("OpenAIEmbedder, against a server", () => {
  test("sends what the protocol asks for and puts the vectors in order", async () => {
    script = [good];
    const found = await make().embed(["a", "bbb"], document);
    expect(requests[0]).toEqual({
      url: "/v1/embeddings",
      key: "Bearer key-of-test",
      body: { model: "some-model", input: ["a", "bbb"], dimensions: 4, encoding_format: "float" },
    });
    expect(found.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual([1, 3]);
  });

  test("splits 5,000 texts into three calls", async () => {
    script = [good];
    const texts = Array.from({ length: 5000 }, (_, i) => "x".repeat((i % 7) + 1));
    const found = await make().embed(texts, document);
    expect(requests.map(({ body }) => body.input.length).sort()).toEqual([2048, 2048, 904].sort());
    expect(found.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual(texts.map((text) => text.length));
  });

  test("takes key and address from the environment", async () => {
    script = [good];
    const { port } = server.address() as AddressInfo;
    vi.stubEnv("OPENAI_API_KEY", "key-of-environment");
    vi.stubEnv("OPENAI_BASE_URL", `http://127.0.0.1:${port}/elsewhere`);
    await new OpenAIEmbedder("text-embedding-3-small", { dimensions: 4 }).embed(["a"], document);
    expect(requests[0]).toMatchObject({ url: "/elsewhere/embeddings", key: "Bearer key-of-environment" });
    vi.stubEnv("OPENAI_API_KEY", " ");
    await expect(new OpenAIEmbedder().embed(["a"], document)).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("knows the dimensions of OpenAI's models, and asks only for those that were given", async () => {
    expect(new OpenAIEmbedder().dimensions).toBe(1536);
    expect(new OpenAIEmbedder("text-embedding-3-large").dimensions).toBe(3072);
    expect(new OpenAIEmbedder("something-new").dimensions).toBe(1536);
    script = [(request, response) => send(200, { data: vectors(request, 1536) })(request, response)];
    const { port } = server.address() as AddressInfo;
    const options = { baseURL: `http://127.0.0.1:${port}`, apiKey: "k" };
    const [vector] = await new OpenAIEmbedder("text-embedding-ada-002", options).embed(["a"], document);
    expect(vector).toHaveLength(1536);
    expect(requests[0]?.body).not.toHaveProperty("dimensions");
  });

  test.each<[string, Answer, string]>([
    ["an answer that is no JSON", send(200, "<html>busy</html>"), "model_failed"],
    ["half an answer", send(200, '{"data":[{"embedding":[0.1'), "model_failed"],
    ["JSON of another form", send(200, { result: [] }), "model_failed"],
    ["null", send(200, "null"), "model_failed"],
    ["items that are no vectors", send(200, { data: [null] }), "model_failed"],
    ["too few vectors", send(200, { data: [] }), "model_failed"],
    ["too many vectors", (q, r) => send(200, { data: [...vectors(q), ...vectors(q)] })(q, r), "model_failed"],
    ["numbers as text", send(200, { data: [{ embedding: ["1", "2", "3", "4"] }] }), "model_failed"],
    [
      "one index twice",
      (q, r) => send(200, { data: vectors(q).map((v) => ({ ...v, index: 0 })) })(q, r),
      "model_failed",
    ],
    [
      "another's index",
      (q, r) => send(200, { data: vectors(q).map((v) => ({ ...v, index: v.index + 1 })) })(q, r),
      "model_failed",
    ],
    ["an overflow", send(200, '{"data":[{"embedding":[1e999,0,0,0]}]}'), "model_failed"],
    ["a shorter vector", (q, r) => send(200, { data: vectors(q, 3) })(q, r), "dimension_mismatch"],
    ["400", send(400, { error: { message: "secret text" } }), "model_failed"],
    ["401", send(401, { error: { message: "Incorrect API key provided: key-of-test" } }), "unauthorized"],
    ["429", send(429, { error: {} }, { "retry-after": "1" }), "rate_limited"],
    ["500", send(500, "oops"), "unavailable"],
    ["a connection that breaks", (_, response) => response.destroy(), "unavailable"],
  ])("%s", async (_, answer, code) => {
    script = [answer];
    const error = await make()
      .embed(["secret text", "another"], document)
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ name: "FluxError", code });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/secret|key-of-test/);
    expect(requests).toHaveLength(1);
  });

  test("gets through a rate limit and a broken server", async () => {
    script = [send(429, {}, { "retry-after-ms": "20" }), send(503, "", { "retry-after": "0" }), good];
    const started = performance.now();
    expect(await make({ maxRetries: 2 }).embed(["a"], document)).toHaveLength(1);
    expect(performance.now() - started).toBeGreaterThan(15);
    expect(requests).toHaveLength(3);
  });

  test("ends a call that takes too long", async () => {
    script = [() => {}];
    await expect(make({ timeout: 50 }).embed(["a"], document)).rejects.toMatchObject({ code: "timeout" });
  });

  test("ends when the caller aborts, with the caller's reason", async () => {
    script = [() => {}];
    const controller = new AbortController();
    const call = make().embed(["a"], { ...document, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 30);
    await expect(call).rejects.toThrow("enough");
  });

  test("a server that is not there is unavailable", async () => {
    const nowhere = make({ baseURL: "http://127.0.0.1:1/v1" });
    await expect(nowhere.embed(["a"], document)).rejects.toMatchObject({
      code: "unavailable",
      retryable: true,
    });
  });

  test("works through a client of OpenAI's package in the same way", async () => {
    const create = vi.fn(async ({ input }: { input: string[] }) => ({
      data: input.map((text, index) => ({ index, embedding: [text.length, 1, 1, 1] })).reverse(),
    }));
    const found = await make({ client: { embeddings: { create } } }).embed(["a", "bb"], document);
    expect(found.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual([1, 2]);
    expect(create.mock.calls[0]?.[0]).toMatchObject({ model: "some-model", encoding_format: "float" });
    create.mockRejectedValueOnce(Object.assign(new Error("limit"), { status: 429, headers: new Headers() }));
    const failing = make({ client: { embeddings: { create } } });
    await expect(failing.embed(["a"], document)).rejects.toMatchObject({ code: "rate_limited" });
  });

  test.each(["nope", "", "file:///etc/passwd", "http://h?key=secret", "http://h/#secret", 5, null])(
    "refuses the address %j at once",
    (baseURL) => {
      expect(() => make({ baseURL: baseURL as string })).toThrow(
        expect.objectContaining({ code: "invalid_argument", retryable: false }),
      );
    },
  );

  test("refuses an address with a password, without repeating it", async () => {
    const baseURL = "https://me:secret@example.invalid/v1";
    const caught = (call: () => unknown): unknown => {
      try {
        return call();
      } catch (error) {
        return error;
      }
    };
    const error = caught(() => make({ baseURL }));
    expect(error).toMatchObject({ code: "invalid_argument" });
    vi.stubEnv("OPENAI_BASE_URL", baseURL);
    const later = await new OpenAIEmbedder("m", { apiKey: "k" })
      .embed(["a"], document)
      .catch((error: unknown) => error);
    expect(later).toMatchObject({ code: "invalid_argument", retryable: false });
    expect(inspect([error, later], { depth: 20, showHidden: true })).not.toContain("secret");
  });

  test.each(["secret\nkey", "secret key", "sécret", 5])("refuses the key %j at once", (apiKey) => {
    let error: unknown;
    try {
      make({ apiKey: apiKey as string });
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "invalid_argument", retryable: false });
    expect(inspect(error, { depth: 20 })).not.toMatch(/s.cret(?:\n| )?key|sécret/);
  });

  test("what a client threw is not kept, but for its status", async () => {
    const create = vi.fn(async () => {
      throw Object.assign(new TypeError("secret url", { cause: { code: "ECONNREFUSED", url: "secret" } }), {
        request: { headers: { authorization: "secret" } },
      });
    });
    const error = await make({ client: { embeddings: { create } } })
      .embed(["a"], document)
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "unavailable", cause: { message: "ECONNREFUSED" } });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("secret");
  });

  test("needs the name of a model", () => {
    for (const name of ["", 5, null]) expect(() => new OpenAIEmbedder(name as string)).toThrow();
  });
});
