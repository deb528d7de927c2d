import { expect, test } from "vitest";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import type { FactQuery, Facts } from "../facts/facts.ts";
import { FluxError } from "../model/errors.ts";
import { Choices } from "../store/contract/seeded-randomness.ts";

const home = { subject: "user", predicate: "lives in" } as const;
const year = (year: number) => ({ at: Date.UTC(year, 0, 1), precision: "year" }) as const;

async function told(facts: Facts): Promise<string> {
  const { factId = "" } = await facts.add({
    ...home,
    object: "Porto",
    validFrom: year(2020),
    confidence: 0.7,
  });
  return factId;
}

onEveryStore((store) => {
  test("what is added is found by query and recall, and what it ends is not", async () => {
    await using one = await openMemory(store);
    const { facts } = one.memory;
    const results = await facts.add([
      { ...home, object: "Tokyo", validFrom: year(2015) },
      { ...home, object: "Porto", validFrom: year(2020) },
    ]);
    expect(results).toHaveLength(2);
    const { items } = await facts.query(home);
    expect(items.map(({ object }) => object)).toEqual(["Porto"]);
    const before = await facts.query({ ...home, asOf: year(2016).at });
    expect(before.items).toMatchObject([
      { object: "Tokyo", validUntil: year(2020), supersededBy: items[0]?.id },
    ]);
    const { hits } = await facts.recall("Where does the user live?");
    expect(hits.map(({ object }) => object)).toEqual(["Porto"]);
    expect((await one.memory.recall("Where does the user live?")).hits).toEqual([]);
  });

  test("a correction is a new version, with what it leaves out as before", async () => {
    await using one = await openMemory(store);
    const { facts } = one.memory;
    const factId = await told(facts);
    const first = await facts.get(factId);
    one.clock.advance(1000);
    const call = { operation: "correct", ifVersion: first?.id };
    const corrected = await facts.update(factId, { object: "Porto, Maine" }, call);
    expect(corrected).toMatchObject({
      ...{ factId, predicate: "lives_in", object: "Porto, Maine", confidence: 0.7, validFrom: year(2020) },
      ...{ recordedFrom: one.clock.now(), provenance: "user_stated" },
    });
    expect(await facts.update(factId, { object: "Porto, Maine" }, call)).toEqual(corrected);
    const history = await facts.history(factId);
    expect(history.map(({ object }) => object)).toEqual(["Porto", "Porto, Maine"]);
    expect(history[0]).toMatchObject({ recordedUntil: one.clock.now(), supersededBy: corrected.id });
    expect((await facts.recall("Porto")).hits.map(({ id }) => id)).toEqual([corrected.id]);
    await expect(
      facts.update(factId, { object: "Faro" }, { ifVersion: first?.id ?? "" }),
    ).rejects.toMatchObject({
      code: "conflict",
    });
    // By the id of a version that is not the newest, what it leaves out is as in the newest all the same.
    const ended = await facts.update(first?.id ?? "", { validUntil: year(2024) });
    expect(ended).toMatchObject({ object: "Porto, Maine", validFrom: year(2020), validUntil: year(2024) });
    expect((await facts.query(home)).items).toEqual([]);
  });

  test("what was retracted was never so, what was ended held until then; both are known to have been believed", async () => {
    await using one = await openMemory(store);
    const { facts } = one.memory;
    const porto = await told(facts);
    const before = one.clock.now();
    one.clock.advance(1000);
    await facts.retract(porto, { reason: "misheard", operation: "away" });
    expect((await facts.query({ ...home, history: true })).items).toEqual([]);
    expect((await facts.query({ ...home, knownAt: before })).items).toMatchObject([
      { factId: porto, object: "Porto" },
    ]);
    const then = await facts.recall("Where does the user live?", { knownAt: before });
    expect(then.hits).toMatchObject([{ object: "Porto" }]);
    expect((await facts.recall("Porto")).hits).toEqual([]);
    expect((await facts.get(porto))?.retiredReason).toBe("retracted");
    expect((await facts.retract(porto, { reason: "misheard", operation: "away" })).factId).toBe(porto);
    await expect(facts.retract(porto)).rejects.toMatchObject({ code: "not_found" });
    await expect(facts.update(porto, { object: "Faro" })).rejects.toMatchObject({ code: "not_found" });

    const { factId: tea = "" } = await facts.add({
      subject: "user",
      predicate: "likes",
      object: "tea",
      validFrom: year(2019),
    });
    const ended = await facts.retract(tea, { at: year(2022).at });
    expect(ended).toMatchObject({ factId: tea, validUntil: { at: year(2022).at } });
    const liked = { subject: "user", predicate: "likes" };
    expect((await facts.query(liked)).items).toEqual([]);
    expect((await facts.query({ ...liked, asOf: year(2021).at })).items).toMatchObject([{ object: "tea" }]);
  });

  test("the moment at which a fact ended may be put right by a later one, and comes after its beginning", async () => {
    await using one = await openMemory(store);
    const { facts } = one.memory;
    const { factId = "" } = await facts.add({
      ...{ subject: "user", predicate: "owns", object: "a boat", validFrom: year(2019) },
    });
    for (const at of [year(2018).at, year(2019).at])
      await expect(facts.retract(factId, { at })).rejects.toMatchObject({ code: "invalid_argument" });
    for (const ended of [2022, 2023, 2021]) {
      const { at } = year(ended);
      expect(await facts.retract(factId, { at })).toMatchObject({
        validFrom: year(2019),
        validUntil: { at },
      });
    }
  });

  test("corrections at the same time lose none of each other's changes", async () => {
    await using one = await openMemory(store);
    const { facts } = one.memory;
    const factId = await told(facts);
    const other = one.flux.for({ userId: "alice" }).facts;
    await Promise.all([
      facts.update(factId, { object: "Faro" }),
      other.update(factId, { confidence: 0.4 }),
      facts.update(factId, { validFrom: year(2018) }),
    ]);
    expect(await facts.get(factId)).toMatchObject({ object: "Faro", confidence: 0.4, validFrom: year(2018) });
  });
});

test("a question as known at a moment is answered as it was answered then, whatever was said since", async () => {
  await using one = await openMemory(inMemoryStore);
  const { facts } = one.memory;
  const choose = new Choices(11);
  const answers: { readonly at: number; readonly ids: readonly string[] }[] = [];
  const idsOf = async (query: FactQuery): Promise<string[]> =>
    (await facts.query({ ...query, limit: 1000 })).items.map(({ id }) => id);
  const added: string[] = [];
  for (let i = 0; i < 60; i++) {
    const known = added.length > 0 ? choose.of(added) : undefined;
    const roll = choose.below(10);
    if (known !== undefined && roll === 0) await facts.retract(known).catch(ignoreMissing);
    else if (known !== undefined && roll === 1)
      await facts.update(known, { object: choose.of(["Rome", "Oslo"]) }).catch(ignoreMissing);
    else {
      const { factId } = await facts.add({
        subject: choose.of(["user", "Ann"]),
        predicate: choose.of(["lives in", "likes"]),
        object: choose.of(["Porto", "Tokyo", "tea"]),
        ...(choose.chance(50) ? { validFrom: year(2000 + choose.below(30)) } : {}),
        ...(choose.chance(20) ? { change: "end", affirmed: true } : {}),
        ...(choose.chance(10) ? { confidence: 0.3 } : {}),
      });
      if (factId !== undefined) added.push(factId);
    }
    answers.push({ at: one.clock.now(), ids: await idsOf({}) });
    one.clock.advance(1 + choose.below(90) * 24 * 3_600_000);
  }
  expect(new Set(answers.map(({ ids }) => ids.join())).size).toBeGreaterThan(20);
  for (const { at, ids } of answers) expect(await idsOf({ knownAt: at })).toEqual(ids);
});

function ignoreMissing(error: unknown): void {
  if (!(FluxError.isInstance(error) && error.code === "not_found")) throw error;
}

test("a name of the user stands for the user", async () => {
  await using one = await openMemory(inMemoryStore);
  const { facts } = one.memory;
  await facts.add({ subject: "user", predicate: "name", object: "Alice" });
  await facts.add([
    { subject: "Alice", predicate: "likes", object: "tea" },
    { subject: "user", predicate: "likes", object: "milk" },
  ]);
  for (const subject of ["user", "ALICE"]) {
    const { items } = await facts.query({ subject, predicate: "likes" });
    expect(items.map(({ object }) => object).toSorted()).toEqual(["milk", "tea"]);
  }
  expect(await facts.count({ subject: "alice", predicate: "likes", object: "Tea" })).toBe(1);
});

test("a fact is changed by its id, however many of its kind were recorded since", async () => {
  await using one = await openMemory(inMemoryStore);
  const { facts } = one.memory;
  const liking = (i: number) => ({ subject: "user", predicate: "likes", object: `dish ${i}` });
  const [first, second, third] = await facts.add([liking(0), liking(1), liking(2)]);
  for (const from of [3, 503]) await facts.add(Array.from({ length: 500 }, (_, i) => liking(from + i)));
  expect(await facts.update(first?.factId ?? "", { object: "figs" })).toMatchObject({ object: "figs" });
  expect(await facts.retract(second?.factId ?? "")).toMatchObject({ retiredReason: "retracted" });
  const at = one.clock.now() + 1;
  expect(await facts.retract(third?.factId ?? "", { at })).toMatchObject({ validUntil: { at } });
  expect(await facts.count({ predicate: "likes", history: true })).toBe(1002);
});

test("changes refuse what they do not know", async () => {
  await using one = await openMemory(inMemoryStore);
  const { facts } = one.memory;
  const factId = await told(facts);
  const wrong: readonly [() => Promise<unknown>, string][] = [
    [() => facts.update(factId, {}), "invalid_argument"],
    [() => facts.update(factId, { subject: "Ann" } as never), "invalid_argument"],
    [() => facts.update(factId, { confidence: 2 }), "invalid_argument"],
    [() => facts.update(factId, { object: "x" }, { ifVersion: "" }), "invalid_id"],
    [() => facts.update("nothing", { object: "x" }), "not_found"],
    [() => facts.retract(factId, { at: "now" as never }), "invalid_argument"],
    [() => facts.retract("nothing"), "not_found"],
    [() => facts.delete("nothing"), "not_found"],
    [() => facts.add({ subject: "user" } as never), "invalid_argument"],
    [() => facts.add(5 as never), "invalid_argument"],
  ];
  for (const [call, code] of wrong) await expect(call()).rejects.toMatchObject({ code });
  expect((await facts.get(factId))?.object).toBe("Porto");
});

test("one operation is one call", async () => {
  await using one = await openMemory(inMemoryStore);
  const { facts } = one.memory;
  const claim = { subject: "user", predicate: "likes", object: "tea" } as const;
  const first = await facts.add(claim, { operation: "add" });
  expect(await facts.add(claim, { operation: "add" })).toEqual(first);
  await expect(facts.add({ ...claim, object: "milk" }, { operation: "add" })).rejects.toMatchObject({
    code: "operation_conflict",
  });
  expect(await facts.count({ subject: "user" })).toBe(1);
  expect((await facts.get(first.factId ?? ""))?.mentions).toBe(0);
});
