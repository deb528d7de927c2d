import assert from "node:assert/strict";
import type { ClaimedJob } from "../ledger.ts";
import { sourcesOf } from "../read.ts";
import { makeGraph } from "./decisions.ts";
import { alice, bob, headOf, isThere, rejects, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { countUse } from "./plans.ts";
import { claimOne, enqueue, payloads } from "./queueing.ts";
import { message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

export const leases = group("jobs, leases", [
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

  test("a commit completes jobs that wait behind its own in the lane, and no others", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, "q", [1, 2, 3]);
    await enqueue(ledger, "r", [4]);
    const { jobs } = await ledger.jobs.list(alice, { queue: "q" });
    const { jobs: others } = await ledger.jobs.list(alice, { queue: "r" });
    const ids = [...jobs.slice(1, 2), ...others].map(({ id }) => id);
    const job = { ...(await claimOne(ledger)), behind: [...ids, "gone"] };
    const operation = `job/${job.id}`;
    await rejects("lease_lost", () =>
      ledger.append(alice, { operation, records: [note("n")], job: { ...job, lease: "other" } }),
    );
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs.length, 3);
    await ledger.append(alice, { operation, records: [note("n")], job });
    const left = await ledger.jobs.list(alice, { queue: "q" });
    assert.deepEqual(
      left.jobs.map(({ payload }) => payload),
      [3],
    );
    assert.equal((await ledger.jobs.list(alice, { queue: "r" })).jobs.length, 1);
    await rejects("too_large", () =>
      ledger.append(alice, {
        ...{ operation: "x", records: [note("n")] },
        job: { ...job, behind: Array.from({ length: 101 }, (_, i) => `${i}`) },
      }),
    );
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
]);
