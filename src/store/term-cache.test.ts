import { expect, test } from "vitest";
import { Choices } from "./contract/seeded-randomness.ts";
import { TermCache, type TermSource } from "./term-cache.ts";

/** @param texts undefined for one that is gone */
function source(texts: readonly (string | undefined)[]): TermSource & { loads: number[] } {
  const loads: number[] = [];
  const entries = texts.flatMap((terms, i) =>
    terms === undefined ? [] : [{ position: i + 1, grainId: `g${i}`, terms }],
  );
  return {
    loads,
    entries: entries.length,
    terms: entries.flatMap(({ terms }) => terms.split(" ")).filter(Boolean).length,
    removed: texts.length - entries.length,
    *load(after) {
      loads.push(after);
      yield* entries.filter(({ position }) => position > after);
    },
    positions: () => entries.map(({ position }) => position),
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

test("only what was added is read again, also where something was removed", () => {
  const cache = new TermCache(large);
  const search = (from: TermSource) => cache.match("k", from, ["a"], { limit: 10 }).frequencies;
  const first = source(["a b"]);
  expect([search(first), search(first)]).toEqual([[1], [1]]);
  expect(first.loads).toEqual([0]);
  const others = Array.from({ length: 8 }, () => "b");
  const second = source(["a b", "a a", ...others]);
  expect(search(second)).toEqual([2]);
  expect(second.loads).toEqual([1]);
  const third = source([undefined, "a a", ...others, "a"]);
  expect(search(third)).toEqual([2]);
  expect(third.loads).toEqual([10]);
  const fourth = source([undefined, "a a", ...others, undefined]);
  expect(search(fourth)).toEqual([1]);
  expect(fourth.loads).toEqual([]);
  const fifth = source([undefined, "a a", ...others.map(() => undefined), undefined]);
  expect(search(fifth)).toEqual([1]);
  expect(fifth.loads).toEqual([0]);
});

test("whatever comes and goes, a copy answers as a new one does", () => {
  const choices = new Choices(7);
  const words = ["a", "b", "c", "d", "e"];
  const cache = new TermCache(large);
  let texts: (string | undefined)[] = [];
  for (let round = 0; round < 300; round++) {
    const text = (): string => Array.from({ length: choices.below(4) }, () => choices.of(words)).join(" ");
    texts.push(...Array.from({ length: choices.below(4) }, text));
    const going = choices.chance(3) ? 100 : 5;
    texts = texts.map((one) => (choices.chance(going) ? undefined : one));
    const terms = [choices.of(words), choices.of(words)];
    expect(cache.match("k", source(texts), terms, { limit: 5 })).toEqual(
      new TermCache(large).match("k", source(texts), terms, { limit: 5 }),
    );
  }
});

test("what was not searched for the longest time is forgotten when memory is short", () => {
  const cache = new TermCache(400);
  const sources = new Map(["a", "b", "c"].map((key) => [key, source(["x y", "x"])]));
  for (const key of ["a", "b", "a", "c", "a", "b"])
    cache.match(key, sources.get(key) as TermSource, ["x"], { limit: 1 });
  expect([...sources.values()].map(({ loads }) => loads.length)).toEqual([1, 2, 1]);
  expect(cache.fits({ entries: 5, terms: 5 })).toBe(false);
});
