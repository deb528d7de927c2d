import { describe, expect, it, onTestFinished } from "vitest";
import { factsIn, openWithModel, workOnce } from "../../test/support/extraction.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { ScriptedModel } from "../../test/support/scripted-model.ts";
import { ManualClock } from "../store/contract/manual-clock.ts";
import type { Ledger } from "../store/ledger.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { extractQueue, factsQueue } from "./extract-queue.ts";
import { Flux, type FluxOptions } from "./flux.ts";

const rules = { autoExtract: true, languageModel: false } as const;

async function openRules(options: FluxOptions & { readonly ledger?: Ledger } = {}) {
  return openWithModel(false, { ...rules, ...options });
}

function waitingIn(ledger: Ledger, queues = [factsQueue]): Promise<number> {
  return ledger.jobs.count({ queues }).then((counts) => counts.reduce((sum, { count }) => sum + count, 0));
}

onEveryStore((store) => {
  it("derives facts by rules from what was stored, with their sources, and no write waits for it", async () => {
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    const { flux, memory } = await openRules({ ledger });
    const scope = flux.for({ userId: "anna", sessionId: "s1", agentId: "bot" });
    const text = "Good morning! I live in Porto. My sister Ines is a nurse.";
    const { id } = await scope.store(text, { statedAt: Date.UTC(2024, 4, 7) });
    expect(await factsIn(memory)).toEqual([]);
    expect(await workOnce(flux)).toEqual([]);
    const { items } = await memory.facts.query({ predicate: "lives_in" });
    expect(items).toMatchObject([
      {
        ...{ subject: "user", predicate: "lives_in", object: "Porto", affirmed: true },
        ...{ provenance: "user_stated", sessionId: "s1", agentId: "bot" },
        sources: [{ kind: "text", id }],
      },
    ]);
    const [{ start, end } = {}] = items[0]?.sources ?? [];
    expect(text.slice(start, end)).toContain("Porto");
    expect(await factsIn(memory)).toContain("user has_sister Ines");
    expect(await waitingIn(ledger)).toBe(0);
  });

  it("does jobs that wait behind one another in one commit, but what was changed since after them", async () => {
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    let commits = 0;
    const counting = beforeCommits(ledger, async () => (commits += 1));
    const { flux, memory } = await openRules({ ledger: counting });
    const { id } = await memory.store("I live in Porto.");
    await memory.store("I work at Acme.");
    await memory.store("My budget is $500.");
    await memory.update(id, { text: "I live in Hamburg." });
    expect(await waitingIn(ledger)).toBe(4);
    expect(await flux.work({ once: true, only: "extraction" })).toBe(4);
    expect([commits, await waitingIn(ledger)]).toEqual([2, 0]);
    const known = ["user budget $500", "user lives_in Hamburg", "user works_at Acme"];
    expect((await factsIn(memory)).sort()).toEqual(known);
  });

  it("leaves nothing of a text that is erased between the reading and the commit", async () => {
    const clock = new ManualClock();
    const ledger = store.open(store.place(), { clock });
    onTestFinished(() => ledger.close());
    let erased = 0;
    const erasing = erasingLedger(ledger, async () => {
      await memory.erase({ id });
      erased += 1;
    });
    const { flux, memory } = await openRules({ ledger: erasing, clock });
    const [{ id } = { id: "" }] = await memory.storeBatch([
      { text: "I live in Porto." },
      { text: "I work at Acme." },
    ]);
    expect(await workOnce(flux)).toMatchObject([{ code: "lease_lost" }]);
    expect(erased).toBe(1);
    expect(await factsIn(memory)).toEqual([]);
    // The job is taken up again when its lease would have ended, for what is left.
    clock.advance(20_000);
    expect(await workOnce(flux)).toEqual([]);
    expect(await factsIn(memory)).toEqual(["user works_at Acme"]);
  });

  it("judges what a text had ended anew also when the process ends right after the purge, or its undoing", async () => {
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    const { flux, memory } = await openRules({ ledger });
    const said = await memory.storeBatch([
      { input: "I live in Rome.", output: "", occurredAt: 1 },
      { input: "I live in Porto.", output: "", occurredAt: 2 },
    ]);
    const id = said[1]?.id ?? "";
    await workOnce(flux);
    const dying = await openRules({ ledger: endingAfter(ledger, ["purge", "undo"]) });
    await expect(dying.memory.purge(id)).rejects.toThrow("ended");
    await workOnce(flux);
    expect(await factsIn(memory)).toEqual(["user lives_in Rome"]);
    await expect(dying.memory.undo(id)).rejects.toThrow("ended");
    await workOnce(flux);
    expect(await factsIn(memory)).toEqual(["user lives_in Porto"]);
  });

  it("replaces what followed from a text or an episode that says something else now", async () => {
    const ledger = store.open(store.place());
    onTestFinished(() => ledger.close());
    const { flux, memory } = await openRules({ ledger });
    const { id } = await memory.store("I live in Porto.");
    const episode = { id: "e", output: "Noted." };
    await memory.storeBatch([{ ...episode, input: "I work at Acme." }]);
    await workOnce(flux);
    expect((await factsIn(memory)).sort()).toEqual(["user lives_in Porto", "user works_at Acme"]);
    await memory.update(id, { text: "I live in Hamburg." });
    await memory.storeBatch([{ ...episode, input: "I work at Globex." }]);
    expect(await factsIn(memory)).toEqual([]);
    await workOnce(flux);
    expect((await factsIn(memory)).sort()).toEqual(["user lives_in Hamburg", "user works_at Globex"]);
  });
});

/** A ledger in which something is erased just before the first commit of a job. */
function erasingLedger(ledger: Ledger, erase: () => Promise<unknown>): Ledger {
  let erased = false;
  return beforeCommits(ledger, async () => {
    if (erased) return;
    erased = true;
    await erase();
  });
}

/** A ledger with which something comes before each commit that completes a job. */
function beforeCommits(ledger: Ledger, call: () => Promise<unknown>): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== "update") return typeof value === "function" ? value.bind(target) : value;
      return async (...given: Parameters<Ledger["update"]>) => {
        if (given[1].job !== undefined) await call();
        return target.update(...given);
      };
    },
  });
}

/** Commits such calls, and fails instead of returning, as a process does that ends. */
function endingAfter(ledger: Ledger, calls: readonly string[]): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      if (!calls.includes(String(name))) return value.bind(target);
      return async (...call: unknown[]) => {
        await Reflect.apply(value, target, call);
        throw new Error("ended");
      };
    },
  });
}

describe("what becomes facts", () => {
  it("is what the user says: in texts, messages and the input of episodes", async () => {
    const { flux, memory } = await openRules();
    await memory.storeBatch([
      { text: "I live in Porto." },
      { role: "user", sessionId: "s", content: "I work at Acme." },
      { role: "assistant", sessionId: "s", content: "I live in Rome, and I work at Initech." },
      { role: "tool", sessionId: "s", content: "I live in Oslo.", toolCallId: "1" },
      { role: "system", sessionId: "s", content: "I live in Cairo." },
      { input: "I am a nurse.", output: "I am a robot, and I live in Lyon." },
      { text: "I live in Paris.", provenance: "external_source" },
      { text: "I live in Quito.", provenance: "ai_inferred" },
    ]);
    await workOnce(flux);
    expect((await factsIn(memory)).sort()).toEqual([
      "user lives_in Porto",
      "user works_as nurse",
      "user works_at Acme",
    ]);
  });

  it("is what others say as well where the policy allows it, with their provenance", async () => {
    const { flux, memory } = await openRules({ extractFrom: ["user_stated", "ai_stated"] });
    await memory.storeBatch([{ input: "I live in Porto.", output: "I live in Lyon." }]);
    await workOnce(flux);
    const { items } = await memory.facts.query({ predicate: "lives_in" });
    expect(items.map(({ subject, object, provenance }) => [subject, object, provenance]).sort()).toEqual([
      ["assistant", "Lyon", "ai_stated"],
      ["user", "Porto", "user_stated"],
    ]);
  });

  it("is about the speaker by name where a message has one", async () => {
    const { flux, memory } = await openRules();
    await memory.storeBatch([
      { role: "user", sessionId: "s", name: "Caroline", content: "I live in Porto." },
      { role: "user", sessionId: "s", name: "Melanie", content: "I live in Rome." },
      { text: "I work at Acme.", author: "Caroline" },
    ]);
    await workOnce(flux);
    expect((await factsIn(memory)).sort()).toEqual([
      "Caroline lives_in Porto",
      "Caroline works_at Acme",
      "Melanie lives_in Rome",
    ]);
  });

  it("has its dates from the time of the text, in the zone of its metadata", async () => {
    const { flux, memory } = await openRules();
    const statedAt = Date.UTC(2024, 4, 7, 20);
    const text = "I moved to Porto yesterday.";
    await memory.storeBatch([
      { text, statedAt, author: "A", metadata: { zone: "Asia/Tokyo" } },
      { text, statedAt, author: "B", metadata: { zone: "Nowhere/At_All" } },
    ]);
    await workOnce(flux);
    const from = async (subject: string) =>
      (await memory.facts.query({ subject, predicate: "lives_in" })).items[0]?.validFrom;
    expect(await from("A")).toMatchObject({ at: Date.UTC(2024, 4, 6, 15), zone: "Asia/Tokyo" });
    expect(await from("B")).toMatchObject({ at: Date.UTC(2024, 4, 6), zone: "UTC" });
  });

  it("is nothing where it is off, which it is by default without a model", async () => {
    for (const options of [{}, { autoExtract: false, languageModel: new ScriptedModel() }]) {
      const ledger = inMemoryLedger();
      const flux = await Flux.open(ledger, { embedder: "hash", ...options });
      onTestFinished(() => flux.close());
      await flux.for({ userId: "anna" }).store("I live in Porto.");
      expect(await waitingIn(ledger, [factsQueue, extractQueue])).toBe(0);
      expect((await flux.status()).extraction).toMatchObject({ mode: "caller_extracts" });
      expect((await flux.status()).extraction).not.toHaveProperty("rules");
    }
  });

  it("is by default also what rules find where there is a model, even one that does not answer", async () => {
    const { flux, memory } = await openWithModel({ model: "llama3.1:8b", baseURL: "http://127.0.0.1:9" });
    await expect.poll(async () => (await flux.status()).extraction.available).toBe(false);
    expect((await memory.store("I live in Porto.")).degraded).toMatchObject([
      { code: "extractor_unavailable" },
    ]);
    await workOnce(flux);
    expect(await factsIn(memory)).toEqual(["user lives_in Porto"]);
    expect((await flux.status()).extraction).toMatchObject({
      mode: "flux_extracts",
      rules: true,
      pending: { jobs: 0 },
    });
  });

  it.each([{ autoExtract: 1 }, { extractFrom: "user_stated" }, { extractFrom: ["user"] }])(
    "is not decided by %j",
    async (options) => {
      await expect(Flux.open("inmemory", options as never)).rejects.toMatchObject({
        code: "invalid_argument",
      });
    },
  );
});

describe("jobs of rules", () => {
  it("have their effect once, however often what they are about is said, stored and worked on", async () => {
    const { flux, memory, ledger } = await openRules();
    const other = await openRules({ ledger });
    await memory.store("I live in Porto.", { operation: "o" });
    await memory.store("I live in Porto.", { operation: "o" });
    await memory.store("I live in Porto.");
    await Promise.all([workOnce(flux), workOnce(other.flux), workOnce(flux)]);
    await workOnce(flux);
    const { items } = await memory.facts.query();
    expect(items).toMatchObject([{ object: "Porto", mentions: 0 }]);
    expect(items[0]?.sources).toHaveLength(1);
  });

  it("hold many texts of a session each, in order", async () => {
    const { flux, ledger, memory } = await openRules();
    const cities = ["Rome", "Oslo", "Cairo", "Lyon", "Porto"];
    await memory.storeBatch(
      Array.from({ length: 250 }, (_, i) => ({
        ...{ role: "user" as const, sessionId: "s", saidAt: i },
        content: `I live in ${cities[i % 5]}.`,
      })),
    );
    expect(await waitingIn(ledger)).toBe(3);
    await workOnce(flux);
    expect(await factsIn(memory)).toEqual(["user lives_in Porto"]);
  });

  it("are done by who has no model, while those of the model wait", async () => {
    const { memory, ledger } = await openWithModel(new ScriptedModel());
    await memory.store("I live in Porto.");
    const other = await openWithModel(undefined, { ledger });
    await other.flux.work({ once: true, only: "extraction" });
    expect(await factsIn(memory)).toEqual(["user lives_in Porto"]);
    expect(await waitingIn(ledger, [extractQueue])).toBe(1);
    await expect(other.flux.work({ only: "index" as never })).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });

  it("read a long text part by part", async () => {
    const { flux, memory } = await openRules();
    const filler = "The weather was fine again and they walked along the river for a while. ".repeat(150);
    await memory.store(`${filler}I live in Porto. ${filler}`);
    await workOnce(flux);
    const { items } = await memory.facts.query({ predicate: "lives_in" });
    expect(items).toMatchObject([{ object: "Porto" }]);
    expect(items[0]?.sources[0]?.start).toBeGreaterThan(6000);
  });

  it("read any text, and take no claim along that cannot be one", async () => {
    const { flux, memory } = await openWithModel(
      new ScriptedModel((texts) => ({
        claims: texts.flatMap(({ number, text }) => [
          { from: number, subject: text, predicate: text, object: text },
          { from: number, subject: "user", predicate: "ー", object: text.slice(0, 100) },
        ]),
      })),
    );
    await memory.storeBatch(hostileTexts.map((text) => ({ text: `I like ${text}` })));
    await memory.store(`My name is ${"Ann ".repeat(300)}and I live in Porto. I like ${"é".repeat(2000)}.`);
    await memory.store("I live in Porto.");
    expect(await workOnce(flux)).toEqual([]);
    expect((await flux.status()).extraction.pending).toEqual({ jobs: 0, dead: 0 });
    expect(await factsIn(memory)).toContain("user lives_in Porto");
  });

  it("are not left for what is imported with its facts; what was read nowhere is read when that is asked for", async () => {
    const plain = await openWithModel(undefined);
    await plain.memory.storeBatch([
      { text: "I live in Porto." },
      { input: "I work at Acme.", output: "Noted." },
    ]);
    const first = await openRules();
    await first.memory.import(plain.memory.export());
    expect(await waitingIn(first.ledger)).toBe(0);
    expect(await first.memory.extract()).toMatchObject({ records: 2, jobs: 1 });
    await workOnce(first.flux);
    expect((await factsIn(first.memory)).sort()).toEqual(["user lives_in Porto", "user works_at Acme"]);
    const second = await openRules();
    await second.memory.import(first.memory.export());
    expect(await waitingIn(second.ledger)).toBe(0);
    expect((await factsIn(second.memory)).sort()).toEqual(["user lives_in Porto", "user works_at Acme"]);
  });

  it("find nothing of what has expired or was purged before them", async () => {
    const clock = new ManualClock();
    const { flux, memory } = await openRules({ clock });
    await memory.store("I live in Porto.", { expiresAt: clock.now() + 1000 });
    const { id } = await memory.store("I work at Acme.");
    clock.advance(2000);
    await memory.purge(id);
    await workOnce(flux);
    expect(await factsIn(memory)).toEqual([]);
  });

  it("let what a text had ended hold again once that says something else or is hidden", async () => {
    const { flux, memory } = await openRules();
    const said = { output: "", occurredAt: 2 };
    await memory.storeBatch([{ input: "I live in Rome.", output: "", occurredAt: 1 }]);
    const [{ id } = { id: "" }] = await memory.storeBatch([{ ...said, id: "e", input: "I live in Porto." }]);
    const known = async () => {
      await flux.work({ once: true, only: "extraction" });
      // Two jobs may come to facts at the same time.
      return (await factsIn(memory)).sort();
    };
    expect(await known()).toEqual(["user lives_in Porto"]);
    await memory.purge(id);
    expect(await known()).toEqual(["user lives_in Rome"]);
    await memory.undo(id);
    expect(await known()).toEqual(["user lives_in Porto"]);
    await memory.storeBatch([{ ...said, id: "e", input: "I like figs." }]);
    expect(await known()).toEqual(["user likes figs", "user lives_in Rome"]);
  });

  it("are left anew for what was hidden from them and is brought back", async () => {
    const { flux, memory } = await openRules();
    const { id } = await memory.store("I live in Porto.");
    await memory.purge(id);
    await workOnce(flux);
    await memory.undo(id);
    expect(await factsIn(memory)).toEqual([]);
    await workOnce(flux);
    expect(await factsIn(memory)).toEqual(["user lives_in Porto"]);
    await memory.purge(id);
    expect(await factsIn(memory)).toEqual([]);
    await memory.undo(id);
    const before = (await memory.facts.query()).items;
    expect(before.map(({ object }) => object)).toEqual(["Porto"]);
    // Read again it says nothing new.
    expect((await flux.status()).extraction.pending.jobs).toBe(1);
    await workOnce(flux);
    expect((await memory.facts.query()).items).toEqual(before);
  });

  it("are left anew for what was stored while nobody was to read it, once", async () => {
    const ledger = inMemoryLedger();
    const off = await openWithModel(undefined, { ledger });
    await off.memory.storeBatch([
      { text: "I live in Porto." },
      { role: "user", sessionId: "s", content: "I work at Acme." },
      { role: "user", sessionId: "s", content: "ok, thanks" },
      { input: "I am a nurse.", output: "Noted." },
    ]);
    const { flux, memory } = await openRules({ ledger });
    const first = await memory.extract({ limit: 2 });
    expect(first).toMatchObject({ records: 2, more: true });
    const rest = await memory.extract({ since: first.seq });
    expect(rest).toMatchObject({ records: 2, more: false });
    expect(first.jobs + rest.jobs).toBe(await waitingIn(ledger));
    await workOnce(flux);
    expect(await factsIn(memory)).toHaveLength(3);
    expect(await memory.extract()).toMatchObject({ records: 4, jobs: 0, more: false });
    await workOnce(flux);
    expect((await memory.facts.query()).items.every(({ mentions }) => mentions === 0)).toBe(true);
    // A model has read none of them.
    const reading = await openWithModel(new ScriptedModel(), { ledger });
    expect(await reading.memory.extract()).toMatchObject({ records: 4, more: false });
    expect(await waitingIn(ledger)).toBe(0);
    expect(await waitingIn(ledger, [extractQueue])).toBeGreaterThan(0);
    await expect(memory.extract({ limit: 0 })).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(memory.extract({ since: -1 })).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
