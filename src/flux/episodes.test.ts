import { describe, expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { inMemoryStore as inMemory, openMemory } from "../../test/support/open-memory.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import { find, get, sourcesOf } from "../store/read.ts";
import type { FluxMemory } from "./flux-memory.ts";
import type { EpisodeItem } from "./store-items.ts";

const alice = partition({ userId: "alice" });

async function storeOne(memory: FluxMemory, item: EpisodeItem) {
  const [result] = await memory.storeBatch([item]);
  if (result === undefined) throw new Error("Nothing was stored");
  return result;
}

async function found(memory: FluxMemory, query: string): Promise<string[]> {
  return (await memory.recall(query)).hits.map(({ text }) => text);
}

onEveryStore((store) => {
  test("an episode is kept as it was, with a unit of recall for each side", async () => {
    await using one = await openMemory(store);
    const item = {
      ...{ id: "e-1", input: "Where is Porto?", output: "In Portugal.", sessionId: "s" },
      ...{ transcript: [{ tool: "map" }], occurredAt: 5, metadata: { topic: "travel" }, pinned: true },
    };
    const stored = await storeOne(one.memory, item);
    expect(stored).toMatchObject({ id: "e-1", kind: "episode", status: "stored", indexed: "now" });
    expect(stored.grainIds).toHaveLength(2);
    const record = await one.memory.get("e-1");
    expect(record).toMatchObject({
      ...{ kind: "episode", text: "Where is Porto?\nIn Portugal.", input: item.input, output: item.output },
      ...{ transcript: [{ tool: "map" }], saidAt: 5, sessionId: "s", metadata: { topic: "travel" } },
      ...{ provenance: "user_stated", pinned: true, grainIds: stored.grainIds },
    });
    const { hits } = await one.memory.recall("Portugal");
    expect(hits[0]).toMatchObject({
      ...{ text: "In Portugal.", owner: { kind: "episode", id: "e-1" }, provenance: "ai_stated", saidAt: 5 },
    });
    expect(await one.memory.get(stored.grainIds[1] ?? "")).toEqual(record);
    const { items } = await one.memory.list({ kind: "episode" });
    expect(items).toEqual([record]);
  });

  test("the same id with the same content has no effect, with other content it replaces the episode", async () => {
    await using one = await openMemory(store);
    const first = { id: "e", input: "I live in Porto.", output: "Noted.", transcript: [], sessionId: "s" };
    const stored = await storeOne(one.memory, first);
    const before = await one.memory.get("e");
    one.clock.advance(1000);
    const again = await storeOne(one.memory, { ...first, metadata: { late: true } });
    expect(again).toMatchObject({ id: "e", status: "unchanged", grainIds: [] });
    expect(await one.memory.get("e")).toEqual(before);

    const { transcript: _, ...bare } = first;
    const replaced = await storeOne(one.memory, { ...bare, input: "I live in Lisbon.", sessionId: "t" });
    expect(replaced).toMatchObject({ id: "e", status: "replaced" });
    expect(replaced.grainIds).toHaveLength(2);
    const now = await one.memory.get("e");
    expect(now).toMatchObject({
      text: "I live in Lisbon.\nNoted.",
      sessionId: "t",
      saidAt: 1000 + (before?.saidAt ?? 0),
    });
    expect(now).not.toHaveProperty("transcript");
    expect(now?.version).toBeGreaterThan(before?.version ?? 0);
    expect(now?.grainIds).toEqual(replaced.grainIds);
    expect(await found(one.memory, "Porto")).toEqual([]);
    expect(await found(one.memory, "Lisbon")).toEqual(["I live in Lisbon."]);
    const [grains] = await one.ledger.read([alice], [find("grain", { limit: 1000 })]);
    expect(grains.items.map(({ id }) => id).sort()).toEqual([...replaced.grainIds].sort());
    for (const id of stored.grainIds) expect(await one.memory.get(id)).toBeUndefined();
    expect((await one.memory.list({ sessionId: "s" })).items).toEqual([]);
    expect((await one.memory.list({ sessionId: "t" })).items).toHaveLength(1);
  });

  test("fifty callers with one id store one episode, and a retry of an operation has its result", async () => {
    await using one = await openMemory(store);
    const item = { id: "e", input: "Hello?", output: "Yes?" };
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) => one.memory.storeBatch([item], { operation: `o${i}` })),
    );
    const states = all.flat().map(({ status }) => status);
    expect(states.filter((status) => status === "stored")).toHaveLength(1);
    expect(states.filter((status) => status === "unchanged")).toHaveLength(49);
    expect((await one.memory.list()).items).toHaveLength(1);
    expect(await one.memory.storeBatch([item], { operation: "o0" })).toEqual(all[0]);

    const other = [{ ...item, output: "No." }, { text: "A note." }];
    const replaced = await one.memory.storeBatch(other, { operation: "r" });
    expect(replaced.map(({ status }) => status)).toEqual(["replaced", "stored"]);
    expect(await one.memory.storeBatch(other, { operation: "r" })).toEqual(replaced);
    const note = await one.memory.get(replaced[1]?.id ?? "");
    expect(note).toMatchObject({ text: "A note.", grainIds: replaced[1]?.grainIds });
  });

  test("callers who say different things under one id replace each other, and leave one episode", async () => {
    await using one = await openMemory(store);
    const words = Array.from({ length: 20 }, (_, i) => `word${String.fromCharCode(97 + i)}`);
    const all = await Promise.all(
      words.map((word) => storeOne(one.memory, { id: "e", input: `Say ${word}.`, output: `${word} it is.` })),
    );
    expect(all.filter(({ status }) => status === "stored")).toHaveLength(1);
    expect(all.filter(({ status }) => status === "replaced")).toHaveLength(19);
    const { items } = await one.memory.list();
    expect(items).toHaveLength(1);
    const [page] = await one.ledger.read([alice], [find("grain", { limit: 1000 })]);
    expect(page.items.map(({ id }) => id).sort()).toEqual([...(items[0]?.grainIds ?? [])].sort());
    const { hits } = await one.memory.recall(words.join(" "), { k: 50 });
    expect(hits.map(({ owner }) => owner.id)).toEqual(["e"]);
    expect(items[0]?.text).toContain(hits[0]?.text);
  });

  test("what was derived from the old text goes with it, but for a fact that something else states", async () => {
    await using one = await openMemory(store);
    await storeOne(one.memory, { id: "e", input: "I live in Porto.", output: "" });
    const other = await one.memory.store("She lives in Porto.");
    const text = (content: string) =>
      ({ form: "statement", content, provenance: "ai_inferred", statedAt: 1 }) as const;
    const fact = (object: string) =>
      ({
        ...{ factId: `f-${object}`, subject: "user", predicate: "lives_in", object, affirmed: true },
        ...{ confidence: 1, provenance: "user_stated", status: "current" },
        ...{ recordedFrom: 1, subjectKey: "user", objectKey: object, mentions: 1 },
      }) as never;
    const sources = [{ kind: "episode", id: "e" }];
    await one.ledger.append(alice, {
      operation: "derive",
      records: [
        insert("text", text("The user lives in Porto."), { id: "t", sources }),
        insert("fact", fact("porto"), { id: "alone", sources }),
        insert("fact", fact("city"), { id: "both", sources: [...sources, { kind: "text", id: other.id }] }),
      ],
    });
    await storeOne(one.memory, { id: "e", input: "I live in Lisbon.", output: "" });
    const reads = [get("text", "t"), get("fact", "alone"), get("fact", "both")] as const;
    const [statement, alone, both] = await one.ledger.read([alice], reads);
    expect([statement, alone]).toEqual([undefined, undefined]);
    expect(both?.id).toBe("both");
    const [left] = await one.ledger.read([alice], [sourcesOf("fact", "both")]);
    expect(left).toEqual([{ kind: "text", id: other.id, role: "source" }]);
    const { jobs } = await one.ledger.jobs.list(alice, { queue: "derive" });
    expect(jobs.map(({ payload }) => payload)).toEqual([
      // What it had ended may hold again.
      { kind: "fact", id: "alone", hidden: true },
      { kind: "fact", id: "both", thread: "f-city", restated: true },
    ]);
    await one.ledger.maintain();
    expect((await one.ledger.read([alice], [get("fact", "both")]))[0]?.id).toBe("both");
    await one.memory.erase({ id: other.id });
    expect((await one.ledger.read([alice], [get("fact", "both")]))[0]).toBeUndefined();
  });

  test("all that changes of an episode is what is known of it", async () => {
    await using one = await openMemory(store);
    await storeOne(one.memory, {
      id: "e",
      input: "I like figs.",
      output: "Good.",
      transcript: { calls: [] },
    });
    const changed = await one.memory.update("e", {
      metadata: { caption: "a basket" },
      importance: 0.9,
      pinned: true,
    });
    expect(changed).toMatchObject({
      ...{ metadata: { caption: "a basket" }, importance: 0.9, pinned: true, transcript: { calls: [] } },
    });
    expect(await found(one.memory, "basket")).toEqual(["I like figs."]);
    await expect(one.memory.update("e", { text: "other" })).rejects.toMatchObject({
      code: "invalid_argument",
    });
    expect((await one.memory.archive("e")).status).toBe("archived");
    expect((await one.memory.list({ status: "archived" })).items.map(({ id }) => id)).toEqual(["e"]);
    expect((await one.memory.undo("e")).status).toBe("active");

    await one.memory.purge("e");
    expect(await one.memory.get("e")).toBeUndefined();
    await expect(storeOne(one.memory, { id: "e", input: "x", output: "y" })).rejects.toMatchObject({
      code: "erased",
    });
    expect(await one.memory.undo("e")).toMatchObject({ text: "I like figs.\nGood.", status: "active" });

    expect((await one.memory.erase({ id: "e" })).counts).toMatchObject({ episode: 1, grain: 2 });
    expect(await found(one.memory, "figs")).toEqual([]);
    await expect(storeOne(one.memory, { id: "e", input: "x", output: "y" })).rejects.toMatchObject({
      code: "erased",
    });
  });

  test("episodes stand among texts and messages in lists, by time and by order", async () => {
    await using one = await openMemory(store);
    await one.memory.storeBatch([
      { text: "one", statedAt: 30 },
      { input: "two", output: "", occurredAt: 10, sessionId: "s" },
      { role: "user", content: "three", saidAt: 20, sessionId: "s" },
      { input: "", output: "four", occurredAt: 40, sessionId: "s" },
    ]);
    const listed = async (options: object) => (await one.memory.list(options)).items.map(({ text }) => text);
    expect(await listed({ order: "oldest" })).toEqual(["one", "two", "three", "four"]);
    expect(await listed({ order: "oldest", from: 10, until: 40 })).toEqual(["two", "three", "one"]);
    expect(await listed({ sessionId: "s" })).toEqual(["four", "three", "two"]);
    expect(await listed({ kind: "episode", provenance: "ai_stated" })).toEqual(["four"]);
  });

  test("hostile sides are kept, found and made anew", async () => {
    await using one = await openMemory(store);
    const sides = hostileTexts.map((text, i) => ({
      id: `h${i}`,
      input: `${text}👍`,
      output: `👎${text} figs`,
    }));
    await one.memory.storeBatch(sides);
    const repaired = (text: string) => text.toWellFormed().replaceAll("\0", "\ufffd");
    for (const { id, input, output } of sides) {
      const record = await one.memory.get(id);
      expect(record?.text).toBe(`${repaired(input)}\n${repaired(output)}`);
      expect(await storeOne(one.memory, { id, input, output })).toMatchObject({ status: "unchanged" });
    }
    const before = await found(one.memory, "figs");
    expect(before.length).toBeGreaterThan(0);
    for (const text of before) expect(text.isWellFormed()).toBe(true);
    await one.flux.rebuild();
    expect(await found(one.memory, "figs")).toEqual(before);
  });
});

describe("an item with a side", () => {
  test("has both, an id that is one, and says something", async () => {
    await using one = await openMemory(inMemory);
    const wrong: readonly [object, string][] = [
      [{ input: "a" }, "invalid_argument"],
      [{ output: "a" }, "invalid_argument"],
      [{ input: 1, output: "a" }, "invalid_argument"],
      [{ input: "", output: " " }, "invalid_argument"],
      [{ input: "a", output: "b", id: "" }, "invalid_id"],
      [{ input: "a", output: "b", id: 7 }, "invalid_id"],
      [{ input: "a", output: "b", text: "c" }, "invalid_argument"],
      [{ input: "a", output: "b", occurredAt: 0.5 }, "invalid_argument"],
      [{ input: "a", output: "b", transcript: [() => 1] }, "invalid_argument"],
      [{ input: "a", output: "b", expiresAt: 1 }, "invalid_argument"],
    ];
    for (const [item, code] of wrong)
      await expect(one.memory.storeBatch([item as EpisodeItem]), JSON.stringify(item)).rejects.toMatchObject({
        code,
      });
    const twice = { id: "e", input: "a", output: "b" };
    await expect(one.memory.storeBatch([twice, twice])).rejects.toMatchObject({ code: "invalid_argument" });
    expect((await one.memory.list()).items).toEqual([]);
    const silent = await storeOne(one.memory, { input: "", output: "", transcript: [] });
    expect(silent.grainIds).toEqual([]);
    expect(await one.memory.get(silent.id)).toMatchObject({ text: "", transcript: [] });
  });

  test("keeps null, an empty transcript and none apart", async () => {
    await using one = await openMemory(inMemory);
    const item = { id: "e", input: "a", output: "b" };
    const states: unknown[] = [];
    for (const transcript of [undefined, null, [], [{ b: 1, a: 2 }], [{ a: 2, b: 1 }], undefined]) {
      const { status } = await storeOne(one.memory, { ...item, transcript });
      states.push([status, (await one.memory.get("e"))?.transcript]);
    }
    expect(states).toEqual([
      ["stored", undefined],
      ["replaced", null],
      ["replaced", []],
      ["replaced", [{ b: 1, a: 2 }]],
      ["unchanged", [{ b: 1, a: 2 }]],
      ["replaced", undefined],
    ]);
  });

  test("without an id follows from its operation", async () => {
    await using one = await openMemory(inMemory);
    const item = { input: "a", output: "b" };
    const [first] = await one.memory.storeBatch([item], { operation: "o" });
    const [retry] = await one.memory.storeBatch([item], { operation: "o" });
    const [other] = await one.memory.storeBatch([item]);
    expect(retry).toEqual(first);
    expect(other?.id).not.toBe(first?.id);
    expect((await one.memory.list()).items).toHaveLength(2);
  });

  test("may be long: sides of a megabyte are cut, replaced as a whole, and erased", async () => {
    await using one = await openMemory(inMemory, { embedder: false });
    const side = (word: string) => `${word} is what it says. `.repeat(1_000_000 / (word.length + 18));
    const stored = await storeOne(one.memory, { id: "e", input: side("one"), output: side("two") });
    expect(stored.grainIds.length).toBeGreaterThan(1000);
    const { hits } = await one.memory.recall("two");
    expect(hits).toHaveLength(1);
    expect(hits[0]?.text).toContain("two is what it says.");
    const replaced = await storeOne(one.memory, { id: "e", input: "three", output: "" });
    expect(replaced).toMatchObject({ status: "replaced" });
    expect(replaced.grainIds).toHaveLength(1);
    expect(await found(one.memory, "one two")).toEqual([]);
    const [grains] = await one.ledger.read([alice], [find("grain", { limit: 10 })]);
    expect(grains.items).toHaveLength(1);
  });

  test("has facts derived of its input, which go when it is replaced or erased", async () => {
    await using one = await openMemory(inMemory, { autoExtract: true });
    const objects = async () => {
      const { items } = await one.memory.facts.query({ subject: "user", predicate: "lives_in" });
      return items.map(({ object }) => object);
    };
    const work = () => one.flux.work({ once: true, onError: (error) => expect.fail(String(error)) });
    const said = { id: "e", input: "I live in Porto.", output: "I live in a computer." };
    await storeOne(one.memory, said);
    await work();
    expect(await objects()).toEqual(["Porto"]);
    await storeOne(one.memory, said);
    await storeOne(one.memory, { input: "Hello there! I live in Porto.", output: "" });
    await work();
    expect(await objects()).toEqual(["Porto"]);
    await storeOne(one.memory, { ...said, input: "I like figs." });
    await work();
    expect(await objects()).toEqual(["Porto"]);
    const [both] = (await one.memory.facts.query({ subject: "user", predicate: "lives_in" })).items;
    expect(both?.sources.map(({ id }) => id)).not.toContain("e");
    await one.memory.erase({ text: "hello there" });
    expect(await objects()).toEqual([]);
    const { items } = await one.memory.facts.query({ subject: "user", predicate: "likes" });
    expect(items.map(({ object }) => object)).toEqual(["figs"]);
    await one.memory.erase({ id: "e" });
    await work();
    expect((await one.memory.facts.query({ subject: "user" })).items).toEqual([]);
  });

  test("is embedded later where the embedder fails, as it is by then", async () => {
    await using one = await openMemory(inMemory);
    one.embedder.before = () => Promise.reject(new Error("It is down"));
    const first = { id: "e", input: "I like figs.", output: "Good." };
    expect(await storeOne(one.memory, first)).toMatchObject({ status: "stored", indexed: "later" });
    expect(await storeOne(one.memory, { ...first, input: "I like plums." })).toMatchObject({
      ...{ status: "replaced", indexed: "later" },
    });
    one.embedder.before = () => undefined;
    one.clock.advance(60_000);
    const errors: unknown[] = [];
    await one.flux.work({ once: true, onError: (error) => errors.push(error) });
    expect(errors).toEqual([]);
    const { hits } = await one.memory.recall("plums");
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("meaning");
    expect(await one.flux.status()).toMatchObject({ degraded: [] });
  });

  test("takes part in all with its transcript, up to what a record may have", async () => {
    await using one = await openMemory(inMemory);
    const item = { id: "e", input: "a", output: "b" };
    const long = (bytes: number) => [{ tool: "read", result: "x".repeat(bytes) }];
    await storeOne(one.memory, { ...item, transcript: long(1_000_000) });
    await expect(storeOne(one.memory, { ...item, transcript: long(17_000_000) })).rejects.toMatchObject({
      code: "too_large",
    });
    expect((await one.memory.get("e"))?.transcript).toEqual(long(1_000_000));
  });

  test("finds its neighbours and its day", async () => {
    await using one = await openMemory(inMemory);
    const at = Date.UTC(2024, 4, 7);
    await one.memory.storeBatch([
      { input: "Which city did you move to?", output: "I have no city.", sessionId: "s", occurredAt: at },
      { input: "Porto.", output: "Fine.", sessionId: "s", occurredAt: at },
      { input: "Nothing at all.", output: "Right.", sessionId: "t", occurredAt: at + 40 * 86_400_000 },
    ]);
    const { hits } = await one.memory.recall("Which city did you move to?");
    const signals = hits.find(({ text }) => text === "Porto.")?.signals.map(({ name }) => name);
    expect(signals).toContain("neighbours");
    const dated = await one.memory.recall("What was said on 16 June 2024?");
    expect(dated.hits[0]?.text).toBe("Nothing at all.");
  });
});
