import { describe, expect, test } from "vitest";
import { factVersion, insertIndexed } from "../../test/support/fact-versions.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import type { FactRecall } from "../facts/facts.ts";
import type { FactVersion, WorldTime } from "../model/fact.ts";
import { partition } from "../model/partition.ts";

const alice = partition({ userId: "alice" });
const on = (at: number): WorldTime => ({ at, precision: "day" });
const objects = ({ hits }: FactRecall): string[] => hits.map(({ object }) => object);

function homes(now: number): FactVersion[] {
  const believedOnce = { status: "retired", retiredReason: "corrected", recordedFrom: now - 80 } as const;
  return [
    factVersion(["user", "lives_in", "Tokyo"], { validFrom: on(now - 90), validUntil: on(now - 20) }),
    factVersion(["user", "lives_in", "Porto"], { validFrom: on(now - 20), recordedFrom: now - 20 }),
    factVersion(["user", "lives_in", "Rome"], { validFrom: on(now + 50), recordedFrom: now - 10 }),
    factVersion(["user", "lives_in", "Kyoto"], { ...believedOnce, retiredAt: now - 40 }),
    factVersion(["user", "likes", "sushi"], { recordedFrom: now - 70 }),
    factVersion(["Ines", "works_at", "Acme"], { recordedFrom: now - 60 }),
  ];
}

onEveryStore((store) => {
  test("facts are recalled by words and meaning, at the time that is asked about, and say why", async () => {
    await using one = await openMemory(store);
    const now = one.clock.now();
    await insertIndexed(one, alice, "homes", homes(now));
    const { facts } = one.memory;
    const query = "In which city does the user live?";
    const { hits, degraded } = await facts.recall(query, { limit: 1 });
    expect(hits[0]).toMatchObject({ id: "homes 1", predicate: "lives_in", object: "Porto", sources: [] });
    expect(hits[0]?.score).toBeGreaterThan(0);
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("words");
    expect(degraded).toBeUndefined();
    expect(objects(await facts.recall(query, { limit: 1, asOf: now - 50 }))).toEqual(["Tokyo"]);
    expect(objects(await facts.recall(query, { limit: 1, asOf: now + 60 }))).not.toEqual(["Tokyo"]);
    const always = objects(await facts.recall(query, { history: true }));
    expect(always.slice(0, 3).toSorted()).toEqual(["Porto", "Rome", "Tokyo"]);
    expect(always).not.toContain("Kyoto");
    expect(objects(await facts.recall("Where does Ines work?", { limit: 1 }))).toEqual(["Acme"]);
  });

  test("what was believed once is recalled as it was known then", async () => {
    await using one = await openMemory(store);
    const now = one.clock.now();
    await insertIndexed(one, alice, "homes", homes(now));
    const { facts } = one.memory;
    const query = "Where does the user live?";
    const then = await facts.recall(query, { knownAt: now - 50, limit: 2 });
    expect(objects(then).toSorted()).toEqual(["Kyoto", "Tokyo"]);
    expect(then.hits[0]?.signals.map(({ name }) => name)).toContain("words");
    expect(then.degraded).toBeUndefined();
    expect(objects(await facts.recall(query, { knownAt: now - 30, limit: 5 }))).not.toContain("Kyoto");
    expect(objects(await facts.recall(query, { knownAt: now - 1, asOf: now + 60 }))).toContain("Rome");
    expect(objects(await facts.recall(query, { knownAt: now - 200 }))).toEqual([]);
    expect(objects(await facts.recall(query, { knownAt: now, limit: 1 }))).toEqual(["Porto"]);
  });

  test("what was known once ranks by when it was said, as it did then", async () => {
    await using one = await openMemory(store, { embedder: false });
    const now = one.clock.now();
    const day = 24 * 3_600_000;
    const said = (daysAgo: number): Partial<FactVersion> => ({
      ...{ recordedFrom: now - 100, sessionId: `day ${daysAgo}` },
      evidence: [{ saidAt: now - daysAgo * day, confidence: 1, provenance: "user_stated" }],
    });
    await insertIndexed(one, alice, "likes", [
      factVersion(["user", "likes", "figs"], said(30)),
      factVersion(["user", "likes", "dates"], said(1)),
      factVersion(["user", "likes", "plums"], said(60)),
    ]);
    const { facts } = one.memory;
    for (const query of ["What did the user like yesterday?", "What did the user like 30 days ago?"]) {
      const { hits: known } = await facts.recall(query);
      const { hits: then } = await facts.recall(query, { knownAt: now - 1 });
      expect(then.map(({ object, score }) => [object, score.toFixed(6)])).toEqual(
        known.map(({ object, score }) => [object, score.toFixed(6)]),
      );
      expect(then[0]?.object).toBe(query.includes("30") ? "figs" : "dates");
    }
  });

  test("a blank query has the newest facts", async () => {
    await using one = await openMemory(store);
    const now = one.clock.now();
    await insertIndexed(one, alice, "homes", homes(now));
    const { hits } = await one.memory.facts.recall(" ", { limit: 2 });
    expect(hits.map(({ object, score }) => [object, score])).toEqual([
      ["Acme", 0],
      ["sushi", 0],
    ]);
    const past = await one.memory.facts.recall("", { knownAt: now - 50, limit: 1 });
    expect(objects(past)).toEqual(["Acme"]);
  });

  test("recall leaves facts out unless it is asked for them", async () => {
    await using one = await openMemory(store);
    await leavesOut(one, 210);
  });
});

/** So many facts that say what a text says take no place of a text. */
async function leavesOut(one: Awaited<ReturnType<typeof openMemory>>, count: number): Promise<void> {
  await one.memory.storeBatch([{ text: "Ann likes green tea a lot." }, { text: "Ann likes black coffee." }]);
  const many = Array.from({ length: count }, (_, i) => factVersion(["Ann", "likes", `green tea ${i}`]));
  await insertIndexed(one, alice, "many", many);
  const { hits } = await one.memory.recall("What does Ann like, green tea?");
  expect(hits.map(({ text }) => text)).toEqual(["Ann likes green tea a lot.", "Ann likes black coffee."]);
  const facts = { ownerKinds: ["fact"] } as const;
  const asked = await one.memory.recall("What does Ann like, green tea?", { where: facts });
  expect(asked.hits).toHaveLength(10);
  expect(asked.hits[0]?.text).toMatch(/^Ann likes green tea \d+$/);
  const both = { ownerKinds: ["fact", "text"] } as const;
  const all = await one.memory.recall("Who likes black coffee?", { where: both });
  expect(all.hits[0]?.text).toBe("Ann likes black coffee.");
}

test("recall leaves facts out also where they fill every search", async () => {
  await using one = await openMemory(inMemoryStore);
  await leavesOut(one, 610);
});

describe("a recall of facts", () => {
  test("refuses what it does not know", async () => {
    await using one = await openMemory(inMemoryStore);
    const { facts } = one.memory;
    await expect(facts.recall(5 as never)).rejects.toMatchObject({ code: "invalid_argument" });
    for (const wrong of [{ limit: 101 }, { minScore: -1 }, { k: 5 }, { asOf: 1, history: true }])
      await expect(facts.recall("x", wrong)).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(facts.recall("x", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  test("has no hits below the least score, now and as known then", async () => {
    await using one = await openMemory(inMemoryStore);
    const now = one.clock.now();
    await insertIndexed(one, alice, "homes", homes(now));
    for (const knownAt of [undefined, now - 50]) {
      const { hits } = await one.memory.facts.recall("user sushi", { knownAt });
      const [best, second] = hits;
      expect(best?.object).toBe("sushi");
      const minScore = ((best?.score ?? 0) + (second?.score ?? 0)) / 2;
      const few = await one.memory.facts.recall("user sushi", { knownAt, minScore });
      expect(objects(few)).toEqual(["sushi"]);
    }
  });

  test("goes by words, and says so, where the embedder fails", async () => {
    await using one = await openMemory(inMemoryStore);
    await insertIndexed(one, alice, "homes", homes(one.clock.now()));
    one.embedder.before = () => {
      throw new Error("down");
    };
    const { hits, degraded } = await one.memory.facts.recall("sushi", { limit: 1 });
    expect(hits[0]?.object).toBe("sushi");
    expect(degraded?.map(({ code }) => code)).toEqual(["embedder_failed"]);
  });
});
