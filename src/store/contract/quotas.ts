import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { alice, bob, everyPage, headOf, rejects, theRecord } from "./expectations.ts";
import { assertInvariants, bytesOf } from "./invariants.ts";
import { apply } from "./plans.ts";
import { block, inventory, message, named, note } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

export const quotas = group("quotas", [
  test("the account of records and bytes is exact for every kind, through inserts, patches, removals and erasures", async ({
    open,
  }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "1", records: inventory() });
    await assertInvariants(ledger, alice);
    const { bytes } = await headOf(ledger);
    const mutations = [
      {
        type: "patch",
        kind: "text",
        id: "text",
        value: { content: "柏林 👍".repeat(100), metadata: { é: "ü" } },
        removed: ["contentKey"],
      },
      { type: "patch", kind: "conduit", id: "conduit", value: { useCount: 1e9 }, removed: ["lastUsedAt"] },
      { type: "patch", kind: "grain", id: "grain", value: { pinned: true } },
      { type: "remove", kind: "value", id: "value" },
      { type: "remove", kind: "trace", id: "trace" },
      {
        type: "insert",
        kind: "block",
        id: "new",
        value: { name: "\0", content: "", position: 0, agentId: "a" },
      },
    ];
    // The name is no id.
    await rejects("invalid_id", () =>
      ledger.update(alice, {
        operation: "2",
        plan: apply,
        input: {
          mutations: [{ type: "insert", kind: "block", value: { name: "", content: "", position: 0 } }],
        } as never,
      }),
    );
    await ledger.update(alice, { operation: "2", plan: apply, input: { mutations } as never });
    await assertInvariants(ledger, alice);
    assert.notEqual((await headOf(ledger)).bytes, bytes);
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "message", id: "message" }] });
    await assertInvariants(ledger, alice);
    await ledger.erase(alice, { operation: "f", everything: true });
    const { records, bytes: none } = await headOf(ledger);
    assert.deepEqual([records, none], [0, 0]);
  }),

  test("a commit over the limit of records is refused whole; one that fills it is not", async ({ open }) => {
    const ledger = await open();
    await ledger.setPolicy(alice, { maxRecords: 3 });
    await ledger.append(alice, { operation: "1", records: [note("1"), note("2")] });
    const before = await headOf(ledger);
    await rejects("quota_exceeded", () =>
      ledger.append(alice, { operation: "2", records: [note("3"), note("4")], jobs: [{ queue: "q" }] }),
    );
    assert.deepEqual(await headOf(ledger), before);
    assert.equal((await everyPage(ledger, "text")).length, 2);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
    // The operation left no receipt.
    await ledger.append(alice, { operation: "2", records: [note("3")] });
    const error = await rejects("quota_exceeded", () =>
      ledger.append(alice, { operation: "3", records: [note("4")] }),
    );
    assert.ok(error.hint !== undefined);
    // What writes no record is no business of the quota.
    await ledger.append(alice, { operation: "4", records: [], jobs: [{ queue: "q" }] });
  }),

  test("a commit over the limit of bytes is refused, to the byte", async ({ open }) => {
    const ledger = await open();
    const records = [named("t", note("x".repeat(100)))];
    await ledger.append(bob, { operation: "1", records });
    const { bytes } = await headOf(ledger, bob);
    assert.equal(bytes, bytesOf("text", await theRecord(ledger, "text", "t", bob)));
    await ledger.setPolicy(alice, { maxBytes: bytes - 1 });
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "1", records }));
    await ledger.setPolicy(alice, { maxBytes: bytes });
    await ledger.append(alice, { operation: "1", records });
    const grow = (content: string) => {
      const mutations = [{ type: "patch", kind: "text", id: "t", value: { content } }];
      return ledger.update(alice, { operation: `p${content.length}`, plan: apply, input: { mutations } });
    };
    await rejects("quota_exceeded", () => grow("x".repeat(101)));
    assert.equal((await theRecord(ledger, "text", "t")).content.length, 100);
    await grow("y".repeat(99));
    await grow("z".repeat(100));
  }),

  test("traces count for nothing: reading blocks no writing, and a full partition takes traces", async ({
    open,
  }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "0", records: [named("t0", note("n"))] });
    const { bytes } = await headOf(ledger);
    await ledger.setPolicy(alice, { maxRecords: 2, maxBytes: 2 * bytes });
    const trace = (id: string) => named(id, insert("trace", { query: "a long query".repeat(20), hits: [] }));
    for (let i = 0; i < 12; i++)
      await ledger.append(alice, { operation: `trace ${i}`, records: [trace(`r${i}`)] });
    const one = await headOf(ledger);
    assert.deepEqual([one.records, one.bytes], [1, bytes]);
    await ledger.append(alice, { operation: "1", records: [named("t1", note("n"))] });
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "2", records: [note("n")] }));
    await ledger.append(alice, { operation: "2", records: [trace("full")] });
    const mutations = [
      { type: "patch", kind: "trace", id: "full", value: { expiresAt: 4e12 } },
      { type: "remove", kind: "trace", id: "r0" },
    ];
    await ledger.update(alice, { operation: "3", plan: apply, input: { mutations } as never });
    const { records, bytes: full } = await headOf(ledger);
    assert.deepEqual([records, full], [2, 2 * bytes]);
    await assertInvariants(ledger, alice);
    // The traces that go with an erasure make no more room than what was asked for.
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t1" }] });
    assert.deepEqual(await everyPage(ledger, "trace"), []);
    await assertInvariants(ledger, alice);
  }),

  test("under an exceeded quota, what makes it smaller or keeps its size is allowed", async ({ open }) => {
    const ledger = await open();
    const records = [
      ...["a", "b", "c", "d"].map((id) => named(id, block(id, "content"))),
      named("m", message("m")),
    ];
    await ledger.append(alice, { operation: "1", records });
    await ledger.setPolicy(alice, { maxRecords: 2, maxBytes: 10 });
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "2", records: [note("n")] }));
    const update = (operation: string, ...mutations: object[]) =>
      ledger.update(alice, { operation, plan: apply, input: { mutations } as never });
    await update("shrink", { type: "patch", kind: "block", id: "a", value: { content: "" } });
    await update("remove", { type: "remove", kind: "block", id: "a" });
    const insertion = {
      type: "insert",
      kind: "block",
      id: "a2",
      value: { name: "a", content: "", position: 0 },
    };
    await update("replace", { type: "remove", kind: "block", id: "b" }, insertion);
    await rejects("quota_exceeded", () =>
      update("grow", { type: "patch", kind: "block", id: "c", value: { content: "longer content" } }),
    );
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "message", id: "m" }] });
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "2", records: [note("n")] }));
    await ledger.erase(alice, { operation: "f", everything: true });
    await assertInvariants(ledger, alice);
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "2", records: [note("n")] }));
    await ledger.setPolicy(alice, { maxRecords: 2 });
    await ledger.append(alice, { operation: "2", records: [note("n")] });
  }),

  test("a quota of nothing allows nothing; no quota, or one taken back, allows anything", async ({
    open,
  }) => {
    const ledger = await open();
    await ledger.setPolicy(alice, { maxRecords: 0 });
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "1", records: [note("n")] }));
    await ledger.setPolicy(alice, { maxRecords: undefined, maxBytes: undefined, ttl: undefined });
    await ledger.append(alice, { operation: "1", records: [note("n")] });
    assert.deepEqual((await headOf(ledger)).policy, {});
    await ledger.setPolicy(alice, { maxBytes: 0 });
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "2", records: [note("n")] }));
    assert.deepEqual((await headOf(ledger)).policy, { maxBytes: 0 });
  }),

  test("parallel callers fill a quota exactly", async ({ open }) => {
    const ledger = await open();
    await ledger.setPolicy(alice, { maxRecords: 10 });
    const calls = Array.from({ length: 30 }, (_, i) =>
      ledger.append(alice, { operation: `o${i}`, records: [note("n")] }),
    );
    const outcomes = await Promise.allSettled(calls);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 10);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") assert.equal(outcome.reason.code, "quota_exceeded");
    assert.equal((await headOf(ledger)).records, 10);
  }),

  test("a quota is of its partition", async ({ open }) => {
    const ledger = await open();
    await ledger.setPolicy(alice, { maxRecords: 1 });
    await ledger.append(bob, { operation: "1", records: [note("1"), note("2")] });
    await ledger.append(alice, { operation: "1", records: [note("1")] });
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "2", records: [note("2")] }));
    assert.deepEqual((await headOf(ledger, bob)).policy, {});
  }),

  test("a policy of another shape is refused, and the one before stays", async ({ open }) => {
    const ledger = await open();
    await ledger.setPolicy(alice, { maxRecords: 5, ttl: 1000 });
    for (const policy of [
      { maxRecords: -1 },
      { maxBytes: 1.5 },
      { ttl: Number.NaN },
      { ttl: "1000" },
      { maxRecord: 1 },
      { maxRecords: null },
    ])
      await rejects("invalid_argument", () => ledger.setPolicy(alice, policy as never));
    assert.deepEqual((await headOf(ledger)).policy, { maxRecords: 5, ttl: 1000 });
  }),

  durableTest("a policy outlives the ledger and binds the others of the store", async ({ place, reopen }) => {
    const store = await place();
    const one = await reopen(store);
    const other = await reopen(store);
    await one.setPolicy(alice, { maxRecords: 1 });
    await other.append(alice, { operation: "1", records: [note("1")] });
    await rejects("quota_exceeded", () => other.append(alice, { operation: "2", records: [note("2")] }));
    await one.close();
    await rejects("quota_exceeded", () => other.append(alice, { operation: "2", records: [note("2")] }));
  }),
]);
