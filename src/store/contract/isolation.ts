import assert from "node:assert/strict";
import { type Partition, partitionKey } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { derivedFrom, find, get, sourcesOf } from "../read.ts";
import {
  alice,
  assertUntouched,
  bob,
  everyPage,
  everything,
  headOf,
  isThere,
  kinds,
  rejects,
  theRecord,
} from "./expectations.ts";
import { awkwardIds } from "./ids.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply, findOrInsert } from "./plans.ts";
import { runRandomOperations } from "./random-operations.ts";
import { conduit, fullRecords, grain, inventory, message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

/** Partitions that a careless key would take for each other. */
const lookalikes: readonly Partition[] = [
  { namespace: "default", userId: null },
  ...["null", "undefined", "anonymous", "*", "%", "_", "default", " ", "\ufeff"].map((userId) => ({
    namespace: "default",
    userId,
  })),
  ...["n:u", "n/u", "n,u", 'n","u', "n|u", "n%00u", "n\u0001u"].map((namespace) => ({
    namespace,
    userId: null,
  })),
  ...["n:u", "n/u", "n,u", 'n","u', "n|u", "n%00u", "n\u0001u"].map((userId) => ({ namespace: "n", userId })),
  { namespace: "n", userId: "u" },
  { namespace: "n", userId: null },
  { namespace: "u", userId: "n" },
  { namespace: "n:", userId: "u" },
  { namespace: "n", userId: ":u" },
  { namespace: "nu", userId: null },
  { namespace: "*", userId: "*" },
  { namespace: "N", userId: "u" },
  { namespace: "é", userId: "e\u0301" },
  { namespace: "e\u0301", userId: "é" },
];

async function fill(ledger: Ledger, user: Partition): Promise<void> {
  const name = partitionKey(user);
  const records = [
    named("t", note(name, { metadata: { user: name }, contentKey: "k" }), ["message", "m"]),
    named("m", message(name)),
    named("g", insert("grain", grain("message", "m"))),
    named("h", insert("grain", grain("text", "t"))),
    named("c", insert("conduit", conduit("g", "h"))),
    named("v", insert("value", { agentId: "agent", scope: "scope", key: "k", value: name })),
  ];
  await ledger.append(user, { operation: "o", records, jobs: [{ queue: "q", payload: name }] });
}

export const isolation = group("isolation", [
  test("partitions that look alike are different, in everything", async ({ open }) => {
    const ledger = await open();
    for (const user of lookalikes) await fill(ledger, user);
    for (const user of lookalikes) {
      const name = partitionKey(user);
      const [text, page, filtered, sources, derived] = await ledger.read(
        [user],
        [
          get("text", "t"),
          find("text", { index: "byContent", prefix: ["k"] }),
          find("text", { filter: { user: { exists: true } } }),
          sourcesOf("text", "t"),
          derivedFrom("message", "m"),
        ],
      );
      assert.equal(text?.content, name);
      assert.deepEqual([page.items, filtered.items], [[text], [text]]);
      assert.deepEqual([sources.length, derived.length], [1, 1]);
      assert.equal((await headOf(ledger, user)).records, 6);
      assert.deepEqual((await headOf(ledger, user)).partition, user);
      const { jobs } = await ledger.jobs.list(user, { queue: "q" });
      assert.deepEqual(
        jobs.map(({ payload }) => payload),
        [name],
      );
    }
    const names = (await ledger.partitions()).partitions.map(partitionKey);
    assert.deepEqual([...names].sort(), lookalikes.map(partitionKey).sort());
  }),

  test("erasing everything in one leaves the partitions that look like it", async ({ open }) => {
    const ledger = await open();
    for (const user of lookalikes) await fill(ledger, user);
    const [first, ...rest] = lookalikes as [Partition, ...Partition[]];
    await ledger.erase(first, { operation: "e", everything: true });
    assert.deepEqual(await everything(ledger, first), {});
    for (const user of rest) {
      assert.equal((await headOf(ledger, user)).records, 6);
      assert.equal((await theRecord(ledger, "text", "t", user)).content, partitionKey(user));
      assert.equal((await ledger.jobs.list(user, { queue: "q" })).jobs.length, 1);
    }
  }),

  test("every awkward id is a user of his own", async ({ open }) => {
    const ledger = await open();
    const users = [...new Set(awkwardIds)];
    for (const userId of users) {
      await ledger.append(
        { namespace: "n", userId },
        { operation: "o", records: [named("t", note(userId))] },
      );
    }
    for (const userId of users) {
      const texts = await everyPage(ledger, "text", {}, { namespace: "n", userId });
      assert.deepEqual(
        texts.map(({ content }) => content),
        [userId],
      );
    }
    assert.deepEqual(await everything(ledger, { namespace: "n", userId: null }), {});
    assert.deepEqual(await everything(ledger, { namespace: "N", userId: users[0] ?? "" }), {});
  }),

  test("the same ids in two partitions are different records, each with its own", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: inventory() });
    await ledger.append(bob, { operation: "o", records: inventory() });
    const mutations = [
      { type: "patch", kind: "text", id: "text", value: { content: "Bob's" } },
      { type: "remove", kind: "block", id: "block" },
      { type: "patch", kind: "value", id: "value", value: { value: "Bob's" } },
    ];
    await ledger.update(bob, { operation: "p", plan: apply, input: { mutations } as never });
    await ledger.erase(bob, { operation: "e", refs: [{ kind: "message", id: "message" }] });
    for (const kind of kinds) {
      const { seq: _s, updatedSeq: _u, recordedAt: _r, ...record } = await theRecord(ledger, kind, kind);
      assert.deepEqual(record, { ...fullRecords[kind], id: kind });
    }
    assert.equal(await isThere(ledger, "message", "message", bob), false);
    assert.equal(await isThere(ledger, "grain", "grain", bob), false);
    assert.equal((await theRecord(ledger, "text", "text", bob)).content, "Bob's");
  }),

  test("what one partition has is no source, owner, end or job of another", async ({ open }) => {
    const ledger = await open();
    await fill(ledger, alice);
    const attempts = [
      [named("n", note("n"), ["text", "t"])],
      [insert("grain", grain("message", "m"))],
      [insert("conduit", conduit("g", "h"))],
    ];
    for (const records of attempts)
      await rejects("erased", () => ledger.append(bob, { operation: "o", records }));
    const jobs = [{ queue: "q", sources: [{ kind: "text", id: "t" }] }];
    await rejects("erased", () => ledger.append(bob, { operation: "o", records: [], jobs }));
    const patched = { type: "patch", kind: "text", id: "t", value: { content: "Bob's" } };
    const removed = { type: "remove", kind: "value", id: "v" };
    for (const mutation of [patched, removed]) {
      const input = { mutations: [mutation] };
      await rejects("not_found", () => ledger.update(bob, { operation: "o", plan: apply, input } as never));
    }
    await assertUntouched(ledger, bob);
    assert.equal((await headOf(ledger)).seq, 7);
  }),

  test("a job can only be completed, failed, prolonged and revived in its own partition", async ({
    open,
  }) => {
    const ledger = await open();
    await fill(ledger, alice);
    await fill(ledger, bob);
    const claimed = await ledger.jobs.claim({ queues: ["q"], leaseFor: 60_000, limit: 2 });
    const [job] = claimed.filter(({ partition }) => partition.userId === "alice");
    assert.ok(job);
    const foreign = { ...job, partition: bob };
    await rejects("lease_lost", () => ledger.jobs.complete(foreign));
    await rejects("lease_lost", () => ledger.jobs.fail(foreign, { error: "e" }));
    await rejects("lease_lost", () => ledger.jobs.extend(foreign, 1000));
    await rejects("lease_lost", () => ledger.append(bob, { operation: "p", records: [note("n")], job }));
    await ledger.jobs.fail(job, { error: "e", dead: true });
    await rejects("not_found", () => ledger.jobs.revive(bob, job.id));
    assert.equal((await ledger.jobs.list(alice, { queue: "q", dead: true })).jobs.length, 1);
  }),

  test("an erasure of one partition is not found in another", async ({ open }) => {
    const ledger = await open();
    await fill(ledger, alice);
    await fill(ledger, bob);
    const { id } = await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    assert.equal(await ledger.erasure(bob, id), undefined);
    await rejects("not_found", () => ledger.verify(bob, id));
    assert.ok(await ledger.erasure(alice, id));
    // The marker of the one does not keep the other from using the id.
    await ledger.erase(bob, { operation: "e", everything: true });
    await rejects("erased", () => ledger.append(alice, { operation: "p", records: [named("t", note("n"))] }));
  }),

  test("a purge of one partition hides and shows nothing in another", async ({ open }) => {
    const ledger = await open();
    await fill(ledger, alice);
    await fill(ledger, bob);
    const before = await everything(ledger, bob);
    const until = Date.now() + 3_600_000;
    const refs = [{ kind: "text", id: "t" }];
    const { id } = await ledger.purge(alice, { operation: "p", refs, until });
    const other = await ledger.purge(bob, { operation: "p", refs, until });
    await ledger.undo(bob, { operation: "u", purge: other.id });
    assert.deepEqual(await everything(ledger, bob), before);
    await rejects("not_found", () => ledger.undo(bob, { operation: "v", purge: id }));
    assert.deepEqual(await ledger.purged(bob, { kind: "text", id: "t" }), []);
    assert.equal((await ledger.purged(alice, { kind: "text", id: "t" })).length, 1);
  }),

  test("a find-or-insert does not find another's text", async ({ open }) => {
    const ledger = await open();
    const call = { operation: "o", plan: findOrInsert, input: { contentKey: "k", content: "c" } };
    const [one, other] = await Promise.all([ledger.update(alice, call), ledger.update(bob, call)]);
    assert.deepEqual([one.result?.inserted, other.result?.inserted], [true, true]);
    assert.notEqual(one.result?.id, other.result?.id);
  }),

  test("metadata, labels and content that name another user change nothing", async ({ open }) => {
    const ledger = await open();
    const metadata = { userId: "bob", namespace: "other", partition: "bob", user_id: "bob", id: "x", seq: 1 };
    const records = [named("t", note("userId: bob", { metadata, agentId: "bob", sessionId: "bob" }))];
    await ledger.append(alice, { operation: "o", records });
    assert.deepEqual(await everything(ledger, bob), {});
    assert.deepEqual((await theRecord(ledger, "text", "t")).metadata, metadata);
    assert.deepEqual((await ledger.partitions()).partitions, [alice]);
  }),

  test("parallel writers of thirty partitions cross nowhere", async ({ open }) => {
    const ledger = await open();
    const users = Array.from({ length: 30 }, (_, i) => ({ namespace: "n", userId: `u${i}` }));
    await Promise.all(
      users.flatMap((user) =>
        Array.from({ length: 10 }, (_, i) =>
          ledger.append(user, { operation: `o${i}`, records: [message(`${user.userId} ${i}`)] }),
        ),
      ),
    );
    for (const user of users) {
      const contents = (await everyPage(ledger, "message", {}, user)).map(({ content }) => content);
      assert.deepEqual(
        contents.sort(),
        Array.from({ length: 10 }, (_, i) => `${user.userId} ${i}`),
      );
    }
  }),

  test("a partition is handed out as a copy that nobody can change", async ({ open }) => {
    const ledger = await open();
    const user = { namespace: "default", userId: "alice" };
    const appended = ledger.append(user, { operation: "o", records: [note("n")] });
    user.userId = "bob";
    await appended;
    assert.deepEqual((await ledger.partitions()).partitions, [alice]);
  }),

  ...[1, 2].map((seed) =>
    test(`random operations do what a simple model does (seed ${seed})`, async ({ open }) => {
      const clock = new ManualClock();
      const ledger = await open({ clock });
      await runRandomOperations({ ledger, clock, seed, operations: 800 });
    }, 120_000),
  ),
]);
