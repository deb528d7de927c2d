import { expect, test } from "vitest";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import { Flux } from "./flux.ts";

const stated = {
  tea: "I drink green tea",
  bike: "My bicycle is blue",
  dog: "The dog sleeps outside",
} as const;

/** An embedder for which a text about a bicycle means what a question about tea does, whatever the words say. */
function contrary(): TestEmbedder {
  const embedder = new TestEmbedder("contrary/1", 2);
  embedder.after = (vectors) =>
    vectors.map((_, i) => {
      const text = embedder.texts.at(i - vectors.length) ?? "";
      const angle = text.includes("bicycle")
        ? 0.2
        : text.includes("dog")
          ? 1.2
          : text.includes("I drink")
            ? 1.5
            : 0;
      return Float32Array.of(Math.cos(angle), Math.sin(angle));
    });
  return embedder;
}

async function openOne(embedder: TestEmbedder | false = contrary()) {
  const flux = await Flux.open("inmemory", { embedder });
  const memory = flux.for({ userId: "alice" });
  await memory.storeBatch(Object.values(stated).map((text) => ({ text })));
  return { flux, memory, embedder, [Symbol.asyncDispose]: () => flux.close() };
}

test("alpha 0 goes by words alone, 1 by vectors alone, and what is between moves from one to the other", async () => {
  await using one = await openOne();
  const scoresAt = async (alpha: number) => {
    const { hits } = await one.memory.recall("green tea?", { alpha });
    return {
      order: hits.map(({ text }) => text),
      similarities: hits.map(({ similarity }) => similarity),
      names: [...new Set(hits.flatMap(({ signals }) => signals.map(({ name }) => name)))],
      of: (text: string) => hits.find((hit) => hit.text === text)?.score ?? 0,
    };
  };
  const words = await scoresAt(0);
  expect(words.order).toEqual([stated.tea]);
  expect(words.names).toEqual(["words"]);
  const vectors = await scoresAt(1);
  expect(vectors.order[0]).toBe(stated.bike);
  expect(vectors.names).toEqual(["meaning"]);
  expect(vectors.similarities[0]).toBeCloseTo(Math.cos(0.2));
  const steps = await Promise.all([0.5, 0.6, 0.7, 0.8, 0.9, 1].map(scoresAt));
  for (const [i, step] of steps.entries()) {
    if (i > 0) expect(step.of(stated.tea)).toBeLessThan(steps[i - 1]?.of(stated.tea) ?? 0);
    expect(step.of(stated.bike)).toBeCloseTo(steps[0]?.of(stated.bike) ?? 0);
  }
  const { hits } = await one.memory.recall("green tea?");
  const half = await one.memory.recall("green tea?", { alpha: 0.5 });
  expect(half.hits.map(({ id, score }) => ({ id, score }))).toEqual(
    hits.map(({ id, score }) => ({ id, score })),
  );
});

test("with alpha 0 nothing is embedded; with 1 an embedder that fails leaves the words, and the result says so", async () => {
  const embedder = contrary();
  await using one = await openOne(embedder);
  const { calls } = embedder;
  expect((await one.memory.recall("green tea?", { alpha: 0 })).degraded).toBeUndefined();
  expect(embedder.calls).toBe(calls);
  embedder.before = () => Promise.reject(new Error("down"));
  const { hits, degraded } = await one.memory.recall("green tea?", { alpha: 1 });
  expect(hits.map(({ text }) => text)).toEqual([stated.tea]);
  expect(degraded).toMatchObject([{ code: "embedder_failed" }]);
});

test("alpha must be a number from 0 to 1, and 1 needs vectors", async () => {
  await using one = await openOne(false);
  for (const alpha of [-0.1, 1.1, Number.NaN, "1" as never, null as never])
    await expect(one.memory.recall("tea", { alpha })).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(one.memory.recall("tea", { alpha: 1 })).rejects.toMatchObject({ code: "invalid_argument" });
  expect((await one.memory.recall("tea", { alpha: 0.9 })).hits).toHaveLength(1);
});
