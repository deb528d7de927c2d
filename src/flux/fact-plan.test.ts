import { expect, test } from "vitest";
import { factVersion } from "../../test/support/fact-versions.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import type { Claim } from "../facts/claim.ts";
import type { Version } from "../facts/judge.ts";
import { insert } from "../store/batch.ts";
import type { Ledger } from "../store/ledger.ts";
import { find, sourcesOf } from "../store/read.ts";
import { sqliteLedger } from "../store/sqlite/ledger.ts";
import { decideFacts, factReads } from "./fact-plan.ts";
import type { PreparedClaim } from "./fact-reads.ts";
import { Flux } from "./flux.ts";

const alice = { namespace: "default", userId: "alice" };
const at = (moment: number) => ({ at: moment, precision: "day" as const });

function likes(object: string, more: Partial<Claim> = {}): Claim {
  return { subject: "user", predicate: "likes", object, ...more };
}

async function versionsOf(ledger: Ledger, status = "current"): Promise<readonly Version[]> {
  const [page] = await ledger.read([alice], [find("fact", { index: "byStatus", prefix: [status] })]);
  return page.items;
}

test("a claim rests on its sources, as long as they stay, with the labels of the first", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, flux, clock, memory } = opened;
  const soon = clock.now() + 60_000;
  const session = flux.for({ userId: "alice", sessionId: "s1", agentId: "bot" });
  const one = await session.store("I like tea.", { expiresAt: soon });
  const other = await session.store("I do like tea.", { expiresAt: soon + 1 });
  const source = (id: string) => [{ kind: "text", id, start: 7, end: 10 }];
  await memory.facts.add(likes("tea", { sources: source(one.id) }));
  await memory.facts.add(likes("tea", { sources: source(other.id) }));
  const [version] = await versionsOf(ledger);
  expect(version).toMatchObject({ sessionId: "s1", agentId: "bot", expiresAt: soon + 1, mentions: 1 });
  const [links] = await ledger.read([alice], [sourcesOf("fact", version?.id ?? "")]);
  expect(links).toEqual(
    [one.id, other.id].sort().map((id) => ({ kind: "text", id, role: "source", start: 7, end: 10 })),
  );
  const [grains] = await ledger.read([alice], [find("grain", { index: "byOwner", prefix: ["fact"] })]);
  expect(grains.items).toMatchObject([
    { sessionId: "s1", expiresAt: soon + 1, mentions: 1, metadata: { validFrom: version?.validFrom?.at } },
  ]);
  const elsewhere = await flux.for({ userId: "alice", sessionId: "s2" }).store("Tea is what I like.");
  await memory.facts.add(likes("tea", { sources: source(elsewhere.id) }));
  const [shared] = await versionsOf(ledger);
  for (const label of ["sessionId", "agentId", "expiresAt"]) expect(shared).not.toHaveProperty(label);
});

test("a claim is left out when none of its sources is there", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, memory } = opened;
  const { id } = await memory.store("I like tea.");
  const gone = await memory.store("I like coffee.");
  await memory.erase({ id: gone.id });
  const sources = [
    { kind: "text", id: gone.id },
    { kind: "text", id },
  ];
  const results = await memory.facts.add([
    likes("coffee", { sources: sources.slice(0, 1) }),
    likes("tea", { sources }),
  ]);
  expect(results).toMatchObject([{ outcome: "ignored", reason: "source_gone" }, { outcome: "added" }]);
  const versions = await versionsOf(ledger);
  expect(versions.map(({ evidence }) => evidence?.[0]?.sources)).toEqual([[{ kind: "text", id }]]);
});

test("a claim is left out when its source says something else there by then", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, memory, clock } = opened;
  const { id } = await memory.store("I like tea.");
  const claimed = (said: string): PreparedClaim => ({
    ...{
      subject: "user",
      predicate: "likes",
      object: "tea",
      affirmed: true,
      change: "assert",
      keys: ["user"],
    },
    evidence: { saidAt: clock.now(), provenance: "user_stated", confidence: 1 },
    sources: [{ kind: "text", id, start: 7, end: 10, said }],
  });
  const results = await Promise.all(
    ["tea", "gin"].map(async (said) => {
      const aside = {
        claims: [claimed(said)],
        labels: {},
        expected: [],
        shared: [],
        spaces: [],
        entries: new Map(),
      };
      const rows = await ledger.read([alice], factReads(aside));
      return decideFacts(rows, [], aside, { now: clock.now(), id: String }).results[0];
    }),
  );
  expect(results).toMatchObject([{ outcome: "added" }, { outcome: "ignored", reason: "source_gone" }]);
});

test("what was told to the memory itself stays when a text that says it as well is erased", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, memory, flux } = opened;
  const { id } = await memory.store("I like tea.");
  await memory.facts.add(likes("tea", { sources: [{ kind: "text", id }], confidence: 0.5 }));
  const { versionId } = await memory.facts.add(likes("tea", { confidence: 0.5 }));
  const [links] = await ledger.read([alice], [sourcesOf("fact", versionId ?? "")]);
  expect(links).toEqual([{ kind: "text", id, role: "supports" }]);
  await memory.erase({ id });
  await flux.work({ once: true });
  expect(await versionsOf(ledger)).toMatchObject([{ object: "tea", confidence: 0.5, evidence: [{}] }]);
});

test("a claim about the user's name, or about another name of anybody, is about the same", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, memory } = opened;
  const lives = (subject: string, object: string, saidAt: number): Claim => ({
    ...{ subject, predicate: "lives_in", object, saidAt },
  });
  await memory.facts.add(lives("Robert", "Rome", 1));
  await memory.facts.add([
    { subject: "user", predicate: "name", object: "Anna Berg", saidAt: 1 },
    { subject: "Bob", predicate: "same_as", object: "Robert", saidAt: 1 },
    lives("anna  berg", "Oslo", 2),
    lives("Bob", "Bonn", 3),
  ]);
  await memory.facts.add(lives("user", "Ghent", 4));
  const places = (await versionsOf(ledger)).filter(({ predicate }) => predicate === "lives_in");
  expect(places.map(({ subject, object, validUntil }) => [subject, object, validUntil?.at]).sort()).toEqual([
    ["Bob", "Bonn", undefined],
    ["Robert", "Rome", 3],
    ["user", "Ghent", undefined],
    ["user", "Oslo", 4],
  ]);
});

test("a retry has no second effect and the same results, and is no other call", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, memory } = opened;
  const operation = "add-1";
  const first = await memory.facts.add([likes("tea"), likes("milk", { change: "end" })], { operation });
  expect(await memory.facts.add([likes("tea"), likes("milk", { change: "end" })], { operation })).toEqual(
    first,
  );
  expect(await versionsOf(ledger)).toHaveLength(2);
  await expect(memory.facts.add(likes("tea"), { operation })).rejects.toMatchObject({
    code: "operation_conflict",
  });
});

test("what a claim says wrongly is refused, and nothing is written", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, memory } = opened;
  const refused: readonly Partial<Record<keyof Claim | "colour", unknown>>[] = [
    { subject: "" },
    { subject: "  " },
    { subject: 7 },
    { predicate: "__" },
    { predicate: undefined },
    { object: undefined },
    { object: " " },
    { affirmed: "yes" },
    { change: "delete" },
    { confidence: 1.5 },
    { confidence: Number.NaN },
    { provenance: "somebody" },
    { saidAt: 0.5 },
    { validFrom: { at: 1 } },
    { validFrom: at(5), validUntil: at(5) },
    { validFrom: at(9), validUntil: at(5), change: "end" },
    { cardinality: "two" },
    { sources: "all" },
    { sources: [{ kind: "text" }] },
    { sources: [{ kind: "text", id: "t", role: "supports" }] },
    { factId: "" },
    { reason: 1 },
    { colour: "red" },
  ];
  for (const wrong of refused) {
    const claims = [likes("tea"), { ...likes("x"), ...wrong } as Claim];
    const error = await memory.facts.add(claims).catch((reason: unknown) => reason);
    expect(error, JSON.stringify(wrong)).toMatchObject({
      code: expect.stringMatching(/^invalid_(argument|id)$/),
    });
  }
  await expect(memory.facts.add(Array.from({ length: 501 }, () => likes("tea")))).rejects.toMatchObject({
    code: "too_large",
  });
  expect(await versionsOf(ledger)).toEqual([]);
});

test("what is written by whoever writes to the ledger himself is judged like all else", async () => {
  await using opened = await openMemory(inMemoryStore);
  const { ledger, memory, flux } = opened;
  const { id } = await memory.store("I live in Rome.");
  const raw = insert("fact", factVersion(["user", "lives_in", "Rome"], { factId: "f", recordedFrom: 5 }));
  const sources = [{ kind: "text", id }];
  await ledger.append(alice, { operation: "raw", records: [{ ...raw, sources }] });
  const { factId } = await memory.facts.add({ subject: "user", predicate: "lives_in", object: "Oslo" });
  const [rome] = (await versionsOf(ledger)).filter(({ object }) => object === "Rome");
  expect(rome).toMatchObject({ factId: "f", reason: "superseded" });
  const [links] = await ledger.read([alice], [sourcesOf("fact", rome?.id ?? "")]);
  expect(links).toMatchObject([
    { kind: "fact", role: "superseded_by" },
    { kind: "text", id, role: "source" },
  ]);
  await memory.erase({ id });
  await flux.work({ once: true });
  expect(await versionsOf(ledger)).toMatchObject([{ factId }]);
});

const folder = temporaryFolder();

test("claims are decided in the thread of a SQLite worker as well", async () => {
  await using ledger = sqliteLedger({ path: folder.path("facts.db"), worker: true });
  await using flux = await Flux.open(ledger, { embedder: false });
  const memory = flux.for({ userId: "alice" });
  const { id } = await memory.store("I moved to Oslo.");
  await memory.facts.add({ subject: "user", predicate: "lives in", object: "Rome", saidAt: 1 });
  const sources = [{ kind: "text", id }];
  await memory.facts.add({ subject: "user", predicate: "lives in", object: "Oslo", sources });
  await memory.erase({ id });
  await flux.work({ once: true });
  const [rome] = await versionsOf(ledger);
  expect(rome).toMatchObject({ object: "Rome", reason: "reopened" });
  expect(rome).not.toHaveProperty("validUntil");
});
