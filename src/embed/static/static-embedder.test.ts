import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { hostileTexts } from "../../../test/support/hostile-texts.ts";
import { readTable } from "./load-table.ts";
import { staticEmbedder, tableEmbedder } from "./static-embedder.ts";
import { aligned, sectionNames } from "./word-table.ts";

const document = { kind: "document" } as const;
const file = new URL("../../../data/words-en.bin", import.meta.url);
const folders = temporaryFolder();
const embedder = await staticEmbedder();

async function cosine(a: string, b: string): Promise<number> {
  const [x = new Float32Array(), y = new Float32Array()] = await embedder.embed([a, b], document);
  return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
}

describe("staticEmbedder", () => {
  test("brings texts of like meaning together", async () => {
    const close = await cosine("Is the cat sick?", "My kitten has been ill since Monday");
    const far = await cosine("Is the cat sick?", "The quarterly budget was approved");
    expect(close).toBeGreaterThan(far + 0.3);
    expect(await cosine("She plays the violin", "Which instrument is she learning?")).toBeGreaterThan(0.3);
  });

  test("gives length 1, the same every time, for queries and documents alike", async () => {
    const [alone] = await embedder.embed(["We moved to Lisbon"], { kind: "query" });
    const [, among] = await embedder.embed(["other", "We moved to Lisbon"], document);
    expect(alone).toEqual(among);
    expect(Math.hypot(...(alone ?? []))).toBeCloseTo(1, 5);
    expect(embedder).toMatchObject({
      dimensions: 128,
      id: expect.stringMatching(/^static\/1;words-en;[0-9a-f]{16}$/),
    });
  });

  test("counts words without content for little, and not their order, case or accents", async () => {
    expect(await cosine("the violin", "a violin")).toBeGreaterThan(0.75);
    expect(await cosine("dog bites man", "Man BITES dog!")).toBeCloseTo(1, 5);
    expect(await cosine("café", "cafe")).toBeCloseTo(1, 5);
  });

  test("gives words that it does not know a vector from their letters", async () => {
    expect(embedder.related("rewatchingly", 3)).toEqual([]);
    expect(await cosine("unhappinesses", "unhappiness")).toBeGreaterThan(0.3);
    expect(await cosine("Übergrößenträger", "übergrößenträger")).toBeCloseTo(1, 5);
    expect(await cosine("北京大学", "北京")).toBeGreaterThan(0.2);
    expect(Math.abs(await cosine("qzxvkw", "jfpwqy"))).toBeLessThan(0.6);
  });

  test("takes any text; without words it is the zero vector", async () => {
    const vectors = await embedder.embed(hostileTexts, document);
    vectors.forEach((vector, i) => {
      const length = Math.hypot(...vector);
      expect(length === 0 || Math.abs(length - 1) < 1e-4, JSON.stringify(hostileTexts[i]?.slice(0, 20))).toBe(
        true,
      );
    });
    expect(Math.hypot(...(vectors[0] ?? []))).toBe(0);
    const [numbers, signs] = await embedder.embed(["2024 15,000 3.14", "?!… --"], document);
    expect(numbers).toEqual(new Float32Array(128));
    expect(signs).toEqual(new Float32Array(128));
    expect(await embedder.embed([], document)).toEqual([]);
  });

  test("knows related words: close ones, best first, none with the same stem", () => {
    const related = embedder.related("doctor", 6);
    expect(related.map(({ word }) => word)).toContain("physician");
    expect(related.map(({ word }) => word)).not.toContain("doctors");
    const similarities = related.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    expect(Math.min(...similarities)).toBeGreaterThanOrEqual(0.49);
    expect(embedder.related("Doctor", 2)).toEqual(related.slice(0, 2));
    for (const word of ["", "\ud800", "日本", "__proto__", "x".repeat(10_000)])
      expect(embedder.related(word, 6)).toEqual([]);
  });
});

describe("the shipped table", () => {
  test("is what its hash says, and at most 6 MB", async () => {
    const bytes = await readFile(file);
    const header = JSON.parse(bytes.subarray(8, 8 + bytes.readUInt32LE(4)).toString());
    const hash = createHash("sha256");
    let start = aligned(8 + bytes.readUInt32LE(4));
    for (const name of sectionNames) {
      hash.update(bytes.subarray(start, start + header.sections[name]));
      start = aligned(start + header.sections[name]);
    }
    expect(header.hash).toBe(hash.digest("hex").slice(0, 16));
    expect(start).toBe(bytes.byteLength);
    expect(bytes.byteLength).toBeLessThan(6_000_000);
  });

  test("comes over HTTP as from a file", async () => {
    const bytes = await readFile(file);
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/table" ? 200 : 404).end(request.url === "/table" ? bytes : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const fetched = tableEmbedder(await readTable(new URL("/table", base)));
      const texts = ["Is the cat sick?", "北京"];
      expect(fetched.id).toBe(embedder.id);
      expect(await fetched.embed(texts, document)).toEqual(await embedder.embed(texts, document));
      const missing = readTable(new URL("/other", base));
      await expect(missing).rejects.toMatchObject({ code: "unavailable", retryable: true });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("one that is missing or damaged is reported as such", async () => {
    const missing = pathToFileURL(folders.path("none.bin"));
    await expect(readTable(missing)).rejects.toMatchObject({ code: "unavailable", retryable: false });
    const damaged = folders.path("damaged.bin");
    await writeFile(damaged, (await readFile(file)).subarray(0, 100_000));
    await expect(readTable(pathToFileURL(damaged))).rejects.toMatchObject({ code: "storage_corrupt" });
  });
});
