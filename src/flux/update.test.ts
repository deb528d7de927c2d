import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import { FluxError } from "../model/errors.ts";
import { partition } from "../model/partition.ts";
import { repairText } from "../model/unicode.ts";
import { insert } from "../store/batch.ts";
import { find, match, nearest } from "../store/read.ts";
import type { RecordChanges } from "./memory-record.ts";
import { maxPieceUnits } from "./pieces.ts";

const alice = partition({ userId: "alice" });
const hour = 3_600_000;

/** Several pieces of sentences that hold the word. */
function long(word: string, pieces: number): string {
  const sentence = `The ${word} stands on its hill and looks out over the river below. `;
  return sentence.repeat(Math.ceil((pieces * maxPieceUnits) / sentence.length)).trim();
}

onEveryStore((store) => {
  const openOne = async () => {
    const one = await openMemory(store);
    const space = async (kind: "lexical" | "dense"): Promise<number> => {
      const { spaces } = await one.flux.status();
      return spaces.find((space) => space.kind === kind)?.id ?? 0;
    };
    /** Grains that hold the term. */
    const lexical = async (term: string): Promise<string[]> => {
      const op = match({ space: await space("lexical"), terms: [term], limit: 100 });
      const [{ candidates }] = await one.ledger.read([alice], [op]);
      return candidates.map(({ grain }) => grain.id);
    };
    /** Grains that have a vector, the nearest first. */
    const dense = async (text: string): Promise<{ id: string; similarity: number }[]> => {
      const [vector = new Float32Array()] = await one.embedder.embed([text], { kind: "query" });
      const [neighbours] = await one.ledger.read(
        [alice],
        [nearest({ space: await space("dense"), vector, limit: 100 })],
      );
      return neighbours.map(({ grain, similarity }) => ({ id: grain.id, similarity }));
    };
    return Object.assign(one, { lexical, dense });
  };

  test("a text is replaced as a whole: nothing finds the old one, everything the new one", async () => {
    await using one = await openOne();
    const { id, grainIds } = await one.memory.store("The meeting is in Lisbon.", {
      metadata: { project: "alpha", tags: ["a", "b"] },
      author: "Ann",
    });
    const before = await one.memory.get(id);
    one.clock.advance(hour);
    const after = await one.memory.update(id, { text: "The workshop takes place at Hamburg." });
    expect(after).toEqual({
      ...before,
      text: "The workshop takes place at Hamburg.",
      version: expect.any(Number),
    });
    expect(after.version).toBeGreaterThan(before?.version ?? Number.NaN);
    expect(await one.memory.get(grainIds[0] ?? "")).toEqual(after);
    expect(await one.lexical("lisbon")).toEqual([]);
    expect(await one.lexical("meet")).toEqual([]);
    expect(await one.lexical("hamburg")).toEqual(grainIds);
    const [nearby] = await one.dense("Ann: The workshop takes place at Hamburg.");
    expect(nearby?.similarity).toBeCloseTo(1, 3);
    const { hits } = await one.memory.recall("Where is the workshop?");
    expect(hits.map(({ text }) => text)).toEqual(["The workshop takes place at Hamburg."]);
    const { items } = await one.memory.list();
    expect(items).toEqual([after]);
  });

  test("the new text is known again, the old one is not", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("Ann lives in Lisbon");
    await one.memory.update(id, { text: "Ann lives in Hamburg" });
    expect(await one.memory.store("ann lives in hamburg!")).toMatchObject({ id, status: "mentioned" });
    const old = await one.memory.store("Ann lives in Lisbon");
    expect(old).toMatchObject({ status: "stored" });
    expect(old.id).not.toBe(id);
    await one.memory.update(id, { provenance: "ai_inferred" });
    const stated = await one.memory.store("Ann lives in Hamburg", { provenance: "user_stated" });
    expect(stated.status).toBe("stored");
  });

  test("a text may become longer or shorter by pieces", async () => {
    await using one = await openOne();
    const { id, grainIds } = await one.memory.store(long("castle", 3), {
      importance: 0.8,
      metadata: { n: 1 },
    });
    const shorter = await one.memory.update(id, { text: "The tower fell." });
    expect(shorter.grainIds).toEqual(grainIds.slice(0, 1));
    expect(await one.lexical("castl")).toEqual([]);
    expect(await one.lexical("tower")).toEqual(shorter.grainIds);
    expect((await one.dense("castle")).map(({ id }) => id)).toEqual(shorter.grainIds);
    const longer = await one.memory.update(id, { text: long("bridge", 5) });
    expect(longer.grainIds.length).toBeGreaterThan(4);
    expect(longer.grainIds[0]).toBe(grainIds[0]);
    expect((await one.lexical("bridg")).sort()).toEqual([...longer.grainIds].sort());
    expect(await one.lexical("tower")).toEqual([]);
    expect(await one.dense("bridge")).toHaveLength(longer.grainIds.length);
    const [page] = await one.ledger.read([alice], [find("grain")]);
    expect(page.items).toHaveLength(longer.grainIds.length);
    for (const grain of page.items)
      expect(grain).toMatchObject({ importance: 0.8, metadata: { n: 1 }, status: "active" });
    const { hits } = await one.memory.recall("bridge over the river", { k: 20 });
    expect(hits.every(({ text }) => text.startsWith("The bridge"))).toBe(true);
    expect((await one.memory.get(id))?.text).toBe(long("bridge", 5));
  });

  test("what is left out stays, null takes it away", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("Ann likes tea", {
      ...{ metadata: { topic: "food", lang: "en" }, importance: 0.9, pinned: true },
      ...{ expiresAt: one.clock.now() + hour, author: "Ann", sessionId: "s" },
    });
    const before = await one.memory.get(id);
    const steps: [RecordChanges, object][] = [
      [{ text: "Ann likes green tea" }, { text: "Ann likes green tea" }],
      [{ importance: 0.1 }, { importance: 0.1 }],
      [{ metadata: { topic: "drinks" } }, { metadata: { topic: "drinks" } }],
      [{ expiresAt: one.clock.now() + 2 * hour }, { expiresAt: one.clock.now() + 2 * hour }],
      [{ provenance: "external_source" }, { provenance: "external_source" }],
      [{ pinned: false }, { pinned: undefined }],
      [{ importance: null }, { importance: undefined }],
      [{ metadata: null }, { metadata: undefined }],
      [{ expiresAt: null }, { expiresAt: undefined }],
    ];
    let expected: object = { ...before };
    for (const [changes, change] of steps) {
      expected = { ...expected, ...change, version: expect.any(Number) };
      const after = await one.memory.update(id, changes);
      expect(after).toEqual(JSON.parse(JSON.stringify({ ...expected, version: after.version })));
    }
    one.clock.advance(3 * hour);
    expect(await one.memory.get(id)).toMatchObject({ text: "Ann likes green tea" });
    const { hits } = await one.memory.recall("tea", { where: { provenance: ["external_source"] } });
    expect(hits).toHaveLength(1);
    expect(hits[0]?.metadata).toBeUndefined();
  });

  test("metadata that changed is what filters ask for", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("Ann likes tea", { metadata: { topic: "food" } });
    await one.memory.update(id, { metadata: { topic: "drinks", colour: "green" } });
    const found = async (topic: string): Promise<number> =>
      (await one.memory.recall("tea", { where: { filter: { topic } } })).hits.length +
      (await one.memory.list({ filter: { topic } })).items.length;
    expect(await found("food")).toBe(0);
    expect(await found("drinks")).toBe(2);
  });

  test("the words of another caption are found, and those of the old one are not", async () => {
    await using one = await openOne();
    const [said] = await one.memory.storeBatch([
      { role: "user", content: "Look at this", sessionId: "s", metadata: { caption: "a lighthouse" } },
    ]);
    expect(await one.lexical("lighthous")).toEqual(said?.grainIds);
    await one.memory.update(said?.id ?? "", { metadata: { caption: "a windmill", n: 1 } });
    expect(await one.lexical("lighthous")).toEqual([]);
    expect(await one.lexical("windmil")).toEqual(said?.grainIds);
    await one.memory.update(said?.id ?? "", { metadata: null });
    expect(await one.lexical("windmil")).toEqual([]);
    expect(await one.lexical("look")).toEqual(said?.grainIds);
  });

  test("what was said in a conversation stays as it was said", async () => {
    await using one = await openOne();
    const [said] = await one.memory.storeBatch([{ role: "user", content: "I like tea", sessionId: "s" }]);
    const id = said?.id ?? "";
    for (const changes of [{ text: "I like coffee" }, { provenance: "ai_stated" as const }]) {
      const call = one.memory.update(id, changes);
      await expect(call).rejects.toMatchObject({ code: "invalid_argument", hint: expect.any(String) });
    }
    expect(await one.memory.update(id, { metadata: { a: 1 }, importance: 0.2, pinned: true })).toMatchObject({
      ...{ text: "I like tea", metadata: { a: 1 }, importance: 0.2, pinned: true },
    });
  });

  test("of callers that saw the same version one succeeds", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("count 0");
    const { version = 0 } = (await one.memory.get(id)) ?? {};
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        one.memory.update(id, { text: `count ${i}` }, { ifVersion: version }),
      ),
    );
    const done = results.filter((result) => result.status === "fulfilled");
    expect(done).toHaveLength(1);
    const now = await one.memory.get(id);
    for (const result of results) {
      if (result.status === "fulfilled") continue;
      expect(FluxError.isInstance(result.reason)).toBe(true);
      expect(result.reason).toMatchObject({ code: "conflict", details: { version: now?.version } });
    }
    await one.memory.store("count 0");
    await one.memory.store(now?.text ?? "");
    const stale = one.memory.update(id, { pinned: true }, { ifVersion: now?.version });
    await expect(stale).rejects.toMatchObject({ code: "conflict", retryable: false });
  });

  test("a record is read as of one moment while others change it", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("number 0");
    const read = new Map<number, Set<string>>();
    const look = async (): Promise<void> => {
      const { items } = await one.memory.list();
      for (const record of [await one.memory.get(id), ...items]) {
        const { version = 0, text = "" } = record ?? {};
        read.set(version, (read.get(version) ?? new Set()).add(text));
      }
    };
    await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => one.memory.update(id, { text: `number ${i + 1}` })),
      ...Array.from({ length: 40 }, look),
    ]);
    expect(Math.max(...[...read.values()].map(({ size }) => size))).toBe(1);
  });

  test("without a version all calls take effect, one after the other, whatever they change", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store(long("castle", 2));
    await Promise.all([
      ...Array.from({ length: 3 }, (_, i) => one.memory.update(id, { text: long(`castle${i}`, i + 1) })),
      ...Array.from({ length: 3 }, (_, i) => one.memory.update(id, { metadata: { n: i } })),
      one.memory.archive(id),
    ]);
    const record = await one.memory.get(id);
    expect(record?.status).toBe("archived");
    expect(record?.metadata?.n).toBeTypeOf("number");
    const [, n] = /^The castle(\d)/.exec(record?.text ?? "") ?? [];
    expect(record?.text).toBe(long(`castle${n}`, Number(n) + 1));
    const [page] = await one.ledger.read([alice], [find("grain")]);
    expect(page.items.map((grain) => grain.id).sort()).toEqual([...(record?.grainIds ?? [])].sort());
    for (const other of [0, 1, 2].filter((i) => i !== Number(n)))
      expect(await one.lexical(`castle${other}`)).toEqual([]);
  });

  test("a retry changes nothing again, another call under its id is refused", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("one");
    const options = { operation: "u", ifVersion: (await one.memory.get(id))?.version };
    await one.memory.update(id, { text: "two" }, options);
    await one.memory.update(id, { text: "three" });
    expect(await one.memory.update(id, { text: "two" }, options)).toMatchObject({ text: "three" });
    for (const call of [
      () => one.memory.update(id, { text: "four" }, options),
      () => one.memory.update(id, { text: "two" }, { operation: "u" }),
      () => one.memory.archive(id, { operation: "u" }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "operation_conflict" });
    }
    expect(await one.memory.get(id)).toMatchObject({ text: "three", status: "active" });
  });

  test("an embedder that fails leaves no old vector behind, and the new one is made later", async () => {
    await using one = await openOne();
    const { id, grainIds } = await one.memory.store("The meeting is in Lisbon");
    one.embedder.before = () => {
      throw new Error("away");
    };
    await one.memory.update(id, { text: "The workshop is in Hamburg" });
    one.embedder.before = () => undefined;
    expect(await one.dense("meeting")).toEqual([]);
    expect(await one.lexical("hamburg")).toEqual(grainIds);
    one.clock.advance(hour);
    await one.flux.work({ once: true });
    const [made] = await one.dense("The workshop is in Hamburg");
    expect(made?.similarity).toBeCloseTo(1, 3);
  });

  test("a job that embeds the old text while it is replaced leaves the vector of the new one", async () => {
    await using one = await openOne();
    one.embedder.before = () => {
      throw new Error("away");
    };
    const { id, indexed } = await one.memory.store("The meeting is in Lisbon");
    expect(indexed).toBe("later");
    let replaced: Promise<unknown> | undefined;
    one.embedder.before = async (texts) => {
      if (replaced !== undefined || !texts.includes("The meeting is in Lisbon")) return;
      replaced = one.memory.update(id, { text: "The workshop is in Hamburg" });
      await replaced;
    };
    one.clock.advance(hour);
    await one.flux.work({ once: true });
    expect(replaced).toBeDefined();
    const [made] = await one.dense("The workshop is in Hamburg");
    expect(made?.similarity).toBeCloseTo(1, 3);
  });

  test("what was derived from a text goes when it says something else, and stays when it does not", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("The meeting is in Lisbon");
    const value = {
      form: "statement",
      content: "There is a meeting in Lisbon",
      provenance: "ai_inferred",
      statedAt: 1,
    } as const;
    const { ids } = await one.ledger.append(alice, {
      operation: "derive",
      records: [insert("text", value, { sources: [{ kind: "text", id }] })],
    });
    const [ownerId = ""] = ids;
    const grain = {
      ownerKind: "text",
      ownerId,
      status: "active",
      provenance: "ai_inferred",
      saidAt: 1,
    } as const;
    await one.ledger.append(alice, { operation: "grain", records: [insert("grain", grain)] });
    await one.memory.update(id, { metadata: { a: 1 } });
    expect(await one.memory.get(ownerId)).toMatchObject({ text: value.content });
    const updated = await one.memory.update(id, { text: "The meeting is in Hamburg" });
    expect(await one.memory.list()).toEqual({ items: [updated] });
    await one.memory.update(id, { text: "The meeting is in Bremen" });
    await one.memory.archive(id);
    await one.ledger.maintain();
    const [texts, grains] = await one.ledger.read([alice], [find("text"), find("grain")]);
    expect(texts.items).toHaveLength(1);
    expect(grains.items).toHaveLength(1);
  });

  test("what is given is checked, and nothing changes", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("stays");
    const wrong: [unknown, string][] = [
      [{}, "invalid_argument"],
      [{ text: undefined }, "invalid_argument"],
      [{ text: "" }, "invalid_argument"],
      [{ text: " \n" }, "invalid_argument"],
      [{ text: 5 }, "invalid_argument"],
      [{ text: null }, "invalid_argument"],
      [{ text: "x".repeat(16 * 1024 * 1024 + 1) }, "too_large"],
      [{ content: "x" }, "invalid_argument"],
      [{ metadata: { a: { b: 1 } } }, "invalid_metadata"],
      [{ metadata: [] }, "invalid_metadata"],
      [{ importance: 2 }, "invalid_argument"],
      [{ pinned: "yes" }, "invalid_argument"],
      [{ pinned: null }, "invalid_argument"],
      [{ expiresAt: "soon" }, "invalid_argument"],
      [{ expiresAt: one.clock.now() }, "invalid_argument"],
      [{ provenance: "rumour" }, "invalid_argument"],
      [null, "invalid_argument"],
      ["text", "invalid_argument"],
    ];
    for (const [changes, code] of wrong)
      await expect(one.memory.update(id, changes as RecordChanges)).rejects.toMatchObject({ code });
    for (const options of [{ ifVersion: "1" }, { ifVersion: 1.5 }, { version: 1 }, { operation: "" }])
      await expect(one.memory.update(id, { text: "x" }, options as never)).rejects.toThrow(FluxError);
    await expect(one.memory.update("none", { text: "x" })).rejects.toMatchObject({ code: "not_found" });
    await expect(one.memory.update(id, { text: "x" }, { signal: AbortSignal.abort("enough") })).rejects.toBe(
      "enough",
    );
    await expect(one.flux.for({ userId: "bob" }).update(id, { text: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await one.memory.get(id)).toMatchObject({ text: "stays", mentions: 0 });
  });

  test("hostile texts take the place of others word for word", async () => {
    await using one = await openOne();
    const { id } = await one.memory.store("before");
    for (const text of hostileTexts.filter((text) => text.trim() !== "")) {
      const record = await one.memory.update(id, { text, metadata: { text: text.slice(0, 99) } });
      expect(record.text).toBe(repairText(text));
      expect(await one.memory.list()).toMatchObject({ items: [{ text: repairText(text) }] });
    }
    expect(await one.lexical("befor")).toEqual([]);
  });
});
