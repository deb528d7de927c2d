import { describe, expect, it, onTestFinished } from "vitest";
import { openWithModel, workOnce } from "../../test/support/extraction.ts";
import { onEveryStore, type TestStore } from "../../test/support/flux-stores.ts";
import type { Flux } from "./flux.ts";
import type { FluxMemory } from "./flux-memory.ts";

const day = 24 * 3_600_000;
const hens = ["We have 12 hens.", "We now have 14 hens.", "We now have 15 hens."] as const;
const start = Date.UTC(2024, 4, 6);

async function open(store: TestStore, autoExtract = true): Promise<{ flux: Flux; memory: FluxMemory }> {
  const ledger = store.open(store.place());
  onTestFinished(() => ledger.close());
  return openWithModel(false, { autoExtract, languageModel: false, ledger });
}

/** Stores texts a day after one another, each in a session of its own, and works after each. */
async function tell(flux: Flux, memory: FluxMemory, ...texts: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [i, content] of texts.entries()) {
    const item = { role: "user", content, saidAt: start + i * day, sessionId: `s${i}` } as const;
    const [stored] = await memory.storeBatch([item]);
    if (stored !== undefined) ids.push(stored.id);
    expect(await workOnce(flux)).toEqual([]);
  }
  return ids;
}

/** The texts that come back, a replaced one with what stands now. */
async function recalled(memory: FluxMemory, question: string): Promise<readonly string[]> {
  const { hits } = await memory.recall(question);
  const textOf = new Map(hits.map(({ id, text }) => [id, text]));
  return hits.map(({ text, supersededBy }) =>
    supersededBy === undefined ? text : `${text} → ${textOf.get(supersededBy)}`,
  );
}

async function exported(memory: FluxMemory): Promise<string> {
  const lines: string[] = [];
  for await (const line of memory.export()) lines.push(JSON.stringify(line));
  return lines.join("\n");
}

onEveryStore((store) => {
  it("marks a text whose value another one changes, in another session, and puts it behind", async () => {
    const { flux, memory } = await open(store);
    const old = "The rent of my flat is 900 euros, so said the contract of the flat.";
    const now = "The rent of my flat was raised to 950 euros.";
    await tell(flux, memory, old, "My bike cost 700 euros.", now);
    const found = await recalled(memory, "What does the contract of my flat say of the rent?");
    expect(found.slice(0, 2)).toEqual([now, `${old} → ${now}`]);
    expect(found).toContain("My bike cost 700 euros.");
  });

  it("marks a text whose fact another text's fact closes, or whose end another text tells", async () => {
    const { flux, memory } = await open(store);
    const moves = ["I live in Porto.", "I work at Nokia.", "I like tea.", "I moved to Hamburg."];
    await tell(flux, memory, ...moves, "I no longer work at Nokia.");
    const found = await recalled(memory, "Porto, Nokia, tea");
    expect(found).toContain("I live in Porto. → I moved to Hamburg.");
    expect(found).toContain("I work at Nokia. → I no longer work at Nokia.");
    expect(found).toContain("I like tea.");
  });

  it("follows a chain to its end, and has an older one stand by itself when the newer one is erased", async () => {
    const { flux, memory } = await open(store);
    const [first, second, third] = hens;
    const ids = await tell(flux, memory, ...hens);
    const asked = "How many hens do we have?";
    expect(await recalled(memory, asked)).toEqual([third, `${second} → ${third}`, `${first} → ${third}`]);
    const newest = (await memory.recall(asked)).hits[0]?.id ?? "";
    expect(await exported(memory)).toContain(newest);
    await memory.erase({ id: ids[2] ?? "" });
    expect(await recalled(memory, asked)).toEqual([second, `${first} → ${second}`]);
    expect(await workOnce(flux)).toEqual([]);
    expect(await recalled(memory, asked)).toEqual([second, `${first} → ${second}`]);
    expect(await exported(memory)).not.toContain(newest);
    await memory.erase({ id: ids[1] ?? "" });
    expect(await recalled(memory, asked)).toEqual([first]);
  });

  it("marks nothing that stays true, and nothing at all without extraction", async () => {
    const { flux, memory } = await open(store);
    await tell(
      flux,
      memory,
      "I ran 5 km on Monday.",
      "I ran 8 km on Tuesday.",
      "I like tea.",
      "I like coffee.",
    );
    expect((await recalled(memory, "ran like")).join()).not.toContain("→");
    const other = await open(store, false);
    await tell(other.flux, other.memory, "We have 12 hens.", "We now have 14 hens.");
    expect((await recalled(other.memory, "hens")).join()).not.toContain("→");
  });
});

describe("what a text replaces", () => {
  it("is found also among what was stored together", async () => {
    const { flux, memory } = await openWithModel(false, { autoExtract: true, languageModel: false });
    const items = [
      "I live in Porto.",
      "I like tea.",
      "I moved to Hamburg.",
      "We have 12 hens.",
      "We now have 14 hens.",
    ];
    await memory.storeBatch(
      items.map((content, i) => ({ role: "user", content, saidAt: start + i, sessionId: "s" })),
    );
    expect(await workOnce(flux)).toEqual([]);
    const found = await recalled(memory, "Porto hens tea");
    expect(found).toContain("I live in Porto. → I moved to Hamburg.");
    expect(found).toContain("We have 12 hens. → We now have 14 hens.");
    expect(found).toContain("I like tea.");
  });

  it("is only what its own author said", async () => {
    const { flux, memory } = await openWithModel(false, { autoExtract: true, languageModel: false });
    const said = (name: string, content: string, saidAt: number) =>
      ({ role: "user", name, content, saidAt, sessionId: "s" }) as const;
    await memory.storeBatch([
      said("Ann", "I have 12 hens.", start),
      said("Bob", "I now have 14 hens.", start + 1),
      { role: "assistant", content: "You have 13 hens now.", saidAt: start + 2, sessionId: "s" },
    ]);
    await workOnce(flux);
    expect((await recalled(memory, "hens")).join()).not.toContain("→");
  });

  it("is not a long text of whose facts one is closed", async () => {
    const { flux, memory } = await openWithModel(false, { autoExtract: true, languageModel: false });
    const story =
      "The garden is full of roses, and the neighbours came over to look at the pond with the old willow.";
    const long = `I live in Porto. ${story} ${story.replace("roses", "tulips")} ${story.replace("pond", "hedge")}`;
    await tell(flux, memory, long, "I moved to Hamburg.");
    expect(await recalled(memory, "Porto roses")).toContain(long);
  });

  it("is what was said just before, of a text that sets it right", async () => {
    const { flux, memory } = await openWithModel(false, { autoExtract: true, languageModel: false });
    const texts = ["The train leaves at 6:40.", "Sorry, at 7:10."];
    await memory.storeBatch(
      texts.map((content, i) => ({ role: "user", content, saidAt: start + i, sessionId: "s" })),
    );
    await workOnce(flux);
    expect(await recalled(memory, "train leaves")).toEqual([texts[1], `${texts[0]} → ${texts[1]}`]);
  });

  it("is marked anew when the text that replaces it says something else", async () => {
    const { flux, memory } = await openWithModel(false, { autoExtract: true, languageModel: false });
    await memory.store("We have 12 hens.", { statedAt: start });
    const { id } = await memory.store("We now have 14 hens.", { statedAt: start + 1 });
    await workOnce(flux);
    await memory.update(id, { text: "We now have 15 hens." });
    expect((await recalled(memory, "hens")).join()).not.toContain("→");
    await workOnce(flux);
    expect(await recalled(memory, "hens")).toContain("We have 12 hens. → We now have 15 hens.");
  });

  it("stands by itself while the text that replaces it is hidden", async () => {
    const { flux, memory } = await openWithModel(false, { autoExtract: true, languageModel: false });
    const [, newer] = await tell(flux, memory, hens[0], hens[1]);
    await memory.purge(newer ?? "");
    expect(await recalled(memory, "hens")).toEqual([hens[0]]);
    await memory.undo(newer ?? "");
    expect(await recalled(memory, "hens")).toEqual([hens[1], `${hens[0]} → ${hens[1]}`]);
  });
});
