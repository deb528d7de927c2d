import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { fill, texts } from "../../test/support/listed.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import type { FactVersion } from "../model/fact.ts";
import type { Grain } from "../model/grain.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import { get } from "../store/read.ts";

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
      { from: 1, id: "a" },
      { text: "a", sessionId: "b" },
      { text: 1 },
      { text: " \n" },
      { from: 2, until: 2 },
      { from: 1.5 },
      { until: undefined },
      { when: 1 },
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

  test("a time is erased: what was said in it, whatever its kind, and in a session where one is given", async () => {
    await using one = await openMemory(store);
    await one.memory.storeBatch([
      { text: "text 10", statedAt: 10, sessionId: "s" },
      { role: "user", content: "message 20", saidAt: 20, sessionId: "s" },
      { role: "user", content: "message 21", saidAt: 21, sessionId: "t" },
      { input: "episode 29", output: "", occurredAt: 29, sessionId: "s" },
      { input: "episode 30", output: "", occurredAt: 30 },
    ]);
    const receipt = await one.memory.erase({ from: 20, until: 30, sessionId: "s" }, { operation: "e" });
    expect(receipt.counts).toMatchObject({ message: 1, episode: 1, grain: 2 });
    const left = () => texts(one.memory, { order: "oldest" });
    expect(await left()).toEqual(["text 10", "message 21", "episode 30"]);
    const again = await one.memory.erase({ from: 20, until: 30, sessionId: "s" }, { operation: "e" });
    expect(again.id).toBe(receipt.id);
    await expect(one.memory.erase({ from: 20, until: 31 }, { operation: "e" })).rejects.toMatchObject({
      code: "operation_conflict",
    });
    await one.memory.erase({ until: 21 });
    expect(await left()).toEqual(["message 21", "episode 30"]);
    await one.memory.erase({ from: 21 });
    expect(await left()).toEqual([]);
    expect((await one.memory.erase({ from: 21 })).counts).toEqual({});
  });

  test("a text is erased from wherever it is held, as whole words, whatever case and accents", async () => {
    await using one = await openMemory(store);
    const tools = [{ name: "lookup", result: { owner: "José Pérez" } }];
    await one.memory.storeBatch([
      { text: "José Pérez likes figs." },
      { text: "Jose Perezagua likes plums." },
      { role: "user", content: "i met JOSE  PEREZ today", sessionId: "s" },
      { role: "assistant", content: "I look it up.", toolCalls: tools, sessionId: "s" },
      { input: "Who called?", output: "Jose\nPerez." },
      { input: "Was it Jose", output: "Perez? Yes." },
      { input: "And then?", output: "Nothing.", transcript: tools },
      { text: "A picture.", metadata: { caption: "with José Pérez" } },
      { text: "A note." },
    ]);
    const place = [
      insert("block", { name: "friend", content: "Jose Perez", position: 0 }, { id: "b" }),
      insert("block", { name: "other", content: "nobody", position: 1 }, { id: "c" }),
      insert("fact", factOf("José Pérez"), { id: "v1" }),
      insert("fact", factOf("Ann"), { id: "v2" }),
    ];
    await one.ledger.append(alice, { operation: "more", records: place });
    const receipt = await one.memory.erase({ text: "josé pérez." }, { operation: "e" });
    expect(receipt.counts).toMatchObject({ text: 2, message: 2, episode: 3, block: 1, fact: 1 });
    expect(await texts(one.memory, { order: "oldest" })).toEqual(["Jose Perezagua likes plums.", "A note."]);
    const report = await one.ledger.verify(alice, receipt.id, { probes: ["Pérez"] });
    expect(report.probes?.rows).toBe(0);
    expect((await one.memory.erase({ text: "josé pérez." }, { operation: "e" })).id).toBe(receipt.id);
    await expect(one.memory.erase({ text: "note" }, { operation: "e" })).rejects.toMatchObject({
      code: "operation_conflict",
    });
    expect(await texts(one.memory)).toHaveLength(2);
  });

  test("facts go with all of their versions, blocks alone, by their ids", async () => {
    await using one = await openMemory(store);
    await one.ledger.append(alice, {
      operation: "facts",
      records: [
        insert("fact", factOf("Ann"), { id: "v1" }),
        insert("fact", factOf("Ann"), { id: "v2" }),
        insert("grain", { ...grainOf("v2") }, { id: "g" }),
        insert("fact", factOf("Bob"), { id: "w1" }),
        insert("fact", factOf("Cy"), { id: "x1" }),
        insert("block", { name: "a", content: "text", position: 0 }, { id: "b" }),
      ],
    });
    expect((await one.memory.erase({ id: "v1" })).counts).toMatchObject({ fact: 2, grain: 1 });
    expect((await one.memory.erase({ id: "f-Bob" })).counts).toEqual({ fact: 1 });
    expect((await one.memory.erase({ id: "b" })).counts).toEqual({ block: 1 });
    await expect(one.memory.erase({ id: "v2" })).rejects.toMatchObject({ code: "not_found" });
    expect((await one.memory.erase({ id: "x1" })).counts).toEqual({ fact: 1 });
  });

  test("thousands of records go with one receipt, and a fact that something else states stays", async () => {
    await using one = await openMemory(store, { embedder: false });
    for (let part = 0; part < 2; part++)
      await one.memory.storeBatch(
        Array.from({ length: 1000 }, (_, i) => ({
          ...{ id: `e${part * 1000 + i}`, input: `turn ${part * 1000 + i}`, output: "" },
          occurredAt: part * 1000 + i,
        })),
      );
    await one.ledger.append(alice, {
      operation: "facts",
      records: [
        insert("fact", factOf("Ann"), { id: "both", sources: ofEpisodes("e5", "e1999") }),
        insert("fact", factOf("Bob"), { id: "early", sources: ofEpisodes("e5", "e6") }),
      ],
    });
    const receipt = await one.memory.erase({ until: 1500 });
    expect(receipt.counts).toMatchObject({ episode: 1500, grain: 1500, fact: 1 });
    const [both, early] = await one.ledger.read([alice], [get("fact", "both"), get("fact", "early")]);
    expect([both?.id, early]).toEqual(["both", undefined]);
    expect((await one.memory.list({ limit: 1000 })).items).toHaveLength(500);
    expect((await one.ledger.verify(alice, receipt.id)).leftovers).toEqual({});
  });
});

const alice = partition({ userId: "alice" });

function factOf(object: string): FactVersion {
  return {
    ...{ factId: `f-${object}`, subject: "user", predicate: "has_friend", object, affirmed: true },
    ...{ subjectKey: "user", objectKey: object, confidence: 1, provenance: "user_stated" },
    ...{ status: "current", recordedFrom: 1, mentions: 1 },
  };
}

function grainOf(ownerId: string): Grain {
  return { ownerKind: "fact", ownerId, status: "active", provenance: "user_stated", saidAt: 1 };
}

function ofEpisodes(...ids: string[]) {
  return ids.map((id) => ({ kind: "episode", id }));
}
