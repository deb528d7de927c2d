import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { followChanges } from "../follow.ts";
import { alice, bob, everyPage, headOf } from "./expectations.ts";
import { assertOrdered, readAll, users } from "./feed-reading.ts";
import { runTogether } from "./processes.ts";
import { named, note } from "./samples.ts";
import { group, processTest, test } from "./suite.ts";
import { append, follow } from "./tasks.ts";

export const followers = group("change feed, followers", [
  test("a follower gets what was there and what comes, and can go on from any step", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "before", records: [note("0"), note("1")] });
    const stop = new AbortController();
    const seen: string[] = [];
    const cursors: string[] = [];
    const following = (async () => {
      for await (const { changes, cursor } of followChanges(ledger, {
        limit: 2,
        interval: 30_000,
        signal: stop.signal,
      })) {
        seen.push(...changes.map(({ id }) => id));
        cursors.push(cursor);
        if (seen.length >= 6) stop.abort();
      }
    })();
    await sleep(20);
    const { ids } = await ledger.append(alice, {
      operation: "o",
      records: [note("2"), note("3"), note("4")],
    });
    await sleep(20);
    const { ids: more } = await ledger.append(bob, { operation: "p", records: [note("5")] });
    // Woken by the commits: nobody waits for half a minute.
    await following;
    assert.deepEqual(seen.slice(2), [...ids, ...more]);
    const resumed = await readAll(ledger, cursors[0]);
    assert.deepEqual(
      resumed.map(({ id }) => id),
      seen.slice(2),
    );
  }),

  test("a follower ends with its signal, also while it waits", async ({ open }) => {
    const ledger = await open();
    const stop = new AbortController();
    const following = (async () => {
      for await (const _ of followChanges(ledger, { interval: 30_000, signal: stop.signal })) assert.fail();
    })();
    await sleep(30);
    const started = performance.now();
    stop.abort();
    await following;
    assert.ok(performance.now() - started < 10_000);
  }),

  test("a follower that leaves early leaves nothing behind", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("")] });
    for await (const { changes } of followChanges(ledger, { interval: 30_000 })) {
      assert.equal(changes.length, 1);
      break;
    }
    const started = performance.now();
    await ledger.close();
    assert.ok(performance.now() - started < 10_000);
  }),

  processTest(
    "a follower in another process is woken and sees all changes of many writers in order",
    async ({ place, reopen, start }) => {
      const store = await place();
      const ledger = await reopen(store);
      await ledger.append(users[0] ?? assert.fail(), { operation: "first", records: [note("")] });
      const [all, late] = await Promise.all([
        start(store, follow, { limit: 1000 }),
        start(store, follow, { after: await ledger.changes.head(), limit: 13 }),
      ]);
      for (const child of [all, late]) child.go();
      await Promise.all([all.reportedAtLeast(1), late.reportedAtLeast(1)]);
      const writers = await Promise.all(
        Array.from({ length: 3 }, (_, i) =>
          start(store, append, { users, name: `writer ${i}`, count: 40, shared: 5 }),
        ),
      );
      await runTogether(writers);
      await ledger.append(users[1] ?? assert.fail(), { operation: "end", records: [named("end", note(""))] });
      const [everything, behind] = await Promise.all([all.result, late.result]);
      assertOrdered(everything);
      assertOrdered(behind);
      assert.equal(behind.length, everything.length - 1);
      let records = 0;
      for (const user of users) records += (await headOf(ledger, user)).records;
      assert.equal(everything.length, records);
      assert.deepEqual(everything, await readAll(ledger));
    },
  ),

  processTest(
    "the head, then the state, then the feed miss nothing while other processes write",
    async ({ place, reopen, start }) => {
      const store = await place();
      const ledger = await reopen(store);
      const writers = await Promise.all(
        Array.from({ length: 3 }, (_, i) =>
          start(store, append, { users, name: `writer ${i}`, count: 40, shared: 0 }),
        ),
      );
      let writing = true;
      const done = runTogether(writers).finally(() => {
        writing = false;
      });
      const views: { readonly cursor: string; readonly known: Set<string> }[] = [];
      while (writing) {
        const cursor = await ledger.changes.head();
        const known = new Set<string>();
        for (const user of users)
          for (const { id } of await everyPage(ledger, "message", { limit: 1000 }, user)) known.add(id);
        views.push({ cursor, known });
        // Reads that are answered at once would never let the writers' end be heard.
        await sleep(5);
      }
      await done;
      const final = new Set<string>();
      for (const user of users)
        for (const { id } of await everyPage(ledger, "message", { limit: 1000 }, user)) final.add(id);
      assert.equal(final.size, 120);
      const [first = assert.fail()] = users;
      const { ids } = await ledger.append(first, { operation: "last", records: [note("")] });
      // A store may hold changes back for as long as any older transaction is under way.
      const told = async (): Promise<boolean> => (await readAll(ledger)).some(({ id }) => id === ids[0]);
      while (!(await told())) await sleep(5);
      for (const { cursor, known } of views) {
        const changes = await readAll(ledger, cursor);
        assertOrdered(changes);
        for (const { kind, id } of changes) if (kind === "message") known.add(id);
        assert.deepEqual(known, final);
      }
    },
  ),
]);
