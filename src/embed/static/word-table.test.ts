import { describe, expect, test } from "vitest";
import { packTable } from "../../../scripts/word-vectors/pack.ts";
import { WordTable } from "./word-table.ts";

const words = ["tea", "coffee", "bicycle", "a"];
const vectors = [
  [1, 0.9, 0, -0.1],
  [0.9, 1, 0.1, 0],
  [-1, 0, 1, 0.5],
  [0.01, 0.01, 0.01, -0.01],
].map((vector) => Float32Array.from(vector));
const groupVectors = Array.from({ length: 16 }, (_, i) => Float32Array.from([i, 1, -i, 2]));
const related = [
  [{ word: 1, cosine: 0.9 }],
  [
    { word: 0, cosine: 0.9 },
    { word: 2, cosine: 0.51 },
  ],
];
const bytes = packTable({ name: "test", words, vectors, groupVectors, related });
const table = new WordTable(new Uint8Array(bytes));

function vectorOf(word: string): Float32Array {
  const sum = new Float32Array(table.dimensions);
  table.addWord(sum, table.indexOf(word));
  return sum;
}

describe("WordTable", () => {
  test("gives the vectors back, each component to within a sixth of the vector's size", () => {
    words.forEach((word, i) => {
      const found = vectorOf(word);
      const size = Math.hypot(...(vectors[i] ?? [])) / 2;
      found.forEach((value, k) => {
        expect(Math.abs(value - (vectors[i]?.[k] ?? 0)), word).toBeLessThan(size / 5);
      });
    });
  });

  test("gives a word that it does not have the mean of its letter groups, the same every time", () => {
    const [once, twice] = [new Float32Array(4), new Float32Array(4)];
    table.addUnknown(once, "bicycles");
    table.addUnknown(twice, "bicycles");
    expect(once).toEqual(twice);
    expect(once[1]).toBeGreaterThan(0);
  });

  test("knows the related words, best first and as many as asked for", () => {
    expect(table.related("coffee", 6).map(({ word }) => word)).toEqual(["tea", "bicycle"]);
    expect(table.related("coffee", 6)[0]?.similarity).toBeCloseTo(0.9, 2);
    expect(table.related("coffee", 1)).toHaveLength(1);
    for (const limit of [0, -1, Number.NaN]) expect(table.related("coffee", limit)).toEqual([]);
    expect(table.related("bicycle", 6)).toEqual([]);
    expect(table.related("unheard", 6)).toEqual([]);
  });

  test("changes its id with its content", () => {
    const other = packTable({ name: "test", words, vectors: [...vectors].reverse(), groupVectors, related });
    expect(table.id).toMatch(/^test;[0-9a-f]{16}$/);
    expect(new WordTable(new Uint8Array(other)).id).not.toBe(table.id);
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["text", new TextEncoder().encode("version https://git-lfs.github.com/spec/v1")],
    ["half a table", new Uint8Array(bytes.subarray(0, bytes.length / 2))],
    ["a header only", new Uint8Array(bytes.subarray(0, 20))],
    ["a header that is no JSON", Uint8Array.from(bytes, (byte, i) => (i === 8 ? 0 : byte))],
  ])("refuses %s", (_, wrong) => {
    expect(() => new WordTable(wrong)).toThrow(expect.objectContaining({ code: "storage_corrupt" }));
  });
});
