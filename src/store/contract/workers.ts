import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob } from "../ledger.ts";
import { makeGraph } from "./decisions.ts";
import { everyPage, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { claimOne, enqueue, payloads } from "./queueing.ts";
import { Choices } from "./seeded-randomness.ts";
import { durableTest, group, processTest } from "./suite.ts";
import { claimAndHang, doJobs } from "./tasks.ts";

export const workers = group("jobs, processes", [
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
  ),
]);
