import assert from "node:assert/strict";
import { FluxError } from "../../model/errors.ts";
import type { ClaimedJob, Ledger } from "../ledger.ts";
import { find, head } from "../read.ts";
import { alice, everyPage, headOf, rejects } from "./expectations.ts";
import { apply } from "./plans.ts";
import { named, note } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

type Call = (ledger: Ledger, signal?: AbortSignal) => Promise<unknown>;

const job = { id: "j", lease: "l", partition: alice, sources: [] } as never as ClaimedJob;

/** Every call of a ledger. */
const calls: Readonly<Record<string, Call>> = {
  capabilities: (ledger, signal) => ledger.capabilities({ signal }),
  append: (ledger, signal) => ledger.append(alice, { operation: "o", records: [note("n")] }, { signal }),
  update: (ledger, signal) =>
    ledger.update(alice, { operation: "o", plan: apply, input: { mutations: [] } }, { signal }),
  read: (ledger, signal) => ledger.read([alice], [head()], { signal }),
  partitions: (ledger, signal) => ledger.partitions({ signal }),
  setPolicy: (ledger, signal) => ledger.setPolicy(alice, {}, { signal }),
  erase: (ledger, signal) => ledger.erase(alice, { operation: "o", everything: true }, { signal }),
  purge: (ledger, signal) => ledger.purge(alice, { operation: "o", refs: [], until: 1 }, { signal }),
  undo: (ledger, signal) => ledger.undo(alice, { operation: "o", purge: "p" }, { signal }),
  purged: (ledger, signal) => ledger.purged(alice, { kind: "text", id: "t" }, { signal }),
  erasure: (ledger, signal) => ledger.erasure(alice, "e", { signal }),
  verify: (ledger, signal) => ledger.verify(alice, "e", { ...(signal === undefined ? {} : { signal }) }),
  maintain: (ledger, signal) => ledger.maintain({ signal }),
  "changes.head": (ledger, signal) => ledger.changes.head({ signal }),
  "changes.read": (ledger, signal) => ledger.changes.read({ signal }),
  "changes.wait": (ledger, signal) => ledger.changes.wait({ timeout: 1, signal }),
  "jobs.claim": (ledger, signal) =>
    ledger.jobs.claim({ queues: ["q"], leaseFor: 1, ...(signal === undefined ? {} : { signal }) }),
  "jobs.complete": (ledger, signal) => ledger.jobs.complete(job, { signal }),
  "jobs.fail": (ledger, signal) =>
    ledger.jobs.fail(job, { error: "e", ...(signal === undefined ? {} : { signal }) }),
  "jobs.extend": (ledger, signal) => ledger.jobs.extend(job, 1, { signal }),
  "jobs.list": (ledger, signal) =>
    ledger.jobs.list(alice, { queue: "q", ...(signal === undefined ? {} : { signal }) }),
  "jobs.count": (ledger, signal) => ledger.jobs.count({ queues: ["q"], signal }),
  "jobs.revive": (ledger, signal) => ledger.jobs.revive(alice, "j", { signal }),
};

export const closing = group("closing", [
  test("capabilities say what the adapter is", async ({ open }) => {
    const ledger = await open();
    const { adapter, durability, shared, schemaVersion } = await ledger.capabilities();
    assert.ok(adapter.length > 0);
    assert.ok(["fsync", "os", "memory"].includes(durability));
    assert.equal(typeof shared, "boolean");
    assert.ok(Number.isInteger(schemaVersion) && schemaVersion >= 0);
  }),

  test("close waits for calls under way: each ends as it would have, or says that the ledger was closed", async ({
    open,
  }) => {
    const ledger = await open();
    const writes = Array.from({ length: 30 }, (_, i) =>
      ledger.append(alice, { operation: `o${i}`, records: [note("n")] }),
    );
    const reads = Array.from({ length: 10 }, () => ledger.read([alice], [find("text")]));
    const closed = ledger.close();
    const settled: unknown[] = [];
    const all = Promise.allSettled(
      [...writes, ...reads].map((call) => call.finally(() => settled.push(call))),
    );
    await closed;
    // The answers may be on their way through a few promises.
    await new Promise(setImmediate);
    const before = settled.length;
    const outcomes = await all;
    assert.equal(before, 40, "close resolved while calls were under way");
    for (const outcome of outcomes)
      if (outcome.status === "rejected") assert.equal(outcome.reason.code, "closed");
  }),

  test("close may be called twice, at once and later, and by `await using`", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("n")] });
    await Promise.all([ledger.close(), ledger.close()]);
    await ledger.close();
    await ledger[Symbol.asyncDispose]();
    const unused = await open();
    await unused.close();
    await unused.close();
  }),

  test("every call afterwards rejects with closed", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "before", records: [note("n")] });
    await ledger.close();
    for (const [name, call] of Object.entries(calls)) await rejects("closed", () => call(ledger), name);
    const never = await open();
    await never.close();
    for (const [name, call] of Object.entries(calls))
      await rejects("closed", () => call(never), `${name}, unused`);
  }),

  test("close wakes up who waits for changes", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("n")] });
    const started = performance.now();
    const waiting = ledger.changes.wait({ timeout: 60_000 }).catch((error: unknown) => {
      assert.equal((error as FluxError).code, "closed");
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await ledger.close();
    await waiting;
    assert.ok(performance.now() - started < 20_000);
  }),

  test("a call whose signal was aborted before rejects with its reason, and does nothing", async ({
    open,
  }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "before", records: [note("n")], jobs: [{ queue: "q" }] });
    const before = await headOf(ledger);
    const reason = new Error("the caller changed his mind");
    const signal = AbortSignal.abort(reason);
    for (const [name, call] of Object.entries(calls)) {
      let promise: Promise<unknown>;
      try {
        promise = call(ledger, signal);
      } catch {
        return assert.fail(`${name} threw instead of rejecting`);
      }
      await assert.rejects(promise, (error) => error === reason, name);
    }
    await assert.rejects(ledger.read([alice], [head()], { signal: AbortSignal.abort() }), {
      name: "AbortError",
    });
    assert.deepEqual(await headOf(ledger), before);
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs[0]?.attempts, 0);
  }),

  test("a write aborted while it is under way is done or not, never half, and can be repeated", async ({
    open,
  }) => {
    const ledger = await open();
    const reason = new Error("the caller changed his mind");
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const abort = new AbortController();
        const call = ledger.append(
          alice,
          { operation: `o${i}`, records: [named(`a${i}`, note("a")), named(`b${i}`, note("b"))] },
          { signal: abort.signal },
        );
        if (i % 3 === 0) abort.abort(reason);
        else if (i % 3 === 1) setImmediate(() => abort.abort(reason));
        return call.then(
          () => "done",
          (error: unknown) =>
            error === reason ? "aborted" : FluxError.isInstance(error) ? error.code : String(error),
        );
      }),
    );
    const there = new Set((await everyPage(ledger, "text", { limit: 1000 })).map(({ id }) => id));
    for (const [i, outcome] of outcomes.entries()) {
      assert.ok(["done", "aborted"].includes(outcome), outcome);
      assert.equal(there.has(`a${i}`), there.has(`b${i}`));
      if (outcome === "done") assert.ok(there.has(`a${i}`));
      const records = [named(`a${i}`, note("a")), named(`b${i}`, note("b"))];
      const { replayed } = await ledger.append(alice, { operation: `o${i}`, records });
      assert.equal(replayed, there.has(`a${i}`));
    }
    assert.equal((await headOf(ledger)).records, 120);
  }),

  test("a signal that is never aborted, and one aborted afterwards, change nothing", async ({ open }) => {
    const ledger = await open();
    const abort = new AbortController();
    for (let i = 0; i < 5; i++)
      await ledger.append(alice, { operation: `o${i}`, records: [note("n")] }, { signal: abort.signal });
    abort.abort();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await headOf(ledger)).records, 5);
  }),

  test("two stores in one process are two stores", async ({ open }) => {
    const [one, other] = [await open(), await open()];
    await one.append(alice, { operation: "o", records: [named("t", note("one"))] });
    assert.deepEqual((await other.partitions()).partitions, []);
    await other.append(alice, { operation: "o", records: [named("t", note("other"))] });
    await one.erase(alice, { operation: "e", everything: true });
    assert.equal((await headOf(other)).records, 1);
    await one.close();
    assert.equal((await headOf(other)).records, 1);
  }),

  durableTest("one ledger of a store goes on when another is closed", async ({ place, reopen }) => {
    const store = await place();
    const [one, other] = [await reopen(store), await reopen(store)];
    await one.append(alice, { operation: "1", records: [note("n")] });
    await one.close();
    await other.append(alice, { operation: "2", records: [note("n")] });
    assert.equal((await headOf(other)).records, 2);
  }),
]);
