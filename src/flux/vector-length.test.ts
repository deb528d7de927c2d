import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { TestEmbedder } from "../../test/support/test-embedder.ts";
import { Flux } from "./flux.ts";

/** Its vectors are those of `TestEmbedder`, each of another length. */
class RawEmbedder extends TestEmbedder {
  readonly made: Float32Array[] = [];
  override after = (vectors: readonly Float32Array[]): readonly Float32Array[] => {
    const raw = vectors.map((vector, i) => vector.map((value) => value * (i % 2 === 0 ? 170 : 0.01)));
    this.made.push(...raw);
    return raw;
  };
}

onEveryStore((store) => {
  test("vectors that an embedder did not make of length 1 count like those that are", async () => {
    const found: unknown[] = [];
    for (const embedder of [new TestEmbedder(), new RawEmbedder()]) {
      await using ledger = store.open(store.place());
      await using flux = await Flux.open(ledger, { embedder });
      const memory = flux.for({ userId: "ann" });
      const texts = ["I have a dog", "The cat sleeps", "", "A dog and a cat", "?"].filter(Boolean);
      await memory.storeBatch(texts.map((text) => ({ text, statedAt: 1_000_000 })));
      const { hits, degraded } = await memory.recall("dog", { askedAt: 2_000_000 });
      expect(degraded).toBeUndefined();
      expect(Math.max(...hits.flatMap(({ signals }) => signals.map(({ score }) => score)))).toBeLessThan(5);
      found.push(hits.map(({ text, score }) => [text, score.toFixed(4)]));
    }
    expect(found[1]).toEqual(found[0]);
  });
});

test("what an embedder returned stays as it made it", async () => {
  const embedder = new RawEmbedder();
  await using flux = await Flux.open("inmemory", { embedder });
  await flux.for({ userId: "ann" }).store("I have a dog");
  expect(Math.hypot(...(embedder.made[0] ?? []))).toBeCloseTo(170, 3);
});
