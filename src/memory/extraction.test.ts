import { expect, test, vi } from "vitest";
import { ScriptedModel } from "../../test/support/scripted-model.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import { resolveMemory } from "./resolve.ts";
import type { MemorySpec } from "./spec.ts";

const open = (options: MemorySpec = {}) =>
  resolveMemory({ backend: "inmemory", embedder: "hash", logger: false, ...options });

test("what is remembered is extracted by itself, without flush", async () => {
  await using memory = open();
  const user = memory.for({ userId: "alice" });
  await user.remember({ input: "I live in Porto.", output: "Nice!" });
  await vi.waitFor(
    async () => {
      const [fact] = await user.recallFacts("Where do I live?");
      expect(fact?.object).toBe("Porto");
    },
    { timeout: 60_000 },
  );
});

test("a model of the memory's own reads as well; one that fails loses nothing, and keeps nobody waiting", async () => {
  const model = new ScriptedModel(() => {
    throw new Error("down");
  });
  // By this clock the model is not tried again.
  const memory = open({ model, clock: new ManualClock() });
  const user = memory.for({ userId: "alice" });
  await user.remember({
    input: "I live in Porto, and my sister Ines keeps bees in the garden.",
    output: "Nice!",
  });
  await vi.waitFor(
    async () => {
      expect(model.calls.length).toBeGreaterThan(0);
      expect(await user.recallFacts("Where do I live?")).not.toHaveLength(0);
    },
    { timeout: 60_000 },
  );
  const report = await memory.flush({ timeout: 200 });
  expect(report).toEqual({ waiting: 1, dead: 0 });
  expect(model.calls.length).toBeGreaterThan(0);
  expect((await user.recallFacts("Where do I live?")).map(({ object }) => object)).toContain("Porto");
  const { extraction } = await memory.status();
  expect(extraction.pending.jobs).toBe(1);
  model.answer = () => [];
  await memory.close({ timeout: 0 });
});

test("close waits for nothing that is tried again later, and flush for nothing that another process has to do", async () => {
  const { ledger: store } = await open().flux();
  const model = new ScriptedModel(() => {
    throw new Error("down");
  });
  const input = "I live in Porto, and my sister Ines keeps bees in the garden.";
  const memory = open({ backend: undefined, store, model });
  await memory.for({ userId: "alice" }).remember({ input });
  await memory.close();
  expect(model.calls.length).toBeGreaterThan(0);
  await using other = open({ backend: undefined, store });
  await other.for({ userId: "alice" }).remember({ input: "I like tea." });
  expect(await other.flush()).toEqual({ waiting: 1, dead: 0 });
});

test("flush and consolidate end with their signal, and check what they are given", async () => {
  const model = new ScriptedModel(() => {
    throw new Error("down");
  });
  // By this clock the model is not tried again, so flush waits for as long as it may.
  await using memory = open({ model, clock: new ManualClock() });
  const user = memory.for({ userId: "alice" });
  await user.remember({ input: "I live in Porto, and my sister Ines keeps bees in the garden." });
  const stopped = AbortSignal.abort(new Error("enough"));
  await expect(memory.flush({ signal: stopped })).rejects.toThrow("enough");
  await expect(user.consolidate({ signal: stopped })).rejects.toThrow("enough");
  const stop = new AbortController();
  const flushing = memory.flush({ signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 20);
  await expect(flushing).rejects.toThrow("enough");
  for (const timeout of [-1, Number.NaN, "5" as never])
    await expect(memory.flush({ timeout })).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(memory.flush({ timout: 5 } as never)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(memory.close({ timeout: -1 })).rejects.toMatchObject({ code: "invalid_argument" });
  await memory.close({ timeout: 0 });
});

test("what something that is forgotten had ended holds again, without anything else being remembered", async () => {
  await using memory = open();
  const user = memory.for({ userId: "alice" });
  const home = async () =>
    (await user.facts.query({ predicate: "lives_in" })).items.map(({ object }) => object);
  await user.remember({ input: "I live in Porto.", occurredAt: Date.UTC(2020, 0) });
  for (const way of ["forget", "delete"]) {
    const id = await user.remember({ input: "I moved to Berlin today.", occurredAt: Date.UTC(2021, 0) });
    await memory.flush();
    expect(await home()).toEqual(["Berlin"]);
    if (way === "forget") await user.forget({ ids: [id] });
    else await user.episodes.delete(id);
    expect(await memory.flush()).toEqual({ waiting: 0, dead: 0 });
    expect(await home()).toEqual(["Porto"]);
  }
});

test("what an episode says expires when it does, also if that is changed afterwards", async () => {
  const clock = new ManualClock();
  await using memory = open({ clock });
  const user = memory.for({ userId: "alice" });
  const [soon, later] = [clock.now() + 1000, clock.now() + 100_000];
  await user.remember({ id: "home", input: "I live in Porto." });
  await user.remember({ id: "work", input: "I work at Acme.", expiresAt: soon });
  await user.remember({ id: "a", input: "I like tea.", expiresAt: soon });
  await user.remember({ id: "b", input: "I like tea.", occurredAt: clock.now() + 1, expiresAt: soon });
  await memory.flush();
  await user.episodes.update("home", { expiresAt: soon });
  await user.episodes.update("work", { expiresAt: null });
  await user.episodes.update("b", { expiresAt: later });
  const facts = async () => (await user.facts.query()).items.map(({ object }) => object).sort();
  expect(await facts()).toEqual(["Acme", "Porto", "tea"]);
  clock.advance(2000);
  expect(await facts()).toEqual(["Acme", "tea"]);
  clock.advance(100_000);
  expect(await facts()).toEqual(["Acme"]);
});

test("consolidate reads what was remembered while autoExtract was off", async () => {
  const { ledger: store } = await open().flux();
  await using before = open({ backend: undefined, store, autoExtract: false });
  await before.for({ userId: "alice" }).remember({ input: "I live in Porto." });
  await before.for({ userId: "bob" }).remember({ input: "I live in Oslo." });
  await before.close();
  await using memory = open({ backend: undefined, store });
  const [alice, bob] = ["alice", "bob"].map((userId) => memory.for({ userId }));
  expect(await alice?.recallFacts("Where do I live?")).toEqual([]);
  expect(await alice?.consolidate()).toEqual({ waiting: 0, dead: 0 });
  expect((await alice?.recallFacts("Where do I live?"))?.map(({ object }) => object)).toEqual(["Porto"]);
  expect(await bob?.recallFacts("Where do I live?")).toEqual([]);
});
