import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { productsModuleFile } from "../../scripts/simd/assemble.ts";
import { Choices } from "./contract/seeded-randomness.ts";
import { SimdMemory } from "./simd-memory.ts";

test("the module is that of products.wat; scripts/simd/assemble.ts --update writes it", async () => {
  const file = new URL("products-module.ts", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(await productsModuleFile());
});

function opened(dimensions: number, rows: number): SimdMemory {
  const memory = SimdMemory.open(dimensions, rows);
  if (memory === undefined) throw new Error("There is no WebAssembly");
  return memory;
}

test("products are true ones, of rows of any length, and of numbers as large as they can be", () => {
  const choices = new Choices(3);
  for (const dimensions of [1, 7, 15, 16, 17, 100, 128, 1536]) {
    const query = Int16Array.from({ length: dimensions }, (_, i) =>
      i % 2 === 0 ? 10_000 : choices.below(20_001) - 10_000,
    );
    const rows = Array.from({ length: 40 }, (_, row) =>
      Int8Array.from({ length: dimensions }, () => (row < 2 ? 127 - row * 254 : choices.below(255) - 127)),
    );
    const memory = opened(dimensions, rows.length);
    for (const [i, row] of rows.entries()) memory.rows.set(row, i * memory.stride);
    const expected = rows.map((row) => query.reduce((sum, value, i) => sum + value * (row[i] ?? 0), 0));
    expect([...memory.products(query, 0, 40).subarray(0, 40)]).toEqual(expected);
    expect([...memory.products(query, 5, 3).subarray(0, 3)]).toEqual(expected.slice(5, 8));
  }
});

test("rows stay where they are when there is room for more, which are zero", () => {
  const memory = opened(20, 10);
  const query = new Int16Array(20).fill(1);
  memory.rows.set(new Int8Array(20).fill(3), 9 * memory.stride);
  const before = memory.byteLength;
  expect(memory.reserve(100_000)).toBe(true);
  expect(memory.byteLength).toBeGreaterThanOrEqual(before + 90_000 * 20);
  expect([...memory.products(query, 9, 2).subarray(0, 2)]).toEqual([60, 0]);
  memory.rows.set(new Int8Array(20).fill(-1), 99_999 * memory.stride);
  expect(memory.products(query, 99_999, 1)[0]).toBe(-20);
  // It does not become smaller, and more than it may hold there is no room for.
  expect(memory.reserve(1)).toBe(true);
  expect(memory.reserve(2 ** 30)).toBe(false);
  expect(memory.products(query, 9, 1)[0]).toBe(60);
  expect(SimdMemory.open(20, 2 ** 30)).toBeUndefined();
});

test("where there is no WebAssembly there is no such memory, and vectors are compared without it", async () => {
  vi.stubGlobal("WebAssembly", undefined);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  vi.resetModules();
  const { SimdMemory } = await import("./simd-memory.ts");
  expect(SimdMemory.open(8, 10)).toBeUndefined();
  const { VectorRows } = await import("./vector-rows.ts");
  const rows = new VectorRows(8);
  rows.reserve(100_000);
  rows.set(99_999, Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  expect(rows.byteLength).toBe(1.2 * 100_000 * 8 * 4);
  const best = rows.nearest(new Float32Array(8).fill(1), { count: 100_000, limit: 1 }, () => true);
  expect(best.list()).toEqual([{ item: 99_999, score: 36 }]);
});
