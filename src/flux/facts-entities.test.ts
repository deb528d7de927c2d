import { expect, test } from "vitest";
import { factVersion, insertVersions } from "../../test/support/fact-versions.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import type { EntityListOptions } from "./entity-options.ts";

const alice = partition({ userId: "alice" });

const known = [
  factVersion(["user", "name", "Alice"]),
  factVersion(["user", "lives_in", "Porto"], { mentions: 3 }),
  factVersion(["alice", "works_at", "Acme"]),
  factVersion(["Bob", "works_at", "ACME"]),
  factVersion(["Rex", "is_a", "dog"]),
];

onEveryStore((store) => {
  test("entities are put together from facts and texts, each with what is known of it", async () => {
    await using one = await openMemory(store);
    await insertVersions(one.ledger, alice, "known", known);
    const content = "Yesterday we met Marco in Lisbon.";
    await one.memory.store(content, { statedAt: 5 });
    const { items, cursor, degraded } = await one.memory.entities();
    expect(items.slice(0, 3).map(({ name, type, mentions }) => ({ name, type, mentions }))).toEqual([
      { name: "user", type: "person", mentions: 6 },
      { name: "Porto", type: "place", mentions: 4 },
      { name: "Acme", type: "org", mentions: 2 },
    ]);
    expect(items.find(({ name }) => name === "Lisbon")).toMatchObject({ type: "place", mentions: 1 });
    expect(cursor).toBeUndefined();
    expect(degraded).toBeUndefined();
    const acme = await one.memory.entity("acme");
    expect(acme).toMatchObject({ name: "Acme", aliases: ["ACME"], type: "org", facts: 2 });
    expect(acme?.asObject.map(({ subject }) => subject)).toEqual(["Bob", "alice"]);
    expect((await one.memory.entity("ALICE"))?.asSubject).toHaveLength(3);
    expect(await one.memory.entity("Marco")).toMatchObject({ firstSeen: 5, lastSeen: 5, facts: 0 });
    expect(await one.memory.entity("Zoe")).toBeUndefined();
    expect(await one.flux.for({ userId: "bob" }).entities()).toEqual({ items: [] });
    expect(await one.memory.entityContext(["acme", "nobody", "Rex"])).toBe(
      [
        "Known entities:",
        "- Acme (org): Bob works at ACME; alice works at Acme",
        "- Rex (other): is a dog",
      ].join("\n"),
    );
  });
});

test("the facts of an entity say what they rest on", async () => {
  await using one = await openMemory(inMemoryStore);
  const { id } = await one.memory.store("Bob works at Acme.");
  const source = { kind: "text", id };
  const record = insert("fact", factVersion(["Bob", "works_at", "Acme"]), { sources: [source] });
  await one.ledger.append(alice, { operation: "fact", records: [record] });
  const bob = await one.memory.entity("Bob");
  expect(bob?.asSubject[0]?.sources).toEqual([{ ...source, role: "source" }]);
  expect(bob).toMatchObject({ type: "person", mentions: 2 });
});

test("pages have each entity once, those that are spoken of most first, and can be narrowed down", async () => {
  await using one = await openMemory(inMemoryStore);
  const people = Array.from({ length: 23 }, (_, i) =>
    factVersion([`Person ${String(i).padStart(2, "0")}`, "age", "40"], { mentions: i % 3 }),
  );
  await insertVersions(one.ledger, alice, "people", [...people, ...known]);
  const namesOf = async (options: EntityListOptions): Promise<string[]> => {
    const names: string[] = [];
    for (let after: string | undefined; ; ) {
      const { items, cursor } = await one.memory.entities({ ...options, after });
      names.push(...items.map(({ name }) => name));
      if (cursor === undefined) return names;
      after = cursor;
    }
  };
  const all = await namesOf({ limit: 1000 });
  expect(all).toHaveLength(29);
  expect(all[0]).toBe("user");
  expect(await namesOf({ limit: 4 })).toEqual(all);
  expect(await namesOf({ limit: 5, type: "place" })).toEqual(["Porto"]);
  expect(await namesOf({ limit: 5, q: "ALI" })).toEqual(["user"]);
  const twenties = await namesOf({ limit: 2, q: "person 2" });
  expect(twenties).toEqual(
    ["Person 20", "Person 22", "Person 21"].toSorted((a, b) => all.indexOf(a) - all.indexOf(b)),
  );
  const { cursor } = await one.memory.entities({ limit: 5 });
  await expect(one.memory.entities({ limit: 5, type: "org", after: cursor })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
});

test("entities refuse what they do not know", async () => {
  await using one = await openMemory(inMemoryStore);
  const { memory } = one;
  for (const wrong of [{ limit: 0 }, { type: "animal" }, { q: 5 }, { k: 5 }])
    await expect(memory.entities(wrong as never)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(memory.entity(5 as never)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(memory.entityContext("Ann" as never)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(memory.entityContext([], { maxTokens: 0 })).rejects.toMatchObject({
    code: "invalid_argument",
  });
  expect(await memory.entityContext()).toBe("");
});
