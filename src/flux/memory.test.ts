import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { texts } from "../../test/support/listed.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { Flux } from "./flux.ts";

onEveryStore((store) => {
  test("the ids of another user lead nowhere", async () => {
    await using one = await openMemory(store);
    const { id, grainIds } = await one.memory.store("Alice likes tea");
    for (const scope of [
      { userId: "bob" },
      { userId: null },
      { userId: "alice", namespace: "other" },
      { userId: "Alice" },
    ]) {
      const other = one.flux.for(scope);
      for (const mine of [id, ...grainIds]) {
        expect(await other.get(mine)).toBeUndefined();
        await expect(other.archive(mine)).rejects.toMatchObject({ code: "not_found" });
        await expect(other.erase({ id: mine })).rejects.toMatchObject({ code: "not_found" });
      }
      expect(await texts(other)).toEqual([]);
      await other.erase({ everything: true });
    }
    expect(await one.memory.get(id)).toMatchObject({ status: "active" });
  });

  test("a memory that is closed answers nothing any more", async () => {
    await using one = await openMemory(store);
    const { memory } = one;
    const { id } = await memory.store("text");
    await one.flux.close();
    const calls: (() => Promise<unknown>)[] = [
      () => memory.store("x"),
      () => memory.remember("x"),
      () => memory.storeBatch([]),
      () => memory.recall("x"),
      () => memory.retrieve("x"),
      () => memory.feedback("x", "x", { useful: true }),
      () => memory.feedbackBatch([]),
      () => memory.pendingFeedback(),
      () => memory.get(id),
      () => memory.list(),
      () => memory.update(id, { pinned: true }),
      () => memory.archive(id),
      () => memory.purge(id),
      () => memory.undo(id),
      () => memory.erase({ id }),
      () => memory.export()[Symbol.asyncIterator]().next(),
      () => memory.import([]),
      async () => memory.events(),
      () => memory.health(),
    ];
    for (const call of calls) await expect(call(), String(call)).rejects.toMatchObject({ code: "closed" });
  });

  test("options that are not known are refused by every call", async () => {
    await using one = await openMemory(store);
    const { memory } = one;
    const { id } = await memory.store("text");
    const wrong = { colour: "red" } as never;
    const calls: (() => Promise<unknown>)[] = [
      () => memory.store("x", wrong),
      () => memory.storeBatch([], wrong),
      () => memory.recall("x", wrong),
      () => memory.feedback("x", "x", wrong),
      () => memory.feedbackBatch([], wrong),
      () => memory.pendingFeedback(wrong),
      () => memory.get(id, wrong),
      () => memory.list(wrong),
      () => memory.update(id, { pinned: true }, wrong),
      () => memory.update(id, wrong),
      () => memory.archive(id, wrong),
      () => memory.purge(id, wrong),
      () => memory.undo(id, wrong),
      () => memory.erase({ id }, wrong),
      async () => memory.export(wrong),
      () => memory.import([], wrong),
      async () => memory.events(wrong),
      () => memory.health(wrong),
    ];
    for (const call of calls)
      await expect(call(), String(call)).rejects.toMatchObject({ code: "invalid_argument" });
    expect(await texts(memory)).toEqual(["text"]);
  });

  test("health has the figures of this memory alone", async () => {
    await using one = await openMemory(store);
    expect(await one.memory.health()).toEqual({
      ...{ status: "healthy", degraded: [], records: 0, bytes: 0, pendingFeedback: 0 },
      grains: { active: 0, dormant: 0, quarantined: 0, archived: 0 },
    });
    await one.flux.for({ userId: "bob" }).store("of Bob");
    const { id } = await one.memory.store("one");
    await one.memory.storeBatch(Array.from({ length: 20 }, (_, i) => ({ text: `text ${i}` })));
    await one.memory.archive(id);
    await one.memory.recall("text");
    expect(await one.memory.health()).toMatchObject({
      ...{ status: "healthy", records: 42, bytes: expect.any(Number), pendingFeedback: 1 },
      grains: { active: 20, dormant: 0, quarantined: 0, archived: 1 },
    });
    await using other = await Flux.open(one.ledger, { clock: one.clock, embedder: false });
    expect(await other.for({ userId: "alice" }).health()).toMatchObject({
      ...{ status: "degraded", degraded: [{ code: "embedder_missing" }], pendingFeedback: 1 },
    });
    await expect(one.memory.health({ all: true } as never)).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});
