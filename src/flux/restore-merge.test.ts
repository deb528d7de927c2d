import { expect, test } from "vitest";
import { exported, kept } from "../../test/support/exported.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import type { ExportLine } from "./export-line.ts";
import type { FluxMemory, ImportReport } from "./flux-memory.ts";

const alice = partition({ userId: "alice" });
const bob = partition({ userId: "bob" });

test("one record that was erased comes back with its facts; the others stay as they are", async () => {
  await using one = await openMemory(inMemoryStore);
  const said = await one.memory.store("I live in Porto.");
  const other = await one.memory.store("I like tea.");
  const sourceOf = ({ id }: { readonly id: string }) => [{ kind: "text", id }];
  await one.memory.facts.add([
    { subject: "user", predicate: "lives_in", object: "Porto", sources: sourceOf(said) },
    { subject: "user", predicate: "likes", object: "tea", sources: sourceOf(other) },
  ]);
  const lines = await exported(one.memory);
  await one.memory.erase({ id: said.id });
  expect((await one.memory.facts.query()).items.map(({ object }) => object)).toEqual(["tea"]);
  expect(await one.memory.import(lines)).toEqual({ stored: 2, mentioned: 2, expired: 0, conflicts: 0 });
  const { items } = await one.memory.facts.query({ order: "oldest" });
  expect(items.map(({ object }) => object)).toEqual(["tea", "Porto"]);
  const [{ id = "" } = {}] = items[1]?.sources ?? [];
  expect(id).not.toBe(said.id);
  expect((await one.memory.get(id))?.text).toBe("I live in Porto.");
  // It goes with its source again.
  await one.memory.erase({ id });
  expect((await one.memory.facts.query()).items.map(({ object }) => object)).toEqual(["tea"]);
});

test("merging never overwrites: what does not go together with what is there is left out and counted", async () => {
  await using one = await openMemory(inMemoryStore);
  const { memory } = one;
  await memory.store("I like tea.");
  await one.ledger.append(alice, {
    operation: "more",
    records: [
      insert("block", { name: "persona", content: "Kind.", position: 0 }, { id: "b1" }),
      insert("block", { name: "human", content: "Alice.", position: 1 }, { id: "b2" }),
      insert("value", { agentId: "a", scope: "s", key: "k", value: 1 }, { id: "v1" }),
    ],
  });
  await memory.facts.add({ subject: "user", predicate: "lives_in", object: "Porto" });
  const lines = await exported(memory);
  const target = one.flux.for({ userId: "bob" });
  const text = await target.store("I like tea");
  await target.facts.add({ subject: "user", predicate: "lives_in", object: "Rome" });
  await one.ledger.append(bob, {
    operation: "more",
    records: [
      insert("block", { name: "persona", content: "Stern.", position: 0 }),
      insert("block", { name: "other", content: "Other.", position: 1 }, { id: "b2" }),
      insert("value", { agentId: "a", scope: "s", key: "k", value: 1 }),
    ],
  });
  const before = await exported(target);
  expect(await target.import(lines)).toEqual({ stored: 0, mentioned: 2, expired: 0, conflicts: 3 });
  expect(kept(await exported(target))).toEqual(kept(before));
  expect((await target.get(text.id))?.text).toBe("I like tea");
});

test("facts that go together with what is known are merged, by what is known of their predicates and was said of them", async () => {
  await using one = await openMemory(inMemoryStore);
  const { facts } = one.memory;
  const say = (predicate: string, object: string, more: object = {}) => ({
    ...{ subject: "user", predicate, object },
    ...more,
  });
  await facts.add([
    say("likes", "tea"),
    say("likes", "jazz"),
    say("works_at", "Acme", { cardinality: "many" }),
    say("name", "Ann"),
  ]);
  const lines = await exported(one.memory);
  const target = one.flux.for({ userId: "bob" });
  await target.facts.add([say("dislikes", "tea"), say("works_at", "Globex"), say("name", "Anna")]);
  expect(await target.import(lines)).toMatchObject({ stored: 2, conflicts: 2 });
  const { items } = await target.facts.query({ order: "oldest" });
  expect(items.map(({ predicate, object }) => `${predicate} ${object}`)).toEqual([
    ...["dislikes tea", "works_at Globex", "name Anna", "likes jazz", "works_at Acme"],
  ]);
});

test("a record that says something else by now keeps what it says, and what rested on the old words is left out", async () => {
  await using one = await openMemory(inMemoryStore);
  const { id } = await one.memory.store("I live in Porto.");
  await one.memory.facts.add({
    subject: "user",
    predicate: "lives_in",
    object: "Porto",
    sources: [{ kind: "text", id }],
  });
  const lines = await exported(one.memory);
  await one.memory.update(id, { text: "I live in Rome." });
  expect(await one.memory.import(lines)).toMatchObject({ stored: 0, conflicts: 2 });
  expect((await one.memory.get(id))?.text).toBe("I live in Rome.");
  expect((await one.memory.facts.query()).items).toEqual([]);
});

test("a hidden record is imported beside the one that may come back", async () => {
  await using one = await openMemory(inMemoryStore);
  const { id } = await one.memory.store("I like tea.");
  const lines = await exported(one.memory);
  await one.memory.purge(id);
  expect(await one.memory.import(lines)).toMatchObject({ stored: 1, conflicts: 0 });
  expect((await one.memory.list()).items.map(({ text }) => text)).toEqual(["I like tea."]);
  await one.memory.undo(id);
  expect((await one.memory.list()).items).toHaveLength(2);
});

/** Two jobs at the same time, of which the one would leave no room for the other if it were said now. */
async function addJobs({ facts }: FluxMemory): Promise<void> {
  const job = { subject: "user", predicate: "works_at" };
  await facts.add({ ...job, object: "Acme", saidAt: 1 });
  await facts.add({ ...job, object: "Globex", saidAt: 3, cardinality: "many" });
  await facts.add({ ...job, object: "Acme", saidAt: 2 });
}

test("what an export has together is restored together, also by an import that broke off and is done again", async () => {
  await using one = await openMemory(inMemoryStore);
  // The last version of a job is the only line of a second batch.
  await one.memory.storeBatch(Array.from({ length: 498 }, (_, i) => ({ text: `note ${i}` })));
  await addJobs(one.memory);
  expect(await one.memory.facts.count({ predicate: "works_at" })).toBe(2);
  const lines = await exported(one.memory);
  const target = one.flux.for({ userId: "bob" });
  await expect(target.import([...lines, { type: "nothing" } as never])).rejects.toMatchObject({
    code: "invalid_argument",
  });
  expect(await target.facts.count({ predicate: "works_at" })).toBe(1);
  expect(await target.import(lines)).toMatchObject({ mentioned: 500, conflicts: 0 });
  expect(kept(await exported(target))).toEqual(kept(lines));
});

test("exports of two memories do not hold together, whenever they were made", async () => {
  await using one = await openMemory(inMemoryStore);
  const exports: ExportLine[][] = [];
  for (const [userId, object] of [
    ["bob", "Rome"],
    ["carol", "Oslo"],
  ] as const) {
    const { facts } = one.flux.for({ userId });
    await facts.add({ subject: "user", predicate: "lives_in", object });
    one.clock.advance(1000);
    exports.push(await exported(one.flux.for({ userId })));
    one.clock.advance(1000);
  }
  for (const lines of exports.toReversed()) await one.memory.import(lines);
  expect((await one.memory.facts.query()).items.map(({ object }) => object)).toEqual(["Oslo"]);
});

test("an import in several calls is the same as one at once", async () => {
  await using one = await openMemory(inMemoryStore);
  await addJobs(one.memory);
  const { id } = await one.memory.store("I like tee.");
  const { id: other } = await one.memory.store("I like tea.");
  await one.memory.update(id, { text: "I like tea." });
  const sources = [other, id].map((source) => ({ kind: "text", id: source }));
  await one.memory.facts.add({ subject: "user", predicate: "likes", object: "tea", sources });
  const [header, ...lines] = await exported(one.memory);
  const inParts = async (memory: FluxMemory): Promise<Partial<ImportReport>> => {
    const counts = { stored: 0, mentioned: 0, conflicts: 0 };
    let part: ImportReport["part"] = {};
    for (const line of lines) {
      const report: ImportReport = await memory.import([{ ...header, part } as ExportLine, line]);
      for (const name of ["stored", "mentioned", "conflicts"] as const) counts[name] += report[name];
      part = report.part;
    }
    return counts;
  };
  const empty = one.flux.for({ userId: "bob" });
  const spoken = lines.filter(({ type }) => type !== "links").length;
  expect(await inParts(empty)).toEqual({ stored: spoken, mentioned: 0, conflicts: 0 });
  expect(kept(await exported(empty))).toEqual(kept([header as ExportLine, ...lines]));
  // What says the same under another id is found by what rests on it, in a later call.
  const some = one.flux.for({ userId: "carol" });
  const { id: there } = await some.store("I like tea.");
  expect(await inParts(some)).toEqual({ stored: spoken - 2, mentioned: 2, conflicts: 0 });
  const { items } = await some.facts.query({ predicate: "likes" });
  expect(items.map(({ object, sources }) => [object, sources.map((source) => source.id)])).toEqual([
    ["tea", [there]],
  ]);
});

test("the other ids of a full batch are all known to what rests on them", async () => {
  await using one = await openMemory(inMemoryStore);
  const target = one.flux.for({ userId: "bob" });
  const items = Array.from({ length: 500 }, (_, i) => ({ text: `note ${i}` }));
  await target.storeBatch(items);
  const results = await one.memory.storeBatch(items);
  const last = results.at(-1)?.id ?? "";
  const sources = [{ kind: "text", id: last }];
  await one.memory.facts.add({ subject: "user", predicate: "likes", object: "tea", sources });
  expect(await target.import(await exported(one.memory))).toMatchObject({
    ...{ stored: 1, mentioned: 500, conflicts: 0 },
  });
});

test.each([
  { begun: -1 },
  { begun: "1" },
  { renamed: {} },
  { renamed: [null] },
  { renamed: [{ name: "text a" }] },
  { other: 1 },
  5,
])("what no report says is no part of an import: %j", async (part) => {
  await using one = await openMemory(inMemoryStore);
  const [header] = await exported(one.memory);
  await expect(one.memory.import([{ ...header, part } as ExportLine])).rejects.toMatchObject({
    code: "invalid_argument",
  });
});

test("an export names nothing that is hidden, so that it is the same once it is imported", async () => {
  await using one = await openMemory(inMemoryStore);
  const { memory, clock } = one;
  const home = { subject: "user", predicate: "lives_in" };
  await memory.facts.add({ ...home, object: "Rome", saidAt: 1 });
  clock.advance(1);
  const { id } = await memory.store("I live in Oslo.", { statedAt: 2 });
  await memory.facts.add({ ...home, object: "Oslo", saidAt: 2, sources: [{ kind: "text", id }] });
  await memory.purge(id);
  const lines = await exported(memory);
  expect(lines.map(({ type }) => type)).toEqual(["flux-memory", "fact", "fact"]);
  const target = one.flux.for({ userId: "bob" });
  await target.import(lines);
  expect(kept(await exported(target))).toEqual(kept(lines));
});
