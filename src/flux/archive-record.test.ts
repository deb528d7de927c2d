import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { pages, texts } from "../../test/support/listed.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { maxPieceUnits } from "./pieces.ts";

onEveryStore((store) => {
  test("what is archived ranks behind, is listed as such, and is archived once", async () => {
    await using one = await openMemory(store);
    const [old, fresh] = await one.memory.storeBatch([
      { text: "The key is under the mat." },
      { text: "The key is under the stone." },
    ]);
    const archived = await one.memory.archive(old?.grainIds[0] ?? "", { operation: "a" });
    expect(archived).toMatchObject({ id: old?.id, status: "archived", text: "The key is under the mat." });
    expect(await one.memory.archive(old?.grainIds[0] ?? "", { operation: "a" })).toEqual(archived);
    expect(await one.memory.archive(old?.id ?? "")).toEqual(archived);
    expect(await texts(one.memory, { status: "archived" })).toEqual(["The key is under the mat."]);
    expect(await texts(one.memory, { status: "active" })).toEqual(["The key is under the stone."]);
    const { hits } = await one.memory.recall("Where is the key? Under the mat?");
    expect(hits.map(({ owner }) => owner.id)).toEqual([fresh?.id, old?.id]);
    const another = one.memory.archive(fresh?.id ?? "", { operation: "a" });
    await expect(another).rejects.toMatchObject({ code: "operation_conflict" });
  });

  test("a list of archived records has a long text once", async () => {
    await using one = await openMemory(store);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { id, grainIds } = await one.memory.store(`${i} ${"word ".repeat(maxPieceUnits / 2)}`);
      expect(grainIds.length).toBeGreaterThan(1);
      await one.memory.archive(id);
      ids.push(id);
    }
    for (const limit of [1, 2, 50]) {
      const found = (await pages(one.memory, { status: "archived", limit, order: "oldest" })).flat();
      expect(found.map(({ id }) => id)).toEqual(ids);
    }
    expect((await pages(one.memory, { status: "archived", limit: 2 })).flat().map(({ id }) => id)).toEqual(
      ids.toReversed(),
    );
  });

  test("what is stored again is current again, but not what came back from a recall", async () => {
    await using one = await openMemory(store);
    const text = `The key is under the mat. ${"word ".repeat(maxPieceUnits / 2)}`;
    const agent = { text: "Ann may like tea.", provenance: "ai_inferred" } as const;
    const [said, inferred] = await one.memory.storeBatch([{ text }, agent]);
    const ids = [said?.id ?? "", inferred?.id ?? ""] as const;
    expect((await one.memory.recall("Does Ann like tea?")).hits.map(({ owner }) => owner.id)).toContain(
      ids[1],
    );
    for (const id of ids) await one.memory.archive(id);
    const again = await one.memory.storeBatch([{ text }, agent, { text }], { operation: "again" });
    expect(again.map(({ id, status }) => [id, status])).toEqual([
      [ids[0], "mentioned"],
      [ids[1], "mentioned"],
      [ids[0], "mentioned"],
    ]);
    expect(await one.memory.get(ids[0])).toMatchObject({ status: "active" });
    expect(await texts(one.memory, { status: "archived" })).toEqual([agent.text]);
    // A retry does not bring back what was archived after it.
    await one.memory.archive(ids[0]);
    await one.memory.storeBatch([{ text }, agent, { text }], { operation: "again" });
    expect(await one.memory.get(ids[0])).toMatchObject({ status: "archived" });
  });

  test("fifty callers may archive at once", async () => {
    await using one = await openMemory(store);
    const { id } = await one.memory.store("I like tea");
    const all = await Promise.all(Array.from({ length: 50 }, () => one.memory.archive(id)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["archived"]));
  });

  test("a message without text has nothing to archive", async () => {
    await using one = await openMemory(store);
    const [silent] = await one.memory.storeBatch([{ role: "tool", content: "", sessionId: "s" }]);
    await expect(one.memory.archive(silent?.id ?? "")).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
