import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/folder.ts";
import { writeTinyModel } from "../../test/support/tiny-model.ts";
import { HashEmbedder } from "./hash-embedder.ts";
import type { EmbeddingModel } from "./models/model.ts";
import { type EmbedderChoice, resolveEmbedder } from "./resolve.ts";

const variables = ["FLUX_EMBEDDER", "LOOMFLOW_EMBEDDER", "OPENAI_API_KEY", "OPENAI_BASE_URL"];
const folders = temporaryFolder();

beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const idOf = async (choice?: EmbedderChoice): Promise<string> => (await resolveEmbedder(choice)).id;

describe("resolveEmbedder", () => {
  test("takes the embedded default, if nothing says otherwise", async () => {
    expect(await idOf()).toMatch(/^static\//);
    vi.stubEnv("OPENAI_API_KEY", "  ");
    vi.stubEnv("FLUX_EMBEDDER", "");
    expect(await idOf()).toMatch(/^static\//);
  });

  test("takes OpenAI's small model where there is a key", async () => {
    vi.stubEnv("OPENAI_API_KEY", "key");
    expect(await resolveEmbedder()).toMatchObject({
      id: "openai/text-embedding-3-small;1536",
      dimensions: 1536,
    });
  });

  test("FLUX_EMBEDDER comes before its alias, and both before the key", async () => {
    vi.stubEnv("OPENAI_API_KEY", "key");
    vi.stubEnv("LOOMFLOW_EMBEDDER", "hash");
    expect(await idOf()).toBe("hash/1;384");
    vi.stubEnv("FLUX_EMBEDDER", " Shingle-Hash ");
    expect(await idOf()).toBe("shingle-hash/1");
    expect(await idOf("static")).toMatch(/^static\//);
  });

  test.each([
    ["hash", "hash/1;384"],
    [" HASH ", "hash/1;384"],
    ["shingle-hash", "shingle-hash/1"],
    ["openai", "openai/text-embedding-3-small;1536"],
    ["openai-small", "openai/text-embedding-3-small;1536"],
    ["openai-large", "openai/text-embedding-3-large;3072"],
    ["openai/text-embedding-ada-002", "openai/text-embedding-ada-002;1536"],
    ["mistral/mistral-embed", "mistral/mistral-embed;1024"],
    ["sentence-encoder", "sentence-encoder/use-lite-en-1"],
  ])("%s is %s", async (name, id) => {
    vi.stubEnv("MISTRAL_API_KEY", "key");
    expect(await idOf(name)).toBe(id);
  });

  test("transformers:PATH is the model in a folder", async () => {
    const model = folders.path("Model");
    await writeTinyModel(model, { tea: [1, 0] });
    expect(await resolveEmbedder(`transformers:${model}`)).toMatchObject({ dimensions: 2 });
  });

  test("an embedder is itself; a model and a client become one", async () => {
    const embedder = new HashEmbedder();
    expect(await resolveEmbedder(embedder)).toBe(embedder);
    const model: EmbeddingModel = {
      ...{ specificationVersion: "v2", provider: "some.embedding", modelId: "model" },
      ...{ maxEmbeddingsPerCall: undefined, supportsParallelCalls: false },
      doEmbed: async ({ values }) => ({ embeddings: values.map(() => [1, 2, 2]) }),
    };
    expect(await resolveEmbedder(model)).toMatchObject({ id: "some/model;3", dimensions: 3 });
    const create = vi.fn(async () => ({ data: [{ embedding: Array(1536).fill(1) }] }));
    const byClient = await resolveEmbedder({ embeddings: { create } });
    for (let i = 0; i < 2; i++) await byClient.embed(["a"], { kind: "query" });
    expect(create).toHaveBeenCalledTimes(1);
  });

  test.each(["", "unknown", "constructor", "transformers:", "hash!", "a/b/"])(
    "%j is no embedder",
    async (name) => {
      await expect(resolveEmbedder(name)).rejects.toMatchObject({
        code: expect.stringMatching(/^(invalid_argument|missing_package)$/),
      });
      vi.stubEnv("FLUX_EMBEDDER", name || "-");
      await expect(resolveEmbedder()).rejects.toMatchObject({ name: "FluxError" });
    },
  );

  test.each([[null], [5], [{}], [{ embed() {} }], [[]]])("%j is refused", async (choice) => {
    await expect(resolveEmbedder(choice as never)).rejects.toMatchObject({ name: "FluxTypeError" });
  });
});
