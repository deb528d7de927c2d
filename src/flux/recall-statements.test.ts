import { describe, expect, it } from "vitest";
import { openWithModel, workOnce } from "../../test/support/extraction.ts";
import { ScriptedModel } from "../../test/support/scripted-model.ts";
import type { FluxMemory } from "./flux-memory.ts";

describe("recall", () => {
  it("has what was said before what was derived from it, and names the statement as a reason", async () => {
    const model = new ScriptedModel(([text]) =>
      /Oat/.test(text?.text ?? "")
        ? ["The user is allergic to lactose in milk.", "The user has oat milk."]
        : [],
    );
    const { flux, memory } = await openWithModel(model);
    const said = "Oat for me again, since lactose gives me hives.";
    await memory.store(said);
    await workOnce(flux);
    for (let i = 0; i < 6; i++)
      await memory.store(`Note ${i}: the milk in the fridge is for the office, floor ${i}.`);
    await workOnce(flux);
    const { hits } = await memory.recall("Is the user allergic to milk?", { k: 3 });
    expect(hits[0]).toMatchObject({ text: said, provenance: "user_stated" });
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("statement");
    const total = hits[0]?.signals.reduce((sum, { score }) => sum + score, 0);
    expect(total).toBeCloseTo(hits[0]?.score ?? 0, 9);
    expect(hits.filter(({ provenance }) => provenance === "ai_inferred")).toEqual([]);
    const all = await memory.recall("Is the user allergic to milk?", { k: 20 });
    expect(all.hits.filter(({ provenance }) => provenance === "ai_inferred")).toHaveLength(2);
  });

  it("keeps to the conditions: what is asked for alone stands for itself, and brings nothing else", async () => {
    const model = new ScriptedModel(() => ["The user is allergic to nuts."]);
    const { flux, memory } = await openWithModel(model);
    const session = flux.for({ userId: "anna", sessionId: "s" });
    await session.store("Nuts give me hives.", { metadata: { private: true } });
    await workOnce(flux);
    const texts = async (where: object) =>
      (await memory.recall("allergic", { where })).hits.map(({ text }) => text);
    expect(await texts({})).toEqual(["Nuts give me hives.", "The user is allergic to nuts."]);
    expect(await texts({ provenance: ["ai_inferred"] })).toEqual(["The user is allergic to nuts."]);
    expect(await texts({ provenance: ["user_stated"] })).toEqual([]);
    expect(await texts({ sessionIds: ["s"] })).toHaveLength(2);
    expect(await texts({ sessionIds: ["other"] })).toEqual([]);
    expect(await texts({ filter: { not: { private: true } } })).toEqual([]);
  });

  it("is as it was where nothing was derived", async () => {
    const plain = await openWithModel(undefined);
    const { flux, memory } = await openWithModel(new ScriptedModel(), { extractFrom: [] });
    for (const to of [plain.memory, memory])
      await to.storeBatch(["I like figs.", "Figs are in season.", "I like tea."].map((text) => ({ text })));
    await workOnce(flux);
    const found = async (from: FluxMemory) =>
      (await from.recall("figs")).hits.map(({ text, score, signals }) => ({ text, score, signals }));
    expect(await found(memory)).toEqual(await found(plain.memory));
  });

  it("lets one statement stand for a long text, and the others behind", async () => {
    const model = new ScriptedModel(([text]) =>
      /sailing/.test(text?.text ?? "")
        ? [
            "The user likes sailing.",
            "The user likes sailing boats a lot.",
            "The user bought a sailing boat.",
          ]
        : [],
    );
    const { flux, memory } = await openWithModel(model);
    const filler = "The weather was fine again and we walked along the river for a while. ".repeat(30);
    await memory.store(`I like sailing a lot, and bought a boat. ${filler}`);
    await memory.store("Sailing is on the calendar for the club's week in July.");
    await workOnce(flux);
    const { hits } = await memory.recall("sailing", { k: 3 });
    expect(hits.filter(({ provenance }) => provenance === "ai_inferred")).toHaveLength(1);
  });
});
