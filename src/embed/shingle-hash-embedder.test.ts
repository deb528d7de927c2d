import { describe, expect, test } from "vitest";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { ShingleHashEmbedder } from "./shingle-hash-embedder.ts";

const embedder = new ShingleHashEmbedder();
const document = { kind: "document" } as const;

async function cosine(a: string, b: string): Promise<number> {
  const [x = new Float32Array(), y = new Float32Array()] = await embedder.embed([a, b], document);
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
}

describe("ShingleHashEmbedder", () => {
  test.each([
    ["abc", 18],
    ["bcd", 8],
    ["hel", 7],
    ["ell", 28],
    ["llo", 17],
    ["the", 23],
    ["ing", 24],
    ["日本語", 12],
  ])("counts %s in bucket %d", async (shingle, bucket) => {
    const [vector = new Float32Array()] = await embedder.embed([shingle], document);
    expect([...vector.entries()].filter(([, value]) => value !== 0)).toEqual([[bucket, 1]]);
  });

  test.each([
    ["hello world", "hello", 0.5774],
    ["hello world", "HELLO WORLD", 1],
    ["python language", "coding in python", 0.5869],
    ["dark mode", "dark mode in all applications", 0.5188],
    ["abc", "xyz", 0],
  ])("%s and %s have the cosine %d", async (a, b, expected) => {
    expect(await cosine(a, b)).toBeCloseTo(expected, 4);
  });

  test.each([
    ["Their favorite programming language is Python.", 0.6659],
    ["The user prefers dark mode in all applications.", 0.591],
    ["They are building a multi-agent system with Flux.", 0.587],
    ["Their cat's name is Luna.", 0.3107],
  ])("a question about the coding language scores %s with %d", async (text, expected) => {
    expect(await cosine("what coding language do they like?", text)).toBeCloseTo(expected, 4);
  });

  test("counts characters, not UTF-16 units", async () => {
    const [two, three] = await embedder.embed(["👍👍", "👍👍👍"], document);
    expect(two?.every((value) => value === 0)).toBe(true);
    expect(three?.filter((value) => value === 1)).toHaveLength(1);
  });

  test("takes any text: length 1, or zero for one of fewer than three characters", async () => {
    const vectors = await embedder.embed(hostileTexts, { kind: "query" });
    vectors.forEach((vector, i) => {
      const long = [...(hostileTexts[i] ?? "")].length >= 3;
      expect(vector).toHaveLength(32);
      expect(Math.hypot(...vector)).toBeCloseTo(long ? 1 : 0, 5);
    });
  });
});
