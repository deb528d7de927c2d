import { expect, test } from "vitest";
import { Choices } from "./contract/seeded-randomness.ts";
import { dotProduct } from "./dot-product.ts";
import { QuantisedRows } from "./quantised-rows.ts";

const choices = new Choices(11);

/** From -1 to 1. */
function random(): number {
  return (choices.below(2_000_001) - 1_000_000) / 1_000_000;
}

function vectors(count: number, dimensions: number, value: (row: number, i: number) => number) {
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: dimensions }, (_, i) => value(row, i)),
  );
}

/** The rows that are looked at again, after a check that the nearest are among them. */
function candidates(
  rows: readonly Float32Array[],
  query: Float32Array,
  limit: number,
  counts: (row: number) => boolean = () => true,
): readonly number[] {
  const quantised = QuantisedRows.open(query.length, rows.length);
  if (quantised === undefined) throw new Error("There is no WebAssembly");
  for (const [i, row] of rows.entries()) quantised.set(i, row);
  const found = quantised.nearest(query, rows.length, limit, counts);
  const nearest = rows
    .map((row, i) => ({ row: i, product: dotProduct(query, row) }))
    .filter(({ row }) => counts(row))
    .sort((a, b) => b.product - a.product || b.row - a.row)
    .slice(0, limit);
  const again = new Set(found);
  expect(again.size).toBe(found.length);
  expect(nearest.filter(({ row }) => !again.has(row))).toEqual([]);
  expect(found.every(counts)).toBe(true);
  return found;
}

const limit = 20;
const count = 300;

/** Vectors that are hard to tell apart in few digits, or in any. */
const families: readonly [name: string, value: (row: number, i: number) => number][] = [
  ["of any direction", random],
  ["of length zero", () => 0],
  ["that are all equal", (_row, i) => Math.sin(i)],
  ["that differ in the last bit", (row, i) => Math.sin(i) * (1 + (i === row % 9 ? 2 ** -24 : 0))],
  ["of which one number is most", (row, i) => (i === row % 5 ? random() : random() * 1e-3)],
  ["of numbers too small for all of their digits", () => random() * 1e-40],
  ["of the smallest numbers there are", () => choices.below(3) * 2 ** -149],
  ["of the smallest numbers beside large ones", (_row, i) => (i === 0 ? random() : 2 ** -149)],
  ["of the largest numbers there are", () => random() * 3.4e38],
  ["of very different lengths", (row) => random() * 10 ** (30 * Math.sin(row))],
  ["that are all behind", (_row, i) => -Math.sin(i) - 1e-3 * random()],
  ["of one sign", () => Math.abs(random())],
];

test.each(families)("the nearest are among those that are looked at again: vectors %s", (_name, value) => {
  for (const dimensions of [1, 16, 37]) {
    const rows = vectors(count, dimensions, value);
    const unlike = Float32Array.from({ length: dimensions }, random);
    for (const query of [
      ...[unlike, unlike.map((number) => number * 1e-40), unlike.map((number) => number * 3e38)],
      ...[rows[7] ?? unlike, new Float32Array(dimensions), new Float32Array(dimensions).fill(-1)],
    ]) {
      candidates(rows, query, limit);
      candidates(rows, query, limit, (row) => row % 7 === 3);
      candidates(rows, query, count + 1);
    }
  }
});

test("few rows are looked at again, also where a vector is unlike the others", () => {
  for (const dimensions of [128, 1536]) {
    const rows = vectors(1000, dimensions, random);
    rows[5] = new Float32Array(dimensions).fill(Math.sqrt(dimensions / 3), 7, 8);
    const query = Float32Array.from({ length: dimensions }, random);
    expect(candidates(rows, query, limit).length).toBeLessThan(3 * limit);
  }
});

test("products of vectors as long as they may be fit", () => {
  for (const sign of [1, -1]) {
    const rows = vectors(50, 16_000, (row) => sign * (1 - row / 1e5));
    candidates(rows, new Float32Array(16_000).fill(1), 1);
  }
});

test("a row may be written again, and there may be more of them", () => {
  const query = Float32Array.of(1, 0, 0.5);
  const quantised = QuantisedRows.open(3, 2);
  if (quantised === undefined) throw new Error("There is no WebAssembly");
  quantised.set(0, Float32Array.of(1, 0, 0));
  quantised.set(1, Float32Array.of(0.5, 0, 0));
  expect(quantised.nearest(query, 2, 1, () => true)).toEqual([0]);
  quantised.set(0, new Float32Array(3));
  expect(quantised.nearest(query, 2, 1, () => true)).toEqual([1]);
  expect(quantised.reserve(5000)).toBe(true);
  quantised.set(4999, Float32Array.of(1, 1, 1));
  expect(quantised.nearest(query, 5000, 1, () => true)).toEqual([4999]);
  expect(quantised.nearest(query, 4999, 1, () => true)).toEqual([1]);
});
