import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { alice, bob, everyPage, everything, headOf, isThere, rejects, theRecord } from "./expectations.ts";
import { assertInvariants, bytesOf } from "./invariants.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { bareRecords, block, fact, grain, inventory, message, named, note, value } from "./samples.ts";
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

export const expiry = group("expiry", [
  test("what has expired is invisible at once, in every read", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const expiresAt = clock.now() + 1000;
    const { episode, trace } = bareRecords;
    const records = [
      named("m", message("m", { expiresAt, metadata: { a: 1 } })),
      named("e", insert("episode", { ...episode, expiresAt })),
      named("t", note("t", { expiresAt, contentKey: "k" })),
      named("g", insert("grain", { ...grain("text", "t"), expiresAt })),
      named("r", insert("trace", { ...trace, expiresAt })),
      named("kept", message("kept")),
    ];
    await ledger.append(alice, { operation: "o", records });
    clock.advance(999);
    assert.equal(Object.values(await everything(ledger)).flat().length, 6);
    clock.advance(1);
    assert.deepEqual(Object.keys(await everything(ledger)), ["message"]);
    for (const { kind, id } of records)
      assert.equal(await isThere(ledger, kind, id as string), id === "kept");
    assert.deepEqual(
      (await everyPage(ledger, "message", { index: "byTime", limit: 1 })).map(({ id }) => id),
      ["kept"],
    );
    assert.deepEqual(await everyPage(ledger, "message", { filter: { a: 1 } }), []);
    assert.deepEqual(await everyPage(ledger, "text", { index: "byContent", prefix: ["k"] }), []);
  }),

  test("what has expired is no source, no owner, and cannot be changed; its id cannot be used again", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await ledger.append(alice, {
      operation: "o",
      records: [named("m", message("m", { expiresAt: clock.now() + 1 }))],
    });
    clock.advance(1);
    await rejects("erased", () =>
      ledger.append(alice, { operation: "1", records: [named("s", note("s"), ["message", "m"])] }),
    );
    await rejects("erased", () =>
      ledger.append(alice, { operation: "1", records: [insert("grain", grain("message", "m"))] }),
    );
    await rejects("erased", () =>
      ledger.append(alice, { operation: "1", records: [named("m", message("again"))] }),
    );
    const mutations = [{ type: "patch", kind: "message", id: "m", value: {}, removed: ["expiresAt"] }];
    await rejects("not_found", () =>
      ledger.update(alice, { operation: "1", plan: apply, input: { mutations } }),
    );
    await ledger.maintain();
    await rejects("erased", () =>
      ledger.append(alice, { operation: "1", records: [named("m", message("again"))] }),
    );
  }),

  test("maintenance erases what has expired, with what was derived from it, and leaves markers", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const expiresAt = clock.now() + 10;
    const records = [
      named("m", message("m", { expiresAt })),
      named("n", message("n")),
      named("s", note("s"), ["message", "m"], ["message", "n"]),
      named("v", value("k", 1), ["text", "s"]),
      named("f", fact("f"), ["message", "m"], ["message", "n"]),
      named("g", insert("grain", grain("message", "m"))),
      named("t", insert("trace", { query: "q", hits: [] })),
    ];
    const jobs = [{ queue: "q", sources: [{ kind: "message", id: "m" }] }];
    await ledger.append(alice, { operation: "o", records, jobs });
    await ledger.append(bob, {
      operation: "o",
      records: [named("m", message("m", { expiresAt })), named("n", message("n"))],
    });
    assert.equal((await ledger.maintain()).expired, 0);
    clock.advance(10);
    const head = await ledger.changes.head();
    const { expired, errors } = await ledger.maintain();
    // message, text, value, grain, job and five links; and bob's message.
    assert.deepEqual([expired, errors], [11, []]);
    const left = Object.entries(await everything(ledger)).flatMap(([kind, found]) =>
      found.map(({ id }) => `${kind} ${id}`),
    );
    assert.deepEqual(left.sort(), ["fact f", "message n", "trace t"]);
    await assertInvariants(ledger, alice);
    await assertInvariants(ledger, bob);
    const derive = (await ledger.jobs.list(alice, { queue: "derive" })).jobs.map(({ payload }) => payload);
    assert.deepEqual(derive.map((payload) => JSON.stringify(payload)).sort(), [
      '{"kind":"fact","id":"f","thread":"lives"}',
      '{"kind":"text","id":"s"}',
    ]);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
    const { changes } = await ledger.changes.read({ after: head });
    assert.deepEqual(
      changes
        .map(({ partition, operation, kind, id }) => `${partition.userId} ${operation} ${kind} ${id}`)
        .sort(),
      [
        "alice delete grain g",
        "alice delete message m",
        "alice delete text s",
        "alice delete value v",
        "alice update fact f",
        "bob delete message m",
      ],
    );
    await rejects("erased", () => ledger.append(alice, { operation: "p", records: [named("s", note("s"))] }));
    assert.equal((await ledger.maintain()).expired, 0);
  }),

  test("a time to live is given to what can expire, from the moment of its insert, and never prolonged", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const now = clock.now();
    await ledger.append(alice, { operation: "0", records: [named("before", message("m"))] });
    await ledger.setPolicy(alice, { ttl: 1000 });
    const records = [
      named("m", message("m")),
      named("sooner", message("m", { expiresAt: now + 10 })),
      named("later", message("m", { expiresAt: now + 5000 })),
      named("f", fact("f")),
      named("b", block("b")),
      named("r", insert("trace", { query: "", hits: [] })),
    ];
    await ledger.append(alice, { operation: "1", records });
    const expiresAt = async (id: string) => (await theRecord(ledger, "message", id)).expiresAt;
    assert.deepEqual(
      [await expiresAt("before"), await expiresAt("m"), await expiresAt("sooner"), await expiresAt("later")],
      [undefined, now + 1000, now + 10, now + 1000],
    );
    assert.equal((await theRecord(ledger, "trace", "r")).expiresAt, now + 1000);
    assert.ok(!("expiresAt" in (await theRecord(ledger, "fact", "f"))));
    const patch = (operation: string, mutation: object) =>
      ledger.update(alice, {
        operation,
        plan: apply,
        input: { mutations: [{ type: "patch", kind: "message", id: "m", ...mutation }] } as never,
      });
    clock.advance(400);
    await patch("p", { value: { metadata: { a: 1 } } });
    assert.equal(await expiresAt("m"), now + 1000);
    // Whoever asks for more gets what a new record would get.
    await patch("q", { value: { expiresAt: now + 9_000 } });
    assert.equal(await expiresAt("m"), now + 1400);
    await patch("r", { value: {}, removed: ["expiresAt"] });
    assert.equal(await expiresAt("m"), now + 1400);
    await patch("s", { value: { expiresAt: now + 500 } });
    assert.equal(await expiresAt("m"), now + 500);
    await ledger.setPolicy(alice, {});
    assert.equal(await expiresAt("later"), now + 1000);
    await patch("t", { value: {}, removed: ["expiresAt"] });
    assert.equal(await expiresAt("m"), undefined);
  }),

  test("a thousand expired records of many partitions go in one round", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const users = Array.from({ length: 6 }, (_, i) => ({ namespace: "default", userId: `u${i}` }));
    for (const user of users) {
      const records = Array.from({ length: 200 }, (_, i) =>
        message(`${i}`, { expiresAt: clock.now() + 1 + (i % 2) * 1000 }),
      );
      await ledger.append(user, { operation: "o", records });
    }
    clock.advance(1);
    assert.equal((await ledger.maintain()).expired, 600);
    for (const user of users) await assertInvariants(ledger, user);
    clock.advance(1000);
    assert.equal((await ledger.maintain()).expired, 600);
    for (const user of users) assert.equal((await headOf(ledger, user)).records, 0);
  }),

  test("an expired record still counts until it is erased", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await ledger.setPolicy(alice, { maxRecords: 1 });
    await ledger.append(alice, { operation: "1", records: [message("m", { expiresAt: clock.now() + 1 })] });
    clock.advance(1);
    await rejects("quota_exceeded", () => ledger.append(alice, { operation: "2", records: [message("n")] }));
    await ledger.maintain();
    await ledger.append(alice, { operation: "2", records: [message("n")] });
  }),

  test("two maintainers at once do no harm", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const records = Array.from({ length: 50 }, () => message("m", { expiresAt: clock.now() + 1 }));
    await ledger.append(alice, { operation: "1", records });
    clock.advance(1);
    const reports = await Promise.all([ledger.maintain(), ledger.maintain(), ledger.maintain()]);
    assert.equal(
      reports.reduce((sum, { expired }) => sum + expired, 0),
      50,
    );
    assert.deepEqual(
      reports.flatMap(({ errors }) => errors),
      [],
    );
    await assertInvariants(ledger, alice);
  }),
]);
