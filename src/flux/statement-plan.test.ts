import { describe, expect, it, onTestFinished } from "vitest";
import {
  anna,
  likingModel,
  openWithModel,
  pendingIn,
  statementsIn,
  workOnce,
} from "../../test/support/extraction.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { ScriptedModel } from "../../test/support/scripted-model.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, sourcesOf } from "../store/read.ts";
import { extractQueue } from "./extract-queue.ts";

onEveryStore((store) => {
  it("derives statements from what was stored, and finds them with their source", async () => {
    const model = new ScriptedModel(() => ["The user lives in Porto."]);
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    const { flux, memory } = await openWithModel(model, { ledger });
    const scope = flux.for({ userId: "anna", sessionId: "s1", agentId: "bot" });
    const stored = await scope.store("I moved to Porto last year, and I still live here.", {
      statedAt: Date.UTC(2024, 4, 7),
      metadata: { plan: "pro" },
    });
    expect(stored).not.toHaveProperty("degraded");
    expect(model.calls).toHaveLength(0);
    expect(await workOnce(flux)).toEqual([]);
    const [page] = await ledger.read([anna], [find("text", { index: "byForm", prefix: ["statement"] })]);
    const [statement] = page.items;
    expect(page.items).toHaveLength(1);
    expect(statement).toMatchObject({
      ...{ content: "The user lives in Porto.", provenance: "ai_inferred", sessionId: "s1", agentId: "bot" },
      ...{ statedAt: Date.UTC(2024, 4, 7), metadata: { plan: "pro" } },
    });
    const [sources] = await ledger.read([anna], [sourcesOf("text", statement?.id ?? "")]);
    expect(sources).toMatchObject([{ kind: "text", id: stored.id, role: "source" }]);
    const { hits } = await memory.recall("Where does the user live?");
    expect(hits.map(({ text }) => text)).toEqual([
      "I moved to Porto last year, and I still live here.",
      "The user lives in Porto.",
    ]);
    expect(await pendingIn(ledger)).toBe(0);
  });

  it("leaves nothing of a text that is replaced while a model works on it, and derives from the new one", async () => {
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    const model = new ScriptedModel();
    const { flux, memory } = await openWithModel(model, { ledger });
    const { id } = await memory.store("I moved to Porto last year, and I still live here.");
    let replaced = false;
    model.answer = async ([shown]) => {
      if (shown?.text.includes("Hamburg") === true) return ["The user lives in Hamburg."];
      if (!replaced)
        await memory.update(id, { text: "I moved to Hamburg last year, and I still live here." });
      replaced = true;
      return ["The user lives in Porto."];
    };
    expect(await workOnce(flux)).toEqual([]);
    expect(await statementsIn(ledger)).toEqual(["The user lives in Hamburg."]);
    const metadata = await memory.update(id, { metadata: { a: 1 } });
    expect(metadata.text).toContain("Hamburg");
    expect(await statementsIn(ledger)).toEqual(["The user lives in Hamburg."]);
  });

  it("has what its source has by the time it is stored, and what changes of that later", async () => {
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    const model = new ScriptedModel();
    const { flux, memory } = await openWithModel(model, { ledger });
    const { id } = await memory.store("I like figs, above all.", { metadata: { plan: "free" } });
    const expiresAt = Date.UTC(2100, 0, 1);
    model.answer = async () => {
      await memory.archive(id);
      await memory.update(id, { metadata: { plan: "pro", caption: "a tree" }, expiresAt });
      return ["The user likes figs."];
    };
    expect(await workOnce(flux)).toEqual([]);
    const statement = async () => {
      const [page] = await ledger.read([anna], [find("text", { index: "byForm", prefix: ["statement"] })]);
      expect(page.items).toHaveLength(1);
      return memory.get(page.items[0]?.id ?? "");
    };
    expect(await statement()).toMatchObject({
      ...{ status: "archived", metadata: { plan: "pro" }, expiresAt, mentions: 0 },
    });
    await memory.undo(id);
    const [{ items: others }] = await ledger.read([anna], [find("grain", { filter: { plan: "free" } })]);
    expect(others).toEqual([]);
    await memory.update(id, { metadata: { plan: "team" }, expiresAt: null });
    const filter = { plan: "team" };
    const { hits } = await memory.recall("Who likes figs?", { where: { filter } });
    expect(hits.map(({ text, status }) => [text, status])).toEqual([
      ["I like figs, above all.", "active"],
      ["The user likes figs.", "active"],
    ]);
    expect((await statement())?.expiresAt).toBeUndefined();
    await memory.update(id, { metadata: null, importance: 1 });
    expect(await statement()).not.toHaveProperty("metadata");
  });

  it("leaves nothing of what is erased, before, while and after a model works on it", async () => {
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    const model = new ScriptedModel(() => ["The user likes figs."]);
    const { flux, memory } = await openWithModel(model, { ledger });
    const before = await memory.store("I like figs.");
    await memory.erase({ id: before.id });
    expect(await pendingIn(ledger)).toBe(0);

    const during = await memory.store("I like figs, all of them.");
    model.answer = async () => {
      await memory.erase({ id: during.id });
      return ["The user likes all figs."];
    };
    await workOnce(flux);
    expect(await statementsIn(ledger)).toEqual([]);

    model.answer = () => ["The user likes dried figs."];
    const after = await memory.store("I like figs when they are dried.");
    await workOnce(flux);
    expect(await statementsIn(ledger)).toEqual(["The user likes dried figs."]);
    await memory.erase({ id: after.id });
    expect(await statementsIn(ledger)).toEqual([]);
    const { hits } = await memory.recall("figs");
    expect(hits).toEqual([]);
  });
});

onEveryStore(
  (store) => {
    it("is derived once, whichever of several processes does it", async () => {
      const place = store.place();
      const model = likingModel();
      const ledgers = [store.open(place), store.open(place), store.open(place)];
      onTestFinished(async () => {
        for (const ledger of ledgers) await ledger.close();
      });
      const opened = [];
      for (const ledger of ledgers) opened.push(await openWithModel(model, { ledger }));
      const expected: string[] = [];
      for (let i = 0; i < 12; i++) {
        const { memory } = opened[i % opened.length] ?? {};
        await memory?.store(`I like fruit number ${i} of the list.`);
        expected.push(`The user likes fruit number ${i} of the list.`);
      }
      const [first] = opened;
      while ((await pendingIn(first?.ledger as Ledger)) > 0)
        await Promise.all(opened.map(({ flux }) => workOnce(flux)));
      expect((await statementsIn(first?.ledger as Ledger)).sort()).toEqual(expected.sort());
    });
  },
  { shared: true },
);

describe("what becomes of the text", () => {
  it("becomes of its statements: archived, purged, restored, said otherwise", async () => {
    const model = new ScriptedModel(([text]) => [
      /figs/.test(text?.text ?? "") ? "The user likes figs." : "The user likes plums.",
    ]);
    const { flux, memory, ledger } = await openWithModel(model);
    const { id } = await memory.store("I like figs, above all.");
    await workOnce(flux);
    const found = async () =>
      (await memory.recall("Who likes figs?")).hits.map(({ text, status }) => [text, status]);
    expect(await found()).toEqual([
      ["I like figs, above all.", "active"],
      ["The user likes figs.", "active"],
    ]);
    await memory.archive(id);
    expect((await found()).map(([, status]) => status)).toEqual(["archived", "archived"]);
    await memory.undo(id);
    expect((await found()).map(([, status]) => status)).toEqual(["active", "active"]);
    await memory.purge(id);
    expect(await found()).toEqual([]);
    await memory.undo(id);
    expect(await found()).toHaveLength(2);
    await memory.update(id, { text: "I like plums." });
    expect(await found()).toEqual([["I like plums.", "active"]]);
    await workOnce(flux);
    expect(await statementsIn(ledger)).toEqual(["The user likes plums."]);
  });

  it("a text is derived from later, once a job says so", async () => {
    const model = new ScriptedModel(() => ["The user likes figs."]);
    const { memory: without, ledger } = await openWithModel(undefined);
    const { id, kind } = await without.store("I like figs, above all.");
    const { flux } = await openWithModel(model, { ledger });
    for (const payload of [{}, { window: -1 }, { window: "x" }, { window: 0.5 }]) {
      await ledger.append(anna, {
        operation: JSON.stringify(payload),
        records: [],
        jobs: [{ queue: extractQueue, sources: [{ kind, id }], payload }],
      });
    }
    expect(await workOnce(flux)).toEqual([]);
    expect(model.calls).toHaveLength(1);
    expect(await statementsIn(ledger)).toEqual(["The user likes figs."]);
  });
});
