import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { alice, bob, everyPage, everything, headOf, isThere, rejects, theRecord } from "./expectations.ts";
import { assertInvariants } from "./invariants.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply, findOrInsert } from "./plans.ts";
import { bareRecords, block, fact, grain, message, named, note, value } from "./samples.ts";
import { group, test } from "./suite.ts";

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

  ...(["trace", "message"] as const).map((kind) =>
    test(`operations are remembered as before when a ${kind} expires, and jobs stay leased`, async ({
      open,
    }) => {
      const clock = new ManualClock();
      const ledger = await open({ clock });
      const expiresAt = clock.now() + 10;
      const due =
        kind === "trace" ? insert(kind, { query: "q", hits: [], expiresAt }) : message("m", { expiresAt });
      const records = [named("due", due), named("t", note("t"))];
      const appended = { operation: "o", records, jobs: [{ queue: "q" }] };
      const first = await ledger.append(alice, appended);
      const planned = { operation: "p", plan: findOrInsert, input: { contentKey: "k", content: "c" } };
      const decided = await ledger.update(alice, planned);
      assert.notEqual(decided.result, undefined);
      const [job = assert.fail()] = await ledger.jobs.claim({ queues: ["q"], leaseFor: 60_000 });
      const feed = await ledger.changes.head();
      const before = await headOf(ledger);
      clock.advance(10);
      const { expired, errors } = await ledger.maintain();
      assert.deepEqual([expired, errors], [1, []]);

      assert.deepEqual(await ledger.append(alice, appended), { ...first, replayed: true });
      assert.deepEqual(await ledger.update(alice, planned), { ...decided, replayed: true });
      const other = { ...appended, records: [...records, note("another")] };
      await rejects("operation_conflict", () => ledger.append(alice, other));
      const input = { ...planned.input, content: "another" };
      await rejects("operation_conflict", () => ledger.update(alice, { ...planned, input }));
      await ledger.jobs.complete(job);

      const { changes } = await ledger.changes.read({ after: feed });
      assert.deepEqual(
        changes.map(({ operation, kind, id }) => [operation, kind, id]),
        [["delete", kind, "due"]],
      );
      const after = await headOf(ledger);
      assert.deepEqual([after.generation, after.seq], [before.generation, before.seq + 1]);
      await assertInvariants(ledger, alice);

      // An erasure that was asked for takes fingerprints and results.
      const { id } = await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
      await ledger.maintain();
      assert.deepEqual((await ledger.verify(alice, id)).leftovers, {});
      assert.deepEqual(await ledger.append(alice, other), { ...first, replayed: true, compared: false });
      assert.deepEqual(await ledger.update(alice, planned), {
        ...decided,
        ...{ replayed: true, compared: false, result: undefined },
      });
    }),
  ),

  test("an erasure is verified as before when traces expire after it", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const trace = insert("trace", { query: "q", hits: [], expiresAt: clock.now() + 10 });
    await ledger.append(alice, { operation: "1", records: [named("t", note("t")), trace] });
    const { id } = await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    await ledger.append(alice, { operation: "2", records: [trace, trace] });
    await ledger.maintain();
    const [report, receipt] = [await ledger.verify(alice, id), await ledger.erasure(alice, id)];
    assert.equal(report.clean, true);
    clock.advance(10);
    const { expired, cleaned, errors } = await ledger.maintain();
    assert.deepEqual([expired, cleaned, errors], [2, 0, []]);
    assert.deepEqual([await ledger.verify(alice, id), await ledger.erasure(alice, id)], [report, receipt]);
  }),

  test("a trace that expires goes alone, with its own links", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const value = { query: "q", hits: [], sessionId: "s", expiresAt: clock.now() + 10 };
    const trace = named("r", insert("trace", value), ["text", "t"]);
    await ledger.append(alice, { operation: "1", records: [named("t", note("t")), trace] });
    clock.advance(10);
    // The trace and its link.
    assert.equal((await ledger.maintain()).expired, 2);
    assert.deepEqual(Object.keys(await everything(ledger)), ["text"]);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "derive" })).jobs, []);
    assert.equal((await ledger.maintain()).expired, 0);
    await assertInvariants(ledger, alice);
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
      named("of f", insert("grain", grain("fact", "f"))),
      named("of m", insert("grain", grain("message", "m"))),
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
    assert.ok(!("expiresAt" in (await theRecord(ledger, "grain", "of f"))));
    assert.equal((await theRecord(ledger, "grain", "of m")).expiresAt, now + 1000);
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
