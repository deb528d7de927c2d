import { expect, test, vi } from "vitest";
import { Choices } from "./contract/seeded-randomness.ts";
import { TermCache, type TermMatches, type TermSource } from "./term-cache.ts";

/** @param texts undefined for one that is gone */
function source(
  texts: readonly (string | undefined)[],
): Required<Omit<TermSource, "removedHere">> & { loads: number[] } {
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
const ids = (found: readonly { readonly grainId: string }[]) => found.map(({ grainId }) => grainId);

function bestOf(found: TermMatches, take: number) {
  const best = found.best(take);
  const terms = found.termsOf(best.map(({ entry }) => entry));
  return best.map(({ grainId }, i) => ({ grainId, ...terms[i] }));
}

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
  expect(bestOf(found, 10)).toEqual([
    { grainId: "g0", length: 3, counts: [2, 1, 0] },
    { grainId: "g1", length: 1, counts: [1, 0, 0] },
    { grainId: "g3", length: 3, counts: [1, 0, 0] },
  ]);
  const equal = cache.match("k", source(["a", "a", "a"]), ["a"], { limit: 2 });
  expect(ids(equal.best(2))).toEqual(["g2", "g1"]);
  expect(ids(equal.best(2, new Set(["g0", "elsewhere"])))).toEqual(["g0"]);
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

test.each(["all", "some", "none"])(
  "whatever comes and goes, %s of it here, a copy answers as a new one does",
  (here) => {
    const choices = new Choices(7);
    const words = ["a", "b", "c", "d", "e"];
    const cache = new TermCache(large);
    const answer = (from: TermCache, given: TermSource, terms: readonly string[]) => {
      const found = from.match("k", given, terms, { limit: 5 });
      return { frequencies: found.frequencies, best: bestOf(found, 5) };
    };
    const texts: (string | undefined)[] = [];
    for (let round = 0; round < 300; round++) {
      const text = (): string => Array.from({ length: choices.below(4) }, () => choices.of(words)).join(" ");
      texts.push(...Array.from({ length: choices.below(4) }, text));
      const going = choices.chance(3) ? 100 : 5;
      const gone = texts.flatMap((one, i) => (one !== undefined && choices.chance(going) ? [i] : []));
      for (const place of gone) texts[place] = undefined;
      const known = here === "some" && choices.chance(2) ? gone.slice(1) : here === "none" ? [] : gone;
      const given = { ...source(texts), removedHere: () => known.map((place) => place + 1) };
      const terms = [choices.of(words), choices.of(words)];
      expect(answer(cache, given, terms)).toEqual(answer(new TermCache(large), source(texts), terms));
    }
  },
);

test("where this process removed all that went, what is left is not asked for", () => {
  const cache = new TermCache(large);
  const all = Array.from({ length: 8 }, () => "a");
  cache.match("k", source(all), ["a"], { limit: 10 });
  const left = { ...source([...all.slice(1), undefined]), removedHere: () => [8] };
  const asked = vi.fn(left.positions);
  const found = cache.match("k", { ...left, positions: asked }, ["a"], { limit: 10 });
  expect([found.frequencies, ids(found.best(10))[0], asked.mock.calls]).toEqual([[7], "g6", []]);
});

test("what was not searched for the longest time is forgotten when memory is short", () => {
  const cache = new TermCache(400);
  const sources = new Map(["a", "b", "c"].map((key) => [key, source(["x y", "x"])]));
  for (const key of ["a", "b", "a", "c", "a", "b"])
    cache.match(key, sources.get(key) as TermSource, ["x"], { limit: 1 });
  expect([...sources.values()].map(({ loads }) => loads.length)).toEqual([1, 2, 1]);
  expect(cache.fits({ entries: 5, terms: 5 })).toBe(false);
});
