import assert from "node:assert/strict";
import { alice, bob, headOf, isThere, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply, look } from "./plans.ts";
import { message, named, note } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

const day = 86_400_000;

export const clock = group("clock", [
  test("record times come from the caller's clock, in whole milliseconds", async ({ open }) => {
    const clock = new ManualClock(1234.9);
    const ledger = await open({ clock });
    const { recordedAt } = await ledger.append(alice, { operation: "o", records: [named("t", note("n"))] });
    assert.equal(recordedAt, 1234);
    assert.equal((await theRecord(ledger, "text", "t")).recordedAt, 1234);
    assert.equal((await headOf(ledger)).recordedAt, 1234);
  }),

  test("record time stands still while the clock is behind, and goes on with it", async ({ open }) => {
    const clock = new ManualClock();
    const start = clock.now();
    const ledger = await open({ clock });
    const steps = [0, day, -3 * day, -day, 2 * day, day, day, 5];
    const expected = [0, day, day, day, day, day, day, day + 5];
    for (const [i, step] of steps.entries()) {
      clock.advance(step);
      const records = [named(`t${i}`, note(""))];
      const { recordedAt } = await ledger.append(alice, { operation: `o${i}`, records });
      assert.equal(recordedAt - start, expected[i]);
      assert.equal((await theRecord(ledger, "text", `t${i}`)).recordedAt, recordedAt);
    }
  }),

  test("plans, erasures and patches keep record time from going back as well", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const { recordedAt } = await ledger.append(alice, {
      operation: "o",
      records: [named("t", note("")), note("")],
    });
    clock.advance(-day);
    const { result } = await ledger.update(alice, { operation: "p", plan: look, input: { id: "t" } });
    assert.equal(result?.now, recordedAt);
    const mutations = [{ type: "patch", kind: "text", id: "t", value: { content: "new" } }];
    const patched = await ledger.update(alice, { operation: "q", plan: apply, input: { mutations } });
    assert.equal(patched.recordedAt, recordedAt);
    const erased = await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    assert.equal(erased.recordedAt, recordedAt);
    assert.equal((await headOf(ledger)).recordedAt, recordedAt);
  }),

  test("each partition has a record time of its own", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await ledger.append(alice, { operation: "o", records: [note("")] });
    clock.advance(-day);
    const { recordedAt } = await ledger.append(bob, { operation: "o", records: [note("")] });
    assert.equal(recordedAt, clock.now());
  }),

  test("what expires does so by the caller's present, even while record time stands still", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const now = clock.now();
    await ledger.append(alice, {
      operation: "o",
      records: [named("m", message("", { expiresAt: now + 10 }))],
    });
    clock.set(now + 9);
    assert.ok(await isThere(ledger, "message", "m"));
    clock.set(now + 10);
    assert.equal(await isThere(ledger, "message", "m"), false);
    // Nobody was told that it is gone for good, so a clock that goes back shows it again.
    clock.set(now - day);
    assert.ok(await isThere(ledger, "message", "m"));
    await ledger.append(alice, {
      operation: "p",
      records: [named("n", message("", { expiresAt: now - 10 }))],
    });
    assert.ok(await isThere(ledger, "message", "n"));
    clock.set(now);
    assert.equal(await isThere(ledger, "message", "n"), false);
  }),

  test("jobs wait and leases end by the caller's present", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await ledger.append(alice, { operation: "o", records: [], jobs: [{ queue: "q", delay: 1000 }] });
    const claim = () => ledger.jobs.claim({ queues: ["q"], leaseFor: 500 });
    clock.advance(999);
    assert.deepEqual(await claim(), []);
    clock.advance(1);
    assert.equal((await claim()).length, 1);
    clock.advance(499);
    assert.deepEqual(await claim(), []);
    clock.advance(1);
    assert.equal((await claim()).length, 1);
    clock.advance(-day);
    assert.deepEqual(await claim(), []);
  }),

  test("a clock at the beginning of time, or before it, does no harm", async ({ open }) => {
    for (const now of [0, -day]) {
      const clock = new ManualClock(now);
      const ledger = await open({ clock });
      const { recordedAt } = await ledger.append(alice, {
        operation: "o",
        records: [named("t", note("n"))],
        jobs: [{ queue: "q" }],
      });
      assert.equal(recordedAt, 0);
      assert.ok(await isThere(ledger, "text", "t"));
      assert.equal((await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000 })).length, 1);
    }
  }),

  durableTest(
    "two ledgers of one store with different clocks keep one record time",
    async ({ place, reopen }) => {
      const store = await place();
      const now = Date.UTC(2026, 0, 1);
      const ahead = await reopen(store, { clock: new ManualClock(now + day) });
      const behind = await reopen(store, { clock: new ManualClock(now) });
      await behind.append(alice, { operation: "1", records: [note("")] });
      await ahead.append(alice, { operation: "2", records: [note("")] });
      const { recordedAt } = await behind.append(alice, {
        operation: "3",
        records: [named("m", message("", { expiresAt: now + 1 }))],
      });
      assert.equal(recordedAt, now + day);
      assert.ok(await isThere(behind, "message", "m"));
      assert.equal(await isThere(ahead, "message", "m"), false);
    },
  ),
]);
