import { describe, expect, inject, onTestFinished, test } from "vitest";
import { ask, connect, eventually, freshSchema } from "../../../test/postgres/database.ts";
import { increment } from "../../../test/postgres/plans.ts";
import { startWorker } from "../../../test/postgres/worker-process.ts";
import { partitionKey } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { definePlan } from "../plan.ts";
import { find, head } from "../read.ts";
import { type PostgresOptions, postgresLedger } from "./ledger.ts";
import { SchemaNames } from "./names.ts";
import { partitionLock } from "./partition-lock.ts";

const url = inject("postgresUrl");
const alice = { namespace: "n", userId: "alice" };
const bob = { namespace: "n", userId: "bob" };
const message = insert("message", { sessionId: "s", role: "user", content: "hello", saidAt: 1 });

function open(options: Partial<PostgresOptions> = {}): { ledger: Ledger; schema: string } {
  const schema = freshSchema();
  // Its connections bear the schema's name.
  const ledger = postgresLedger({ url: `${url}?application_name=${schema}`, schema, ...options });
  onTestFinished(() => ledger.close());
  return { ledger, schema };
}

/** Locks alice's partition from outside until the returned function is called. */
async function lockPartition(schema: string): Promise<() => Promise<void>> {
  const client = await connect(url);
  onTestFinished(() => client.end());
  await client.query("begin");
  const lock = partitionLock(new SchemaNames(schema), partitionKey(alice));
  await client.query("select pg_advisory_xact_lock($1)", [lock]);
  return async () => {
    await client.query("commit");
  };
}

/** How many backends of the schema's ledger wait for a partition or a table; those that notify wait for one another. */
async function waiting(schema: string): Promise<number> {
  const text = `select 1 from pg_stat_activity where application_name = $1
    and wait_event_type = 'Lock' and wait_event in ('advisory', 'relation')`;
  return (await ask(url, text, [schema])).length;
}

async function commits(schema: string): Promise<number> {
  const [row] = await ask<{ n: number }>(url, `select count(distinct xid)::int as n from "${schema}".change`);
  return row?.n ?? 0;
}

const block = (name: string) => insert("block", { name, content: "text", position: 0 });
const failing = definePlan({
  name: "failing",
  module: import.meta.url,
  reads: () => [head()],
  decide: (): never => {
    throw new RangeError("The plan refuses");
  },
});

describe("calls of one partition", () => {
  test("that come together share commits, and each gets its own answer", async () => {
    const { ledger, schema } = open();
    await ledger.append(alice, { operation: "first", records: [] });
    const receipts = await Promise.all(
      Array.from({ length: 200 }, (_, i) => ledger.append(alice, { operation: `o${i}`, records: [message] })),
    );
    expect(receipts.map(({ operation }) => operation)).toEqual(
      Array.from({ length: 200 }, (_, i) => `o${i}`),
    );
    // One a group of 64 at most, and the first group is as small as what had come when it began.
    expect(await commits(schema)).toBeLessThan(10);
    expect(receipts.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    const [state] = await ledger.read([alice], [head()]);
    expect(state).toMatchObject({ records: 200, seq: 200 });
  });

  test("see what those before them in the same commit wrote", async () => {
    const { ledger } = open();
    const results = await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        ledger.update(alice, { operation: `i${i}`, plan: increment, input: { key: "counter" } }),
      ),
    );
    expect(results.map(({ result }) => result)).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
  });

  test("fail alone, whether they decide so or break a unique key", async () => {
    const { ledger } = open();
    await ledger.append(alice, { operation: "taken", records: [block("taken")] });
    const settled = await Promise.allSettled(
      Array.from({ length: 90 }, (_, i) => {
        if (i % 9 === 4) return ledger.append(alice, { operation: `o${i}`, records: [block("taken")] });
        if (i % 9 === 7) return ledger.update(alice, { operation: `o${i}`, plan: failing, input: {} });
        return ledger.append(alice, { operation: `o${i}`, records: [block(`b${i}`)] });
      }),
    );
    settled.forEach((outcome, i) => {
      if (i % 9 === 4) {
        expect(outcome).toMatchObject({
          reason: { code: "already_exists", message: "There is already a block with this key" },
        });
      } else if (i % 9 === 7) expect(outcome).toMatchObject({ reason: { message: "The plan refuses" } });
      else expect(outcome).toMatchObject({ value: { operation: `o${i}` } });
    });
    const [{ items }, state] = await ledger.read([alice], [find("block", { limit: 1000 }), head()]);
    expect(items).toHaveLength(71);
    expect(state).toMatchObject({ records: 71, seq: 71 });
  });

  test("of which many break the same key are all answered", async () => {
    const { ledger } = open();
    const settled = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        ledger.append(alice, { operation: `o${i}`, records: [block("one")] }),
      ),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [state] = await ledger.read([alice], [head()]);
    expect(state).toMatchObject({ records: 1, seq: 1 });
  });

  test("are exact from four processes with 250 commits each", async () => {
    const { ledger, schema } = open();
    await ledger.capabilities();
    const workers = [0, 1, 2, 3].map((i) =>
      startWorker({ task: "increment", url, schema, name: `p${i}`, count: 250, callers: 5 }),
    );
    await Promise.all(workers.map(({ result }) => result));
    const [{ items }, state] = await ledger.read(
      [{ namespace: "default", userId: "u0" }],
      [find("value"), head()],
    );
    expect(items.map(({ value }) => value)).toEqual([1000]);
    expect(state).toMatchObject({ records: 1, seq: 1000 });
  });
});

describe("a partition that another session holds", () => {
  test("does not keep other partitions waiting, however many of its calls wait", async () => {
    const { ledger, schema } = open({ poolSize: 2 });
    await ledger.append(alice, { operation: "a", records: [message] });
    const unlock = await lockPartition(schema);
    const waiters = Array.from({ length: 100 }, (_, i) =>
      ledger.append(alice, { operation: `w${i}`, records: [message] }),
    );
    await eventually(async () => (await waiting(schema)) > 0);
    for (let i = 0; i < 5; i++) await ledger.append(bob, { operation: `b${i}`, records: [message] });
    expect(await waiting(schema)).toBe(1);
    await unlock();
    await Promise.all(waiters);
  });

  test("lets calls run into the time-out, and takes them up again afterwards", async () => {
    const { ledger, schema } = open({ statementTimeout: 300 });
    await ledger.append(alice, { operation: "a", records: [message] });
    const unlock = await lockPartition(schema);
    const calls = [0, 1, 2].map((i) => ledger.append(alice, { operation: `w${i}`, records: [message] }));
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "timeout", retryable: true });
    await unlock();
    await expect(ledger.append(alice, { operation: "w0", records: [message] })).resolves.toMatchObject({
      seq: 2,
    });
  });
});

describe("an aborted call", () => {
  test("rejects at once with the signal's reason, and its statement is cancelled on the server", async () => {
    const { ledger, schema } = open();
    await ledger.append(alice, { operation: "a", records: [message] });
    const unlock = await lockPartition(schema);
    const controller = new AbortController();
    const call = ledger.append(alice, { operation: "w", records: [message] }, { signal: controller.signal });
    await eventually(async () => (await waiting(schema)) > 0);
    const reason = new Error("enough");
    controller.abort(reason);
    // The partition is still held.
    await expect(call).rejects.toBe(reason);
    await eventually(async () => (await waiting(schema)) === 0);
    await unlock();
    // Nothing of it was written, and the partition can be used.
    await expect(ledger.append(alice, { operation: "x", records: [message] })).resolves.toMatchObject({
      seq: 2,
    });
  });

  test("leaves the calls that wait with it alone", async () => {
    const { ledger, schema } = open();
    await ledger.append(alice, { operation: "a", records: [message] });
    const unlock = await lockPartition(schema);
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 6 }, (_, i) =>
      ledger.append(alice, { operation: `w${i}`, records: [message] }, i % 2 === 0 ? { signal } : {}),
    );
    await eventually(async () => (await waiting(schema)) > 0);
    controller.abort();
    const settled = await Promise.allSettled(calls.filter((_call, i) => i % 2 === 0));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await eventually(async () => (await waiting(schema)) === 1);
    await unlock();
    await Promise.all(calls.filter((_call, i) => i % 2 === 1));
    const [state] = await ledger.read([alice], [head()]);
    expect(state).toMatchObject({ seq: 4 });
  });

  test("is done or not done at all, whenever it is aborted, and done once when it is repeated", async () => {
    const { ledger } = open();
    await ledger.append(alice, { operation: "a", records: [message] });
    let aborted = 0;
    for (let i = 0; i < 60; i++) {
      const controller = new AbortController();
      const calls = [0, 1, 2].map((c) =>
        ledger
          .append(
            alice,
            { operation: `${i}-${c}`, records: [message, message] },
            c === 1 ? { signal: controller.signal } : {},
          )
          .catch((error: Error) => error.name),
      );
      // Half of them before anything was sent, the others at any moment of the transaction or after it.
      if (i % 2 === 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      controller.abort();
      const [first, second, third] = await Promise.all(calls);
      if (second === "AbortError") aborted += 1;
      expect([first, third]).toEqual([
        expect.objectContaining({ operation: `${i}-0` }),
        expect.objectContaining({ operation: `${i}-2` }),
      ]);
      await ledger.append(alice, { operation: `${i}-1`, records: [message, message] });
    }
    expect(aborted).toBeGreaterThanOrEqual(30);
    const [state] = await ledger.read([alice], [head()]);
    expect(state).toMatchObject({ records: 1 + 60 * 6, seq: 1 + 60 * 6 });
  });

  test("does not start when it is aborted before", async () => {
    const { ledger } = open();
    const signal = AbortSignal.abort(new Error("before"));
    await expect(ledger.append(alice, { operation: "a", records: [message] }, { signal })).rejects.toThrow(
      "before",
    );
    await expect(ledger.read([alice], [head()], { signal })).rejects.toThrow("before");
  });

  test("of a read frees its connection", async () => {
    const { ledger, schema } = open({ poolSize: 1 });
    await ledger.append(alice, { operation: "a", records: [message] });
    await using locker = await connect(url);
    await locker.query("begin");
    await locker.query(`lock table "${schema}".message in access exclusive mode`);
    const controller = new AbortController();
    const read = ledger.read([alice], [find("message")], { signal: controller.signal });
    await eventually(async () => (await waiting(schema)) > 0);
    const queued = ledger.read([alice], [find("block")], { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(read).rejects.toThrow("enough");
    await expect(queued).rejects.toThrow("enough");
    await expect(ledger.read([alice], [head()])).resolves.toMatchObject([{ seq: 1 }]);
    expect(await waiting(schema)).toBe(0);
  });
});

describe("a backend that is terminated", () => {
  /** Ends every backend of the ledger; how many. */
  async function terminate(schema: string): Promise<number> {
    const text = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1";
    return (await ask(url, text, [schema])).length;
  }

  test("in the middle of a transaction is replaced, and the calls run again", async () => {
    const { ledger, schema } = open();
    await ledger.append(alice, { operation: "a", records: [message] });
    const unlock = await lockPartition(schema);
    const calls = [0, 1, 2].map((i) => ledger.append(alice, { operation: `w${i}`, records: [message] }));
    await eventually(async () => (await waiting(schema)) > 0);
    expect(await terminate(schema)).toBeGreaterThan(0);
    await unlock();
    const receipts = await Promise.all(calls);
    expect(receipts.map(({ seq }) => seq)).toEqual([2, 3, 4]);
  });

  test("again and again loses nothing and does nothing twice", async () => {
    const { ledger, schema } = open({ retryFor: 30_000 });
    await ledger.append(alice, { operation: "a", records: [] });
    let working = true;
    const storm = (async () => {
      while (working) {
        await terminate(schema);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    })();
    const users = ["alice", "bob", "carol"];
    await Promise.all(
      Array.from({ length: 12 }, async (_, caller) => {
        for (let i = 0; i < 12; i++) {
          const userId = users[caller % 3] as string;
          await ledger.append({ ...alice, userId }, { operation: `${caller}-${i}`, records: [message] });
          await ledger.read([{ ...alice, userId }], [head()]);
        }
      }),
    );
    working = false;
    await storm;
    for (const userId of users) {
      const [state] = await ledger.read([{ ...alice, userId }], [head()]);
      expect(state).toMatchObject({ records: 48, seq: 48 });
    }
  });

  test("while nobody uses it goes unnoticed", async () => {
    const { ledger, schema } = open();
    await ledger.append(alice, { operation: "a", records: [message] });
    expect(await terminate(schema)).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(ledger.read([alice], [head()])).resolves.toMatchObject([{ seq: 1 }]);
  });

  test("for good makes calls fail as unavailable, after the time to retry", async () => {
    const { schema } = open();
    // A role that is allowed no connection is refused like anybody on a full server.
    await ask(url, `create role "${schema}" login password 'secret' connection limit 0`);
    onTestFinished(async () => {
      await ask(url, `drop role "${schema}"`);
    });
    const limited = new URL(url);
    limited.username = schema;
    limited.password = "secret";
    const { ledger } = open({ url: limited.href, retryFor: 200 });
    const begun = performance.now();
    await expect(ledger.append(alice, { operation: "a", records: [] })).rejects.toMatchObject({
      code: "unavailable",
      retryable: true,
    });
    // Three pauses at least, of 10, 20 and 40 ms or up to twice as long.
    expect(performance.now() - begun).toBeGreaterThan(60);
  });
});

test("a small pool serves any number of callers", async () => {
  const { ledger } = open({ poolSize: 1 });
  const users = Array.from({ length: 40 }, (_, i) => ({ ...alice, userId: `u${i}` }));
  await Promise.all(
    users.flatMap((user) => [
      ledger.append(user, { operation: "a", records: [message] }),
      ledger.read([user], [head()]),
      ledger.changes.read(),
    ]),
  );
  const { partitions } = await ledger.partitions();
  expect(partitions).toHaveLength(40);
});
