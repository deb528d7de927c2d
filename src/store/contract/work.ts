import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { FluxError } from "../../model/errors.ts";
import type { Ledger } from "../ledger.ts";
import { type JobHandler, work } from "../work.ts";
import { makeGraph } from "./decisions.ts";
import { alice, everyPage, isThere, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { countUse } from "./plans.ts";
import { message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

async function enqueue(ledger: Ledger, count: number, user = alice, queue = "q"): Promise<void> {
  const jobs = Array.from({ length: count }, (_, payload) => ({ queue, payload, maxAttempts: 3 }));
  await ledger.append(user, { operation: `enqueue ${queue}`, records: [], jobs });
}

const users = Array.from({ length: 4 }, (_, i) => ({ namespace: "default", userId: `u${i}` }));

export const working = group("work", [
  test("does every job of its queues, in order within a lane, and returns how many", async ({ open }) => {
    const ledger = await open();
    for (const user of users) await enqueue(ledger, 5, user);
    await enqueue(ledger, 1, alice, "not asked for");
    const done: string[] = [];
    const handler: JobHandler = async (job) => {
      await sleep(1);
      done.push(`${job.partition.userId} ${job.payload}`);
    };
    assert.equal(await work(ledger, { handlers: { q: handler }, once: true }), 20);
    assert.equal(done.length, 20);
    for (const { userId } of users) {
      const own = done.filter((name) => name.startsWith(`${userId} `));
      assert.deepEqual(
        own,
        [0, 1, 2, 3, 4].map((payload) => `${userId} ${payload}`),
      );
    }
    assert.equal((await ledger.jobs.list(alice, { queue: "not asked for" })).jobs.length, 1);
  }),

  test("once, without jobs, ends at once", async ({ open }) => {
    const ledger = await open();
    const started = performance.now();
    assert.equal(
      await work(ledger, { handlers: { q: () => assert.fail() }, once: true, interval: 30_000 }),
      0,
    );
    assert.ok(performance.now() - started < 10_000);
  }),

  test("runs no more jobs at a time than it may, and one of a lane", async ({ open }) => {
    const ledger = await open();
    for (const user of users) await enqueue(ledger, 3, user);
    const running = new Set<string>();
    let most = 0;
    const handler: JobHandler = async ({ partition }) => {
      const lane = String(partition.userId);
      assert.ok(!running.has(lane), "two jobs of one lane run at once");
      running.add(lane);
      most = Math.max(most, running.size);
      await sleep(5);
      running.delete(lane);
    };
    assert.equal(await work(ledger, { handlers: { q: handler }, once: true, concurrency: 2 }), 12);
    assert.equal(most, 2);
  }),

  test("a handler's commit that carries the job has its effect once, however often it is tried", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await makeGraph(ledger);
    await enqueue(ledger, 4);
    let tries = 0;
    const handler: JobHandler = async (job) => {
      tries += 1;
      const input = { id: "c", note: String(job.payload) };
      await ledger.update(alice, { operation: `job/${job.id}`, plan: countUse, input, job });
      // The commit is done; that the handler fails afterwards changes nothing.
      if (job.payload === 2) throw new Error("after the commit");
    };
    await work(ledger, { handlers: { q: handler }, once: true });
    assert.equal(tries, 4);
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 4);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q", dead: true })).jobs, []);
  }),

  test("a handler that throws is tried again later, told of, and in the end a dead letter", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await enqueue(ledger, 1);
    const errors: unknown[] = [];
    const thrown = [new RangeError("no"), new FluxError("busy", "no"), "a string"];
    const handler: JobHandler = async () => {
      throw thrown[errors.length];
    };
    const codes: (string | undefined)[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const onError = (error: unknown): void => void errors.push(error);
      assert.equal(await work(ledger, { handlers: { q: handler }, once: true, onError }), 0);
      assert.equal(errors.length, attempt);
      const dead = attempt === 3;
      const [job] = (await ledger.jobs.list(alice, { queue: "q", dead })).jobs;
      assert.deepEqual([job?.state, job?.attempts], [dead ? "dead" : "waiting", attempt]);
      codes.push(job?.error);
      clock.advance(60_000);
    }
    assert.deepEqual(errors, thrown);
    assert.deepEqual(codes, ["RangeError", "busy", "error"]);
  }),

  test("a handler that throws at once, without a promise, is a failure like any other", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, 1);
    const handler = (() => {
      throw new TypeError("at once");
    }) as unknown as JobHandler;
    assert.equal(await work(ledger, { handlers: { q: handler }, once: true }), 0);
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs[0]?.error, "TypeError");
  }),

  test("one lane's failures do not stop the others", async ({ open }) => {
    const ledger = await open();
    for (const user of users) await enqueue(ledger, 2, user);
    const handler: JobHandler = async ({ partition }) => {
      if (partition.userId === "u1") throw new Error("u1 is broken");
    };
    assert.equal(await work(ledger, { handlers: { q: handler }, once: true }), 6);
    const [first] = users.slice(1);
    assert.equal((await ledger.jobs.list(first ?? assert.fail(), { queue: "q" })).jobs.length, 2);
  }),

  test("jobs that handlers enqueue are done as well", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, 1);
    const handler: JobHandler = async (job) => {
      const n = Number(job.payload);
      const jobs = n < 5 ? [{ queue: "q", payload: n + 1 }] : [];
      await ledger.append(alice, { operation: `job/${job.id}`, records: [note(String(n))], jobs, job });
    };
    assert.equal(await work(ledger, { handlers: { q: handler }, once: true }), 6);
    const texts = await everyPage(ledger, "text", { index: "byForm", prefix: ["note"] });
    assert.deepEqual(
      texts.map(({ content }) => content),
      ["0", "1", "2", "3", "4", "5"],
    );
  }),

  test("a lease is prolonged while its handler runs", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await enqueue(ledger, 1);
    const leaseEnd = async (): Promise<number> =>
      (await ledger.jobs.list(alice, { queue: "q" })).jobs[0]?.readyAt ?? assert.fail();
    const [begun, leaseFor] = [clock.now(), 300];
    let claims = 0;
    const handler: JobHandler = async () => {
      claims += 1;
      while (clock.now() <= begun + leaseFor) {
        clock.advance(leaseFor - 50);
        while ((await leaseEnd()) < clock.now() + leaseFor) await sleep(5);
        assert.deepEqual(await ledger.jobs.claim({ queues: ["q"], leaseFor: 1 }), []);
      }
    };
    assert.equal(await work(ledger, { handlers: { q: handler }, once: true, leaseFor }), 1);
    assert.equal(claims, 1);
  }),

  test("a handler whose job was overtaken by an erasure is told, and brings nothing back", async ({
    open,
  }) => {
    // By this clock, no lease ends before it is lost.
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const sources = [
      { kind: "message", id: "m" },
      { kind: "message", id: "n" },
    ];
    const records = [named("m", message("m")), named("n", message("n"))];
    await ledger.append(alice, { operation: "o", records, jobs: [{ queue: "q", sources }] });
    const seen: (readonly string[])[] = [];
    const handler: JobHandler = async (job, { signal }) => {
      seen.push(job.sources.map(({ id }) => id));
      if (seen.length === 1) {
        await ledger.erase(alice, { operation: "e", refs: [{ kind: "message", id: "m" }] });
        if (!signal.aborted) await once(signal, "abort");
      }
      const summary = named(`summary ${seen.length}`, note("s"));
      await ledger.append(alice, { operation: `job/${job.id}`, records: [summary], job });
    };
    await work(ledger, { handlers: { q: handler }, once: true, leaseFor: 90 });
    clock.advance(60_000);
    await work(ledger, { handlers: { q: handler }, once: true });
    assert.deepEqual(seen, [["m", "n"], ["n"]]);
    assert.equal(await isThere(ledger, "text", "summary 1"), false);
    assert.ok(await isThere(ledger, "text", "summary 2"));
  }),

  test("goes on until its signal, woken by new jobs; handlers see the signal", async ({ open }) => {
    const ledger = await open();
    const stop = new AbortController();
    const done: unknown[] = [];
    let told = false;
    const handler: JobHandler = async ({ payload }, { signal }) => {
      done.push(payload);
      if (payload === 1) {
        stop.abort();
        told = signal.aborted;
      }
    };
    const started = performance.now();
    const working = work(ledger, { handlers: { q: handler }, interval: 30_000, signal: stop.signal });
    await sleep(30);
    await enqueue(ledger, 2);
    assert.equal(await working, 2);
    assert.ok(performance.now() - started < 15_000);
    assert.deepEqual([done, told], [[0, 1], true]);
  }),

  test("a signal that was aborted before does nothing", async ({ open }) => {
    const ledger = await open();
    await enqueue(ledger, 1);
    assert.equal(
      await work(ledger, { handlers: { q: () => assert.fail() }, signal: AbortSignal.abort() }),
      0,
    );
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs[0]?.attempts, 0);
  }),

  test("two workers of one process share the work", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    for (const user of users) await enqueue(ledger, 5, user);
    let count = 0;
    const handler: JobHandler = async () => {
      await sleep(1);
      count += 1;
    };
    const options = { handlers: { q: handler }, once: true };
    const done = await Promise.all([work(ledger, options), work(ledger, options)]);
    // A worker that finds all lanes leased ends early; the other does the rest.
    assert.equal(done[0] + done[1], 20);
    assert.equal(count, 20);
  }),
]);
