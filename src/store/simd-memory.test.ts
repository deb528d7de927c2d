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

/** What is found of rows, without a floor: their products. */
function products(memory: SimdMemory, query: Int16Array, first: number, count: number): readonly number[] {
  memory.ask(query);
  const found = memory.reach(first, count, { scale: 1, perError: 0, always: 0 }, Number.NEGATIVE_INFINITY);
  const pairs = Array.from({ length: found }, (_, i) => memory.found.slice(2 * i, 2 * i + 2));
  expect(pairs.map(([place]) => place)).toEqual(Array.from({ length: count }, (_, i) => i));
  return pairs.map(([, product = Number.NaN]) => product);
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
    expect(products(memory, query, 0, 40)).toEqual(expected);
    expect(products(memory, query, 5, 3)).toEqual(expected.slice(5, 8));
  }
});

test("what reaches a floor by its scale and its error is found", () => {
  const memory = opened(1, 6);
  memory.ask(Int16Array.of(100));
  for (let row = 0; row < 6; row++) {
    memory.rows[row * memory.stride] = row - 2;
    memory.scales.set([row === 3 ? 8 : 1, row === 4 ? 1000 : 1], 2 * row);
  }
  const reached = (perError: number, always: number, floor: number) => {
    const found = memory.reach(0, 6, { scale: 0.5, perError, always }, floor);
    return Array.from({ length: found }, (_, i) => memory.found[2 * i]);
  };
  // -100, -50, 0, 400, 100, 150.
  expect(reached(0, 0, 100)).toEqual([3, 4, 5]);
  expect(reached(0, 0, 100.5)).toEqual([3, 5]);
  expect(reached(0, 0.5, 100.5)).toEqual([3, 4, 5]);
  expect(reached(0.5, 0, 400)).toEqual([3, 4]);
  expect(reached(0.5, 0, 601)).toEqual([]);
});

test("rows stay as they are when there is room for more, which are zero", () => {
  const memory = opened(20, 10);
  const query = new Int16Array(20).fill(1);
  for (let row = 0; row < 10; row++) {
    memory.rows.fill(row, row * memory.stride, row * memory.stride + 20);
    memory.scales.set([row, -row], 2 * row);
  }
  for (const room of [11, 5000, 100_000]) {
    expect(memory.reserve(room)).toBe(true);
    expect(memory.byteLength).toBeGreaterThanOrEqual(room * (20 + 8));
    expect(products(memory, query, 0, 11)).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 0]);
    expect([...memory.scales.subarray(18, 22)]).toEqual([9, -9, 0, 0]);
  }
  memory.rows.fill(-1, 99_999 * memory.stride, 99_999 * memory.stride + 20);
  expect(products(memory, query, 99_999, 1)).toEqual([-20]);
  // It does not become smaller, and more than it may hold there is no room for.
  expect(memory.reserve(1)).toBe(true);
  expect(memory.reserve(2 ** 30)).toBe(false);
  expect(products(memory, query, 9, 1)).toEqual([180]);
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
