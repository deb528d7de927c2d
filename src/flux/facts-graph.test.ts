import { expect, test } from "vitest";
import { factVersion, insertVersions } from "../../test/support/fact-versions.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import type { FactGraphOptions, FactGraphResult } from "../facts/facts.ts";
import type { WorldTime } from "../model/fact.ts";
import { partition } from "../model/partition.ts";

const alice = partition({ userId: "alice" });
const on = (at: number): WorldTime => ({ at, precision: "day" });
const lines = ({ paths }: FactGraphResult): string[] => paths.map((path) => path.render());

onEveryStore((store) => {
  test("paths lead over facts that hold at one moment, with what each rests on", async () => {
    await using one = await openMemory(store);
    const now = one.clock.now();
    const retired = { status: "retired", retiredAt: now - 1, retiredReason: "retracted" } as const;
    await insertVersions(one.ledger, alice, "all", [
      factVersion(["user", "has_sister", "Ines"]),
      factVersion(["Ines", "works_at", "Acme"], { validFrom: on(now - 50), validUntil: on(now - 10) }),
      factVersion(["Ines", "works_at", "Globex"], { validFrom: on(now - 10) }),
      factVersion(["Ines", "works_at", "Initech"], { validFrom: on(now + 10) }),
      factVersion(["Ines", "works_at", "Umbrella"], retired),
      factVersion(["globex", "located_in", "Porto"]),
      factVersion(["Acme", "located_in", "Rome"]),
    ]);
    const { facts } = one.memory;
    expect(lines(await facts.graph("Where does my sister work?"))).toEqual([
      "Ines -[works_at]-> Globex",
      "Ines <-[has_sister]- user",
      "Ines -[works_at]-> Globex -[located_in]-> Porto",
    ]);
    expect(lines(await facts.graph({ entities: ["USER"] }, { hops: 3, limit: 3 }))).toEqual([
      "user -[has_sister]-> Ines",
      "user -[has_sister]-> Ines -[works_at]-> Globex",
      "user -[has_sister]-> Ines -[works_at]-> Globex -[located_in]-> Porto",
    ]);
    const then = await facts.graph({ entities: ["Ines"] }, { asOf: now - 20, direction: "out" });
    expect(lines(then)).toEqual(["Ines -[works_at]-> Acme", "Ines -[works_at]-> Acme -[located_in]-> Rome"]);
    expect(lines(await facts.graph({ entities: ["Ines"] }, { asOf: now + 10, direction: "out" }))).toContain(
      "Ines -[works_at]-> Initech",
    );
    expect(lines(await facts.graph("Who is Zoe?"))).toEqual([]);
    expect(lines(await one.flux.for({ userId: "bob" }).facts.graph("Ines"))).toEqual([]);
  });
});

test("a graph of the newest facts alone says so", async () => {
  await using one = await openMemory(inMemoryStore);
  await insertVersions(one.ledger, alice, "all", [
    factVersion(["Ann", "knows", "Bob"]),
    factVersion(["Bob", "knows", "Eve"]),
  ]);
  const { paths, degraded } = await one.memory.facts.graph({ entities: ["Bob"] }, { maxFacts: 1 });
  expect(paths.map((path) => path.render())).toEqual(["Bob -[knows]-> Eve"]);
  expect(degraded?.map(({ code }) => code)).toEqual(["facts_bounded"]);
  expect((await one.memory.facts.graph({ entities: ["Bob"] })).degraded).toBeUndefined();
});

test("a graph refuses what it does not know", async () => {
  await using one = await openMemory(inMemoryStore);
  const { facts } = one.memory;
  const options: FactGraphOptions[] = [
    ...[{ hops: 0 }, { hops: 6 }, { limit: 0 }, { maxFacts: 100_001 }, { direction: "up" as never }],
    { k: 1 } as never,
  ];
  for (const wrong of options)
    await expect(facts.graph("x", wrong)).rejects.toMatchObject({ code: "invalid_argument" });
  for (const wrong of [5, null, {}, { entities: "Ann" }, { entities: [5] }, { entities: [], names: [] }])
    await expect(facts.graph(wrong as never)).rejects.toMatchObject({ code: "invalid_argument" });
});
