import { describe, expect, test } from "vitest";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { sentenceEncoder } from "./sentence-encoder.ts";

const document = { kind: "document" } as const;

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0) ?? Number.NaN;
}

describe("sentenceEncoder", async () => {
  const embedder = await sentenceEncoder();

  test("brings texts together that share no word", async () => {
    const texts = ["My cat is ill", "The kitten feels sick", "Quarterly revenue grew"];
    const [cat, kitten, revenue] = await embedder.embed(texts, document);
    expect(cat).toHaveLength(512);
    expect(Math.hypot(...(cat ?? []))).toBeCloseTo(1, 5);
    expect(cosine(cat, kitten)).toBeGreaterThan(cosine(cat, revenue) + 0.2);
  });

  test("gives a text the same vector alone and among others", async () => {
    const texts = Array.from({ length: 10 }, (_, i) => `This is sentence number ${"x".repeat(i)}`);
    const together = await embedder.embed(texts, document);
    const [alone] = await embedder.embed([texts[9] ?? ""], { kind: "query" });
    expect(cosine(alone, together[9])).toBeCloseTo(1, 4);
  });

  test("takes any text; white space alone has the zero vector", async () => {
    const vectors = await embedder.embed(hostileTexts, document);
    vectors.forEach((vector, i) => {
      const blank = (hostileTexts[i] ?? "").trim() === "";
      expect(Math.hypot(...vector), JSON.stringify(hostileTexts[i]?.slice(0, 20))).toBeCloseTo(
        blank ? 0 : 1,
        4,
      );
    });
  });
});
