import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PeerContender } from "./peers/peer-store.ts";
import { measurePeers } from "./speed-peers.ts";

interface Counted extends PeerContender {
  readonly numbers: number[];
  closed: boolean;
}

function counting(name: string, found = 1): Counted {
  const numbers: number[] = [];
  const contender = {
    ...{ name, about: "counts what it is given", numbers, closed: false },
    open: async () => ({
      add: async (texts: readonly { readonly number: number }[]) =>
        numbers.push(...texts.map(({ number }) => number)),
      search: async () => found,
      count: async () => numbers.length,
      [Symbol.asyncDispose]: async () => {
        contender.closed = true;
      },
    }),
  };
  return contender;
}

const settings = { rounds: 2, adds: 10, searches: 3, signal: new AbortController().signal };

async function measured(own: readonly Counted[], others: readonly Counted[], sizes: readonly number[]) {
  const folder = await mkdtemp(join(tmpdir(), "flux-peers-"));
  try {
    return await measurePeers({ own, others }, folder, { ...settings, sizes });
  } finally {
    await rm(folder, { recursive: true });
  }
}

it("gives each of them the same texts, up to the size that is told, and closes them", async () => {
  const all = [counting("ours"), counting("theirs"), counting("others")];
  await measured(all.slice(0, 1), all.slice(1), [250, 400]);
  for (const { numbers, closed } of all) {
    // And 100 that are added at the same time.
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(closed).toBe(true);
  }
});

it("puts each of ours beside each of the others", async () => {
  const results = await measured([counting("a"), counting("b")], [counting("c"), counting("d")], [200]);
  const pairs = results
    .filter(({ measure }) => measure === "search, p50")
    .map(({ store, peer }) => `${store} ${peer?.store}`);
  expect(pairs).toEqual(["a c", "a d", "b c", "b d"]);
  expect(new Set(results.map(({ measure }) => measure)).size).toBe(5);
  for (const { measure, figures } of results) if (measure === "kept") expect(figures.median).toBe(100);
});

it("takes no answer that is empty for a fast one", async () => {
  const empty = counting("empty", 0);
  await expect(measured([counting("ours")], [empty], [200])).rejects.toThrow("Nothing was found");
  expect(empty.closed).toBe(true);
});
