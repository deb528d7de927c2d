import { describe, expect, test } from "vitest";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { HashEmbedder } from "./hash-embedder.ts";

const document = { kind: "document" } as const;

async function cosine(a: string, b: string, embedder = new HashEmbedder()): Promise<number> {
  const [x = new Float32Array(), y = new Float32Array()] = await embedder.embed([a, b], document);
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
}

describe("HashEmbedder", () => {
  test("gives 384 dimensions of length 1, the same every time, alone and among others", async () => {
    const embedder = new HashEmbedder();
    const [alone] = await embedder.embed(["We moved to Berlin."], document);
    const [, among] = await new HashEmbedder().embed(["Something else", "We moved to Berlin."], {
      kind: "query",
    });
    expect(alone).toHaveLength(384);
    expect(Math.hypot(...(alone ?? []))).toBeCloseTo(1, 6);
    expect(among).toEqual(alone);
  });

  test("puts texts with the same words, or parts of words, close together", async () => {
    const same = await cosine("The painter lives in Paris", "a painter living in paris");
    const inflected = await cosine("painting landscapes", "she paints a landscape");
    const different = await cosine("The painter lives in Paris", "my dog eats vegetables");
    expect(same).toBeGreaterThan(0.4);
    expect(inflected).toBeGreaterThan(0.3);
    expect(Math.abs(different)).toBeLessThan(0.25);
    expect(same).toBeGreaterThan(await cosine("The painter lives in Paris", "painful liver in parish"));
  });

  test("does not tell accents, case and compatibility forms apart", async () => {
    expect(await cosine("Café ＴＯＫＹＯ", "cafe tokyo")).toBeCloseTo(1, 5);
  });

  test("finds words in scripts without spaces", async () => {
    expect(await cosine("我住在北京", "北京")).toBeGreaterThan(0.3);
    expect(await cosine("我住在北京", "上海")).toBeLessThan(0.2);
  });

  test("names its dimensions in its id", () => {
    expect(new HashEmbedder().id).not.toBe(new HashEmbedder({ dimensions: 128 }).id);
  });

  test("takes any text, and gives the zero vector for one without content", async () => {
    const embedder = new HashEmbedder({ dimensions: 64 });
    const vectors = await embedder.embed(hostileTexts, document);
    expect(vectors).toHaveLength(hostileTexts.length);
    vectors.forEach((vector, i) => {
      const length = Math.hypot(...vector);
      const content = /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(hostileTexts[i] ?? "");
      expect(length, JSON.stringify(hostileTexts[i]?.slice(0, 30))).toBeCloseTo(content ? 1 : 0, 5);
    });
    expect(await embedder.embed([], document)).toEqual([]);
  });

  test.each([0, -1, 1.5, Number.NaN, 65_537, "384"])("refuses %s dimensions", (dimensions) => {
    expect(() => new HashEmbedder({ dimensions: dimensions as number })).toThrow(
      expect.objectContaining({ code: "invalid_argument" }),
    );
  });

  test("refuses what is not text, and stops when aborted", async () => {
    const embedder = new HashEmbedder();
    const wrong = [undefined, null, 5, {}, ["a"]];
    for (const text of wrong)
      await expect(embedder.embed([text as string], document)).rejects.toMatchObject({
        code: "invalid_argument",
      });
    await expect(embedder.embed("text" as never, document)).rejects.toMatchObject({ name: "FluxTypeError" });
    await expect(embedder.embed(["a"], {} as never)).rejects.toMatchObject({ code: "invalid_argument" });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(embedder.embed(["a"], { ...document, signal })).rejects.toThrow("enough");
  });
});
