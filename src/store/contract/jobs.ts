import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob, Ledger } from "../ledger.ts";
import { sourcesOf } from "../read.ts";
import { makeGraph } from "./decisions.ts";
import { alice, bob, everyPage, headOf, isThere, rejects, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { countUse } from "./plans.ts";
import { message, named, note } from "./samples.ts";
import { Choices } from "./seeded-randomness.ts";
import { durableTest, group, processTest, test } from "./suite.ts";
import { claimAndHang, doJobs } from "./tasks.ts";

async function enqueue(
  ledger: Ledger,
  queue: string,
  payloads: readonly (string | number)[],
  user = alice,
): Promise<void> {
  const jobs = payloads.map((payload) => ({ queue, payload }));
  await ledger.append(user, { operation: `enqueue ${queue} ${payloads}`, records: [], jobs });
}

async function claimOne(ledger: Ledger, queue = "q", leaseFor = 1000): Promise<ClaimedJob> {
  const [job] = await ledger.jobs.claim({ queues: [queue], leaseFor });
  return job ?? assert.fail("no job is ready");
}

async function payloads(ledger: Ledger, dead = false): Promise<unknown[]> {
  return (await ledger.jobs.list(alice, { queue: "q", dead })).jobs.map(({ payload }) => payload);
}

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

  test("a lease that ended is taken over, and the old holder can do nothing more", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await makeGraph(ledger);
    await enqueue(ledger, "q", [1]);
    const old = await claimOne(ledger);
    clock.advance(999);
    assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000 }), []);
    clock.advance(1);
    const taken = await claimOne(ledger);
    assert.deepEqual([taken.id, taken.attempts], [old.id, 2]);
    assert.notEqual(taken.lease, old.lease);
    const input = { id: "c", note: "old" };
    const commit = (job: ClaimedJob) =>
      ledger.update(alice, { operation: `job/${job.id}`, plan: countUse, input, job });
    await rejects("lease_lost", () => commit(old));
    await rejects("lease_lost", () =>
      ledger.append(alice, { operation: "x", records: [note("n")], job: old }),
    );
    await rejects("lease_lost", () => ledger.jobs.complete(old));
    await rejects("lease_lost", () => ledger.jobs.fail(old, { error: "late" }));
    await rejects("lease_lost", () => ledger.jobs.extend(old, 1000));
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 0);
    await commit(taken);
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 1);
    assert.deepEqual(await payloads(ledger), []);
    // The old holder's retry finds the work done, and does nothing.
    const replay = await commit(old);
    assert.deepEqual([replay.replayed, replay.result], [true, 1]);
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 1);
  }),

  test("a lease that ended but was not taken over still holds", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await enqueue(ledger, "q", [1, 2, 3]);
    for (const finish of [
      (job: ClaimedJob) => ledger.jobs.complete(job),
      (job: ClaimedJob) => ledger.append(alice, { operation: "x", records: [note("n")], job }),
      (job: ClaimedJob) => ledger.jobs.extend(job, 1000).then(() => ledger.jobs.complete(job)),
    ]) {
      const job = await claimOne(ledger);
      clock.advance(5000);
      await finish(job);
    }
    assert.deepEqual(await payloads(ledger), []);
  }),

  test("a lease can be prolonged", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await enqueue(ledger, "q", [1]);
    const job = await claimOne(ledger);
    clock.advance(900);
    await ledger.jobs.extend(job, 1000);
    clock.advance(999);
    assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1000 }), []);
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs[0]?.state, "leased");
    clock.advance(1);
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs[0]?.state, "waiting");
    assert.equal((await claimOne(ledger)).id, job.id);
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

  test("a commit that carries a job completes it, or does neither", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "taken", records: [named("taken", note("n"))] });
    await enqueue(ledger, "q", [1]);
    const job = await claimOne(ledger);
    await rejects("already_exists", () =>
      ledger.append(alice, {
        operation: `job/${job.id}`,
        records: [note("m"), named("taken", note("n"))],
        job,
      }),
    );
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs[0]?.state, "leased");
    const more = [{ queue: "q", payload: 2 }];
    await ledger.append(alice, {
      operation: `job/${job.id}`,
      records: [named("done", note("n"))],
      jobs: more,
      job,
    });
    assert.deepEqual(await payloads(ledger), [2]);
    assert.ok(await isThere(ledger, "text", "done"));
    const [sources] = await ledger.read([alice], [sourcesOf("job", job.id)]);
    assert.deepEqual(sources, []);
    await rejects("lease_lost", () => ledger.jobs.complete(job));
  }),

  test("a job is not carried by its number: neither a made-up lease nor another job's completes it", async ({
    open,
  }) => {
    const ledger = await open();
    await enqueue(ledger, "q", [1]);
    await enqueue(ledger, "r", [2]);
    const [one, other] = [await claimOne(ledger, "q"), await claimOne(ledger, "r")];
    const wrong = [
      { ...one, lease: other.lease },
      { ...one, lease: "made up" },
      { ...one, lease: "" },
      { ...one, lease: undefined as never },
      { ...one, id: "nowhere" },
    ];
    for (const job of wrong) {
      const codes = ["lease_lost", "invalid_id", "invalid_argument"] as const;
      await rejects(codes, () => ledger.jobs.complete(job));
      await rejects(codes, () => ledger.append(alice, { operation: "x", records: [note("n")], job }));
      await rejects(codes, () => ledger.jobs.fail(job, { error: "e" }));
      await rejects(codes, () => ledger.jobs.extend(job, 1000));
    }
    assert.equal((await headOf(ledger)).records, 0);
    await ledger.jobs.complete(one);
  }),

  test("a job that nobody leased cannot be completed with an undefined lease", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, "q", [1]);
    const [waiting] = (await ledger.jobs.list(alice, { queue: "q" })).jobs;
    const job = { ...waiting, partition: alice, sources: [], lease: undefined } as never as ClaimedJob;
    const codes = ["lease_lost", "invalid_id", "invalid_argument"] as const;
    await rejects(codes, () => ledger.jobs.complete(job));
    await rejects(codes, () => ledger.jobs.fail(job, { error: "e", dead: true }));
    await rejects(codes, () => ledger.jobs.extend(job, 1000));
    assert.deepEqual(await payloads(ledger), [1]);
  }),

  test("a job goes with the last of its sources, and stays with any", async ({ open }) => {
    const ledger = await open();
    const records = [named("m", message("m")), named("n", message("n"))];
    const ref = (id: string) => ({ kind: "message", id });
    const jobs = [
      { queue: "q", payload: "m", sources: [ref("m")] },
      { queue: "q", payload: "both", sources: [ref("m"), ref("n")] },
      { queue: "q", payload: "none" },
    ];
    await ledger.append(alice, { operation: "o", records, jobs });
    const { counts } = await ledger.erase(alice, { operation: "e", refs: [ref("m")] });
    assert.deepEqual(counts, { message: 1, job: 1, link: 2 });
    assert.deepEqual(await payloads(ledger), ["both", "none"]);
    const job = await claimOne(ledger);
    assert.deepEqual([job.payload, job.sources], ["both", [ref("n")]]);
    await ledger.erase(alice, { operation: "f", refs: [ref("n")] });
    assert.deepEqual(await payloads(ledger), ["none"]);
    await ledger.erase(alice, { operation: "g", everything: true });
    assert.deepEqual(await payloads(ledger), []);
  }),

  test("an erasure overtakes a job in flight: its work is refused, and done anew with what is left", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const records = [named("m", message("m")), named("n", message("n"))];
    const sources = [
      { kind: "message", id: "m" },
      { kind: "message", id: "n" },
    ];
    await ledger.append(alice, { operation: "o", records, jobs: [{ queue: "q", sources }] });
    const job = await claimOne(ledger);
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "message", id: "m" }] });
    const summary = () => [named("s", note("m and n"))];
    await rejects("lease_lost", () =>
      ledger.append(alice, { operation: `job/${job.id}`, records: summary(), job }),
    );
    await rejects("lease_lost", () => ledger.jobs.complete(job));
    await rejects("lease_lost", () => ledger.jobs.extend(job, 1000));
    assert.equal(await isThere(ledger, "text", "s"), false);
    // Giving it back is allowed, as it commits nothing.
    await ledger.jobs.fail(job, { error: "lease_lost", delay: 0 });
    const again = await claimOne(ledger);
    assert.deepEqual([again.id, again.sources], [job.id, sources.slice(1)]);
    await ledger.append(alice, {
      operation: `job/${job.id}`,
      records: [named("s", note("n"), ["message", "n"])],
      job: again,
    });
    assert.ok(await isThere(ledger, "text", "s"));
  }),

  test("an erasure in another partition overtakes nothing", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, "q", [1]);
    const job = await claimOne(ledger);
    await ledger.append(bob, { operation: "o", records: [note("n")] });
    await ledger.erase(bob, { operation: "e", everything: true });
    await ledger.jobs.complete(job);
  }),

  durableTest("jobs, leases and dead letters outlive the ledger", async ({ place, reopen }) => {
    const clock = new ManualClock();
    const store = await place();
    const before = await reopen(store, { clock });
    await enqueue(before, "q", [1, 2]);
    await before.jobs.fail(await claimOne(before), { error: "e", dead: true });
    const leased = await claimOne(before);
    await before.close();
    const after = await reopen(store, { clock });
    assert.deepEqual([await payloads(after), await payloads(after, true)], [[2], [1]]);
    assert.deepEqual(await after.jobs.claim({ queues: ["q"], leaseFor: 1 }), []);
    await after.jobs.complete(leased);
    assert.deepEqual(await payloads(after), []);
  }),

  processTest(
    "a job leased by a process that was killed is taken over when the lease ends",
    async ({ place, reopen, start }) => {
      const store = await place();
      const ledger = await reopen(store);
      await enqueue(ledger, "q", [1]);
      const child = await start(store, claimAndHang, { queue: "q", leaseFor: 400 });
      child.go();
      await child.reportedAtLeast(1);
      await child.kill();
      let job: ClaimedJob | undefined;
      for (let tries = 0; job === undefined && tries < 100; tries++) {
        await sleep(50);
        [job] = await ledger.jobs.claim({ queues: ["q"], leaseFor: 60_000 });
      }
      assert.deepEqual([job?.payload, job?.attempts], [1, 2]);
    },
  ),

  processTest(
    "workers in three processes that are killed at random do every job once",
    async ({ place, reopen, start }) => {
      const store = await place();
      const ledger = await reopen(store);
      const users = Array.from({ length: 6 }, (_, i) => ({ namespace: "default", userId: `u${i}` }));
      const queues = ["q", "r"];
      const count = 8;
      for (const user of users) {
        await makeGraph(ledger, user);
        const jobs = queues.flatMap((queue) =>
          Array.from({ length: count }, (_, i) => ({ queue, payload: `${queue} ${i}`, maxAttempts: 1000 })),
        );
        await ledger.append(user, { operation: "jobs", records: [], jobs });
      }
      const choices = new Choices(29);
      const left = async (): Promise<number> => {
        let sum = 0;
        for (const user of users)
          for (const queue of queues) sum += (await ledger.jobs.list(user, { queue })).jobs.length;
        return sum;
      };
      const worker = async (kill: boolean): Promise<void> => {
        while ((await left()) > 0) {
          const child = await start(store, doJobs, { conduit: "c", leaseFor: 400, queues });
          child.go();
          if (!kill) {
            // Whoever is not killed waits for the leases of those that were.
            await child.result;
            await sleep(100);
            continue;
          }
          await child.reportedAtLeast(1 + choices.below(15));
          await child.kill();
          kill = choices.chance(60);
        }
      };
      await Promise.all([worker(true), worker(true), worker(false)]);
      for (const user of users) {
        const notes = (await everyPage(ledger, "text", { index: "byTime" }, user)).map(
          ({ content }) => content,
        );
        const expected = queues.flatMap((queue) =>
          Array.from({ length: count }, (_, i) => `job "${queue} ${i}"`),
        );
        assert.deepEqual(notes.toSorted(), expected.toSorted());
        assert.equal((await theRecord(ledger, "conduit", "c", user)).useCount, queues.length * count);
        // In order within a lane, whoever did them.
        for (const queue of queues) {
          const texts = await everyPage(ledger, "text", { index: "byForm", prefix: ["note"] }, user);
          const own = texts
            .map(({ content }) => content)
            .filter((content) => content.startsWith(`job "${queue} `));
          assert.deepEqual(
            own,
            Array.from({ length: count }, (_, i) => `job "${queue} ${i}"`),
          );
        }
        for (const queue of queues)
          assert.deepEqual((await ledger.jobs.list(user, { queue, dead: true })).jobs, []);
      }
    },
    120_000,
  ),
]);
