import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { productsModuleFile } from "../../scripts/simd/assemble.ts";
import { Choices } from "./contract/seeded-randomness.ts";
import { dotProduct } from "./dot-product.ts";
import { SimdMemory } from "./simd-memory.ts";

test("the module is that of products.wat; scripts/simd/assemble.ts --update writes it", async () => {
  const file = new URL("products-module.ts", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(await productsModuleFile());
});

test("products are as near to the true ones as they are said to be", () => {
  const choices = new Choices(3);
  for (const dimensions of [1, 7, 8, 9, 100, 128, 1536]) {
    const random = (): Float32Array =>
      Float32Array.from({ length: dimensions }, () => (choices.below(2_000_001) - 1_000_000) / 1_000_000);
    const rows = Array.from({ length: 1030 }, random);
    const memory = SimdMemory.open(dimensions, rows.length);
    if (memory === undefined) throw new Error("There is no WebAssembly");
    for (const [i, row] of rows.entries()) memory.rows.set(row, i * memory.stride);
    const length = Math.sqrt(Math.max(...rows.map((row) => dotProduct(row, row))));
    // Of a query of another length after a longer one nothing is left over.
    for (const query of [random(), random().map((value) => value / 1e3), new Float32Array(dimensions)]) {
      const error = memory.error(Math.sqrt(dotProduct(query, query)), length);
      const products = memory.products(query, rows.length);
      expect(products).toHaveLength(rows.length);
      const off = Math.max(
        ...rows.map((row, i) => Math.abs(dotProduct(query, row) - (products[i] as number))),
      );
      expect(off).toBeLessThanOrEqual(error);
      expect(error).toBeLessThan(1e-4 * length * Math.max(1, dimensions));
    }
  }
});

test("where there is no WebAssembly there is no such memory, and products are true ones", async () => {
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
  const { products, error } = rows.products(new Float32Array(8).fill(1), 100_000);
  expect([products[99_999], error]).toEqual([36, 0]);
});
