import { expect, test } from "vitest";
import { exported, kept } from "../../test/support/exported.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";

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
