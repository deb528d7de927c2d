import assert from "node:assert/strict";
import { recordId } from "../../model/ids.ts";
import { insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { alice, everyPage, headOf, theRecord } from "./expectations.ts";
import { apply, findOrInsert, look, mention, reinforce } from "./plans.ts";
import { runTogether } from "./processes.ts";
import { conduit, grain, message, named, note } from "./samples.ts";
import { group, processTest, test } from "./suite.ts";
import { append, decide } from "./tasks.ts";

/** A message, two grains of it, and a conduit between them that is called c. */
export async function makeGraph(ledger: Ledger, user = alice): Promise<void> {
  await ledger.append(user, {
    operation: "graph",
    records: [
      named("m", message("m")),
      named("g", insert("grain", grain("message", "m"))),
      named("h", insert("grain", grain("message", "m"))),
      named("c", insert("conduit", conduit("g", "h"))),
    ],
  });
}

export const decisions = group("decisions", [
  test("fifty callers who find or insert one text keep one row", async ({ open }) => {
    const ledger = await open();
    const receipts = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ledger.update(alice, {
          operation: `o${i}`,
          plan: findOrInsert,
          input: { contentKey: "k", content: "one" },
        }),
      ),
    );
    const texts = await everyPage(ledger, "text");
    assert.equal(texts.length, 1);
    assert.equal(receipts.filter(({ result }) => result?.inserted).length, 1);
    for (const { result } of receipts) assert.equal(result?.id, texts[0]?.id);
  }),

  test("a plan may read what its first reads named; what it is told aside is no part of the operation", async ({
    open,
  }) => {
    const ledger = await open();
    const records = [
      named("t", insert("text", { ...note("n").value, contentKey: "k" })),
      named("g", insert("grain", grain("text", "t"))),
      named("h", insert("grain", grain("text", "t"))),
    ];
    await ledger.append(alice, { operation: "texts", records });
    const call = (operation: string, step: number, contentKey = "k") =>
      ledger.update(alice, { operation, plan: mention, input: { contentKey }, aside: { step } });
    assert.equal((await call("one", 1)).result, 2);
    const again = await call("one", 5);
    assert.deepEqual([again.replayed, again.result], [true, 2]);
    assert.equal((await call("two", 2)).result, 2);
    assert.equal((await call("none", 1, "other")).result, 0);
    for (const id of ["g", "h"]) assert.equal((await theRecord(ledger, "grain", id)).mentions, 3);
  }),

  test("fifty callers who reinforce one conduit lose no step", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    const receipts = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ledger.update(alice, { operation: `o${i}`, plan: reinforce, input: { id: "c", step: 0.01 } }),
      ),
    );
    const { weight, useCount } = await theRecord(ledger, "conduit", "c");
    assert.equal(useCount, 50);
    assert.ok(Math.abs(weight - 1) < 1e-9, `the weight is ${weight}`);
    // Each saw what the one before it wrote.
    const results = receipts.map(({ result }) => result).sort((a, b) => Number(a) - Number(b));
    assert.deepEqual(
      results,
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    assert.equal(new Set(receipts.map(({ seq }) => seq)).size, 50);
  }),

  test("plans and appends of many callers interleave without loss", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 2 === 0
          ? ledger.append(alice, { operation: `o${i}`, records: [note(`text ${i}`)] })
          : ledger.update(alice, { operation: `o${i}`, plan: reinforce, input: { id: "c", step: 0 } }),
      ),
    );
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 50);
    const { records, seq } = await headOf(ledger);
    assert.deepEqual([records, seq], [54, 104]);
  }),

  test("a plan reads what a read reads: records, pages, filters, links and the head", async ({ open }) => {
    const ledger = await open();
    const records = [
      named("m", message("m")),
      named("t0", note("0", { metadata: { keep: true } }), ["message", "m"]),
      named("t1", note("1", { metadata: { keep: false } }), ["text", "t0"]),
      named("t2", note("2", { metadata: { keep: true } })),
      named("t3", note("3", { metadata: { keep: true } })),
    ];
    await ledger.append(alice, { operation: "o", records });
    const { result } = await ledger.update(alice, { operation: "p", plan: look, input: { id: "t0" } });
    const { recordedAt } = await headOf(ledger);
    assert.deepEqual(result, {
      text: "t0",
      page: ["t3", "t2"],
      more: true,
      sources: ["message m source"],
      derived: ["text t1 source"],
      seq: 5,
      now: recordedAt,
    });
  }),

  test("a plan of a partition that does not exist yet reads nothing", async ({ open }) => {
    const ledger = await open();
    const { result } = await ledger.update(alice, { operation: "p", plan: look, input: { id: "t0" } });
    const { now: _now, ...rest } = result ?? assert.fail();
    assert.deepEqual(rest, { text: null, page: [], more: false, sources: [], derived: [], seq: 0 });
  }),

  test("several changes to one record in one plan are one row, in order", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note("0"))] });
    const mutations = [
      { type: "patch", kind: "text", id: "t", value: { content: "1", metadata: { a: 1 } } },
      { type: "patch", kind: "text", id: "t", value: { content: "2" } },
      { type: "insert", kind: "block", id: "b", value: { name: "b", content: "", position: 0 } },
      { type: "patch", kind: "block", id: "b", value: { content: "b" } },
      { type: "insert", kind: "block", id: "gone", value: { name: "gone", content: "", position: 0 } },
      { type: "remove", kind: "block", id: "gone" },
    ];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } as never });
    const { content, metadata, updatedSeq } = await theRecord(ledger, "text", "t");
    assert.deepEqual([content, metadata, updatedSeq], ["2", { a: 1 }, 3]);
    assert.equal((await theRecord(ledger, "block", "b")).content, "b");
    const { records, seq } = await headOf(ledger);
    assert.deepEqual([records, seq], [2, 7]);
  }),

  processTest("four processes with 250 decisions each lose none", async ({ place, reopen, start }) => {
    const store = await place();
    const ledger = await reopen(store);
    await makeGraph(ledger);
    const [processes, count] = [4, 125];
    const children = await Promise.all(
      Array.from({ length: processes }, (_, i) =>
        start(store, decide, { user: alice, name: `process ${i}`, count, conduit: "c", step: 0.001 }),
      ),
    );
    const inserted = await runTogether(children);
    const { weight, useCount } = await theRecord(ledger, "conduit", "c");
    assert.equal(useCount, processes * count);
    assert.ok(Math.abs(weight - 1) < 1e-9, `the weight is ${weight}`);
    const texts = await everyPage(ledger, "text");
    assert.deepEqual(
      texts.map(({ contentKey }) => contentKey).sort(),
      [0, 1, 2, 3, 4].map((n) => `text ${n}`),
    );
    assert.equal(
      inserted.reduce((sum, count) => sum + count, 0),
      5,
    );
    // Every receipt is there: what was acknowledged to a process is answered to any other.
    for (const [name, number] of [
      ["process 0", 0],
      ["process 3", count - 1],
      ["process 2", 77],
    ] as const) {
      const again = {
        operation: `${name} reinforces ${number}`,
        plan: reinforce,
        input: { id: "c", step: 0.001 },
      };
      assert.equal((await ledger.update(alice, again)).replayed, true);
    }
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, processes * count);
  }),

  processTest(
    "four processes that append, some of it the same, lose nothing and do nothing twice",
    async ({ place, reopen, start }) => {
      const store = await place();
      const users = ["a", "b", "c"].map((userId) => ({ namespace: "default", userId }));
      const [processes, count, shared] = [4, 100, 50];
      const children = await Promise.all(
        Array.from({ length: processes }, (_, i) =>
          start(store, append, { users, name: `process ${i}`, count, shared }),
        ),
      );
      const answers = await runTogether(children);
      const ledger = await reopen(store);
      const ids = new Set(answers.flat());
      const found = new Set<string>();
      let records = 0;
      for (const partition of users) {
        const messages = await everyPage(ledger, "message", { limit: 1000 }, partition);
        const texts = await everyPage(ledger, "text", { limit: 1000 }, partition);
        for (const { id } of [...messages, ...texts]) found.add(id);
        const head = await headOf(ledger, partition);
        assert.equal(head.records, messages.length + texts.length);
        // A message and a note a commit, numbered without gaps since nothing else was written.
        assert.equal(head.seq, head.records);
        records += head.records;
      }
      assert.deepEqual(found, ids);
      const operations = shared + processes * (count - shared);
      assert.equal(records, 2 * operations);
      assert.ok(found.has(recordId(users[0] ?? assert.fail(), "process 3 51", 1)));
    },
  ),
]);
