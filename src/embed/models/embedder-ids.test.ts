import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resolveEmbedder } from "../resolve.ts";
import { aiSdkEmbedder } from "./ai-sdk-embedder.ts";
import { OpenAIEmbedder } from "./openai-embedder.ts";

beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "k");
  vi.stubEnv("OPENAI_BASE_URL", "");
});
afterEach(() => vi.unstubAllEnvs());

const id = (options: ConstructorParameters<typeof OpenAIEmbedder>[1] = {}): string =>
  new OpenAIEmbedder("text-embedding-3-small", options).id;
const plain = "openai/text-embedding-3-small;1536";

test("the id tells another server from OpenAI's, without its path", () => {
  expect(id()).toBe(plain);
  expect(id({ baseURL: "https://api.openai.com/v1/" })).toBe(plain);
  expect(id({ baseURL: "http://127.0.0.1:11434/v1" })).toBe(`${plain};at=127.0.0.1:11434`);
  expect(id({ baseURL: "https://EXAMPLE.org/secret-path/v1" })).toBe(`${plain};at=example.org`);
  const client = { embeddings: { create: async () => ({ data: [] }) } };
  expect(id({ client })).toBe(plain);
  expect(id({ client: { ...client, baseURL: "https://some.example/v1" } as never })).toBe(
    `${plain};at=some.example`,
  );
  expect(id({ client: { ...client, baseURL: 5 } as never })).toBe(plain);
});

test("a server that the environment names is in the id, whoever makes the embedder", async () => {
  vi.stubEnv("OPENAI_BASE_URL", "http://localhost:8080/v1");
  const expected = `${plain};at=localhost:8080`;
  expect(id()).toBe(expected);
  expect((await resolveEmbedder("openai")).id).toBe(expected);
  expect((await aiSdkEmbedder("openai/text-embedding-3-small")).id).toBe(expected);
  vi.stubEnv("OPENAI_BASE_URL", "no address");
  expect(id()).toBe(plain);
});

test("the id says where texts are cut off, unless it is where they are by default", () => {
  expect(id({ maxCharacters: 8000 })).toBe(plain);
  expect(id({ maxCharacters: 2000 })).toBe(`${plain};max=2000`);
  expect(id({ maxCharacters: 2000, baseURL: "http://localhost/v1", dimensions: 4 })).toBe(
    "openai/text-embedding-3-small;4;at=localhost;max=2000",
  );
});
