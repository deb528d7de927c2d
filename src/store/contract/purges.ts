import assert from "node:assert/strict";
import type { Json } from "../../model/json.ts";
import { type Insert, insert } from "../batch.ts";
import { derivedFrom, sourcesOf } from "../read.ts";
import { alice, bob, canary, each, everything, headOf, isThere, rejects } from "./expectations.ts";
import { assertOrdered } from "./feed-reading.ts";
import { assertInvariants } from "./invariants.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { hour, purgeOf, records, rest, seen, stored, whole } from "./purging.ts";
import { claimOne, payloads } from "./queueing.ts";
import { block, conduit, fact, grain, message, named, note } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

export const purges = group("purges", [
  test("a purge hides a record with what was derived from it, and undoing it brings back exactly what was there", async ({
    open,
  }) => {
    const store = await stored(open);
    const { ledger } = store;
    const before = await everything(ledger);
    const state = await headOf(ledger);
    const receipt = await purgeOf(store, "p", ["message", "m"]);
    const { id, seq, recordedAt } = receipt;
    assert.deepEqual(receipt, {
      ...{ id, seq, recordedAt, state: "open", until: store.clock.now() + hour },
      counts: { message: 1, grain: 1, text: 1, fact: 1 },
    });
    assert.equal(await seen(ledger), rest);
    assert.deepEqual(await ledger.purged(alice, { kind: "grain", id: "g" }), [receipt]);
    assert.deepEqual(await ledger.purged(alice, { kind: "text", id: "n" }), []);
    assert.deepEqual(await ledger.purged(bob, { kind: "grain", id: "g" }), []);
    // It counts until it is erased.
    const hidden = await headOf(ledger);
    assert.deepEqual([hidden.records, hidden.bytes], [state.records, state.bytes]);
    assert.equal(hidden.generation, state.generation);
    const undone = await ledger.undo(alice, { purge: id, operation: "u" });
    assert.deepEqual(undone.counts, receipt.counts);
    assert.equal(undone.purge, id);
    assert.deepEqual(await everything(ledger), before);
    assert.deepEqual(await ledger.purged(alice, { kind: "grain", id: "g" }), []);
    const [sources, derived] = await ledger.read(
      [alice],
      [sourcesOf("fact", "f"), derivedFrom("message", "m")],
    );
    assert.deepEqual([sources.length, derived.length], [1, 2]);
    await assertInvariants(ledger, alice);
  }),

  test("a session is hidden whole", async ({ open }) => {
    const { ledger, clock } = await stored(open);
    await ledger.append(alice, {
      operation: "other",
      records: [named("other", message("elsewhere", { sessionId: "other" }))],
    });
    const { counts } = await ledger.purge(alice, {
      ...{ operation: "p", sessionId: "session", until: clock.now() + hour },
    });
    assert.deepEqual(counts, { message: 1, grain: 1, text: 1, fact: 1 });
    assert.equal(await seen(ledger), `grain h, message other, text n`);
  }),

  test("purging and undoing happen once, whatever is repeated", async ({ open }) => {
    const store = await stored(open);
    const { ledger, clock } = store;
    const first = await purgeOf(store, "p", ["message", "m"]);
    clock.advance(10);
    assert.deepEqual(await purgeOf(store, "p", ["message", "m"]), first);
    await rejects("operation_conflict", () => purgeOf(store, "p", ["text", "n"]));
    await rejects("operation_conflict", () => purgeOf(store, "o", ["text", "n"]));
    await rejects("operation_conflict", () =>
      ledger.erase(alice, { operation: "p", refs: [{ kind: "message", id: "m" }] }),
    );
    await rejects("operation_conflict", () =>
      ledger.append(alice, { operation: "p", records: [named("x", note("x"))] }),
    );
    await rejects("operation_conflict", () => ledger.undo(alice, { purge: first.id, operation: "p" }));
    for (const purge of ["nobody's", first.id])
      await rejects("not_found", () => ledger.undo(bob, { purge, operation: "u" }));
    const undone = await ledger.undo(alice, { purge: first.id, operation: "u" });
    clock.advance(10);
    assert.deepEqual(await ledger.undo(alice, { purge: first.id, operation: "u" }), undone);
    await rejects("not_found", () => ledger.undo(alice, { purge: first.id, operation: "u2" }));
    await rejects("operation_conflict", () => ledger.undo(alice, { purge: "other", operation: "u" }));
    // A retry of the purge does not hide it again, also after an erasure, which takes what operations returned.
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "n" }] });
    assert.deepEqual(await purgeOf(store, "p", ["message", "m"]), { ...first, state: "undone" });
    assert.deepEqual(await ledger.undo(alice, { purge: first.id, operation: "u" }), undone);
    assert.equal(await seen(ledger), "fact f, grain g, message m, text s");
    const second = await purgeOf(store, "p2", ["message", "m"]);
    assert.deepEqual(second.counts, first.counts);
  }),

  test("no commit can change what is hidden or rest on it, and the same text may be stored anew", async ({
    open,
  }) => {
    const store = await stored(open);
    const { ledger } = store;
    const { id } = await purgeOf(store, "p", ["message", "m"]);
    const refused: Record<string, Insert> = {
      "derived from it": named("x", note(canary), ["fact", "f"]),
      "a grain of it": insert("grain", grain("message", "m")),
      "an edge to it": insert("conduit", conduit("h", "g")),
      "its id": named("m", message(canary)),
    };
    await each(refused, async (record, name) => {
      await rejects("erased", () => ledger.append(alice, { operation: name, records: [record] }));
    });
    const changed: Record<string, { readonly [key: string]: Json }> = {
      "a patch": { type: "patch", kind: "grain", id: "g", value: { status: "dormant" } },
      "a removal": { type: "remove", kind: "grain", id: "g" },
    };
    await each(changed, async (mutation, name) => {
      const input = { mutations: [mutation] };
      await rejects("not_found", () => ledger.update(alice, { operation: name, plan: apply, input }));
    });
    await ledger.append(alice, { operation: "anew", records: [named("new", message("I moved to Porto."))] });
    await ledger.undo(alice, { purge: id, operation: "u" });
    assert.equal(await seen(ledger), whole.replace("message m", "message m, message new"));
    const again = await purgeOf(store, "p2", ["message", "m"]);
    store.clock.advance(hour);
    await ledger.maintain();
    assert.ok((await ledger.erasure(alice, again.id)) !== undefined);
    assert.equal(await seen(ledger), `grain h, message new, text n`);
  }),

  test("what several purges hide is there again when the last of them is undone", async ({ open }) => {
    for (const order of [
      ["p", "q"],
      ["q", "p"],
    ]) {
      const store = await stored(open, {
        records: [
          named("a", note("a")),
          named("b", note("b")),
          named("both", note("both"), ["text", "a"], ["text", "b"]),
          insert("grain", grain("text", "both"), { id: "g" }),
          // It stays while one of them is left.
          named("f", fact("x"), ["text", "a"], ["text", "b"]),
        ],
      });
      const { ledger } = store;
      const all = await seen(ledger);
      const p = await purgeOf(store, "p", ["text", "a"]);
      assert.equal(await seen(ledger), "fact f, text b");
      const q = await purgeOf(store, "q", ["text", "b"], ["text", "a"]);
      assert.equal(await seen(ledger), "");
      assert.deepEqual(q.counts, { text: 2, grain: 1, fact: 1 });
      const hiding = await ledger.purged(alice, { kind: "grain", id: "g" });
      assert.deepEqual(
        hiding.map(({ id }) => id),
        [p.id, q.id],
      );
      for (const [i, operation] of order.entries()) {
        const { id } = operation === "p" ? p : q;
        await ledger.undo(alice, { purge: id, operation: `undo ${operation}` });
        if (i === 0) assert.equal(await seen(ledger), operation === "p" ? "text a" : "fact f, text b");
      }
      assert.equal(await seen(ledger), all);
      await assertInvariants(ledger, alice);
    }
  }),

  test("jobs that are about nothing else wait with it", async ({ open }) => {
    const about = (...ids: string[]) => ids.map((id) => ({ kind: "message", id }));
    const store = await stored(open, {
      records: [named("a", message("a")), named("b", message("b"))],
      jobs: [
        { queue: "q", payload: 1, sources: about("a") },
        { queue: "q", payload: 2, sources: about("a", "b") },
        { queue: "q", payload: 3 },
      ],
    });
    const { ledger, clock } = store;
    const before = (await ledger.jobs.list(alice, { queue: "q" })).jobs;
    const leased = await claimOne(ledger, "q", 10);
    assert.equal(leased.payload, 1);
    const p = await purgeOf(store, "p", ["message", "a"]);
    assert.equal(p.counts.job, 1);
    assert.deepEqual(await payloads(ledger), [2, 3]);
    await rejects("lease_lost", () => ledger.jobs.complete(leased));
    clock.advance(20);
    const { counts } = await ledger.undo(alice, { purge: p.id, operation: "u" });
    assert.deepEqual(counts, { message: 1, job: 1 });
    assert.deepEqual(await payloads(ledger), [1, 2, 3]);
    const again = await claimOne(ledger, "q", 10);
    assert.deepEqual([again.id, again.seq], [before[0]?.id, before[0]?.seq]);
    // Once what they are about is erased, they do not come back.
    const q = await purgeOf(store, "q", ["message", "a"]);
    await ledger.erase(alice, { operation: "e", refs: about("a") });
    await rejects("not_found", () => ledger.undo(alice, { purge: q.id, operation: "u2" }));
    assert.deepEqual(await payloads(ledger), [2, 3]);
  }),

  test("what hidden facts had changed is derived anew, and what comes back, by jobs of the same commits", async ({
    open,
  }) => {
    const store = await stored(open, {
      records: [
        named("m", message("m")),
        named("a", fact("Oslo"), ["message", "m"]),
        named("b", fact("Rome"), ["message", "m"]),
        named("c", fact("tea", { factId: "drinks" }), ["message", "m"]),
      ],
    });
    const { ledger } = store;
    let known = 0;
    const left = async (): Promise<readonly unknown[]> => {
      const { jobs } = await ledger.jobs.list(alice, { queue: "derive" });
      const fresh = jobs.slice(known).map(({ payload }) => payload);
      known = jobs.length;
      return fresh;
    };
    const hidden = (id: string, thread = "lives") => ({ kind: "fact", id, thread, hidden: true });
    const first = await purgeOf(store, "p", ["fact", "a"]);
    assert.deepEqual(await left(), [hidden("a")]);
    const second = await purgeOf(store, "q", ["message", "m"]);
    assert.deepEqual(await left(), [hidden("b"), hidden("c", "drinks")]);
    await purgeOf(store, "q", ["message", "m"]);
    assert.deepEqual(await left(), []);
    await ledger.undo(alice, { purge: second.id, operation: "u" });
    const back = { kind: "fact", id: "b", thread: "lives" };
    assert.deepEqual(await left(), [back, { ...back, id: "c", thread: "drinks" }]);
    await ledger.undo(alice, { purge: first.id, operation: "v" });
    assert.deepEqual(await left(), [{ ...back, id: "a" }]);
  }),

  test("followers see a purge as deletes and its undoing as inserts", async ({ open }) => {
    const store = await stored(open);
    const { ledger } = store;
    let after = (await ledger.changes.read()).cursor;
    const told = async (): Promise<string[]> => {
      const { changes, cursor } = await ledger.changes.read({ after });
      after = cursor;
      assertOrdered(changes);
      return changes.map(({ operation, kind, id }) => `${operation} ${kind} ${id}`).sort();
    };
    const hidden = ["fact f", "grain g", "message m", "text s"];
    const { id, seq } = await purgeOf(store, "p", ["message", "m"]);
    assert.deepEqual(
      await told(),
      hidden.map((name) => `delete ${name}`),
    );
    assert.equal((await headOf(ledger)).seq, seq);
    await ledger.undo(alice, { purge: id, operation: "u" });
    assert.deepEqual(
      await told(),
      hidden.map((name) => `insert ${name}`),
    );
  }),

  test("a clock that goes back shows nothing of what is hidden", async ({ open }) => {
    const store = await stored(open);
    const { ledger, clock } = store;
    await purgeOf(store, "p", ["message", "m"]);
    clock.advance(-10 * hour);
    assert.equal(await seen(ledger), rest);
    await ledger.maintain();
    assert.equal((await headOf(ledger)).records, 7);
  }),

  test("blocks and values cannot be named, and those derived from what is hidden stay until it is erased", async ({
    open,
  }) => {
    const store = await stored(open, {
      records: [
        named("m", message("m")),
        named("b", block("b"), ["message", "m"]),
        named("d", note("d"), ["block", "b"]),
      ],
    });
    const { ledger, clock } = store;
    for (const kind of ["block", "value", "conduit", "feedback"] as const)
      await rejects("invalid_argument", () => purgeOf(store, kind, [kind, "b"]));
    await purgeOf(store, "p", ["message", "m"]);
    assert.equal(await seen(ledger), "block b");
    clock.advance(hour);
    await ledger.maintain();
    assert.equal(await seen(ledger), "");
  }),

  test("calls that make no sense are refused", async ({ open }) => {
    const ledger = await open();
    const refs = [{ kind: "text", id: "t" }];
    const wrong: Record<string, object> = {
      "no scope": {},
      everything: { everything: true },
      "two scopes": { refs, sessionId: "s" },
      "no time": { refs, until: undefined },
      "half a millisecond": { refs, until: 1.5 },
      "no number": { refs, until: "tomorrow" },
      "too late": { refs, until: 9e15 },
      "a misspelt option": { refs, untill: 1 },
      "no kind": { refs: [{ kind: "texts", id: "t" }] },
    };
    await each(wrong, async (call, name) => {
      await rejects("invalid_argument", () =>
        ledger.purge(alice, { operation: name, until: 1, ...call } as never),
      );
    });
    for (const call of [{ purge: 1 }, { purge: "" }, { purge: "x\0" }])
      await rejects("invalid_id", () => ledger.undo(alice, { operation: "u", ...call } as never));
    await rejects("invalid_argument", () =>
      ledger.undo(alice, { operation: "u", purge: "x", until: 1 } as never),
    );
    await rejects("invalid_argument", () => ledger.purged(alice, { kind: "nothing", id: "x" }));
    await rejects("invalid_id", () => ledger.purged(alice, { kind: "text", id: "" }));
  }),

  durableTest(
    "a purge outlives its ledger, and maintenance of another one ends it",
    async ({ place, reopen }) => {
      const name = await place();
      const clock = new ManualClock();
      const first = await reopen(name, { clock });
      await first.append(alice, { operation: "o", records: records() });
      const receipt = await purgeOf({ ledger: first, clock }, "p", ["message", "m"]);
      await first.close();
      const [second, third] = [await reopen(name, { clock }), await reopen(name, { clock })];
      assert.equal(await isThere(second, "message", "m"), false);
      assert.deepEqual(await second.purged(alice, { kind: "message", id: "m" }), [receipt]);
      await second.undo(alice, { purge: receipt.id, operation: "u" });
      assert.equal(await seen(third), whole);
      const { id } = await purgeOf({ ledger: third, clock }, "q", ["message", "m"]);
      clock.advance(hour);
      const reports = await Promise.all([second.maintain(), third.maintain()]);
      assert.deepEqual(
        reports.flatMap(({ errors }) => errors),
        [],
      );
      assert.ok((await second.erasure(alice, id)) !== undefined);
      assert.equal(await seen(second), rest);
      await assertInvariants(second, alice);
    },
  ),
]);
