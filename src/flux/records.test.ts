import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { fill, pages, texts } from "../../test/support/listed.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { repairText } from "../model/unicode.ts";
import type { ListOptions } from "./memory-record.ts";
import { maxPieceUnits } from "./pieces.ts";
import type { StoreItem } from "./store-items.ts";

const hour = 3_600_000;

onEveryStore((store) => {
  test("a record is read as a whole, by its id and by that of each of its grains", async () => {
    await using one = await openMemory(store);
    const sentence = "The harbour of Porto lies at the mouth of the Douro. ";
    const text = sentence.repeat(Math.ceil((3 * maxPieceUnits) / sentence.length));
    const { id, grainIds } = await one.memory.store(text, {
      ...{ author: "Ann", importance: 0.9, pinned: true, metadata: { city: "Porto" } },
      ...{ sessionId: "s", statedAt: 5, provenance: "external_source", expiresAt: one.clock.now() + hour },
    });
    expect(grainIds.length).toBeGreaterThan(2);
    const record = await one.memory.get(id);
    expect(record).toEqual({
      ...{ id, kind: "text", text, author: "Ann", provenance: "external_source", status: "active" },
      ...{ saidAt: 5, recordedAt: one.clock.now(), version: expect.any(Number), sessionId: "s" },
      ...{ metadata: { city: "Porto" }, importance: 0.9, pinned: true, mentions: 0 },
      ...{ expiresAt: one.clock.now() + hour, grainIds },
    });
    for (const grainId of grainIds) expect(await one.memory.get(grainId)).toEqual(record);
    one.clock.advance(hour);
    expect(await one.memory.get(id)).toBeUndefined();
    expect(await one.memory.get(grainIds[0] ?? "")).toBeUndefined();
  });

  test("a message has its role and speaker, and is read also when it has no text", async () => {
    await using one = await openMemory(store);
    const [said, silent] = await one.memory.storeBatch([
      { role: "user", name: "Ann", content: "Hello", sessionId: "s", saidAt: 7 },
      { role: "assistant", content: "", toolCalls: [{ name: "look" }], sessionId: "s" },
    ]);
    expect(await one.memory.get(said?.id ?? "")).toMatchObject({
      ...{ kind: "message", role: "user", author: "Ann", text: "Hello", saidAt: 7 },
      ...{ provenance: "user_stated", grainIds: said?.grainIds },
    });
    expect(await one.memory.get(silent?.id ?? "")).toMatchObject({
      ...{ role: "assistant", text: "", provenance: "ai_stated", status: "active", grainIds: [] },
    });
  });

  test("a mention is counted and changes the version", async () => {
    await using one = await openMemory(store);
    const { id } = await one.memory.store("I like tea");
    const first = await one.memory.get(id);
    await one.memory.store("I like tea!");
    const second = await one.memory.get(id);
    expect(second).toMatchObject({ mentions: 1, recordedAt: first?.recordedAt });
    expect(second?.version).toBeGreaterThan(first?.version ?? Number.NaN);
  });

  test("pages have every record once, newest or oldest first", async () => {
    await using one = await openMemory(store);
    const all = await fill(one.memory, 25);
    const newest = await pages(one.memory, { limit: 10 });
    expect(newest.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(newest.flat().map(({ text }) => text)).toEqual(all.toReversed());
    expect(await texts(one.memory, { limit: 5, order: "oldest" })).toEqual(all);
    expect((await one.memory.list({ limit: 25 })).cursor).toBeUndefined();
  });

  test("a list can be narrowed down", async () => {
    await using one = await openMemory(store);
    const all = await fill(one.memory, 30);
    const some = (wanted: (i: number) => boolean): string[] => all.filter((_text, i) => wanted(i));
    const list = (options: ListOptions): Promise<string[]> =>
      texts(one.memory, { limit: 4, order: "oldest", ...options });
    expect(await list({ kind: "text" })).toEqual(some((i) => i % 2 === 1));
    expect(await list({ kind: "message" })).toEqual(some((i) => i % 2 === 0));
    expect(await list({ sessionId: "third" })).toEqual(some((i) => i % 3 === 0));
    expect(await list({ sessionId: "nowhere" })).toEqual([]);
    expect(await list({ provenance: "ai_inferred" })).toEqual(some((i) => i % 10 === 5));
    expect(await list({ filter: { parity: "odd" } })).toEqual(some((i) => i % 2 === 1));
    expect(await list({ from: 7, until: 12 })).toEqual(some((i) => i >= 7 && i < 12));
    expect(await list({ from: 28 })).toEqual(some((i) => i >= 28));
    expect(await list({ until: 3, kind: "text" })).toEqual(["number 001"]);
    expect(await list({ sessionId: "third", kind: "text", from: 9, until: 20 })).toEqual(
      some((i) => i % 6 === 3 && i >= 9 && i < 20),
    );
    expect(await list({ status: "active" })).toEqual(all);
    expect(await list({ status: "archived" })).toEqual([]);
  });

  test("within times records come as they were said, those of one moment as they were stored", async () => {
    await using one = await openMemory(store);
    const at = [3, 1, 2, 2, 2, 2, 1];
    await one.memory.storeBatch(
      at.map((saidAt, i): StoreItem => {
        const text = `${saidAt}${"abcdefg"[i]}`;
        return i % 2 === 0
          ? { text, statedAt: saidAt }
          : { role: "user", sessionId: "s", content: text, saidAt };
      }),
    );
    const said = ["1b", "1g", "2c", "2d", "2e", "2f", "3a"];
    for (const limit of [1, 2, 3, 7]) {
      expect(await texts(one.memory, { from: 0, limit, order: "oldest" })).toEqual(said);
      expect(await texts(one.memory, { from: 0, limit })).toEqual(said.toReversed());
      expect(await texts(one.memory, { from: 2, until: 3, limit, order: "oldest" })).toEqual(
        said.slice(2, 6),
      );
      expect(await texts(one.memory, { until: 2, limit })).toEqual(["1g", "1b"]);
    }
  });

  test("what is written or goes between two pages shifts none of them", async () => {
    await using one = await openMemory(store);
    const all = await fill(one.memory, 9);
    const first = await one.memory.list({ limit: 3, order: "oldest" });
    await one.memory.erase({ id: first.items[2]?.id ?? "" });
    await one.memory.store("afterwards");
    const rest = await one.memory.list({ limit: 100, order: "oldest", after: first.cursor });
    expect(rest.items.map(({ text }) => text)).toEqual([...all.slice(3), "afterwards"]);
    const newest = await one.memory.list({ limit: 2 });
    await one.memory.store("between");
    const next = await one.memory.list({ limit: 2, after: newest.cursor });
    expect(next.items.map(({ text }) => text)).toEqual(all.slice(-3, -1).toReversed());
  });

  test("a cursor of another list, or none at all, is refused", async () => {
    await using one = await openMemory(store);
    await fill(one.memory, 4);
    const { cursor } = await one.memory.list({ limit: 2 });
    expect(cursor).toBeDefined();
    const wrong: ListOptions[] = [
      { after: cursor, order: "oldest" },
      { after: cursor, kind: "text" },
      { after: cursor, from: 0 },
      { after: "" },
      { after: "nonsense" },
      { after: 5 as never },
    ];
    for (const options of wrong) {
      await expect(one.memory.list(options)).rejects.toMatchObject({ code: "invalid_cursor" });
    }
    expect((await one.memory.list({ limit: 1, after: cursor })).items).toHaveLength(1);
  });

  test("what a list is asked for is checked", async () => {
    await using one = await openMemory(store);
    const wrong: [object, string][] = [
      [{ limit: 0 }, "invalid_argument"],
      [{ limit: 1001 }, "invalid_argument"],
      [{ limit: "5" }, "invalid_argument"],
      [{ status: "gone" }, "invalid_argument"],
      [{ kind: "fact" }, "invalid_argument"],
      [{ order: "up" }, "invalid_argument"],
      [{ provenance: "rumour" }, "invalid_argument"],
      [{ from: "yesterday" }, "invalid_argument"],
      [{ until: 1.5 }, "invalid_argument"],
      [{ sessionId: "" }, "invalid_id"],
      [{ agentId: 5 }, "invalid_id"],
      [{ filter: { a: { near: 1 } } }, "invalid_filter"],
      [{ signal: {} }, "invalid_argument"],
      [{ limits: 5 }, "invalid_argument"],
    ];
    for (const [options, code] of wrong)
      await expect(one.memory.list(options as ListOptions), JSON.stringify(options)).rejects.toMatchObject({
        code,
      });
    await expect(one.memory.list(null as never)).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(one.memory.list({ signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    await expect(one.memory.get("", {})).rejects.toMatchObject({ code: "invalid_id" });
    await expect(one.memory.get("x".repeat(513))).rejects.toMatchObject({ code: "invalid_id" });
    await expect(one.memory.get("x", { signals: 1 } as never)).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });

  test("hostile texts are read and listed word for word", async () => {
    await using one = await openMemory(store);
    const kept = hostileTexts.filter((text) => text.trim() !== "");
    const stored = await one.memory.storeBatch(
      kept.map((text, i) => ({ text, author: `${i}`, metadata: { text: text.slice(0, 99) } })),
    );
    const listed = (await pages(one.memory, { limit: 3, order: "oldest" })).flat();
    expect(listed.map(({ text }) => text)).toEqual(kept.map(repairText));
    for (const [i, { id }] of stored.entries()) {
      const record = await one.memory.get(id);
      expect(record?.text).toBe(repairText(kept[i] ?? ""));
      expect(record?.repaired).toBe(repairText(kept[i] ?? "") === kept[i] ? undefined : true);
      expect(
        await texts(one.memory, { filter: { text: repairText((kept[i] ?? "").slice(0, 99)) } }),
      ).toContain(repairText(kept[i] ?? ""));
    }
  });
});
