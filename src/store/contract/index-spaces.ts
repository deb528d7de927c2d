import assert from "node:assert/strict";
import { alice, each, rejects } from "./expectations.ts";
import { keep, matchTerms, names, nearestTo, withSpaces } from "./indexing.ts";
import { group, test } from "./suite.ts";

export const indexSpaces = group("index, spaces", [
  test("spaces are made once, one of a kind is active, and ids are not used again", async ({ open }) => {
    const ledger = await open();
    const first = await ledger.spaces.declare({ kind: "dense", maker: "a", dimensions: 2 });
    assert.deepEqual(first, { id: first.id, kind: "dense", maker: "a", dimensions: 2, state: "active" });
    assert.deepEqual(await ledger.spaces.declare({ kind: "dense", maker: "a", dimensions: 2 }), first);
    const lexical = await ledger.spaces.declare({ kind: "lexical", maker: "a" });
    assert.deepEqual([lexical.state, lexical.dimensions], ["active", 0]);
    const second = await ledger.spaces.declare({ kind: "dense", maker: "b", dimensions: 3 });
    assert.equal(second.state, "building");
    assert.equal((await ledger.spaces.activate(second.id)).state, "active");
    const states = (await ledger.spaces.list()).map(({ id, state }) => [id, state]);
    assert.deepEqual(states, [
      [first.id, "retired"],
      [lexical.id, "active"],
      [second.id, "active"],
    ]);
    await rejects("invalid_argument", () => ledger.spaces.drop(second.id));
    await ledger.spaces.drop(first.id);
    await ledger.spaces.drop(first.id);
    await rejects("not_found", () => ledger.spaces.activate(first.id));
    const third = await ledger.spaces.declare({ kind: "dense", maker: "a", dimensions: 2 });
    assert.ok(third.id > second.id);
    const wrong: Record<string, unknown> = {
      kind: { kind: "sparse", maker: "a" },
      "no dimensions": { kind: "dense", maker: "c" },
      "many dimensions": { kind: "dense", maker: "c", dimensions: 16_001 },
      "lexical dimensions": { kind: "lexical", maker: "c", dimensions: 3 },
      "half a dimension": { kind: "dense", maker: "c", dimensions: 1.5 },
    };
    await each(wrong, async (space) => {
      await rejects("invalid_argument", () => ledger.spaces.declare(space as never));
    });
    await rejects("invalid_id", () => ledger.spaces.declare({ kind: "lexical", maker: "" }));
    for (const id of [0, 1.5, "1"])
      await rejects("invalid_argument", () => ledger.spaces.activate(id as never));
  }),

  test("a space can be built although its kind has none, and is searched once it is active", async ({
    open,
  }) => {
    const ledger = await open();
    const wanted = { kind: "dense", maker: "a", dimensions: 3, state: "building" } as const;
    const built = await ledger.spaces.declare(wanted);
    assert.deepEqual(built, { ...wanted, id: built.id });
    assert.deepEqual(await ledger.spaces.list(), [built]);
    // Whoever declares it again, in whatever way, has the one that is there.
    assert.deepEqual(await ledger.spaces.declare({ ...wanted, state: undefined }), built);
    const second = await ledger.spaces.declare({ ...wanted, maker: "b" });
    assert.equal(second.state, "building");
    assert.equal((await ledger.spaces.activate(built.id)).state, "active");
    assert.equal((await ledger.spaces.declare(wanted)).state, "active");
    for (const state of ["active", "retired", "", null, true])
      await rejects("invalid_argument", () => ledger.spaces.declare({ ...wanted, state } as never));
  }),

  test("a space that is dropped is empty for good, and the others keep what they hold", async ({ open }) => {
    const ledger = await open();
    const indexed = await withSpaces(ledger);
    await keep(indexed, { a: { text: "tea", vector: [1, 0, 0] } });
    const second = await ledger.spaces.declare({ kind: "lexical", maker: "letters" });
    const spaces = [indexed.lexical, indexed.dense, second.id];
    const grains = [{ grainId: "a", entries: [{ space: second.id, terms: ["t", "e", "a"] }] }];
    await ledger.index(alice, { grains, spaces });
    assert.deepEqual((await matchTerms(indexed, ["tea", "t"])).frequencies, [1, 0]);
    assert.deepEqual(
      (await matchTerms({ ...indexed, lexical: second.id }, ["tea", "t"])).frequencies,
      [0, 1],
    );
    await ledger.spaces.activate(second.id);
    await ledger.spaces.drop(indexed.lexical);
    assert.equal((await matchTerms(indexed, ["tea"])).documents, 0);
    assert.deepEqual(names(await matchTerms({ ...indexed, lexical: second.id }, ["t"])), ["a"]);
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0])), ["a"]);
  }),
]);
