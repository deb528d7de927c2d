import { cp } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { writeTinyModel } from "../../../test/support/tiny-model.ts";
import { transformersEmbedder } from "./transformers-embedder.ts";

const words = {
  tea: [3, 4, 0, 0],
  coffee: [4, 3, 0, 0],
  car: [0, 0, 1, 0],
  ":": [0, 0, 0, 0],
  query: [0, 0, 0, 5],
};
const document = { kind: "document" } as const;
const folders = temporaryFolder();
const model = folders.path("model");
await writeTinyModel(model, words);

function rounded(vectors: readonly Float32Array[]): number[][] {
  return vectors.map((vector) => Array.from(vector, (value) => Math.round(value * 1000) / 1000));
}

describe("transformersEmbedder, with a model in a folder", () => {
  test("gives the mean of the tokens, of length 1, in the order of the texts", async () => {
    const embedder = await transformersEmbedder({ model });
    const vectors = await embedder.embed(["tea", "a car, a car", "Tea tea", "coffee"], document);
    expect(rounded(vectors)).toEqual([
      [0.6, 0.8, 0, 0],
      [0, 0, 1, 0],
      [0.6, 0.8, 0, 0],
      [0.8, 0.6, 0, 0],
    ]);
    expect(embedder.dimensions).toBe(4);
  });

  test("a text has the same vector alone and among many", async () => {
    const embedder = await transformersEmbedder({ model });
    const texts = Array.from({ length: 30 }, (_, i) => ["tea", "coffee car tea", "car"][i % 3] ?? "");
    const together = rounded(await embedder.embed(texts, document));
    for (let i = 0; i < 3; i++)
      expect(rounded(await embedder.embed([texts[i] ?? ""], document))[0]).toEqual(together[i + 27]);
  });

  test("puts the prefix before queries only", async () => {
    const embedder = await transformersEmbedder({ model, queryPrefix: "query: " });
    expect(rounded(await embedder.embed(["car"], document))).toEqual([[0, 0, 1, 0]]);
    const [query] = await embedder.embed(["car"], { kind: "query" });
    expect(query?.[3]).toBeGreaterThan(0.9);
  });

  test("takes any text; white space alone has the zero vector", async () => {
    const embedder = await transformersEmbedder({ model });
    const vectors = await embedder.embed(hostileTexts, document);
    expect(vectors).toHaveLength(hostileTexts.length);
    expect(vectors.every((vector) => vector.length === 4 && vector.every(Number.isFinite))).toBe(true);
    expect(vectors.slice(0, 2)).toEqual([new Float32Array(4), new Float32Array(4)]);
    expect(await embedder.embed([], document)).toEqual([]);
  });

  test("is known by the content of the folder and by what was chosen, not by the path", async () => {
    const [copy, other] = [folders.path("copy"), folders.path("other")];
    await cp(model, copy, { recursive: true });
    await writeTinyModel(other, { ...words, car: [0, 0, 2, 1] });
    const id = async (options: object): Promise<string> =>
      (await transformersEmbedder({ model, ...options })).id;
    const first = await id({});
    expect(await id({ model: copy })).toBe(first);
    const different = [
      await id({ model: other }),
      await id({ pooling: "cls" }),
      await id({ queryPrefix: "query: " }),
    ];
    expect(new Set([first, ...different]).size).toBe(4);
    expect(first).not.toContain(model);
  });

  test("stops between two pieces of work when aborted", async () => {
    const embedder = await transformersEmbedder({ model });
    const controller = new AbortController();
    const call = embedder.embed(Array(200).fill("tea"), { ...document, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")));
    await expect(call).rejects.toThrow("enough");
    expect(await embedder.embed(["tea"], document)).toHaveLength(1);
  });

  test("says what is wrong with a folder without a model, and with no name at all", async () => {
    const empty = folders.path(".");
    await expect(transformersEmbedder({ model: empty })).rejects.toMatchObject({ code: "model_failed" });
    await expect(transformersEmbedder({ model, dtype: "q4" })).rejects.toMatchObject({
      code: "model_failed",
    });
    for (const name of ["", undefined, 5])
      await expect(transformersEmbedder({ model: name as string })).rejects.toMatchObject({
        code: "invalid_argument",
      });
  });
});
