import { expect, test } from "vitest";
import { TermCache, type TermSource } from "./term-cache.ts";

function source(texts: readonly string[], removed = 0): TermSource & { loads: number[] } {
  const loads: number[] = [];
  return {
    loads,
    entries: texts.length,
    terms: texts.join(" ").split(" ").filter(Boolean).length,
    removed,
    *load(after) {
      loads.push(after);
      for (const [i, terms] of texts.entries())
        if (i + 1 > after) yield { position: i + 1, grainId: `g${i}`, terms };
    },
  };
}

const large = 1 << 20;
const ids = (found: { readonly candidates: readonly { readonly grainId: string }[] }) =>
  found.candidates.map(({ grainId }) => grainId);

test("a match has frequencies, lengths and counts, the best first", () => {
  const cache = new TermCache(large);
  const found = cache.match(
    "k",
    source(["tea tea milk", "tea", "", "bread and tea", "bread"]),
    ["tea", "milk", "x"],
    {
      limit: 10,
    },
  );
  expect(found.frequencies).toEqual([3, 1, 0]);
  expect(found.candidates).toEqual([
    { grainId: "g0", length: 3, counts: [2, 1, 0] },
    { grainId: "g1", length: 1, counts: [1, 0, 0] },
    { grainId: "g3", length: 3, counts: [1, 0, 0] },
  ]);
  expect(ids(cache.match("k", source(["a", "a", "a"]), ["a"], { limit: 2 }))).toEqual(["g2", "g1"]);
  const allowed = new Set(["g0", "elsewhere"]);
  expect(ids(cache.match("k", source(["a", "a", "a"]), ["a"], { limit: 2, allowed }))).toEqual(["g0"]);
});

test("only what was added is read again, and all of it once something was removed", () => {
  const cache = new TermCache(large);
  const search = (from: TermSource) => cache.match("k", from, ["a"], { limit: 10 }).frequencies;
  const first = source(["a b"]);
  expect([search(first), search(first)]).toEqual([[1], [1]]);
  expect(first.loads).toEqual([0]);
  const second = source(["a b", "a a"]);
  expect(search(second)).toEqual([2]);
  expect(second.loads).toEqual([1]);
  const third = source(["b"], 1);
  expect(search(third)).toEqual([0]);
  expect(third.loads).toEqual([0]);
});

test("what was not searched for the longest time is forgotten when memory is short", () => {
  const cache = new TermCache(400);
  const sources = new Map(["a", "b", "c"].map((key) => [key, source(["x y", "x"])]));
  for (const key of ["a", "b", "a", "c", "a", "b"])
    cache.match(key, sources.get(key) as TermSource, ["x"], { limit: 1 });
  expect([...sources.values()].map(({ loads }) => loads.length)).toEqual([1, 2, 1]);
  expect(cache.fits({ entries: 5, terms: 5 })).toBe(false);
});
