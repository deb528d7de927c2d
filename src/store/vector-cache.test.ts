import { expect, test } from "vitest";
import { Choices } from "./contract/seeded-randomness.ts";
import { dotProduct } from "./dot-product.ts";
import { type StoredVector, VectorCache, type VectorSource } from "./vector-cache.ts";

function source(vectors: readonly (readonly number[])[], removed = 0): VectorSource & { loads: number[] } {
  const loads: number[] = [];
  return {
    loads,
    count: vectors.length,
    removed,
    *load(after): Generator<StoredVector> {
      loads.push(after);
      for (const [i, vector] of vectors.entries())
        if (i + 1 > after) yield { position: i + 1, grainId: `g${i}`, vector: Float32Array.from(vector) };
    },
  };
}

const query = Float32Array.of(1, 0);
const ids = (found: readonly { readonly grainId: string }[]) => found.map(({ grainId }) => grainId);

test("the nearest come first, and of equal ones the one that was added last", () => {
  const vectors = [
    [0, 1],
    [1, 0],
    [0.6, 0.8],
    [1, 0],
    [-1, 0],
  ];
  for (const maxBytes of [0, 1024]) {
    const cache = new VectorCache({ maxBytes });
    expect(ids(cache.nearest("k", source(vectors), query, { limit: 10 }))).toEqual([
      "g3",
      "g1",
      "g2",
      "g0",
      "g4",
    ]);
    expect(ids(cache.nearest("k", source(vectors), query, { limit: 2 }))).toEqual(["g3", "g1"]);
    const allowed = new Set(["g0", "g2", "elsewhere"]);
    expect(ids(cache.nearest("k", source(vectors), query, { limit: 10, allowed }))).toEqual(["g2", "g0"]);
  }
});

test("the best of many are those of a sort", () => {
  const vectors = Array.from({ length: 500 }, (_, i) => [Math.sin(i * 7), Math.cos(i * 3)]);
  const found = new VectorCache().nearest("k", source(vectors), query, { limit: 25 });
  const sorted = vectors
    .map(([x = 0], i) => ({ grainId: `g${i}`, similarity: Math.fround(x) }))
    .sort((a, b) => b.similarity - a.similarity);
  expect(ids(found)).toEqual(ids(sorted.slice(0, 25)));
});

test("only what was added is read again, and all of it once something was removed, if a store cannot tell what", () => {
  const cache = new VectorCache();
  const search = (from: VectorSource) => ids(cache.nearest("k", from, query, { limit: 10 }));
  const first = source([[1, 0]]);
  search(first);
  search(first);
  expect(first.loads).toEqual([0]);
  const second = source([
    [1, 0],
    [0.6, 0.8],
  ]);
  expect(search(second)).toEqual(["g0", "g1"]);
  expect(second.loads).toEqual([1]);
  const third = source([[0, 1]], 1);
  expect(search(third)).toEqual(["g0"]);
  expect(third.loads).toEqual([0]);
});

test("what was not searched for the longest time is forgotten when memory is short", () => {
  const cache = new VectorCache({ maxBytes: 64 });
  const sources = new Map(
    ["a", "b", "c"].map((key) => [
      key,
      source([
        [1, 0],
        [0, 1],
      ]),
    ]),
  );
  const search = (key: string) => cache.nearest(key, sources.get(key) as VectorSource, query, { limit: 1 });
  for (const key of ["a", "b", "a", "c", "a", "b"]) search(key);
  expect([...sources.values()].map(({ loads }) => loads.length)).toEqual([1, 2, 1]);
});

test("one that does not fit is read for each search, and takes no memory of others", () => {
  const cache = new VectorCache({ maxBytes: 24 });
  const small = source([[1, 0]]);
  const large = source([
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
  ]);
  for (let times = 0; times < 2; times++) {
    cache.nearest("small", small, query, { limit: 1 });
    cache.nearest("large", large, query, { limit: 1 });
  }
  expect([small.loads, large.loads]).toEqual([[0], [0, 0]]);
});

test("vectors of any number and length are compared as one by one", () => {
  for (const dimensions of [1, 3, 8, 13]) {
    const random = (i: number): number[] =>
      Array.from({ length: dimensions }, (_, k) => Math.sin(i * 31 + k * 17));
    const asked = Float32Array.from(random(99));
    for (const count of [1, 7, 8, 9, 30]) {
      const vectors = Array.from({ length: count }, (_, i) => random(i));
      const found = new VectorCache().nearest("k", source(vectors), asked, { limit: count });
      for (const { grainId, similarity } of found)
        expect(similarity).toBe(
          dotProduct(asked, Float32Array.from(vectors[Number(grainId.slice(1))] ?? [])),
        );
      expect(found).toHaveLength(count);
    }
  }
});

test("whatever comes and goes, a copy answers as a new one does, and reads what came alone", () => {
  const choices = new Choices(7);
  const cache = new VectorCache();
  let vectors: (readonly number[] | undefined)[] = [];
  let read = 0;
  for (let round = 0; round < 300; round++) {
    vectors.push(
      ...Array.from({ length: choices.below(4) }, () => [choices.below(5) - 2, choices.below(5) - 2]),
    );
    vectors = vectors.map((one) => (choices.chance(1) ? undefined : one));
    const there = vectors.flatMap((vector, i): StoredVector[] =>
      vector === undefined ? [] : [{ position: i + 1, grainId: `g${i}`, vector: Float32Array.from(vector) }],
    );
    const from: VectorSource = {
      ...{ count: there.length, removed: vectors.length - there.length },
      load(after) {
        const behind = there.filter(({ position }) => position > after);
        read += behind.length;
        return behind;
      },
      positions: () => there.map(({ position }) => position),
    };
    const found = cache.nearest("k", from, query, { limit: 5 });
    const before = read;
    expect(found).toEqual(new VectorCache().nearest("k", from, query, { limit: 5 }));
    read = before;
  }
  // Each of them once, and those that are left once more whenever a quarter is gone.
  expect(read).toBeLessThan(4 * vectors.length);
});

test("the nearest of very many are those of a comparison one by one, in its order", () => {
  const choices = new Choices(5);
  const dimensions = 130;
  // Few different ones, so that many are equal, and others differ by less than numbers of 32 bits can tell when they are added up.
  const some = Array.from({ length: 300 }, () =>
    Array.from({ length: dimensions }, () => choices.below(201) - 100),
  );
  const vectors = Array.from({ length: 9_000 }, (_, i) => {
    const [one = [], size] = [some[choices.below(some.length)], 1 + choices.below(3) * 2 ** -24];
    return one.map((value, place) => (place === i % dimensions ? value * size : value) / 1_000);
  });
  const cache = new VectorCache();
  const rows = vectors.map((vector) => Float32Array.from(vector));
  for (let round = 0; round < 5; round++) {
    const asked = Float32Array.from(some[round * 7] ?? []);
    for (const allowed of [undefined, new Set(rows.flatMap((_, i) => (i % 3 > 0 ? `g${i}` : [])))]) {
      const found = cache.nearest("k", source(vectors), asked, { limit: 100, allowed });
      const expected = rows
        .map((row, i) => ({ grainId: `g${i}`, similarity: dotProduct(asked, row), place: i }))
        .filter(({ grainId }) => allowed === undefined || allowed.has(grainId))
        .sort((a, b) => b.similarity - a.similarity || b.place - a.place)
        .slice(0, 100)
        .map(({ grainId, similarity }) => ({ grainId, similarity }));
      expect(found).toEqual(expected);
    }
  }
});

test("a copy that grows to very many, of which some go, answers as a comparison one by one does", () => {
  const choices = new Choices(9);
  const dimensions = 64;
  const cache = new VectorCache();
  const all: StoredVector[] = [];
  const gone = new Set<number>();
  for (const size of [3_000, 5_000, 5_001, 9_000]) {
    while (all.length < size) {
      const vector = Float32Array.from({ length: dimensions }, () => (choices.below(2001) - 1000) / 8000);
      all.push({ position: all.length + 1, grainId: `g${all.length}`, vector });
    }
    for (let i = 0; i < 50; i++) gone.add(1 + choices.below(size));
    const there = all.filter(({ position }) => !gone.has(position));
    const asked = all[choices.below(size)]?.vector ?? new Float32Array(dimensions);
    const from: VectorSource = {
      ...{ count: there.length, removed: gone.size },
      load: (after) => there.filter(({ position }) => position > after),
      positions: () => there.map(({ position }) => position),
    };
    const expected = there
      .map(({ grainId, position, vector }) => ({ grainId, position, similarity: dotProduct(asked, vector) }))
      .sort((a, b) => b.similarity - a.similarity || b.position - a.position)
      .slice(0, 30)
      .map(({ grainId, similarity }) => ({ grainId, similarity }));
    expect(cache.nearest("k", from, asked, { limit: 30 })).toEqual(expected);
  }
});
