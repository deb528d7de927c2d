/** The packages that users bring, as they are, against a server of our own. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createMistral } from "@ai-sdk/mistral";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aiSdkEmbedder } from "./ai-sdk-embedder.ts";
import { OpenAIEmbedder } from "./openai-embedder.ts";

const document = { kind: "document" } as const;
let server: Server;
let baseURL: string;
let statuses: number[];
let inputs: string[][];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    inputs.push(input);
    const status = statuses.shift() ?? 200;
    const headers = { "content-type": "application/json", "retry-after-ms": "5" };
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 1, 1] }));
    const usage = { prompt_tokens: 1, total_tokens: 1 };
    const body = status === 200 ? { object: "list", data, usage, model: "m" } : { error: { message: "no" } };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  statuses = [];
  inputs = [];
});

const makers = {
  "a provider of the AI SDK": (maxRetries: number) =>
    aiSdkEmbedder(createMistral({ baseURL, apiKey: "key" }).embeddingModel("some-model"), {
      dimensions: 3,
      maxRetries,
    }),
  "a client of the package openai": async (maxRetries: number) =>
    new OpenAIEmbedder("some-model", {
      client: new OpenAI({ baseURL, apiKey: "key" }),
      dimensions: 3,
      maxRetries,
    }),
};

describe.each(Object.entries(makers))("%s", (_, make) => {
  test("embeds, in order", async () => {
    const vectors = await (await make(0)).embed(["a", "bb", "cccc"], document);
    expect(vectors.map(([x = 0, y = 1]) => Math.round(x / y))).toEqual([1, 2, 4]);
    expect(inputs).toEqual([["a", "bb", "cccc"]]);
  });

  test("is called again after a rate limit and a failure, by us alone", async () => {
    statuses = [429, 503];
    expect(await (await make(2)).embed(["a"], document)).toHaveLength(1);
    expect(inputs).toHaveLength(3);
  });

  test.each([
    [400, "model_failed"],
    [401, "unauthorized"],
    [429, "rate_limited"],
    [500, "unavailable"],
  ])("HTTP %d is %s", async (status, code) => {
    statuses = [status];
    await expect((await make(0)).embed(["a"], document)).rejects.toMatchObject({ name: "FluxError", code });
    expect(inputs).toHaveLength(1);
  });
});
