import assert from "node:assert/strict";
import { sourcesOf } from "../read.ts";
import { alice, bob, headOf, rejects } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { claimOne, enqueue, payloads } from "./queueing.ts";
import { message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

export const jobs = group("jobs", [
  test("a job is enqueued with its commit, and says what it was given", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const records = [named("m", message("m")), named("n", note("n"))];
    const sources = [
      { kind: "message", id: "m" },
      { kind: "text", id: "n" },
    ];
    const jobs = [
      { queue: "q", payload: { ids: ["m"], n: 1 }, sources, delay: 5, maxAttempts: 2 },
      { queue: "q" },
    ];
    await ledger.append(alice, { operation: "o", records, jobs });
    const { jobs: listed } = await ledger.jobs.list(alice, { queue: "q" });
    assert.equal(listed.length, 2);
    const [first, second] = listed;
    assert.ok(first && second && first.seq < second.seq && first.id !== second.id);
    assert.deepEqual(
      { ...first, id: "", seq: 0 },
      {
        ...{ id: "", seq: 0, queue: "q", payload: { ids: ["m"], n: 1 }, state: "waiting", attempts: 0 },
        ...{ maxAttempts: 2, readyAt: clock.now() + 5, generation: 0, error: undefined },
      },
    );
    assert.deepEqual([second.payload, second.maxAttempts, second.readyAt], [undefined, 8, clock.now()]);
    const [found] = await ledger.read([alice], [sourcesOf("job", first.id)]);
    assert.deepEqual(
      found.map(({ kind, id }) => ({ kind, id })),
      sources,
    );
    clock.advance(5);
    const claimed = await claimOne(ledger);
    assert.deepEqual(
      { ...claimed, lease: "" },
      {
        ...{ ...first, state: "leased", attempts: 1, readyAt: clock.now() + 1000 },
        ...{ partition: alice, sources, lease: "" },
      },
    );
    assert.ok(claimed.lease.length >= 16);
    assert.equal((await headOf(ledger)).records, 2, "jobs are no records");
  }),

  test("jobs are counted over all partitions, by queue, state and last error", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const queues = ["q", "r", "nobody's"];
    const count = async (asked: readonly string[] = queues) =>
      (await ledger.jobs.count({ queues: asked }))
        .map(({ queue, dead, error, count }) => [queue, dead, error ?? "", count].join(" "))
        .sort();
    assert.deepEqual(await count(), []);
    for (const [i, user] of [alice, bob, { namespace: "n", userId: null }].entries()) {
      await enqueue(ledger, "q", Array(i + 1).fill(i), user);
      await enqueue(ledger, "r", [i], user);
      await enqueue(ledger, "other", [i], user);
    }
    assert.deepEqual(await count(), ["q false  6", "r false  3"]);
    const failing = await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000, limit: 3 });
    assert.deepEqual(await count(["q", "q"]), ["q false  6"], "leased ones count");
    for (const [i, job] of failing.entries())
      await ledger.jobs.fail(job, { error: i === 0 ? "timeout" : "busy", dead: i > 0 });
    await ledger.jobs.complete(await claimOne(ledger, "r"));
    assert.deepEqual(await count(), ["q false  3", "q false timeout 1", "q true busy 2", "r false  2"]);
    assert.deepEqual(await count([]), []);
    for (const queues of ["q", undefined, [1]])
      await assert.rejects(ledger.jobs.count({ queues } as never), { name: /^Flux(Type)?Error$/ });
    await rejects("invalid_id", () => ledger.jobs.count({ queues: [""] }));
    await rejects("invalid_argument", () => ledger.jobs.count({ queue: "q" } as never));
  }),

  test("a lane's jobs come one after the other, in the order of their commits", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, "q", [1, 2]);
    await enqueue(ledger, "q", [3]);
    for (const expected of [1, 2, 3]) {
      const job = await claimOne(ledger);
      assert.equal(job.payload, expected);
      // The first of the lane is leased, so the lane has to wait.
      assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000, limit: 10 }), []);
      await ledger.jobs.complete(job);
    }
    assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000 }), []);
    assert.deepEqual(await payloads(ledger), []);
  }),

  test("lanes are independent: another queue, another partition", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, "q", ["alice q 1", "alice q 2"]);
    await enqueue(ledger, "r", ["alice r"]);
    await enqueue(ledger, "q", ["bob q"], bob);
    const all = await ledger.jobs.claim({ queues: ["q", "r", "none"], leaseFor: 1000, limit: 10 });
    assert.deepEqual(all.map(({ payload }) => payload).sort(), ["alice q 1", "alice r", "bob q"]);
    assert.deepEqual(all.map(({ partition }) => partition.userId).sort(), ["alice", "alice", "bob"]);
    assert.equal(new Set(all.map(({ lease }) => lease)).size, 3);
    const [first] = all.filter(({ payload }) => payload === "alice q 1");
    await ledger.jobs.complete(first ?? assert.fail());
    const [next] = await ledger.jobs.claim({ queues: ["q", "r"], leaseFor: 1000, limit: 10 });
    assert.equal(next?.payload, "alice q 2");
  }),

  test("a claim takes only the queues that it names, and no more than its limit", async ({ open }) => {
    const ledger = await open();
    const users = Array.from({ length: 5 }, (_, i) => ({ namespace: "default", userId: `u${i}` }));
    for (const user of users) {
      await enqueue(ledger, "q", [1], user);
      await enqueue(ledger, "r", [2], user);
    }
    assert.deepEqual(await ledger.jobs.claim({ queues: [], leaseFor: 1000, limit: 10 }), []);
    const three = await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000, limit: 3 });
    const rest = await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000, limit: 10 });
    assert.deepEqual([three.length, rest.length], [3, 2]);
    assert.ok([...three, ...rest].every(({ queue }) => queue === "q"));
    assert.equal(new Set([...three, ...rest].map(({ partition }) => partition.userId)).size, 5);
  }),

  test("many claimers at once get different jobs", async ({ open }) => {
    const ledger = await open();
    const users = Array.from({ length: 10 }, (_, i) => ({ namespace: "default", userId: `u${i}` }));
    for (const user of users) await enqueue(ledger, "q", [1], user);
    const claimed = await Promise.all(
      Array.from({ length: 20 }, () => ledger.jobs.claim({ queues: ["q"], leaseFor: 60_000, limit: 2 })),
    );
    const ids = claimed.flat().map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const rest = await ledger.jobs.claim({ queues: ["q"], leaseFor: 60_000, limit: 10 });
    assert.equal(ids.length + rest.length, 10);
  }),
  test("a failed job backs off: a second, two, four, at most an hour, unless told otherwise", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await ledger.append(alice, { operation: "o", records: [], jobs: [{ queue: "q", maxAttempts: 20 }] });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 14; attempt++) {
      const job = await claimOne(ledger);
      assert.equal(job.attempts, attempt);
      await ledger.jobs.fail(job, { error: `error ${attempt}` });
      const [listed] = (await ledger.jobs.list(alice, { queue: "q" })).jobs;
      assert.deepEqual(
        [listed?.state, listed?.error, listed?.attempts],
        ["waiting", `error ${attempt}`, attempt],
      );
      waits.push((listed?.readyAt ?? 0) - clock.now());
      clock.advance((waits.at(-1) ?? 0) - 1);
      assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1 }), []);
      clock.advance(1);
    }
    const doubled = Array.from({ length: 12 }, (_, i) => 1000 * 2 ** i);
    assert.deepEqual(waits, [...doubled, 3_600_000, 3_600_000]);
    await ledger.jobs.fail(await claimOne(ledger), { error: "e", delay: 0 });
    await ledger.jobs.fail(await claimOne(ledger), { error: "e", delay: 7 });
    assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1 }), []);
    clock.advance(7);
    await claimOne(ledger);
  }),

  test("the lane waits behind a job that backs off, and order is kept", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await enqueue(ledger, "q", [1, 2]);
    await ledger.jobs.fail(await claimOne(ledger), { error: "e" });
    assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1 }), []);
    clock.advance(1000);
    const job = await claimOne(ledger);
    assert.equal(job.payload, 1);
    await ledger.jobs.complete(job);
    assert.equal((await claimOne(ledger)).payload, 2);
  }),

  test("after its last attempt a job is a dead letter, which blocks nobody and can be revived", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const jobs = [
      { queue: "q", payload: "bad", maxAttempts: 2 },
      { queue: "q", payload: "good" },
    ];
    await ledger.append(alice, { operation: "o", records: [], jobs });
    for (let attempt = 0; attempt < 2; attempt++) {
      await ledger.jobs.fail(await claimOne(ledger), { error: "broken" });
      clock.advance(10_000);
    }
    assert.deepEqual([await payloads(ledger), await payloads(ledger, true)], [["good"], ["bad"]]);
    const [dead] = (await ledger.jobs.list(alice, { queue: "q", dead: true })).jobs;
    assert.deepEqual([dead?.state, dead?.error, dead?.attempts], ["dead", "broken", 2]);
    const good = await claimOne(ledger);
    assert.equal(good.payload, "good");
    await ledger.jobs.complete(good);
    assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1 }), []);
    await ledger.jobs.revive(alice, dead?.id ?? "");
    await ledger.jobs.revive(alice, dead?.id ?? "");
    const revived = await claimOne(ledger);
    assert.deepEqual([revived.payload, revived.attempts, revived.error], ["bad", 1, undefined]);
    await rejects("not_found", () => ledger.jobs.revive(alice, "nowhere"));
    await rejects("not_found", () => ledger.jobs.revive(bob, revived.id));
  }),

  test("a job can be made a dead letter at once", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, "q", [1]);
    await ledger.jobs.fail(await claimOne(ledger), { error: "hopeless", dead: true });
    assert.deepEqual([await payloads(ledger), await payloads(ledger, true)], [[], [1]]);
  }),

  test("a job whose attempts all ended without a word is a dead letter", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const jobs = [
      { queue: "q", payload: "bad", maxAttempts: 2 },
      { queue: "q", payload: "good" },
    ];
    await ledger.append(alice, { operation: "o", records: [], jobs });
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.equal((await claimOne(ledger)).payload, "bad");
      clock.advance(1000);
    }
    assert.equal((await claimOne(ledger)).payload, "good");
    const [dead] = (await ledger.jobs.list(alice, { queue: "q", dead: true })).jobs;
    assert.deepEqual([dead?.payload, dead?.error], ["bad", "lease_expired"]);
  }),
]);
