import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { partition } from "../model/partition.ts";
import { find } from "../store/read.ts";
import { createAnalyser } from "../text/analyser.ts";

const alice = partition({ userId: "alice" });
const hour = 3_600_000;

onEveryStore((store) => {
  test("what is purged is hidden at once, and comes back as it was", async () => {
    await using one = await openMemory(store);
    const { id, grainIds } = await one.memory.store("The key is under the mat", {
      metadata: { a: 1 },
      author: "Ann",
    });
    const { id: other } = await one.memory.store("The dog is called Rex");
    const before = await one.memory.get(id);
    const receipt = await one.memory.purge(id, { undoWindow: hour });
    expect(receipt).toEqual({ id, erasedAt: one.clock.now() + hour });
    expect(await one.memory.get(id)).toBeUndefined();
    expect(await one.memory.get(grainIds[0] ?? "")).toBeUndefined();
    expect((await one.memory.list()).items.map((item) => item.id)).toEqual([other]);
    expect((await one.memory.recall("Where is the key?")).hits.map(({ owner }) => owner.id)).not.toContain(
      id,
    );
    one.clock.advance(hour - 1);
    const back = await one.memory.undo(id);
    expect({ ...back, version: before?.version }).toEqual(before);
    expect((await one.memory.recall("Where is the key?")).hits[0]?.owner.id).toBe(id);
  });

  test("without an undo it is erased when its window has ended", async () => {
    await using one = await openMemory(store);
    const { id } = await one.memory.store("The key is under the mat");
    const { erasedAt } = await one.memory.purge(id);
    expect(erasedAt).toBe(one.clock.now() + 24 * hour);
    one.clock.set(erasedAt);
    await expect(one.memory.undo(id)).rejects.toMatchObject({ code: "not_found" });
    await one.ledger.maintain();
    const [texts, grains] = await one.ledger.read([alice], [find("text"), find("grain")]);
    expect([...texts.items, ...grains.items]).toEqual([]);
    await expect(one.memory.undo(id)).rejects.toMatchObject({ code: "not_found" });
    expect(await one.memory.store("The key is under the mat")).toMatchObject({ status: "stored" });
  });

  test("what comes back is in the index, also in one that was made anew while it was hidden", async () => {
    await using one = await openMemory(store, { embedder: false });
    const { id } = await one.memory.store("The key is under the mat");
    await one.memory.store("The dog is called Rex");
    await one.memory.purge(id);
    await one.flux.rebuild({ analyser: createAnalyser({ stem: false }) });
    await one.memory.undo(id, { operation: "u" });
    await one.memory.undo(id, { operation: "u" });
    one.clock.advance(1000);
    expect(await one.flux.work({ once: true })).toBe(1);
    expect((await one.memory.recall("Where is the key?")).hits.map(({ owner }) => owner.id)).toEqual([id]);
  });

  test("what is hidden can be erased at once", async () => {
    await using one = await openMemory(store);
    const [text, said] = await one.memory.storeBatch([
      { text: "The key is under the mat" },
      { role: "user", content: "The key is under the stone", sessionId: "s" },
    ]);
    for (const { id } of [text ?? { id: "" }, said ?? { id: "" }]) {
      await one.memory.purge(id);
      const { counts } = await one.memory.erase({ id });
      expect(counts.grain).toBe(1);
      await expect(one.memory.undo(id)).rejects.toMatchObject({ code: "not_found" });
      await expect(one.memory.erase({ id })).rejects.toMatchObject({ code: "not_found" });
    }
  });

  test("retries of a purge and of its undo have the same answers", async () => {
    await using one = await openMemory(store);
    const { id, grainIds } = await one.memory.store("The key is under the mat");
    for (const known of [id, grainIds[0] ?? ""]) {
      const purged = await one.memory.purge(known, { operation: `p ${known}` });
      one.clock.advance(1000);
      expect(await one.memory.purge(known, { operation: `p ${known}` })).toEqual(purged);
      await expect(one.memory.purge(known, { operation: "another" })).rejects.toMatchObject({
        code: "not_found",
      });
      const back = await one.memory.undo(known, { operation: `u ${known}` });
      expect(await one.memory.undo(known, { operation: `u ${known}` })).toEqual(back);
      expect(await one.memory.purge(known, { operation: `p ${known}` })).toEqual(purged);
      expect(await one.memory.get(known)).toEqual(back);
    }
    const { id: other } = await one.memory.store("another text");
    await expect(one.memory.purge(other, { operation: `p ${id}` })).rejects.toMatchObject({
      code: "operation_conflict",
    });
  });

  test("an archive is taken back, and comes back with a purge", async () => {
    await using one = await openMemory(store);
    const { id } = await one.memory.store("The key is under the mat");
    await expect(one.memory.undo(id)).rejects.toMatchObject({ code: "not_found" });
    await one.memory.archive(id);
    await one.memory.purge(id);
    expect(await one.memory.undo(id)).toMatchObject({ status: "archived" });
    const active = await one.memory.undo(id, { operation: "u" });
    expect(active).toMatchObject({ status: "active" });
    expect(await one.memory.undo(id, { operation: "u" })).toEqual(active);
    await expect(one.memory.undo(id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("a message without text is purged and brought back", async () => {
    await using one = await openMemory(store);
    const [silent] = await one.memory.storeBatch([{ role: "tool", content: "", sessionId: "s" }]);
    const id = silent?.id ?? "";
    await one.memory.purge(id);
    expect(await one.memory.get(id)).toBeUndefined();
    expect(await one.memory.undo(id)).toMatchObject({ id, role: "tool" });
  });

  test("feedback on what is hidden is not asked for, and is refused", async () => {
    await using one = await openMemory(store);
    const { id, grainIds } = await one.memory.store("The key is under the mat");
    const { traceId = "" } = await one.memory.recall("Where is the key?");
    expect(await one.memory.pendingFeedback()).toHaveLength(1);
    await one.memory.purge(id);
    expect(await one.memory.pendingFeedback()).toEqual([]);
    const call = one.memory.feedback(traceId, grainIds[0] ?? "", { useful: true });
    await expect(call).rejects.toMatchObject({ code: "not_found" });
  });

  test("what is given is checked, and another user purges nothing", async () => {
    await using one = await openMemory(store);
    const { id } = await one.memory.store("stays");
    for (const options of [
      { undoWindow: 0 },
      { undoWindow: -1 },
      { undoWindow: "1h" },
      { window: 5 },
      { operation: 5 },
    ])
      await expect(one.memory.purge(id, options as never)).rejects.toMatchObject({
        code: "operation" in options ? "invalid_id" : "invalid_argument",
      });
    await expect(one.memory.purge("")).rejects.toMatchObject({ code: "invalid_id" });
    await expect(one.memory.undo("\0")).rejects.toMatchObject({ code: "invalid_id" });
    await expect(one.memory.purge(id, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    const bob = one.flux.for({ userId: "bob" });
    await expect(bob.purge(id)).rejects.toMatchObject({ code: "not_found" });
    await one.memory.purge(id);
    await expect(bob.undo(id)).rejects.toMatchObject({ code: "not_found" });
    expect(await one.memory.undo(id)).toMatchObject({ text: "stays" });
  });
});
