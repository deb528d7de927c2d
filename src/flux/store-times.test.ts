import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { partition } from "../model/partition.ts";
import { find, get, match } from "../store/read.ts";

const alice = partition({ userId: "alice" });

onEveryStore((store) => {
  test("a text that is to stay longer than the one that is there is stored; one that goes sooner is a mention", async () => {
    await using one = await openMemory(store);
    const soon = one.clock.now() + 1000;
    await one.memory.store("tea", { expiresAt: soon });
    expect((await one.memory.store("tea", { expiresAt: soon - 1 })).status).toBe("mentioned");
    const forever = await one.memory.store("tea");
    expect(forever.status).toBe("stored");
    one.clock.advance(2000);
    const again = await one.memory.store("tea");
    expect(again).toMatchObject({ status: "mentioned", id: forever.id });
  });

  test("a clock that jumps changes no order and loses nothing", async () => {
    await using one = await openMemory(store);
    const inferred = { provenance: "ai_inferred" } as const;
    const first = await one.memory.store("first", { operation: "1" });
    one.clock.advance(-400 * 24 * 3_600_000);
    await one.memory.store("second");
    expect((await one.memory.recall("first")).hits[0]?.text).toBe("first");
    expect((await one.memory.store("First.", inferred)).status).toBe("mentioned");
    one.clock.advance(800 * 24 * 3_600_000);
    await one.memory.store("third");
    expect(await one.memory.store("first", { operation: "1" })).toEqual(first);
    expect((await one.memory.store("first")).status).toBe("mentioned");
    const [texts] = await one.ledger.read([alice], [find("text")]);
    const inOrder = texts.items.toSorted((a, b) => a.seq - b.seq);
    expect(inOrder.map(({ content }) => content)).toEqual(["first", "second", "third"]);
    expect(inOrder[1]?.recordedAt).toBe(inOrder[0]?.recordedAt);
  });

  test("after a jump of the clock into the future and back, what is said is said now, for the index too", async () => {
    await using one = await openMemory(store);
    const now = one.clock.now();
    one.clock.set(Date.UTC(2046, 0, 1));
    await one.memory.store("early");
    one.clock.set(now);
    const { id } = await one.memory.store("coffee", { operation: "1" });
    one.clock.advance(1000);
    expect((await one.memory.store("coffee", { operation: "1" })).id).toBe(id);
    const { id: messageId } = (
      await one.memory.storeBatch([{ role: "user", content: "tea", sessionId: "s" }])
    )[0] as { id: string };
    const [text, message, grains] = await one.ledger.read(
      [alice],
      [get("text", id), get("message", messageId), find("grain", { index: "byTime" })],
    );
    expect([text?.statedAt, message?.saidAt]).toEqual([now, now + 1000]);
    expect(grains.items.map(({ saidAt }) => saidAt)).toEqual([now, now + 1000, Date.UTC(2046, 0, 1)]);
    const lexical = (await one.ledger.spaces.list()).find(({ kind }) => kind === "lexical");
    const years = async () => {
      const terms = ["2026", "2046"];
      const [found] = await one.ledger.read([alice], [match({ space: lexical?.id ?? 0, terms, limit: 5 })]);
      return found.frequencies;
    };
    const before = await years();
    expect(before).toEqual([2, 1]);
    await one.flux.rebuild();
    expect(await years()).toEqual(before);
  });

  test("what has expired already is refused, but not a retry of what was stored before", async () => {
    await using one = await openMemory(store);
    const expiresAt = one.clock.now() + 1000;
    const first = await one.memory.store("tea", { expiresAt, operation: "1" });
    one.clock.advance(1000);
    expect(await one.memory.store("tea", { expiresAt, operation: "1" })).toEqual(first);
    const past = { code: "invalid_argument", message: "expiresAt must be in the future" };
    await expect(one.memory.store("tea", { expiresAt })).rejects.toMatchObject(past);
    const message = { role: "user", content: "", sessionId: "s", expiresAt } as const;
    await expect(one.memory.storeBatch([{ text: "cake" }, message])).rejects.toMatchObject(past);
    const [texts] = await one.ledger.read([alice], [find("text")]);
    expect(texts.items).toEqual([]);
  });
});
