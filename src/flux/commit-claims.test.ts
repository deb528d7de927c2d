import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { openMemory } from "../../test/support/open-memory.ts";
import type { Claim } from "../facts/claim.ts";
import type { Version } from "../facts/judge.ts";
import type { Ledger } from "../store/ledger.ts";
import { inMemoryLedger } from "../store/memory/ledger.ts";
import { find, sourcesOf } from "../store/read.ts";
import { Flux } from "./flux.ts";

const alice = { namespace: "default", userId: "alice" };
const day = 24 * 3_600_000;

function lives(object: string, more: Partial<Claim> = {}): Claim {
  return { subject: "user", predicate: "lives in", object, ...more };
}

async function versionsOf(ledger: Ledger, status = "current"): Promise<readonly Version[]> {
  const [page] = await ledger.read([alice], [find("fact", { index: "byStatus", prefix: [status] })]);
  return page.items;
}

async function grainOwners(ledger: Ledger): Promise<readonly string[]> {
  const [page] = await ledger.read([alice], [find("grain", { index: "byOwner", prefix: ["fact"] })]);
  return page.items.map(({ ownerId }) => ownerId).sort();
}

async function timeline(ledger: Ledger): Promise<readonly string[]> {
  const versions = await versionsOf(ledger);
  return versions
    .toSorted((a, b) => (a.validFrom?.at ?? 0) - (b.validFrom?.at ?? 0))
    .map(({ object, validUntil }) => `${object}${validUntil === undefined ? "" : " closed"}`);
}

onEveryStore((store) => {
  test("a move closes where one lived, with what it was closed by, and both are found", async () => {
    await using opened = await openMemory(store);
    const { ledger, memory, clock } = opened;
    const saidAt = clock.now();
    const [tokyo, berlin] = await memory.facts.add([
      lives("Tokyo", { saidAt: saidAt - day, reason: "home" }),
      lives("Berlin", { saidAt, reason: "move" }),
    ]);
    expect([tokyo?.outcome, berlin?.outcome]).toEqual(["inserted_past", "closed"]);
    const versions = await versionsOf(ledger);
    expect(versions).toMatchObject([
      { id: tokyo?.versionId, factId: tokyo?.factId, object: "Tokyo", reason: "home" },
      { id: berlin?.versionId, factId: berlin?.factId, object: "Berlin", reason: "move" },
    ]);
    expect(versions.map(({ validFrom, validUntil }) => [validFrom?.at, validUntil?.at])).toEqual([
      [saidAt - day, saidAt],
      [saidAt, undefined],
    ]);
    const [links] = await ledger.read([alice], [sourcesOf("fact", tokyo?.versionId ?? "")]);
    expect(links).toEqual([{ kind: "fact", id: berlin?.versionId, role: "superseded_by" }]);
    expect(await grainOwners(ledger)).toEqual([tokyo?.versionId, berlin?.versionId].sort());
    const { hits } = await memory.facts.recall("Tokyo", { history: true });
    expect(hits[0]).toMatchObject({ object: "Tokyo", id: tokyo?.versionId });
  });

  test("fifty callers that add the same fact at once leave one, with an exact count", async () => {
    await using opened = await openMemory(store);
    const { ledger, memory } = opened;
    const claim = { subject: "user", predicate: "likes", object: "green tea", confidence: 0.5 };
    const results = await Promise.all(Array.from({ length: 50 }, () => memory.facts.add(claim)));
    expect(results.filter(({ outcome }) => outcome === "added")).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === "reinforced")).toHaveLength(49);
    const [version, ...others] = await versionsOf(ledger);
    expect(others).toEqual([]);
    expect(version).toMatchObject({ mentions: 49, factId: results[0]?.factId });
    expect(await versionsOf(ledger, "retired")).toHaveLength(49);
    expect(await grainOwners(ledger)).toEqual([version?.id]);
  });

  test("callers that say different things at once leave a timeline without gaps", async () => {
    await using opened = await openMemory(store);
    const { ledger, memory, clock } = opened;
    const cities = Array.from({ length: 12 }, (_, i) =>
      lives(`City ${i}`, { saidAt: clock.now() - i * day }),
    );
    await Promise.all(cities.map((claim) => memory.facts.add(claim)));
    const versions = (await versionsOf(ledger)).toSorted(
      (a, b) => (a.validFrom?.at ?? 0) - (b.validFrom?.at ?? 0),
    );
    expect(versions.map(({ object }) => object)).toEqual(cities.map(({ object }) => object).reverse());
    expect(versions.map(({ validUntil }) => validUntil?.at)).toEqual([
      ...versions.slice(1).map(({ validFrom }) => validFrom?.at),
      undefined,
    ]);
  });

  test("a fact that lost one of two sources rests on the other, and goes with the last", async () => {
    await using opened = await openMemory(store);
    const { ledger, memory, flux } = opened;
    const [first, second] = await memory.storeBatch([
      { text: "Anna eats fish." },
      { text: "Anna: fish again." },
    ]);
    const eats = (id = ""): Claim => ({
      ...{ subject: "Anna", predicate: "eats", object: "fish", confidence: 0.8 },
      sources: [{ kind: "text", id }],
    });
    await memory.facts.add(eats(first?.id));
    const { factId } = await memory.facts.add(eats(second?.id));
    expect((await versionsOf(ledger))[0]).toMatchObject({ mentions: 1, confidence: 0.96 });
    await memory.erase({ id: first?.id ?? "" });
    await flux.work({ once: true });
    const [left] = await versionsOf(ledger);
    expect(left).toMatchObject({ factId, confidence: 0.8, reason: "source_gone" });
    expect(left?.evidence).toHaveLength(1);
    expect(left).not.toHaveProperty("mentions");
    await memory.erase({ id: second?.id ?? "" });
    await flux.work({ once: true });
    expect(await ledger.read([alice], [find("fact"), find("grain")])).toMatchObject([
      { items: [] },
      { items: [] },
    ]);
  });

  test("nothing of what an erased text said stays with a fact that others say as well", async () => {
    await using opened = await openMemory(store);
    const { ledger, memory, flux, clock } = opened;
    const texts = [
      "I live in Tokyo since the canary sang.",
      "I do live in Tokyo.",
      "Since the canary died: Berlin.",
    ];
    const stored = await memory.storeBatch(texts.map((text) => ({ text })));
    const from = (words: string, at: number) => ({ words, at, precision: "day" }) as const;
    const by = (i: number): Partial<Claim> => ({
      sources: [{ kind: "text", id: stored[i]?.id ?? "" }],
      saidAt: i,
    });
    await memory.facts.add([
      lives("Tokyo", { ...by(0), validFrom: from("canary", clock.now() - 9 * day) }),
      lives("Berlin", { ...by(2), validFrom: from("canary", clock.now() - day) }),
    ]);
    await memory.facts.add(
      lives("Tokyo", { ...by(1), validFrom: from("since when", clock.now() - 8 * day) }),
    );
    const known = async (): Promise<string> => JSON.stringify(await ledger.read([alice], [find("fact")]));
    expect(await known()).toContain("canary");
    for (const i of [0, 2]) await memory.erase({ id: stored[i]?.id ?? "" });
    await flux.work({ once: true });
    expect(await known()).not.toContain("canary");
    expect(await versionsOf(ledger)).toMatchObject([{ object: "Tokyo", validFrom: { words: "since when" } }]);
    await ledger.maintain();
    await flux.work({ once: true });
    expect(await versionsOf(ledger)).toMatchObject([{ object: "Tokyo", validFrom: { words: "since when" } }]);
    expect(await ledger.read([alice], [find("fact")])).toMatchObject([{ items: [{ status: "current" }] }]);
  });

  test("a fact that was hidden has its place again once its purge is undone", async () => {
    await using opened = await openMemory(store);
    const { ledger, memory, flux, clock } = opened;
    const { id } = await memory.store("I moved to Berlin.");
    const at = (days: number): Partial<Claim> => ({ saidAt: clock.now() - days * day });
    await memory.facts.add([
      lives("Tokyo", at(9)),
      lives("Berlin", { ...at(6), sources: [{ kind: "text", id }] }),
    ]);
    await memory.purge(id);
    await memory.facts.add(lives("Tokyo", at(3)));
    expect(await timeline(ledger)).toEqual(["Tokyo"]);
    await memory.undo(id);
    await flux.work({ once: true });
    expect(await timeline(ledger)).toEqual(["Tokyo closed", "Berlin closed", "Tokyo"]);
  });

  test("what a text had closed, contested or corrected is believed again when that text is erased", async () => {
    await using opened = await openMemory(store);
    const { ledger, memory, flux, clock } = opened;
    const texts = ["I live in Tokyo.", "I moved to Berlin.", "No, it is Kyoto.", "I left Berlin."];
    const stored = await memory.storeBatch(texts.map((text) => ({ text })));
    const by = (i: number): Partial<Claim> => ({
      sources: [{ kind: "text", id: stored[i]?.id ?? "" }],
      saidAt: clock.now() - (10 - i) * day,
    });
    const erase = async (i: number): Promise<void> => {
      await memory.erase({ id: stored[i]?.id ?? "" });
      await flux.work({ once: true });
    };
    const { factId } = await memory.facts.add(lives("Tokyo", by(0)));
    await memory.facts.add(lives("Kyoto", { ...by(2), saidAt: clock.now() - 9 * day, change: "correct" }));
    expect(await timeline(ledger)).toEqual(["Kyoto"]);
    await erase(2);
    expect(await timeline(ledger)).toEqual(["Tokyo"]);
    expect((await versionsOf(ledger))[0]).toMatchObject({ factId, reason: "reopened" });
    await memory.facts.add(lives("Berlin", by(1)));
    await memory.facts.add(lives("Berlin", { ...by(3), change: "end" }));
    await memory.facts.add(
      lives("Oslo", { provenance: "ai_inferred", saidAt: clock.now() - 8.5 * day, confidence: 0.7 }),
    );
    expect(await timeline(ledger)).toEqual(["Tokyo closed", "Berlin closed"]);
    await erase(3);
    expect(await timeline(ledger)).toEqual(["Tokyo closed", "Berlin"]);
    await erase(1);
    expect(await timeline(ledger)).toEqual(["Tokyo"]);
    await erase(0);
    expect(await timeline(ledger)).toEqual(["Oslo"]);
    expect(await grainOwners(ledger)).toEqual((await versionsOf(ledger)).map(({ id }) => id));
  });
});

test("however many values there were, the next one ends the one that holds", async () => {
  await using flux = await Flux.open(inMemoryLedger(), { embedder: false });
  const { facts } = flux.for({ userId: "alice" });
  const weighs = (grams: number, saidAt: number): Claim => ({
    ...{ subject: "user", predicate: "weight", object: `${grams} g`, saidAt },
  });
  for (let start = 0; start < 1200; start += 400)
    await facts.add(Array.from({ length: 400 }, (_, i) => weighs(start + i, (start + i) * day)));
  // By their objects, the last one stands behind all others.
  for (const grams of [9998, 9999]) await facts.add(weighs(grams, grams * day));
  const { items } = await facts.query({ subject: "user", predicate: "weight", asOf: 20_000 * day });
  expect(items.map(({ object }) => object)).toEqual(["9999 g"]);
});
