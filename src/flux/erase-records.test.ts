import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { fill, texts } from "../../test/support/listed.ts";
import { openMemory } from "../../test/support/open-memory.ts";

onEveryStore((store) => {
  test("a record is erased with its grains, by the id of either, and a retry has the same receipt", async () => {
    await using one = await openMemory(store);
    const [a, b, c] = await one.memory.storeBatch([{ text: "one" }, { text: "two" }, { text: "three" }]);
    const byId = await one.memory.erase({ id: a?.id ?? "" }, { operation: "e1" });
    expect(byId.counts).toMatchObject({ text: 1, grain: 1 });
    const byGrain = await one.memory.erase({ id: b?.grainIds[0] ?? "" }, { operation: "e2" });
    expect(byGrain.counts).toMatchObject({ text: 1, grain: 1 });
    expect(await one.memory.erase({ id: a?.id ?? "" }, { operation: "e1" })).toMatchObject({ id: byId.id });
    expect(await one.memory.erase({ id: b?.grainIds[0] ?? "" }, { operation: "e2" })).toMatchObject({
      id: byGrain.id,
    });
    await expect(one.memory.erase({ id: c?.id ?? "" }, { operation: "e1" })).rejects.toMatchObject({
      code: "operation_conflict",
    });
    await expect(one.memory.erase({ id: a?.id ?? "" })).rejects.toMatchObject({ code: "not_found" });
    expect(await texts(one.memory)).toEqual(["three"]);
    expect(await one.memory.get(a?.id ?? "")).toBeUndefined();
  });

  test("a session is erased, and then everything", async () => {
    await using one = await openMemory(store);
    await fill(one.memory, 6);
    await one.memory.erase({ sessionId: "third" });
    expect(await texts(one.memory)).toHaveLength(4);
    expect(await texts(one.memory, { sessionId: "third" })).toEqual([]);
    await one.memory.erase({ everything: true });
    expect(await texts(one.memory)).toEqual([]);
  });

  test("what is to be erased is named in one way", async () => {
    await using one = await openMemory(store);
    await one.memory.store("stays");
    const wrong = [
      {},
      { everything: false },
      { id: "a", sessionId: "b" },
      { everything: true, id: "a" },
      null,
      "x",
      [],
    ];
    for (const scope of wrong)
      await expect(one.memory.erase(scope as never)).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(one.memory.erase({ id: "" })).rejects.toMatchObject({ code: "invalid_id" });
    await expect(one.memory.erase({ sessionId: "a\0" })).rejects.toMatchObject({ code: "invalid_id" });
    expect(await texts(one.memory)).toEqual(["stays"]);
  });
});
