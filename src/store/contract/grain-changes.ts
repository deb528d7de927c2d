import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find } from "../read.ts";
import type { IndexEntry } from "../search.ts";
import { alice, bob, canary, each, everyPage, isThere, rejects, theRecord } from "./expectations.ts";
import { type Indexed, keep, matchTerms, names, nearestTo, withSpaces } from "./indexing.ts";
import { assertInvariants } from "./invariants.ts";
import { apply, cutAnew, decideAs, reindex } from "./plans.ts";
import { conduit, grain, named, note } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

const x = Float32Array.of(1, 0, 0);

function change(
  { ledger, lexical, dense }: Indexed,
  id: string,
  index: readonly IndexEntry[],
  operation = `${id} anew`,
) {
  const input = { id, spaces: [lexical, dense] };
  return ledger.update(alice, { operation, plan: reindex, input, aside: { index } });
}

function removeGrain(ledger: Ledger, id: string, user = alice) {
  const input = { mutations: [{ type: "remove", kind: "grain", id }] };
  return ledger.update(user, { operation: `remove ${id}`, plan: apply, input });
}

async function jobIds(ledger: Ledger, queue = "q"): Promise<string[]> {
  return (await ledger.jobs.list(alice, { queue })).jobs.map(({ payload }) => payload as string);
}

export const grainChanges = group("index, grains that change", [
  test("a patch of a grain replaces all that the index held of it, with the statistics", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { lexical, dense } = indexed;
    await keep(indexed, {
      a: { text: "tea tea milk", vector: [0, 1, 0] },
      b: { text: "tea", vector: [0, 0, 1] },
    });
    // Both caches have been used.
    assert.deepEqual((await matchTerms(indexed, ["tea", "milk"])).frequencies, [2, 1]);
    assert.deepEqual(names(await nearestTo(indexed, [0, 1, 0], { limit: 1 })), ["a"]);
    await change(indexed, "a", [
      { space: lexical, terms: ["coffee"] },
      { space: dense, vector: x },
    ]);
    const found = await matchTerms(indexed, ["tea", "milk", "coffee"]);
    assert.deepEqual([found.documents, found.averageLength, found.frequencies], [2, 1, [1, 0, 1]]);
    assert.deepEqual(names(found).sort(), ["a", "b"]);
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0], { limit: 1 })), ["a"]);
    assert.equal((await theRecord(indexed.ledger, "grain", "a")).mentions, 1);
  }),

  test("a space that a patch has no entry for holds nothing of the grain any more", async ({ open }) => {
    const indexed = await withSpaces(await open());
    await keep(indexed, { a: { text: "tea", vector: [0, 1, 0] }, b: { text: "tea", vector: [0, 0, 1] } });
    await change(indexed, "a", [{ space: indexed.lexical, terms: ["milk", "milk"] }]);
    const found = await matchTerms(indexed, ["tea", "milk"]);
    assert.deepEqual([found.documents, found.averageLength, found.frequencies], [2, 1.5, [1, 1]]);
    assert.deepEqual(names(await nearestTo(indexed, [0, 1, 0])), ["b"]);
    await change(indexed, "a", [], "nothing");
    assert.deepEqual((await matchTerms(indexed, ["tea", "milk"])).frequencies, [1, 0]);
    assert.equal((await matchTerms(indexed, ["tea"])).documents, 1);
    // One without entries gets some.
    await change(indexed, "a", [{ space: indexed.dense, vector: x }], "again");
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0], { limit: 1 })), ["a"]);
  }),

  test("a patch without entries leaves the index as it is", async ({ open }) => {
    const indexed = await withSpaces(await open());
    await keep(indexed, { a: { text: "tea", vector: [1, 0, 0] } });
    const input = { mutations: [{ type: "patch", kind: "grain", id: "a", value: { status: "dormant" } }] };
    await indexed.ledger.update(alice, { operation: "p", plan: apply, input });
    assert.deepEqual(names(await matchTerms(indexed, ["tea"])), ["a"]);
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0])), ["a"]);
  }),

  test("entries made for a grain that was changed meanwhile are left out", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    await keep(indexed, { a: { text: "tea" }, b: { text: "tea" } });
    const updatedSeqOf = async (id: string) => (await theRecord(ledger, "grain", id)).updatedSeq;
    const made = [await updatedSeqOf("a"), await updatedSeqOf("b")];
    await change(indexed, "a", [{ space: lexical, terms: ["milk"] }]);
    const entriesOf = (seqs: readonly unknown[]) => ({
      spaces: [lexical, dense],
      grains: ["a", "b"].map((grainId, i) => ({
        ...{ grainId, updatedSeq: seqs[i] as number },
        entries: [{ space: lexical, terms: ["late"] }],
      })),
    });
    assert.equal(await ledger.index(alice, entriesOf(made)), 1);
    assert.deepEqual((await matchTerms(indexed, ["tea", "milk", "late"])).frequencies, [0, 1, 1]);
    assert.equal(await ledger.index(alice, entriesOf([await updatedSeqOf("a"), 0])), 1);
    assert.deepEqual((await matchTerms(indexed, ["milk", "late"])).frequencies, [0, 2]);
    await rejects("invalid_argument", () => ledger.index(alice, entriesOf(["1", 0])));
  }),

  test("a patch is refused whole when its entries are not for the spaces that there are", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    await keep(indexed, { a: { text: canary, vector: [1, 0, 0] } });
    const wrong: Record<string, [string, readonly unknown[]]> = {
      "terms for vectors": ["invalid_argument", [{ space: dense, terms: ["a"] }]],
      "other dimensions": ["dimension_mismatch", [{ space: dense, vector: Float32Array.of(1) }]],
      "an unknown space": ["invalid_argument", [{ space: 99, terms: ["a"] }]],
      "a space twice": ["invalid_argument", Array(2).fill({ space: lexical, terms: ["a"] })],
    };
    await each(wrong, async ([code, index], name) => {
      await rejects(code as never, () => change(indexed, "a", index as never, name));
    });
    const decisions = {
      "without spaces": [{ type: "patch", kind: "grain", id: "a", value: {}, index: [] }],
      "of a text": [{ type: "patch", kind: "text", id: "a", value: {}, index: [] }],
    };
    await each(decisions, async (mutations, name) => {
      const spaces = name === "of a text" ? { spaces: [lexical, dense] } : {};
      const input = { decision: { mutations, ...spaces } };
      await rejects("invalid_argument", () =>
        ledger.update(alice, { operation: name, plan: decideAs, input: input as never }),
      );
    });
    await ledger.spaces.declare({ kind: "dense", maker: "other", dimensions: 2 });
    await rejects("index_changed", () => change(indexed, "a", [], "changed"));
    assert.equal("mentions" in (await theRecord(ledger, "grain", "a")), false);
    assert.deepEqual(names(await matchTerms(indexed, [canary])), ["a"]);
  }),

  test("a grain that is removed takes its conduits, its feedback and its entries with it", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    const { ledger } = indexed;
    await keep(indexed, {
      a: { text: "tea", vector: [1, 0, 0] },
      b: { text: "tea milk", vector: [0, 1, 0] },
    });
    const said = { traceId: "t", useful: true };
    await ledger.append(alice, {
      operation: "more",
      records: [
        ...(["ab", "ba"] as const).map((ends) =>
          insert("conduit", conduit(ends[0] as string, ends[1] as string), { id: ends }),
        ),
        insert("feedback", { ...said, grainId: "a" }, { id: "of a" }),
        insert("feedback", { ...said, grainId: "b", caller: "c" }, { id: "of b" }),
      ],
    });
    const { cursor } = await ledger.changes.read();
    await removeGrain(ledger, "a");
    for (const [kind, id] of [
      ["grain", "a"],
      ["conduit", "ab"],
      ["conduit", "ba"],
      ["feedback", "of a"],
    ] as const)
      assert.equal(await isThere(ledger, kind, id), false, `${kind} ${id} is left`);
    assert.ok(await isThere(ledger, "text", "a"));
    assert.ok(await isThere(ledger, "feedback", "of b"));
    const found = await matchTerms(indexed, ["tea", "milk"]);
    assert.deepEqual([found.documents, found.averageLength, found.frequencies], [1, 2, [1, 1]]);
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0])), ["b"]);
    const { changes } = await ledger.changes.read({ after: cursor });
    assert.deepEqual(changes.map(({ operation, kind, id }) => `${operation} ${kind} ${id}`).sort(), [
      "delete conduit ab",
      "delete conduit ba",
      "delete feedback of a",
      "delete grain a",
    ]);
    await assertInvariants(ledger, alice);
    // It leaves no marker.
    await ledger.append(alice, {
      operation: "anew",
      records: [insert("grain", grain("text", "a"), { id: "a" })],
    });
    await rejects("not_found", () => removeGrain(ledger, "nobody"));
    await rejects("not_found", () => removeGrain(ledger, "b", bob));
  }),

  test("a text gets other grains in one commit", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    await keep(indexed, { a: { text: "tea", vector: [0, 1, 0] } });
    const input = { gone: "a", made: "new", spaces: [lexical, dense] };
    const aside = {
      index: [
        { space: lexical, terms: ["milk"] },
        { space: dense, vector: x },
      ],
    };
    const call = { operation: "cut", plan: cutAnew, input, aside };
    const { ids } = await ledger.update(alice, call);
    assert.deepEqual(ids, ["new"]);
    assert.deepEqual((await matchTerms(indexed, ["tea", "milk"])).frequencies, [0, 1]);
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0])), ["new"]);
    assert.equal((await ledger.update(alice, call)).replayed, true);
    await assertInvariants(ledger, alice);
  }),

  test("a grain from which something was derived cannot be removed, and what a plan inserts cannot rest on one", async ({
    open,
  }) => {
    const ledger = await open();
    await ledger.append(alice, {
      operation: "o",
      records: [
        named("t", note("t")),
        insert("grain", grain("text", "t"), { id: "g" }),
        insert("grain", grain("text", "t"), { id: "h" }),
        named("s", note("summary"), ["grain", "g"]),
      ],
    });
    await rejects("invalid_argument", () => removeGrain(ledger, "g"));
    const edge = { type: "insert", kind: "conduit", value: { ...conduit("g", "h") } };
    const gone = { type: "remove", kind: "grain", id: "h" };
    await each({ before: [edge, gone], after: [gone, edge] }, async (mutations, name) => {
      await rejects("erased", () =>
        ledger.update(alice, { operation: name, plan: apply, input: { mutations } as never }),
      );
    });
    const [{ items }] = await ledger.read([alice], [find("grain")]);
    assert.equal(items.length, 2);
  }),

  test("jobs that are about nothing but removed grains go, and others lose a source", async ({ open }) => {
    const ledger = await open();
    const about = (...ids: string[]) => ids.map((id) => ({ kind: "grain", id }));
    await ledger.append(alice, {
      operation: "o",
      records: [
        named("t", note("t")),
        ...["a", "b", "c"].map((id) => insert("grain", grain("text", "t"), { id })),
      ],
      jobs: [
        { queue: "q", payload: "a", sources: about("a") },
        { queue: "q", payload: "a and b", sources: about("a", "b") },
        { queue: "q", payload: "b and c", sources: about("b", "c") },
        { queue: "q", payload: "none" },
      ],
    });
    const input = { mutations: ["a", "b"].map((id) => ({ type: "remove", kind: "grain", id })) };
    await ledger.update(alice, { operation: "r", plan: apply, input });
    assert.deepEqual(await jobIds(ledger), ["b and c", "none"]);
    const [job] = await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000 });
    assert.deepEqual(job?.sources, about("c"));
    await assertInvariants(ledger, alice);
  }),

  durableTest(
    "another ledger on the same store sees what changed of the index",
    async ({ place, reopen }) => {
      const store = await place();
      const one = await withSpaces(await reopen(store));
      const other = { ...one, ledger: await reopen(store) };
      await keep(one, { a: { text: "tea", vector: [0, 1, 0] }, b: { text: "milk", vector: [0, 0, 1] } });
      const look = async (): Promise<unknown> => [
        (await matchTerms(other, ["tea", "milk"])).frequencies,
        names(await nearestTo(other, [0, 1, 0])),
      ];
      assert.deepEqual(await look(), [
        [1, 1],
        ["a", "b"],
      ]);
      await change(one, "a", [{ space: one.lexical, terms: ["milk"] }]);
      assert.deepEqual(await look(), [[0, 2], ["b"]]);
      await removeGrain(one.ledger, "b");
      assert.deepEqual(await look(), [[0, 1], []]);
    },
  ),
]);

export const feedback = group("feedback", [
  test("feedback is found by its trace and by its grain, can be changed and taken back, and goes with its grain", async ({
    open,
  }) => {
    const ledger = await open();
    const said = (id: string, traceId: string, grainId: string, useful: boolean, caller?: string) =>
      insert("feedback", { traceId, grainId, useful, ...(caller === undefined ? {} : { caller }) }, { id });
    await ledger.append(alice, {
      operation: "o",
      records: [
        named("t", note("t")),
        ...["g", "h"].map((id) => insert("grain", grain("text", "t"), { id })),
        said("1", "x", "h", true, "a"),
        said("2", "x", "g", false),
        said("3", "y", "g", true, "a"),
      ],
    });
    const by = async (index: string, prefix: readonly string[]): Promise<string[]> =>
      (await everyPage(ledger, "feedback", { index, prefix })).map(({ id }) => id);
    assert.deepEqual(await by("byTrace", ["x"]), ["2", "1"]);
    assert.deepEqual(await by("byTrace", ["x", "h"]), ["1"]);
    assert.deepEqual(await by("byGrain", ["g"]), ["2", "3"]);
    const mutations = [
      { type: "patch", kind: "feedback", id: "2", value: { useful: true } },
      { type: "remove", kind: "feedback", id: "3" },
    ];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } });
    assert.equal((await theRecord(ledger, "feedback", "2")).useful, true);
    assert.deepEqual(await by("byGrain", ["g"]), ["2"]);
    const fixed = [{ type: "patch", kind: "feedback", id: "2", value: { grainId: "h" } }];
    await rejects("invalid_record", () =>
      ledger.update(alice, { operation: "f", plan: apply, input: { mutations: fixed } }),
    );
    await rejects("erased", () =>
      ledger.append(alice, { operation: "n", records: [said("4", "x", "nobody", true)] }),
    );
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "grain", id: "g" }] });
    assert.deepEqual(await by("byId", []), ["1"]);
    await assertInvariants(ledger, alice);
  }),

  test("traces that wait for feedback are found by who asked, the oldest first, since a moment", async ({
    open,
  }) => {
    const clock = { at: 1000, now: () => clock.at };
    const ledger = await open({ clock });
    const asked: readonly (readonly [string, string | undefined])[] = [
      ["1", "a"],
      ["2", undefined],
      ["3", "b"],
      ["4", "a"],
      ["5", undefined],
      ["6", "a"],
    ];
    for (const [id, caller] of asked) {
      clock.at += 10;
      const value = { query: "", hits: [], ...(caller === undefined ? {} : { caller }) };
      await ledger.append(alice, { operation: id, records: [insert("trace", value, { id })] });
    }
    const of = async (caller: string | null, since = 0): Promise<string[]> =>
      (
        await everyPage(ledger, "trace", {
          index: "byCaller",
          prefix: [caller, null],
          range: { gte: since },
          limit: 2,
        })
      ).map(({ id }) => id);
    assert.deepEqual(await of("a"), ["1", "4", "6"]);
    assert.deepEqual(await of("a", 1040), ["4", "6"]);
    assert.deepEqual(await of("a", 1061), []);
    assert.deepEqual(await of(null), ["2", "5"]);
    assert.deepEqual(await of(null, 1021), ["5"]);
    assert.deepEqual(await of("c"), []);
    const value = { feedback: "complete" };
    const mutations = [{ type: "patch", kind: "trace", id: "4", value }];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } });
    assert.deepEqual(await of("a"), ["1", "6"]);
  }),
]);
