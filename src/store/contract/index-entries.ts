import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { alice, bob, canary, each, rejects } from "./expectations.ts";
import { keep, matchTerms, names, nearestTo, sample, withSpaces } from "./indexing.ts";
import { grain, named, note } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

export const indexEntries = group("index, entries", [
  test("entries are committed with their grain or not at all, and are no part of the payload", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    await keep(indexed, { a: { text: "tea", vector: [1, 0, 0] } }, { operation: "o" });
    await rejects("already_exists", () => keep(indexed, { b: { text: "tea" }, a: { text: "milk" } }));
    const { documents, frequencies } = await matchTerms(indexed, ["tea", "milk"]);
    assert.deepEqual([documents, frequencies], [1, [1, 0]]);
    const again = await keep(indexed, { a: { text: "other words" } }, { operation: "o" });
    assert.equal(again.replayed, true);
    assert.deepEqual((await matchTerms(indexed, ["tea", "other"])).frequencies, [1, 0]);
  }),

  test("entries can be added, and replaced, for grains that are there", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    await keep(indexed, { a: { text: "tea tea" }, b: { text: "tea", vector: [0, 1, 0] } });
    const spaces = [lexical, dense];
    const entries = [
      { space: lexical, terms: ["milk"] },
      { space: dense, vector: Float32Array.of(1, 0, 0) },
    ];
    const grains = [
      { grainId: "a", entries },
      { grainId: "b", entries: [{ space: dense, vector: Float32Array.of(0, 0, 1) }] },
      { grainId: "nobody", entries },
    ];
    const seq = (await ledger.partitions()).partitions.length;
    for (let times = 0; times < 2; times++) {
      assert.equal(await ledger.index(alice, { grains, spaces }), 2);
      const found = await matchTerms(indexed, ["tea", "milk"]);
      assert.deepEqual([found.documents, found.averageLength, found.frequencies], [2, 1, [1, 1]]);
      assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0])), ["a", "b"]);
      assert.deepEqual(names(await nearestTo(indexed, [0, 0, 1], { limit: 1 })), ["b"]);
    }
    assert.equal((await ledger.partitions()).partitions.length, seq);
    assert.equal(await ledger.index(bob, { grains, spaces }), 0);
  }),

  test("a commit that does not know all spaces is refused, and nothing of it stays", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    const second = await ledger.spaces.declare({ kind: "dense", maker: "two", dimensions: 2 });
    assert.equal(second.state, "building");
    const error = await rejects("index_changed", () => keep(indexed, { a: { text: canary } }));
    assert.equal(error.retryable, true);
    assert.deepEqual(await ledger.read([alice], [{ type: "get", kind: "text", id: "a" }]), [undefined]);
    const grains = [{ grainId: "a", entries: [] }];
    await rejects("index_changed", () => ledger.index(alice, { grains, spaces: [lexical] }));
    const records = sample(indexed, "a", { text: "tea" });
    await ledger.append(alice, { operation: "o", records, spaces: [second.id, dense, lexical] });
    // What comes with no entries need not know of spaces.
    await ledger.append(alice, { operation: "n", records: [named("n", note("n"))] });
    await ledger.spaces.activate(second.id);
    await keepIn(ledger, [lexical, second.id], second.id);
    await rejects("index_changed", () => keep(indexed, { b: { text: "tea" } }));
  }),

  test("entries that make no sense are refused", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    const spaces = [lexical, dense];
    const wrong: Record<string, [string, unknown, unknown?]> = {
      "a vector of other dimensions": [
        "dimension_mismatch",
        [{ space: dense, vector: Float32Array.of(1, 0) }],
      ],
      "a vector for terms": ["invalid_argument", [{ space: lexical, vector: Float32Array.of(1, 0, 0) }]],
      "terms for a vector": ["invalid_argument", [{ space: dense, terms: ["a"] }]],
      "not a number": ["invalid_argument", [{ space: dense, vector: Float32Array.of(Number.NaN, 0, 0) }]],
      "an infinite number": ["invalid_argument", [{ space: dense, vector: Float32Array.of(1 / 0, 0, 0) }]],
      "an array": ["invalid_argument", [{ space: dense, vector: [1, 0, 0] }]],
      "an empty vector": ["invalid_argument", [{ space: dense, vector: new Float32Array(0) }]],
      "a long vector": ["invalid_argument", [{ space: dense, vector: Float32Array.of(1, 1, 0) }]],
      "a short vector": ["invalid_argument", [{ space: dense, vector: Float32Array.of(0.99, 0, 0) }]],
      "an empty term": ["invalid_argument", [{ space: lexical, terms: [""] }]],
      "a term that is no text": ["invalid_argument", [{ space: lexical, terms: [1] }]],
      "one text": ["invalid_argument", [{ space: lexical, terms: "tea" }]],
      "too many terms": ["too_large", [{ space: lexical, terms: Array(65_537).fill("a") }]],
      "an unknown space": ["invalid_argument", [{ space: 99, terms: ["a"] }]],
      "the same space twice": ["invalid_argument", Array(2).fill({ space: lexical, terms: ["a"] })],
      nothing: ["invalid_argument", [null]],
      "no list": ["invalid_argument", "tea"],
      "no spaces": ["invalid_argument", [{ space: lexical, terms: ["a"] }], null],
    };
    await each(wrong, async ([code, index, known]) => {
      const records = [
        named("t", note("t")),
        insert("grain", grain("text", "t"), { id: "t", index: index as never }),
      ];
      const request = { operation: "o", records, spaces: known === null ? undefined : spaces };
      await rejects(code as never, () => ledger.append(alice, request as never));
    });
    const index = [{ space: lexical, terms: ["a"] }];
    await rejects("invalid_argument", () =>
      ledger.append(alice, { operation: "o", records: [{ ...note("t"), index }] as never, spaces }),
    );
    assert.equal((await matchTerms(indexed, ["a"])).documents, 0);
  }),

  durableTest("the index outlives the ledger", async ({ place, reopen }) => {
    const store = await place();
    const before = await withSpaces(await reopen(store));
    await keep(before, { a: { text: "tea", vector: [1, 0, 0] } });
    await before.ledger.close();
    const after = await withSpaces(await reopen(store));
    assert.deepEqual([after.lexical, after.dense], [before.lexical, before.dense]);
    assert.deepEqual(names(await matchTerms(after, ["tea"])), ["a"]);
    assert.deepEqual(names(await nearestTo(after, [1, 0, 0])), ["a"]);
  }),

  durableTest(
    "what one ledger adds, replaces and erases, another one on the same store sees",
    async ({ place, reopen }) => {
      const store = await place();
      const one = await withSpaces(await reopen(store));
      const other = { ...one, ledger: await reopen(store) };
      await keep(one, { a: { text: "tea", vector: [1, 0, 0] }, b: { text: "tea", vector: [0, 1, 0] } });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["a", "b"]);
      await keep(one, { c: { text: "tea", vector: [0.8, 0.6, 0] } });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["a", "c", "b"]);
      const grains = [{ grainId: "b", entries: [{ space: one.dense, vector: Float32Array.of(1, 0, 0) }] }];
      await one.ledger.index(alice, { grains, spaces: [one.lexical, one.dense] });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0], { limit: 2 })).sort(), ["a", "b"]);
      await one.ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "a" }] });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["b", "c"]);
      assert.deepEqual(names(await matchTerms(other, ["tea"])), ["c", "b"]);
      await one.ledger.erase(alice, { operation: "all", everything: true });
      assert.deepEqual(await nearestTo(other, [1, 0, 0]), []);
      await keep(one, { d: { text: "tea", vector: [0, 0, 1] } });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["d"]);
    },
  ),

  durableTest(
    "a ledger that erases everything also notices what another one had erased before",
    async ({ place, reopen }) => {
      const store = await place();
      const one = await withSpaces(await reopen(store));
      const other = { ...one, ledger: await reopen(store) };
      await keep(one, { a: { text: "tea" } });
      assert.deepEqual(names(await matchTerms(one, ["tea"])), ["a"]);
      await other.ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "a" }] });
      await keep(one, { b: { text: "tea" }, c: { text: "tea" } });
      await one.ledger.erase(alice, { operation: "all", everything: true });
      await keep(one, { d: { text: "tea" } });
      assert.deepEqual(names(await matchTerms(one, ["tea"])), ["d"]);
    },
  ),
]);

async function keepIn(
  ledger: Parameters<typeof withSpaces>[0],
  spaces: readonly number[],
  dense: number,
): Promise<void> {
  const index = [{ space: dense, vector: Float32Array.of(1, 0) }];
  const records = [named("k", note("k")), insert("grain", grain("text", "k"), { id: "k", index })];
  await ledger.append(alice, { operation: "k", records, spaces });
}
