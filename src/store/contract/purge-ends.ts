import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { alice, canary, each, headOf, rejects, theRecord } from "./expectations.ts";
import { assertInvariants } from "./invariants.ts";
import { hour, purgeOf, records, rest, seen, stored, timed } from "./purging.ts";
import { fact, grain, message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

export const purgeEnds = group("purges, their end", [
  test("when its time has passed, maintenance erases it, with a receipt that can be verified", async ({
    open,
  }) => {
    const store = await stored(open, {
      records: [...records(), insert("trace", { query: canary, hits: [] }, { id: "r" })],
    });
    const { ledger, clock } = store;
    const { id, counts } = await purgeOf(store, "p", ["message", "m"]);
    clock.advance(hour - 1);
    await ledger.maintain();
    assert.equal(await ledger.erasure(alice, id), undefined);
    assert.equal((await headOf(ledger)).records, 7);
    clock.advance(1);
    await rejects("not_found", () => ledger.undo(alice, { purge: id, operation: "too late" }));
    const { generation } = await headOf(ledger);
    const { errors, expired } = await ledger.maintain();
    assert.deepEqual(errors, []);
    assert.ok(expired >= 5);
    const receipt = await ledger.erasure(alice, id);
    assert.deepEqual(receipt?.counts, { ...counts, conduit: 1, link: 2, trace: 1 });
    const { leftovers, state } = await ledger.verify(alice, id);
    assert.deepEqual(leftovers, {});
    assert.ok(["logically_erased", "physically_erased"].includes(state));
    assert.equal(await seen(ledger), rest);
    assert.equal((await headOf(ledger)).generation, generation + 1);
    assert.deepEqual(await ledger.purged(alice, { kind: "message", id: "m" }), []);
    await rejects("not_found", () => ledger.undo(alice, { purge: id, operation: "late" }));
    await rejects("erased", () =>
      ledger.append(alice, { operation: "again", records: [named("m", message("again"))] }),
    );
    const again = await purgeOf(store, "p", ["message", "m"]);
    assert.deepEqual([again.state, again.counts], ["erased", counts]);
    await assertInvariants(ledger, alice);
  }),

  test("a fact that a later purge hides for want of grounds comes back at its end when an earlier one was undone", async ({
    open,
  }) => {
    const store = await stored(open, {
      records: [
        named("a", note("a")),
        named("b", note("b")),
        named("f", fact("x"), ["text", "a"], ["text", "b"]),
        insert("grain", grain("fact", "f"), { id: "g" }),
      ],
      jobs: [{ queue: "q", payload: "j", sources: ["a", "b"].map((id) => ({ kind: "text", id })) }],
    });
    const { ledger, clock } = store;
    const p = await purgeOf(store, "p", ["text", "a"]);
    await purgeOf(store, "q", ["text", "b"]);
    assert.equal(await seen(ledger), "");
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
    await ledger.undo(alice, { purge: p.id, operation: "u" });
    clock.advance(hour);
    await ledger.maintain();
    assert.equal(await seen(ledger), "fact f, grain g, text a");
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs.length, 1);
    const derive = (await ledger.jobs.list(alice, { queue: "derive" })).jobs.map(({ payload }) => payload);
    const version = { kind: "fact", id: "f", thread: "lives" };
    // It was hidden, lost a source, and came back.
    assert.deepEqual(derive, [{ ...version, hidden: true }, version, version]);
    await assertInvariants(ledger, alice);
  }),

  test("what is hidden can be erased at once, and the rest is brought back without it", async ({ open }) => {
    const store = await stored(open);
    const { ledger } = store;
    const p = await purgeOf(store, "p", ["message", "m"], ["text", "n"]);
    const erased = await ledger.erase(alice, { operation: "e", refs: [{ kind: "message", id: "m" }] });
    assert.deepEqual(erased.counts, { message: 1, grain: 1, text: 1, fact: 1, conduit: 1, link: 2 });
    assert.deepEqual((await ledger.verify(alice, erased.id)).leftovers, {});
    assert.deepEqual(await ledger.purged(alice, { kind: "message", id: "m" }), []);
    const { counts } = await ledger.undo(alice, { purge: p.id, operation: "u" });
    assert.deepEqual(counts, { text: 1, grain: 1 });
    assert.equal(await seen(ledger), rest);
    await assertInvariants(ledger, alice);

    const q = await purgeOf(store, "q", ["text", "n"]);
    await ledger.erase(alice, { operation: "e2", refs: [{ kind: "text", id: "n" }] });
    await rejects("not_found", () => ledger.undo(alice, { purge: q.id, operation: "u2" }));
  }),

  test("erasing a session or everything takes what is hidden of it", async ({ open }) => {
    const scopes = { session: { sessionId: "session" }, everything: { everything: true } } as const;
    await each(scopes, async (scope) => {
      const store = await stored(open, {
        records: records(),
        jobs: [{ queue: "q", sources: [{ kind: "message", id: "m" }] }],
      });
      const { ledger, clock } = store;
      const { id } = await purgeOf(store, "p", ["message", "m"]);
      const { id: erasure, counts } = await ledger.erase(alice, { operation: "e", ...scope });
      assert.equal(counts.message, 1);
      await rejects("not_found", () => ledger.undo(alice, { purge: id, operation: "u" }));
      assert.deepEqual((await ledger.verify(alice, erasure)).leftovers, {});
      clock.advance(hour);
      assert.deepEqual((await ledger.maintain()).errors, []);
      assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
      const state = await headOf(ledger);
      assert.equal(state.records, "everything" in scope ? 0 : 2);
      assert.equal((await purgeOf(store, "p", ["message", "m"])).state, "erased");
    });
  }),

  test("a time to live goes on while its record is hidden", async ({ open }) => {
    const store = await timed(open);
    const { ledger, clock } = store;
    const expiresAt = clock.now() + 100;
    await ledger.append(alice, {
      operation: "o",
      records: [
        named("short", message(canary, { expiresAt })),
        insert("grain", grain("message", "short"), { id: "g" }),
        named("long", message("x", { expiresAt: clock.now() + 2 * hour })),
        named("later", message("x", { expiresAt: clock.now() + 200 })),
      ],
    });
    const { id } = await purgeOf(store, "p", ["message", "short"], ["message", "long"], ["message", "later"]);
    clock.advance(99);
    await ledger.maintain();
    assert.equal((await headOf(ledger)).records, 4);
    clock.advance(1);
    assert.deepEqual((await ledger.maintain()).errors, []);
    assert.equal((await headOf(ledger)).records, 2);
    await rejects("not_found", () => ledger.verify(alice, id));
    clock.advance(200);
    const { counts } = await ledger.undo(alice, { purge: id, operation: "u" });
    assert.deepEqual(counts, { message: 2 });
    assert.equal(await seen(ledger), "message long");
    assert.equal((await theRecord(ledger, "message", "long")).expiresAt, clock.now() - 300 + 2 * hour);
    await ledger.maintain();
    assert.equal((await headOf(ledger)).records, 1);
  }),

  test("what has expired already is not hidden, and is erased as ever", async ({ open }) => {
    const store = await timed(open);
    const { ledger, clock } = store;
    await ledger.append(alice, {
      operation: "o",
      records: [named("old", message("x", { expiresAt: clock.now() + 1 })), named("new", message("x"))],
    });
    clock.advance(1);
    const { counts } = await purgeOf(store, "p", ["message", "old"], ["message", "nobody"]);
    assert.deepEqual(counts, {});
    const { counts: all } = await ledger.purge(alice, {
      ...{ operation: "q", sessionId: "session", until: clock.now() + hour },
    });
    assert.deepEqual(all, { message: 1 });
    await ledger.maintain();
    assert.equal((await headOf(ledger)).records, 1);
  }),

  test("what is hidden counts for quotas until it is erased", async ({ open }) => {
    const store = await stored(open);
    const { ledger, clock } = store;
    await ledger.setPolicy(alice, { maxRecords: 7 });
    await purgeOf(store, "p", ["message", "m"]);
    const more = () => ledger.append(alice, { operation: "more", records: [named("x", note("x"))] });
    await rejects("quota_exceeded", more);
    clock.advance(hour);
    await ledger.maintain();
    await more();
    assert.equal((await headOf(ledger)).records, 3);
  }),
]);
