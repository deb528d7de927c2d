import assert from "node:assert/strict";
import type { Embedder } from "../../embed/embedder.ts";
import { inputs } from "./samples.ts";
import { type Group, test } from "./suite.ts";

/** For which a bicycle means what green tea does, whatever the words say. */
const contrary: Embedder = {
  id: "contrary/1",
  dimensions: 2,
  embed: async (texts) =>
    texts.map((text) => {
      const angle = text.includes("bicycle")
        ? 0.2
        : text.includes("dog")
          ? 1.2
          : text.includes("drink")
            ? 1.5
            : 0;
      return Float32Array.of(Math.cos(angle), Math.sin(angle));
    }),
};

const tea = "I drink green tea";
const bike = "My bicycle is blue";

export const scored: Group = {
  name: "scores",
  cases: [
    test("alpha 0 goes by words alone, 1 by vectors alone, and every step between makes a difference", async ({
      open,
    }) => {
      const memory = await open({ embedder: contrary });
      const user = memory.for({ userId: "alice" });
      for (const input of [tea, bike, "The dog sleeps outside"]) await user.remember({ input });
      // Words weigh more or less with each fact that comes to the index.
      await memory.flush();
      const at = async (alpha: number) => {
        const matches = await user.recallScored("green tea?", { alpha });
        const scoreOf = (input: string) => matches.find(({ episode }) => episode.input === input)?.score ?? 0;
        return { matches, found: inputs(matches.map(({ episode }) => episode)), scoreOf };
      };
      const words = await at(0);
      assert.deepEqual(words.found, [tea]);
      assert.ok(words.matches.every(({ vectorScore }) => vectorScore === undefined));
      const vectors = await at(1);
      assert.equal(vectors.found[0], bike);
      assert.ok(vectors.matches.every(({ wordScore }) => wordScore === undefined));
      assert.ok(Math.abs((vectors.matches[0]?.vectorScore ?? 0) - Math.cos(0.2)) < 1e-4);
      let before = words.scoreOf(tea) - words.scoreOf(bike);
      for (const alpha of [0.25, 0.5, 0.51, 0.75, 0.9, 1]) {
        const { scoreOf } = await at(alpha);
        const ahead = scoreOf(tea) - scoreOf(bike);
        assert.ok(ahead < before, `alpha ${alpha}`);
        before = ahead;
      }
    }),

    test("scores fall, and each is the sum of its reasons", async ({ open }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice", sessionId: "s" });
      for (const input of [tea, bike, "Green is a colour", "Tea time is at five"])
        await user.remember({ input });
      // As above: two recalls are compared.
      await memory.flush();
      const matches = await user.recallScored("green tea");
      assert.equal(matches[0]?.episode.input, tea);
      assert.ok(matches.length > 1);
      for (const [i, { score, signals, wordScore = 0 }] of matches.entries()) {
        assert.ok(i === 0 || score <= (matches[i - 1]?.score ?? 0));
        const sum = signals.reduce((total, signal) => total + signal.score, 0);
        assert.ok(Math.abs(score - sum) < 1e-9);
        assert.ok(wordScore <= score + 1e-9);
      }
      const best = await user.recall("green tea", { limit: matches.length });
      assert.deepEqual(
        best,
        matches.map(({ episode }) => episode),
      );
    }),

    test("a match names the recall and the grain that feedback refers to", async ({ open }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await user.remember({ input: tea });
      const [match] = await user.recallScored("green tea");
      assert.ok(match?.traceId && match.grainId);
      const flux = await memory.flux();
      const { status } = await flux
        .for({ userId: "alice" })
        .feedback(match.traceId, match.grainId, { useful: true });
      assert.equal(status, "recorded");
    }),

    test("an embedder that fails leaves the words, and tells of it", async ({ open }) => {
      let down = false;
      const embedder: Embedder = {
        ...contrary,
        embed: async (texts, options) => {
          if (down) throw new Error("down");
          return contrary.embed(texts, options);
        },
      };
      const user = (await open({ embedder })).for({ userId: "alice" });
      await user.remember({ input: tea });
      down = true;
      const codes: string[] = [];
      const onDegraded = (list: readonly { readonly code: string }[]) =>
        codes.push(...list.map(({ code }) => code));
      assert.deepEqual(inputs(await user.recall("green tea", { onDegraded })), [tea]);
      assert.deepEqual(codes, ["embedder_failed"]);
      await user.remember({ input: "I drink coffee" });
      assert.deepEqual(inputs(await user.recall("coffee", { onDegraded })), ["I drink coffee"]);
    }),
  ],
};
