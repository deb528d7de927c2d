import assert from "node:assert/strict";
import { recordId } from "../../model/ids.ts";
import { type Insert, insert } from "../batch.ts";
import type { Append } from "../commit.ts";
import { alice, bob, each, everyPage, headOf, isThere, rejects, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply, findOrInsert, reinforce } from "./plans.ts";
import { bareRecords, conduit, grain, message, named, note, value } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

/** The same request twice, as two programs might write it. */
const request = (): Append => ({
  operation: "o",
  records: [
    insert("text", { ...note("a").value, sessionId: "s", metadata: { x: 1, y: ["a", "b"], z: "c" } }),
    value("k", { one: 1, two: { three: [3], four: null } }),
  ],
  jobs: [{ queue: "q", payload: { n: 1, m: 2 } }],
});
const reordered = (): Append => ({
  jobs: [{ payload: { m: 2, n: 1 }, queue: "q", sources: undefined }],
  records: [
    insert("text", { metadata: { z: "c", y: ["a", "b"], x: 1 }, sessionId: "s", ...note("a").value }),
    insert("value", {
      value: { two: { four: null, three: [3] }, one: 1 },
      key: "k",
      scope: "scope",
      agentId: "agent",
    }),
  ],
  operation: "o",
});

/** Requests that differ from the first in one way each. */
const others: Readonly<Record<string, () => Append>> = {
  "another text": () => ({ ...request(), records: [note("b"), ...request().records.slice(1)] }),
  "another order": () => ({ ...request(), records: [...request().records].reverse() }),
  "one record less": () => ({ ...request(), records: request().records.slice(0, 1) }),
  "one record more": () => ({ ...request(), records: [...request().records, note("c")] }),
  "no record": () => ({ ...request(), records: [] }),
  "an id": () => ({ ...request(), records: [named("id", note("a")), ...request().records.slice(1)] }),
  "a number as a string": () => ({
    ...request(),
    records: [request().records[0] as Insert, value("k", "1")],
  }),
  "null for absent": () => ({ ...request(), records: [request().records[0] as Insert, value("k", null)] }),
  "another list order": () => {
    const text = { ...note("a").value, sessionId: "s", metadata: { x: 1, y: ["b", "a"], z: "c" } };
    return { ...request(), records: [insert("text", text), ...request().records.slice(1)] };
  },
  "another job": () => ({ ...request(), jobs: [{ queue: "q", payload: { n: 1, m: 3 } }] }),
  "no job": () => ({ ...request(), jobs: [] }),
  "a delay": () => ({ ...request(), jobs: [{ queue: "q", payload: { n: 1, m: 2 }, delay: 1 }] }),
};

export const idempotency = group("idempotency", [
  test("the same operation with the same payload is a replay with the same answer", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const first = await ledger.append(alice, request());
    assert.deepEqual([first.replayed, first.compared], [false, true]);
    await ledger.append(alice, { operation: "another", records: [note("in between")] });
    clock.advance(86_400_000);
    for (const again of [request(), reordered()]) {
      assert.deepEqual(await ledger.append(alice, again), { ...first, replayed: true });
    }
    assert.equal((await headOf(ledger)).records, 3);
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs.length, 1);
    assert.equal((await ledger.changes.read()).changes.length, 3);
  }),

  test("the same operation with another payload is a conflict, and changes nothing", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, request());
    const before = await headOf(ledger);
    await each(others, async (other) => {
      await rejects("operation_conflict", () => ledger.append(alice, other()));
      assert.deepEqual(await headOf(ledger), before);
    });
  }),

  test("an operation of append and one of update do not replay each other", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, request());
    await rejects("operation_conflict", () =>
      ledger.update(alice, { operation: "o", plan: findOrInsert, input: { contentKey: "k", content: "c" } }),
    );
  }),

  test("a plan's operation is decided once: its replay returns the first result", async ({ open }) => {
    const ledger = await open();
    const input = { contentKey: "k", content: "c" };
    const first = await ledger.update(alice, { operation: "o", plan: findOrInsert, input });
    assert.deepEqual(first.result, { id: first.ids[0], inserted: true });
    const replay = await ledger.update(alice, {
      operation: "o",
      plan: findOrInsert,
      input: { content: "c", contentKey: "k" },
    });
    assert.deepEqual(replay, { ...first, replayed: true });
    const again = await ledger.update(alice, { operation: "p", plan: findOrInsert, input });
    assert.deepEqual([again.result, again.ids], [{ id: first.ids[0], inserted: false }, []]);
    await rejects("operation_conflict", () =>
      ledger.update(alice, { operation: "o", plan: findOrInsert, input: { ...input, content: "d" } }),
    );
    await rejects("operation_conflict", () =>
      ledger.update(alice, { operation: "o", plan: reinforce, input: { id: "k", step: 0 } }),
    );
  }),

  test("ids follow from partition, operation and ordinal", async ({ open }) => {
    const ledger = await open();
    const records = [note("a"), named("given", note("b")), value("k", 1), note("c")];
    const { ids } = await ledger.append(alice, { operation: "o", records });
    assert.deepEqual(
      ids,
      [0, "given", 2, 3].map((n) => (n === "given" ? n : recordId(alice, "o", n as number))),
    );
    const elsewhere = await ledger.append(bob, { operation: "o", records: [note("a")] });
    assert.deepEqual(elsewhere.ids, [recordId(bob, "o", 0)]);
    assert.notEqual(elsewhere.ids[0], ids[0]);
    const many = await ledger.append(alice, {
      operation: "many",
      records: Array.from({ length: 100 }, () => note("n")),
    });
    assert.deepEqual(
      many.ids,
      Array.from({ length: 100 }, (_, n) => recordId(alice, "many", n)),
    );
    assert.equal((await theRecord(ledger, "text", recordId(alice, "many", 99))).content, "n");
  }),

  test("fifty callers with one operation have one effect and one answer", async ({ open }) => {
    const ledger = await open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ledger.append(alice, request())));
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
    for (const answer of answers) assert.deepEqual(answer.ids, answers[0]?.ids);
    assert.equal((await headOf(ledger)).records, 2);
    assert.equal((await everyPage(ledger, "text")).length, 1);
  }),

  test("of two callers with one operation and two payloads one wins and one has a conflict", async ({
    open,
  }) => {
    const ledger = await open();
    const calls = Array.from({ length: 20 }, (_, i) =>
      ledger.append(alice, { operation: "o", records: [note(i % 2 === 0 ? "even" : "odd")] }),
    );
    const outcomes = await Promise.allSettled(calls);
    const [text] = await everyPage(ledger, "text");
    for (const [i, outcome] of outcomes.entries()) {
      const won = text?.content === (i % 2 === 0 ? "even" : "odd");
      assert.equal(outcome.status, won ? "fulfilled" : "rejected");
      if (outcome.status === "rejected") assert.equal(outcome.reason.code, "operation_conflict");
    }
    assert.equal((await headOf(ledger)).records, 1);
  }),

  test("fifty callers with one plan's operation have one effect and one answer", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, {
      operation: "graph",
      records: [
        named("m", message("m")),
        named("g", insert("grain", grain("message", "m"))),
        named("h", insert("grain", grain("message", "m"))),
        named("c", insert("conduit", conduit("g", "h"))),
      ],
    });
    const call = { operation: "o", plan: reinforce, input: { id: "c", step: 0.01 } };
    const answers = await Promise.all(Array.from({ length: 50 }, () => ledger.update(alice, call)));
    assert.deepEqual(
      answers.map(({ result }) => result),
      Array.from({ length: 50 }, () => 1),
    );
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 1);
  }),

  test("one operation id in two partitions is two operations", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("a")] });
    const other = await ledger.append(bob, { operation: "o", records: [note("b")] });
    assert.equal(other.replayed, false);
  }),

  test("an id of the caller's own that is taken is refused, and the first record stays", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "1", records: [named("t", note("first"))] });
    await rejects("already_exists", () =>
      ledger.append(alice, { operation: "2", records: [named("t", note("second"))] }),
    );
    await rejects("already_exists", () =>
      ledger.append(alice, { operation: "2", records: [named("t", note("first"))] }),
    );
    const mutations = [{ type: "insert", kind: "text", id: "t", value: note("third").value }];
    await rejects("already_exists", () =>
      ledger.update(alice, { operation: "2", plan: apply, input: { mutations } as never }),
    );
    assert.equal((await theRecord(ledger, "text", "t")).content, "first");
  }),

  test("an id that another operation gave cannot be taken by the operation whose it would be", async ({
    open,
  }) => {
    const ledger = await open();
    const id = recordId(alice, "later", 0);
    await ledger.append(alice, { operation: "o", records: [named(id, note("squatter"))] });
    await rejects("already_exists", () =>
      ledger.append(alice, { operation: "later", records: [note("late")] }),
    );
    assert.equal((await theRecord(ledger, "text", id)).content, "squatter");
  }),

  test("ids of the caller's own that look like those of the operation are answered as they are", async ({
    open,
  }) => {
    const ledger = await open();
    const records = [7, 0].map((n) => named(recordId(alice, "o", n), note(`${n}`)));
    const first = await ledger.append(alice, { operation: "o", records });
    assert.deepEqual(
      first.ids,
      records.map(({ id }) => id),
    );
    assert.deepEqual(await ledger.append(alice, { operation: "o", records }), { ...first, replayed: true });
  }),

  test("a replay of an operation older than an erasure has no second effect, and says that it was not compared", async ({
    open,
  }) => {
    const ledger = await open();
    const records = [named("t", note("secret")), note("kept")];
    const first = await ledger.append(alice, { operation: "o", records });
    const planned = { operation: "p", plan: findOrInsert, input: { contentKey: "k", content: "c" } };
    const decided = await ledger.update(alice, planned);
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    const before = await headOf(ledger);
    for (const payload of [records, [note("another payload")]]) {
      const replay = await ledger.append(alice, { operation: "o", records: payload });
      assert.deepEqual(replay, { ...first, replayed: true, compared: false });
    }
    const again = await ledger.update(alice, planned);
    assert.deepEqual(again, { ...decided, replayed: true, compared: false, result: undefined });
    assert.deepEqual(await headOf(ledger), before);
    assert.equal(await isThere(ledger, "text", "t"), false);
    // Operations after the erasure are compared again.
    await ledger.append(alice, { operation: "new", records: [note("n")] });
    await rejects("operation_conflict", () =>
      ledger.append(alice, { operation: "new", records: [note("m")] }),
    );
  }),

  test("an erasure's operation id is no commit's, and the other way round", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note("t"))] });
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    await rejects("operation_conflict", () => ledger.append(alice, { operation: "e", records: [note("n")] }));
    await rejects("operation_conflict", () =>
      ledger.update(alice, { operation: "e", plan: findOrInsert, input: { contentKey: "k", content: "c" } }),
    );
    await rejects("operation_conflict", () => ledger.erase(alice, { operation: "o", everything: true }));
    await rejects("operation_conflict", () => ledger.erase(alice, { operation: "e", everything: true }));
    await rejects("operation_conflict", () => ledger.erase(alice, { operation: "e", refs: [] }));
    await ledger.append(bob, { operation: "e", records: [note("n")] });
  }),

  test("a failed operation leaves its id free", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "1", records: [value("k", 1)] });
    await rejects("already_exists", () => ledger.append(alice, { operation: "2", records: [value("k", 2)] }));
    const { replayed } = await ledger.append(alice, { operation: "2", records: [value("l", 2)] });
    assert.equal(replayed, false);
  }),

  test("an operation that writes nothing is remembered as well", async ({ open }) => {
    const ledger = await open();
    const first = await ledger.append(alice, { operation: "o", records: [] });
    assert.deepEqual([first.ids, first.seq], [[], 0]);
    assert.deepEqual(await ledger.append(alice, { operation: "o", records: [] }), {
      ...first,
      replayed: true,
    });
    await rejects("operation_conflict", () => ledger.append(alice, { operation: "o", records: [note("n")] }));
  }),

  durableTest("a replay is one after the store was closed and opened again", async ({ place, reopen }) => {
    const store = await place();
    const before = await reopen(store);
    const first = await before.append(alice, request());
    const explicit = await before.append(alice, { operation: "p", records: [named("id", note("\0"))] });
    await before.close();
    const after = await reopen(store);
    assert.deepEqual(await after.append(alice, reordered()), { ...first, replayed: true });
    assert.deepEqual(await after.append(alice, { operation: "p", records: [named("id", note("\0"))] }), {
      ...explicit,
      replayed: true,
    });
    for (const other of Object.values(others))
      await rejects("operation_conflict", () => after.append(alice, other()));
    assert.equal((await headOf(after)).records, 3);
  }),

  durableTest("two ledgers of one store do not do one operation twice", async ({ place, reopen }) => {
    const store = await place();
    const ledgers = await Promise.all([reopen(store), reopen(store)]);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (ledgers[i % 2] ?? assert.fail()).append(alice, request())),
    );
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
    assert.equal((await headOf(ledgers[0])).records, 2);
  }),

  durableTest(
    "everything is there after the store was closed and opened again",
    async ({ place, reopen }) => {
      const store = await place();
      const before = await reopen(store);
      await before.append(alice, {
        operation: "o",
        records: [named("m", message("said")), named("t", insert("text", note("n").value), ["message", "m"])],
        jobs: [{ queue: "q", payload: "p", sources: [{ kind: "message", id: "m" }] }],
      });
      await before.append(bob, { operation: "o", records: [named("f", insert("fact", bareRecords.fact))] });
      await before.setPolicy(alice, { maxRecords: 5 });
      const state = async (ledger: typeof before): Promise<unknown> => [
        await theRecord(ledger, "text", "t"),
        await headOf(ledger),
        await headOf(ledger, bob),
        await ledger.partitions(),
        await ledger.jobs.list(alice, { queue: "q" }),
        (await ledger.changes.read()).changes,
      ];
      const expected = await state(before);
      await before.close();
      assert.deepEqual(await state(await reopen(store)), expected);
    },
  ),
]);
