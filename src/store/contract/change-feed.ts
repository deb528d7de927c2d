import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "../../model/change.ts";
import { followChanges } from "../follow.ts";
import { alice, bob, headOf, rejects } from "./expectations.ts";
import { assertOrdered, readAll, users } from "./feed-reading.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { block, message, named, note } from "./samples.ts";
import { Choices } from "./seeded-randomness.ts";
import { durableTest, group, test } from "./suite.ts";

export const changeFeed = group("change feed", [
  test("tells of every insert, patch, removal and erasure, in order, with ids and nothing else", async ({
    open,
  }) => {
    const ledger = await open();
    const records = [
      named("m", message("secret")),
      named("t", note("secret"), ["message", "m"]),
      named("b", block("b")),
    ];
    await ledger.append(alice, { operation: "1", records, jobs: [{ queue: "q" }] });
    const mutations = [
      { type: "patch", kind: "text", id: "t", value: { content: "x" } },
      { type: "remove", kind: "block", id: "b" },
    ];
    await ledger.update(alice, { operation: "2", plan: apply, input: { mutations } as never });
    await ledger.erase(alice, { operation: "3", refs: [{ kind: "message", id: "m" }] });
    await ledger.erase(alice, { operation: "4", everything: true });
    const { changes } = await ledger.changes.read();
    // An erasure of everything may take the changes before it along.
    const [last] = changes.slice(-1);
    assert.deepEqual(
      { ...last, seq: 0 },
      { partition: alice, seq: 0, kind: "partition", id: "", operation: "erase_all" },
    );
    assert.equal(last?.seq, (await headOf(ledger)).seq);
  }),

  test("tells what happened while it is read step by step, of any size", async ({ open }) => {
    const ledger = await open();
    const start = await ledger.changes.head();
    const records = [
      named("m", message("secret")),
      named("t", note("secret"), ["message", "m"]),
      named("b", block("b")),
    ];
    await ledger.append(alice, { operation: "1", records });
    const mutations = [
      { type: "patch", kind: "text", id: "t", value: { content: "x" } },
      { type: "remove", kind: "block", id: "b" },
    ];
    await ledger.update(alice, { operation: "2", plan: apply, input: { mutations } as never });
    await ledger.erase(alice, { operation: "3", refs: [{ kind: "message", id: "m" }] });
    for (const limit of [1, 2, 1000]) {
      const changes = await readAll(ledger, start, limit);
      assertOrdered(changes);
      for (const change of changes) {
        assert.deepEqual(Object.keys(change).sort(), ["id", "kind", "operation", "partition", "seq"]);
        assert.deepEqual(change.partition, alice);
      }
      const told = changes.map(({ kind, id, operation }) => `${operation} ${kind} ${id}`);
      const committed = [
        "insert message m",
        "insert text t",
        "insert block b",
        "update text t",
        "delete block b",
      ];
      assert.deepEqual(told.slice(0, 5), committed);
      assert.deepEqual(told.slice(5).sort(), ["delete message m", "delete text t"]);
    }
    assert.deepEqual(await readAll(ledger), await readAll(ledger, start));
    assert.ok(!JSON.stringify(await readAll(ledger)).includes("secret"));
  }),

  test("an empty store has a head, from which nothing is missed", async ({ open }) => {
    const ledger = await open();
    const head = await ledger.changes.head();
    assert.deepEqual(await readAll(ledger, head), []);
    await ledger.append(alice, { operation: "o", records: [note("")] });
    assert.equal((await readAll(ledger, head)).length, 1);
    assert.equal((await readAll(ledger)).length, 1);
    assert.deepEqual(await readAll(ledger, await ledger.changes.head()), []);
  }),

  test("a replay, a refused commit and reading change nothing in it", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note(""))] });
    const head = await ledger.changes.head();
    await ledger.append(alice, { operation: "o", records: [named("t", note(""))] });
    await rejects("already_exists", () =>
      ledger.append(alice, { operation: "p", records: [note(""), named("t", note(""))] }),
    );
    await headOf(ledger);
    assert.deepEqual(await readAll(ledger, head), []);
  }),

  test("changes of many partitions and callers are complete, and in order within each", async ({ open }) => {
    const ledger = await open();
    const start = await ledger.changes.head();
    const seen: Change[] = [];
    let writing = true;
    const reading = (async () => {
      for (let cursor = start; ; ) {
        const last = !writing;
        const step = await ledger.changes.read({ after: cursor, limit: 7 });
        seen.push(...step.changes);
        cursor = step.cursor;
        if (step.changes.length === 0) {
          if (last) return;
          await sleep(1);
        }
      }
    })();
    const choices = new Choices(23);
    await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        ledger.append(choices.of(users), {
          operation: `o${i}`,
          records: Array.from({ length: 1 + choices.below(3) }, () => note(`${i}`)),
        }),
      ),
    );
    writing = false;
    await reading;
    assertOrdered(seen);
    for (const user of users) {
      const told = seen.filter(({ partition }) => partition.userId === user.userId).map(({ seq }) => seq);
      const { seq, records } = await headOf(ledger, user);
      assert.equal(told.length, records);
      assert.equal(told.at(-1), seq);
    }
  }),

  test("wait wakes up for a commit, and ends with its time-out and its signal", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("")] });
    const started = performance.now();
    const waiting = ledger.changes.wait({ timeout: 30_000 });
    await sleep(30);
    await ledger.append(alice, { operation: "p", records: [note("")] });
    await waiting;
    assert.ok(performance.now() - started < 15_000);
    await ledger.changes.wait({ timeout: 1 });
    const stop = new AbortController();
    const aborted = ledger.changes.wait({ timeout: 30_000, signal: stop.signal });
    stop.abort();
    // What it does then is up to the adapter, as long as it ends.
    await aborted.catch(() => undefined);
    assert.ok(performance.now() - started < 15_000);
  }),

  test("a cursor that is none is refused", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("")] });
    const head = await ledger.changes.head();
    const forged = [
      "",
      " ",
      "x",
      "-1",
      "1.5",
      "1e3",
      "0x1",
      "999999999999",
      "9".repeat(40),
      "🔑",
      `${head}x`,
      ` ${head}`,
      "null",
      "[]",
    ];
    for (const after of forged) await rejects("invalid_cursor", () => ledger.changes.read({ after }), after);
  }),

  test("a cursor older than the feed's retention is too old, and the state from its head is not", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock, changeRetention: 1000 });
    const beginning = await ledger.changes.head();
    await ledger.append(alice, { operation: "1", records: [note("")] });
    const between = await ledger.changes.head();
    clock.advance(600);
    await ledger.append(bob, { operation: "2", records: [note(""), note("")] });
    assert.equal((await ledger.maintain()).changes, 0);
    assert.equal((await readAll(ledger, beginning)).length, 3);
    clock.advance(600);
    assert.equal((await ledger.maintain()).changes, 1);
    await rejects("cursor_too_old", () => ledger.changes.read({ after: beginning }));
    assert.equal((await readAll(ledger, between)).length, 2);
    assert.equal((await readAll(ledger)).length, 2);
    clock.advance(10_000);
    assert.equal((await ledger.maintain()).changes, 2);
    await rejects("cursor_too_old", () => ledger.changes.read({ after: between }));
    const head = await ledger.changes.head();
    assert.deepEqual(await readAll(ledger, head), []);
    assert.deepEqual(await readAll(ledger), []);
    await ledger.append(alice, { operation: "3", records: [note("")] });
    assert.equal((await readAll(ledger, head)).length, 1);
    await assert.rejects(
      async () => {
        for await (const _ of followChanges(ledger, { after: beginning })) assert.fail();
      },
      { code: "cursor_too_old" },
    );
  }),

  test("an erasure of everything is told to whoever follows, from any cursor before it", async ({ open }) => {
    const ledger = await open();
    const beginning = await ledger.changes.head();
    await ledger.append(alice, { operation: "1", records: [note(""), note("")] });
    await ledger.append(bob, { operation: "1", records: [note("")] });
    const between = await ledger.changes.head();
    await ledger.erase(alice, { operation: "e", everything: true });
    await ledger.append(alice, { operation: "2", records: [named("after", note(""))] });
    for (const cursor of [beginning, between, undefined]) {
      const changes = await readAll(ledger, cursor, 1);
      assertOrdered(changes);
      const own = changes.filter(({ partition }) => partition.userId === "alice");
      const erased = own.findIndex(({ operation }) => operation === "erase_all");
      assert.ok(erased >= 0);
      assert.deepEqual(
        own.slice(erased + 1).map(({ id }) => id),
        ["after"],
      );
      const others = changes.filter(({ partition }) => partition.userId === "bob");
      assert.equal(others.length, cursor === between ? 0 : 1);
    }
  }),

  test("the erasure of an id that is not there is no change", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "1", records: [note("")] });
    const head = await ledger.changes.head();
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "nowhere" }] });
    assert.deepEqual(await readAll(ledger, head), []);
  }),

  durableTest(
    "a cursor holds after the store was closed and opened again, and in any ledger of it",
    async ({ place, reopen }) => {
      const store = await place();
      const before = await reopen(store);
      await before.append(alice, { operation: "1", records: [note("")] });
      const cursor = await before.changes.head();
      await before.append(alice, { operation: "2", records: [named("t", note(""))] });
      await before.close();
      const after = await reopen(store);
      assert.deepEqual(
        (await readAll(after, cursor)).map(({ id }) => id),
        ["t"],
      );
      assert.equal((await readAll(after)).length, 2);
    },
  ),
]);
