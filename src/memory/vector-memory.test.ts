import { expect, test } from "vitest";
import { HashEmbedder } from "../embed/hash-embedder.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { VectorMemory, type VectorMemoryOptions } from "./vector-memory.ts";

const inputs = (episodes: readonly { readonly input: string }[]): string[] =>
  episodes.map(({ input }) => input);

test("without arguments it compares by the 32 buckets of words, with no threshold", async () => {
  await using memory = new VectorMemory({ logger: false });
  const user = memory.for({ userId: "alice" });
  const said = [
    "The user prefers dark mode in all applications.",
    "Their favorite programming language is Python.",
    "They are building a multi-agent system with Flux.",
    "Their cat's name is Luna.",
  ];
  for (const input of said) await user.remember({ input });
  const { embedder } = await memory.status();
  expect(embedder?.id).toMatch(/shingle/);
  const matches = await user.recallScored("what coding language do they like?", { alpha: 1, limit: 4 });
  expect(matches[0]?.episode.input).toBe(said[1]);
  expect(matches[0]?.vectorScore).toBeCloseTo(0.6659, 3);
  expect(await user.recall("what coding language do they like?", { limit: 4 })).toHaveLength(4);
});

test("a threshold leaves out what is less alike", async () => {
  await using memory = new VectorMemory({ logger: false, threshold: 0.6 });
  const user = memory.for({ userId: "alice" });
  await user.remember({ input: "Their favorite programming language is Python." });
  await user.remember({ input: "Their cat's name is Luna." });
  expect(inputs(await user.recall("what coding language do they like?"))).toEqual([
    "Their favorite programming language is Python.",
  ]);
  expect(await user.recall("")).toHaveLength(2);
});

test("of episodes that come together, or are imported, as many stay as may", async () => {
  const options = { embedder: "hash", logger: false, autoExtract: false } as const;
  await using memory = new VectorMemory({ ...options, maxEpisodes: 2 });
  const user = memory.for({ userId: "alice" });
  await Promise.all(Array.from({ length: 9 }, (_, i) => user.remember({ input: `tea ${i}`, occurredAt: i })));
  expect(inputs(await user.recall(""))).toEqual(["tea 8", "tea 7"]);
  await using other = new VectorMemory({ ...options, maxEpisodes: 1 });
  const bob = other.for({ userId: "bob" });
  await bob.import(user.export());
  expect(inputs(await bob.recall(""))).toEqual(["tea 8"]);
});

test("the oldest episodes of a user go where there are too many, and nobody else's", async () => {
  const clock = new ManualClock();
  const store = inMemoryLedger({ clock });
  await using memory = new VectorMemory({ store, embedder: "hash", logger: false, maxEpisodes: 3, clock });
  const [alice, bob] = ["alice", "bob"].map((userId) => memory.for({ userId, sessionId: "s" }));
  if (alice === undefined || bob === undefined) throw new Error("no handles");
  await bob.remember({ input: "bob 0" });
  for (let i = 0; i < 7; i++) {
    clock.advance(1000);
    await alice.remember({ input: `I have a cat called Luna${i}.` });
  }
  const left = [6, 5, 4].map((i) => `I have a cat called Luna${i}.`);
  expect(inputs(await alice.recall(""))).toEqual(left);
  expect(inputs(await alice.recall("cat", { limit: 10 })).sort()).toEqual([...left].sort());
  expect(inputs(await bob.recall(""))).toEqual(["bob 0"]);
  expect((await alice.profile()).episodeCount).toBe(3);

  // An older one that comes late is the first to go.
  await alice.remember({ input: "older", occurredAt: clock.now() - 100_000 });
  expect(inputs(await alice.recall(""))).toEqual(left);
  // The same again is not one more.
  await alice.remember({ id: "e", input: "once" });
  await alice.remember({ id: "e", input: "once" });
  await alice.remember({ id: "e", input: "twice" });
  expect(inputs(await alice.recall(""))).toEqual(["twice", ...left.slice(0, 2)]);
  // What was forgotten makes room.
  await alice.forget({ ids: ["e"] });
  await alice.remember({ input: "room" });
  expect(await alice.recall("")).toHaveLength(3);
  await Promise.all(Array.from({ length: 10 }, (_, i) => bob.remember({ input: `bob ${i + 1}` })));
  expect(await bob.recall("")).toHaveLength(3);

  await memory.work({ once: true });
  const [page] = await store.read(
    [{ namespace: "default", userId: "alice" }],
    [{ type: "find", kind: "episode" }],
  );
  expect(page.items).toHaveLength(3);
});

test("what has expired takes no place of what may stay", async () => {
  const clock = new ManualClock();
  await using memory = new VectorMemory({ embedder: "hash", logger: false, maxEpisodes: 2, clock });
  const user = memory.for({ userId: "alice" });
  const soon = () => clock.now() + 1000;
  const ways: readonly (() => Promise<unknown>)[] = [
    () => user.remember({ id: "new", input: "soon gone", expiresAt: soon() }),
    async () => {
      await user.remember({ id: "e", input: "once" });
      await user.remember({ id: "e", input: "twice", expiresAt: soon() });
    },
    async () => {
      await user.remember({ id: "changed", input: "still there" });
      await user.episodes.update("changed", { expiresAt: soon() });
    },
  ];
  for (const [i, way] of ways.entries()) {
    await way();
    clock.advance(2000);
    for (const input of [`first ${i}`, `second ${i}`]) {
      clock.advance(1);
      await user.remember({ input });
    }
    expect(inputs(await user.recall(""))).toEqual([`second ${i}`, `first ${i}`]);
  }
});

test("options that do not fit are errors at once", () => {
  const wrong: readonly VectorMemoryOptions[] = [
    { threshold: 2 },
    { threshold: "0.7" as never },
    { maxEpisodes: 0 },
    { maxEpisodes: 1.5 },
    { store: "sqlite:x.db" as never },
    { maxEpisode: 5 } as never,
    { embedder: new HashEmbedder(), withFacts: 1 as never },
    5 as never,
  ];
  for (const options of wrong)
    expect(() => new VectorMemory(options)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  expect(() => new VectorMemory().for({ userId: 5 as never })).toThrow(TypeError);
});

test("facts of a memory without facts are refused before anything is loaded", () => {
  const user = new VectorMemory({ withFacts: false }).for({ userId: "alice" });
  expect(() => user.facts).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});
