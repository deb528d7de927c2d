import fc from "fast-check";
import { expect, test } from "vitest";
import { exported, kept } from "../../test/support/exported.ts";
import { onEveryStore, type TestStore } from "../../test/support/flux-stores.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import { randomItems } from "../../test/support/random-items.ts";
import type { Claim } from "../facts/claim.ts";
import { type Partition, partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import { seededRandomness } from "../store/contract/seeded-randomness.ts";
import type { Ledger } from "../store/ledger.ts";
import { find } from "../store/read.ts";
import type { ExportLine, FactLine, RecordLine } from "./export-line.ts";
import type { FluxMemory } from "./flux-memory.ts";

const alice = partition({ userId: "alice" });
const bob = partition({ userId: "bob" });
const day = 24 * 3_600_000;

type One = Awaited<ReturnType<typeof openMemory>>;

/** Fills the memory of a user with some of everything that there can be, chosen by a seed. */
async function fill({ flux, ledger, memory, clock }: One, seed: number, count: number): Promise<void> {
  const randomness = seededRandomness(seed);
  const below = (n: number): number => randomness.bytes(2).reduce((sum, byte) => sum * 256 + byte, 0) % n;
  const pick = <T>(some: readonly T[]): T => some[below(some.length)] as T;
  const results = await memory.storeBatch(randomItems(seed, count, clock.now()));
  const stored = results.filter(({ status, grainIds }) => status === "stored" && grainIds.length > 0);
  for (const { id } of stored.slice(0, 5)) await memory.archive(id);
  for (const { id } of stored.slice(3, 8))
    await memory.update(id, { importance: 0.9, metadata: { changed: true } });

  const grains = stored.flatMap(({ grainIds }) => grainIds);
  await ledger.append(alice, {
    operation: "derived",
    records: stored.slice(0, 6).flatMap(({ id, kind }, i) => [
      insert(
        "text",
        {
          form: i % 2 === 0 ? "statement" : "summary",
          content: `derived ${i}`,
          provenance: "ai_inferred",
          statedAt: i,
        },
        { id: `derived-${i}`, sources: [{ kind, id, start: 0, end: 1 }] },
      ),
      insert(
        "grain",
        {
          ...{
            ownerKind: "text",
            ownerId: `derived-${i}`,
            status: "dormant",
            provenance: "ai_inferred",
            saidAt: i,
          },
          ...(i === 0 ? { supersededBy: grains[3] as string, mentions: 4 } : {}),
        },
        { id: `grain of derived-${i}` },
      ),
      insert("block", {
        name: `block ${i}`,
        content: "Kind.",
        position: i,
        ...(i === 1 ? { agentId: "coach" } : {}),
      }),
      insert("value", { agentId: "coach", scope: "user", key: `key ${i}`, value: { nested: [i, null] } }),
      insert("conduit", {
        fromId: grains[i] as string,
        toId: grains[i + 1] as string,
        relation: "next",
        weight: 0.5,
        useCount: i,
      }),
    ]),
  });

  const objects = ["Porto", "Berlin", "Rome"];
  for (let i = 0; i < 12; i++) {
    clock.advance(1000);
    const { kind, id } = pick(stored);
    const sources = below(3) === 0 ? {} : { sources: [{ kind, id, start: 0, end: 1 }] };
    const year = 2000 + below(20);
    const times = below(2) === 0 ? {} : { validFrom: { at: Date.UTC(year), precision: "year" } as const };
    const claim: Claim = {
      ...{ subject: "user", predicate: pick(["lives_in", "likes", "name"]), object: pick(objects) },
      ...{ confidence: pick([1, 0.8]), saidAt: clock.now() - below(100) * day, ...sources, ...times },
      change: pick(["assert", "assert", "correct", "end"]),
    };
    await memory.facts.add(claim);
  }
  // Grains that were put into the ledger by hand are in no index.
  await flux.rebuild();
  const { hits, traceId = "" } = await memory.recall("text 3", { k: 3 });
  await memory.feedbackBatch(hits.map(({ id: grainId }, i) => ({ traceId, grainId, useful: i === 0 })));
}

/** What a memory answers. */
async function answers(memory: FluxMemory, ledger: Ledger, whose: Partition, moments: readonly number[]) {
  const recalls = await Promise.all(
    ["text 3", "derived", "word answer", "Porto"].map(async (query) => {
      const { hits, confidence } = await memory.recall(query, { k: 20 });
      return [
        confidence,
        hits.map(({ id, score, status, saidAt, text }) => [id, score, status, saidAt, text]),
      ];
    }),
  );
  const facts = await Promise.all([
    memory.facts.query({ limit: 1000 }),
    memory.facts.query({ history: true, order: "oldest", limit: 1000 }),
    ...moments.map((knownAt) => memory.facts.query({ knownAt, limit: 1000 })),
    memory.facts.query({ asOf: Date.UTC(2010), limit: 1000 }),
  ]);
  const found = await memory.facts.recall("Where does the user live?", { limit: 10 });
  const blocks = await ledger.read(
    [whose],
    [find("block", { index: "byName" }), find("value", { index: "byKey" })],
  );
  const { items } = await memory.list({ limit: 1000, order: "oldest", sessionId: "monday" });
  return {
    recalls,
    facts: facts.map((page) => page.items),
    found: found.hits.map(({ id, score }) => [id, score]),
    blocks: blocks.map((page) => page.items.map(({ id }) => id)),
    session: items.map(({ id }) => id),
  };
}

async function restoresAll(store: TestStore, seed: number): Promise<void> {
  await using one = await openMemory(store);
  await fill(one, seed, 40);
  const lines = await exported(one.memory);
  const types = ["block", "conduit", "fact", "feedback", "flux-memory", "links", "record", "value"];
  expect([...new Set(lines.map(({ type }) => type))].sort()).toEqual(types);
  const other = one.flux.for({ userId: "bob" });
  const stored = lines.filter(({ type }) => type !== "links").length - 1;
  expect(await other.import(lines)).toEqual({ stored, mentioned: 0, expired: 0, conflicts: 0 });
  expect(kept(await exported(other))).toEqual(kept(lines));
  const facts = lines.filter((line): line is FactLine => line.type === "fact");
  const moments = facts.flatMap(({ recordedFrom }) => [recordedFrom, recordedFrom - 1]);
  expect(await answers(other, one.ledger, bob, moments)).toEqual(
    await answers(one.memory, one.ledger, alice, moments),
  );
  // Once more, whole and from the middle: nothing changes.
  for (const some of [lines, [lines[0], ...lines.slice(30)] as ExportLine[]]) {
    expect(await other.import(some)).toMatchObject({ stored: 0, expired: 0, conflicts: 0 });
    expect(kept(await exported(other))).toEqual(kept(lines));
  }
}

onEveryStore((store) => {
  test("what is exported and imported is the same, line by line, and gives the same answers", async () => {
    await restoresAll(store, 1);
  });

  test("an import that broke off goes on, and is then the same as one at once", async () => {
    await using one = await openMemory(store);
    await fill(one, 3, 30);
    const lines = await exported(one.memory);
    const other = one.flux.for({ userId: "bob" });
    for (const end of [20, lines.length - 10, lines.length]) await other.import(lines.slice(0, end));
    expect(kept(await exported(other))).toEqual(kept(lines));
  });
});

test.each([2, 3])("so it is whatever there is (%i)", async (seed) => {
  await restoresAll(inMemoryStore, seed);
});

test("what was erased comes back with what was derived from it, under other ids", async () => {
  await using one = await openMemory(inMemoryStore);
  await fill(one, 4, 30);
  const lines = await exported(one.memory);
  const spoken = ({ type }: ExportLine): boolean => type !== "links";
  for (let round = 0; round < 3; round++) {
    await one.memory.erase({ everything: true });
    expect(await one.memory.import(lines)).toMatchObject({
      ...{ stored: lines.slice(1).filter(spoken).length, mentioned: 0, conflicts: 0 },
    });
    const again = await exported(one.memory);
    expect(again.map(({ type }) => type)).toEqual(lines.map(({ type }) => type));
    expect(
      again.flatMap((line) =>
        line.type === "fact" ? [[line.factId, line.object, line.sources?.length]] : [],
      ),
    ).toEqual(
      lines.flatMap((line) =>
        line.type === "fact" ? [[line.factId, line.object, line.sources?.length]] : [],
      ),
    );
    const ids = new Set(again.flatMap((line) => ("id" in line ? [line.id] : [])));
    for (const line of again)
      if ("sources" in line)
        for (const { kind, id } of line.sources ?? []) expect([kind, ids.has(id)]).toEqual([kind, true]);
    // In other batches, so that it is no retry.
    for (const some of [lines, [lines[0], ...lines.slice(2)] as ExportLine[]])
      expect(await one.memory.import(some)).toMatchObject({ stored: 0, conflicts: 0 });
    expect(await exported(one.memory)).toHaveLength(lines.length);
  }
});

test("what replaced a text is known as that, so that the text stands by itself again without it", async () => {
  await using from = await openMemory(inMemoryStore, { autoExtract: true });
  await using to = await openMemory(inMemoryStore);
  await from.memory.store("My budget is 500 euros.", { statedAt: 1 });
  await from.memory.store("My budget is 700 euros now.", { statedAt: 2 });
  await from.flux.work({ once: true });
  const lines = await exported(from.memory);
  const [link] = lines.filter(
    ({ type, ...line }) => type === "links" && "kind" in line && line.kind === "grain",
  );
  expect(link).toMatchObject({ sources: [{ kind: "text", role: "superseded_by" }] });
  await to.memory.import(lines);
  expect(kept(await exported(to.memory))).toEqual(kept(lines));
  const replaced = async (): Promise<readonly (readonly [string, boolean])[]> => {
    const { hits } = await to.memory.recall("budget");
    return hits.map(({ text, supersededBy }) => [text, supersededBy !== undefined]);
  };
  expect(await replaced()).toEqual([
    ["My budget is 700 euros now.", false],
    ["My budget is 500 euros.", true],
  ]);
  const { hits } = await to.memory.recall("budget");
  await to.memory.erase({ id: hits[0]?.id ?? "" });
  await to.flux.work({ once: true });
  expect(await replaced()).toEqual([["My budget is 500 euros.", false]]);
  expect((await exported(to.memory)).some((line) => JSON.stringify(line).includes("supersededBy"))).toBe(
    false,
  );
});

test("two exports in one file are one after the other, and what is in both is there once", async () => {
  await using one = await openMemory(inMemoryStore);
  await fill(one, 6, 10);
  const lines = await exported(one.memory);
  const spoken = lines.filter(({ type }) => type !== "links" && type !== "flux-memory").length;
  const other = one.flux.for({ userId: "bob" });
  const twice = [...lines, ...lines.slice(1)];
  const report = { stored: spoken, mentioned: spoken, expired: 0, conflicts: 0 };
  expect(await other.import(twice)).toEqual(report);
  expect(kept(await exported(other))).toEqual(kept(lines));
  expect(await one.flux.for({ userId: "carol" }).import([...lines, ...lines])).toEqual(report);
  // The same ends and names under other ids.
  const renamed = lines.map((line) =>
    line.type === "conduit" || line.type === "block" || line.type === "value"
      ? { ...line, id: `${line.id}'` }
      : line,
  );
  expect(await other.import(renamed)).toMatchObject({ stored: 0, conflicts: 0 });
  expect(await one.flux.for({ userId: "dora" }).import([...lines, ...renamed.slice(1)])).toEqual(report);
});

test("a version 1 is read as before: under new ids, once", async () => {
  await using one = await openMemory(inMemoryStore);
  await one.memory.storeBatch(randomItems(5, 80, one.clock.now()));
  const yes = { role: "user", content: "yes", sessionId: "s", saidAt: 5 } as const;
  await one.memory.storeBatch(Array.from({ length: 600 }, () => yes));
  const lines = await exported(one.memory);
  const old = lines.map((line) => {
    if (line.type !== "record") return { ...line, version: 1 } as ExportLine;
    const { grains = [], ...rest } = line;
    return { ...rest, grainIds: grains.map(({ id }) => id) } as ExportLine;
  });
  const other = one.flux.for({ userId: "bob" });
  expect(await other.import(old)).toEqual({
    stored: lines.length - 1,
    mentioned: 0,
    expired: 0,
    conflicts: 0,
  });
  const said = (some: readonly ExportLine[]): object[] =>
    kept(some).map((line) => {
      const { id: _id, grains = [], ...rest } = line as RecordLine;
      return { ...rest, grains: grains.map(({ id: _grain, ...grain }) => grain) };
    });
  const again = await exported(other);
  expect(said(again)).toEqual(said(lines));
  expect(again.map((line) => "id" in line && line.id)).not.toEqual(
    lines.map((line) => "id" in line && line.id),
  );
  expect(await other.import(old)).toMatchObject({ stored: 0, mentioned: lines.length - 1 });
});

test("what was still to be derived is derived from where it was imported, and nothing twice", async () => {
  await using one = await openMemory(inMemoryStore, { autoExtract: true });
  const { memory, flux } = one;
  await memory.store("I live in Porto.");
  await flux.work({ once: true });
  await memory.store("I like tea.");
  const lines = await exported(memory);
  expect(lines.flatMap((line) => (line.type === "record" ? [[line.text, line.unread]] : []))).toEqual([
    ["I live in Porto.", undefined],
    ["I like tea.", true],
  ]);
  const other = flux.for({ userId: "bob" });
  await other.import(lines);
  expect(kept(await exported(other))).toEqual(kept(lines));
  await flux.work({ once: true });
  const { items } = await other.facts.query({ order: "oldest" });
  expect(items.map(({ object, mentions }) => [object, mentions])).toEqual([
    ["Porto", 0],
    ["tea", 0],
  ]);
});

test("whatever a line says, an import ends well or with an error that names it, and the memory still answers", async () => {
  await using one = await openMemory(inMemoryStore);
  await fill(one, 7, 12);
  const lines = (await exported(one.memory)).filter((line) => JSON.stringify(line).length < 2000);
  const strange = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      "",
      "x",
      -1,
      1e300,
      [],
      {},
      [null],
      [[]],
      [{}],
      true,
      "\ud800",
      "__proto__",
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const change = fc.record({
    at: fc.nat(),
    property: fc.nat(),
    value: strange,
    name: fc.option(fc.constantFrom("id", "type", "kind", "sources", "grains", "x")),
  });
  let user = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const changed = lines.map((line) => ({ ...line }) as Record<string, unknown>);
      for (const { at, property, value, name } of changes) {
        const line = changed[at % changed.length] as Record<string, unknown>;
        const names = Object.keys(line);
        line[name ?? (names[property % names.length] as string)] = value;
      }
      const memory = one.flux.for({ userId: `user ${user++}` });
      const [error] = await memory.import(changed as never).then(
        () => [],
        (thrown: unknown) => [thrown],
      );
      if (error !== undefined)
        expect(error).toMatchObject({
          code: expect.any(String),
          message: expect.stringMatching(/^Line \d+: /),
        });
      const left = await exported(memory);
      // What came in is whole: it can be taken elsewhere.
      const elsewhere = one.flux.for({ userId: `copy ${user}` });
      await elsewhere.import(left);
      expect(kept(await exported(elsewhere))).toEqual(kept(left));
    }),
    { numRuns: 30 },
  );
});
