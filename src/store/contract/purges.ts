import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import type { Purge } from "../erasures.ts";
import type { Ledger } from "../ledger.ts";
import { derivedFrom, find, sourcesOf } from "../read.ts";
import type { Kind } from "../schema.ts";
import { alice, bob, canary, each, everything, headOf, isThere, rejects, theRecord } from "./expectations.ts";
import { keep, matchTerms, names, nearestTo, withSpaces } from "./indexing.ts";
import { assertInvariants } from "./invariants.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { block, conduit, fact, grain, message, named, note } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

const hour = 3_600_000;

interface Open {
  readonly ledger: Ledger;
  readonly clock: ManualClock;
}

async function opened(open: (options: { clock: ManualClock }) => Promise<Ledger>): Promise<Open> {
  const clock = new ManualClock();
  return { ledger: await open({ clock }), clock };
}

function purgeOf({ ledger, clock }: Open, operation: string, ...refs: readonly (readonly [Kind, string])[]) {
  const until = clock.now() + hour;
  return ledger.purge(alice, { operation, refs: refs.map(([kind, id]) => ({ kind, id })), until });
}

/** A message with a grain, a summary of it, and a fact from it; and a note beside them. */
function records() {
  return [
    named("m", message("I moved to Porto.")),
    insert("grain", grain("message", "m"), { id: "g" }),
    named("n", note("beside")),
    insert("grain", grain("text", "n"), { id: "h" }),
    named("s", note("summary"), ["message", "m"]),
    named("f", fact("Porto"), ["message", "m"]),
    insert("conduit", conduit("g", "h"), { id: "c" }),
  ];
}

async function store(ledger: Ledger, operation = "o"): Promise<void> {
  await ledger.append(alice, { operation, records: records() });
}

/** Which records can be seen, but for conduits, feedback and traces. */
async function seen(ledger: Ledger): Promise<string> {
  const all = await everything(ledger);
  const found = Object.entries(all).flatMap(([kind, list]) =>
    ["conduit", "feedback", "trace"].includes(kind) ? [] : list.map(({ id }) => `${kind} ${id}`),
  );
  return found.sort().join(", ");
}

const whole = "fact f, grain g, grain h, message m, text n, text s";
const left = "grain h, text n";

function code(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}

export const purges = group("purges", [
  test("a purge hides a record with what was derived from it, and undoing it brings back exactly what was there", async ({
    open,
  }) => {
    const store = await opened(open);
    const { ledger } = store;
    await ledger.append(alice, { operation: "o", records: records() });
    const before = await everything(ledger);
    const state = await headOf(ledger);
    const receipt = await purgeOf(store, "p", ["message", "m"]);
    const { id, seq, recordedAt } = receipt;
    assert.deepEqual(receipt, {
      ...{ id, seq, recordedAt, state: "open", until: store.clock.now() + hour },
      counts: { message: 1, grain: 1, text: 1, fact: 1 },
    });
    assert.equal(await seen(ledger), left);
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
    const { ledger, clock } = await opened(open);
    await store(ledger);
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

  test("when its time has passed, maintenance erases it, with a receipt that can be verified", async ({
    open,
  }) => {
    const store = await opened(open);
    const { ledger, clock } = store;
    await ledger.append(alice, {
      operation: "o",
      records: [...records(), insert("trace", { query: canary, hits: [] }, { id: "r" })],
    });
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
    assert.equal(await seen(ledger), left);
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

  test("purging and undoing happen once, whatever is repeated", async ({ open }) => {
    const store = await opened(open);
    const { ledger, clock } = store;
    await ledger.append(alice, { operation: "o", records: records() });
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
    const store = await opened(open);
    const { ledger } = store;
    await ledger.append(alice, { operation: "o", records: records() });
    const { id } = await purgeOf(store, "p", ["message", "m"]);
    const refused: Record<string, [string, object]> = {
      "derived from it": ["erased", named("x", note(canary), ["fact", "f"])],
      "a grain of it": ["erased", insert("grain", grain("message", "m"))],
      "an edge to it": ["erased", insert("conduit", conduit("h", "g"))],
      "its id": ["erased", named("m", message(canary))],
    };
    await each(refused, async ([code, record], name) => {
      await rejects(code as never, () =>
        ledger.append(alice, { operation: name, records: [record as never] }),
      );
    });
    const changed: Record<string, object> = {
      "a patch": { type: "patch", kind: "grain", id: "g", value: { status: "dormant" } },
      "a removal": { type: "remove", kind: "grain", id: "g" },
    };
    await each(changed, async (mutation, name) => {
      const input = { mutations: [mutation] } as never;
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
      const store = await opened(open);
      const { ledger } = store;
      await ledger.append(alice, {
        operation: "o",
        records: [
          named("a", note("a")),
          named("b", note("b")),
          named("both", note("both"), ["text", "a"], ["text", "b"]),
          insert("grain", grain("text", "both"), { id: "g" }),
          // It stays while one of them is left.
          named("f", fact("x"), ["text", "a"], ["text", "b"]),
        ],
      });
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

  test("a fact that a later purge hides for want of grounds comes back at its end when an earlier one was undone", async ({
    open,
  }) => {
    const store = await opened(open);
    const { ledger, clock } = store;
    await ledger.append(alice, {
      operation: "o",
      records: [
        named("a", note("a")),
        named("b", note("b")),
        named("f", fact("x"), ["text", "a"], ["text", "b"]),
        insert("grain", grain("fact", "f"), { id: "g" }),
      ],
      jobs: [{ queue: "q", payload: "j", sources: ["a", "b"].map((id) => ({ kind: "text", id })) }],
    });
    const p = await purgeOf(store, "p", ["text", "a"]);
    await purgeOf(store, "q", ["text", "b"]);
    assert.equal(await seen(ledger), "");
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
    await ledger.undo(alice, { purge: p.id, operation: "u" });
    clock.advance(hour);
    await ledger.maintain();
    assert.equal(await seen(ledger), "fact f, grain g, text a");
    assert.equal((await ledger.jobs.list(alice, { queue: "q" })).jobs.length, 1);
    // It lost a source.
    assert.equal((await ledger.jobs.list(alice, { queue: "derive" })).jobs.length, 1);
    await assertInvariants(ledger, alice);
  }),

  test("what is hidden can be erased at once, and the rest is brought back without it", async ({ open }) => {
    const store = await opened(open);
    const { ledger } = store;
    await ledger.append(alice, { operation: "o", records: records() });
    const p = await purgeOf(store, "p", ["message", "m"], ["text", "n"]);
    const erased = await ledger.erase(alice, { operation: "e", refs: [{ kind: "message", id: "m" }] });
    assert.deepEqual(erased.counts, { message: 1, grain: 1, text: 1, fact: 1, conduit: 1, link: 2 });
    assert.deepEqual((await ledger.verify(alice, erased.id)).leftovers, {});
    assert.deepEqual(await ledger.purged(alice, { kind: "message", id: "m" }), []);
    const { counts } = await ledger.undo(alice, { purge: p.id, operation: "u" });
    assert.deepEqual(counts, { text: 1, grain: 1 });
    assert.equal(await seen(ledger), left);
    await assertInvariants(ledger, alice);

    const q = await purgeOf(store, "q", ["text", "n"]);
    await ledger.erase(alice, { operation: "e2", refs: [{ kind: "text", id: "n" }] });
    await rejects("not_found", () => ledger.undo(alice, { purge: q.id, operation: "u2" }));
  }),

  test("erasing a session or everything takes what is hidden of it", async ({ open }) => {
    const scopes = { session: { sessionId: "session" }, everything: { everything: true } } as const;
    await each(scopes, async (scope) => {
      const store = await opened(open);
      const { ledger, clock } = store;
      await ledger.append(alice, {
        operation: "o",
        records: records(),
        jobs: [{ queue: "q", sources: [{ kind: "message", id: "m" }] }],
      });
      const { id } = await purgeOf(store, "p", ["message", "m"]);
      const { id: erasure, counts } = await ledger.erase(alice, { operation: "e", ...scope });
      assert.equal(counts.message, 1);
      await rejects("not_found", () => ledger.undo(alice, { purge: id, operation: "u" }));
      assert.deepEqual((await ledger.verify(alice, erasure)).leftovers, {});
      clock.advance(hour);
      assert.deepEqual((await ledger.maintain()).errors, []);
      assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
      const [state] = [await headOf(ledger)];
      assert.equal(state.records, "everything" in scope ? 0 : 2);
      assert.equal((await purgeOf(store, "p", ["message", "m"])).state, "erased");
    });
  }),

  test("a time to live goes on while its record is hidden", async ({ open }) => {
    const store = await opened(open);
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
    assert.equal(await ledger.verify(alice, id).catch(code), "not_found");
    clock.advance(200);
    const { counts } = await ledger.undo(alice, { purge: id, operation: "u" });
    assert.deepEqual(counts, { message: 2 });
    assert.equal(await seen(ledger), "message long");
    assert.equal((await theRecord(ledger, "message", "long")).expiresAt, clock.now() - 300 + 2 * hour);
    await ledger.maintain();
    assert.equal((await headOf(ledger)).records, 1);
  }),

  test("what has expired already is not hidden, and is erased as ever", async ({ open }) => {
    const store = await opened(open);
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
    const store = await opened(open);
    const { ledger, clock } = store;
    await ledger.append(alice, { operation: "o", records: records() });
    await ledger.setPolicy(alice, { maxRecords: 7 });
    await purgeOf(store, "p", ["message", "m"]);
    const more = () => ledger.append(alice, { operation: "more", records: [named("x", note("x"))] });
    await rejects("quota_exceeded", more);
    clock.advance(hour);
    await ledger.maintain();
    await more();
    assert.equal((await headOf(ledger)).records, 3);
  }),

  test("jobs that are about nothing else wait with it", async ({ open }) => {
    const store = await opened(open);
    const { ledger, clock } = store;
    const about = (...ids: string[]) => ids.map((id) => ({ kind: "message", id }));
    await ledger.append(alice, {
      operation: "o",
      records: [named("a", message("a")), named("b", message("b"))],
      jobs: [
        { queue: "q", payload: 1, sources: about("a") },
        { queue: "q", payload: 2, sources: about("a", "b") },
        { queue: "q", payload: 3 },
      ],
    });
    const payloads = async (): Promise<unknown[]> =>
      (await ledger.jobs.list(alice, { queue: "q" })).jobs.map(({ payload }) => payload);
    const before = (await ledger.jobs.list(alice, { queue: "q" })).jobs;
    const [leased] = await ledger.jobs.claim({ queues: ["q"], leaseFor: 10 });
    assert.equal(leased?.payload, 1);
    const p = await purgeOf(store, "p", ["message", "a"]);
    assert.equal(p.counts.job, 1);
    assert.deepEqual(await payloads(), [2, 3]);
    await rejects("lease_lost", () => ledger.jobs.complete(leased as never));
    clock.advance(20);
    const { counts } = await ledger.undo(alice, { purge: p.id, operation: "u" });
    assert.deepEqual(counts, { message: 1, job: 1 });
    assert.deepEqual(await payloads(), [1, 2, 3]);
    const [again] = await ledger.jobs.claim({ queues: ["q"], leaseFor: 10 });
    assert.deepEqual([again?.id, again?.seq], [before[0]?.id, before[0]?.seq]);
    // Once what they are about is erased, they do not come back.
    const q = await purgeOf(store, "q", ["message", "a"]);
    await ledger.erase(alice, { operation: "e", refs: about("a") });
    await rejects("not_found", () => ledger.undo(alice, { purge: q.id, operation: "u2" }));
    assert.deepEqual(await payloads(), [2, 3]);
  }),

  test("followers see a purge as deletes and its undoing as inserts", async ({ open }) => {
    const store = await opened(open);
    const { ledger } = store;
    await ledger.append(alice, { operation: "o", records: records() });
    let after = (await ledger.changes.read()).cursor;
    const told = async (): Promise<string[]> => {
      const { changes, cursor } = await ledger.changes.read({ after });
      after = cursor;
      const seqs = changes.map(({ seq }) => seq);
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => a - b),
      );
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
    const store = await opened(open);
    const { ledger, clock } = store;
    await ledger.append(alice, { operation: "o", records: records() });
    await purgeOf(store, "p", ["message", "m"]);
    clock.advance(-10 * hour);
    assert.equal(await seen(ledger), left);
    await ledger.maintain();
    assert.equal((await headOf(ledger)).records, 7);
  }),

  test("blocks and values cannot be named, and those derived from what is hidden stay until it is erased", async ({
    open,
  }) => {
    const store = await opened(open);
    const { ledger, clock } = store;
    await ledger.append(alice, {
      operation: "o",
      records: [
        named("m", message("m")),
        named("b", block("b"), ["message", "m"]),
        named("d", note("d"), ["block", "b"]),
      ],
    });
    for (const kind of ["block", "value", "conduit", "feedback"] as const)
      await rejects("invalid_argument", () => purgeOf(store, kind, [kind, "b"]));
    await purgeOf(store, "p", ["message", "m"]);
    assert.equal(await seen(ledger), "block b");
    clock.advance(hour);
    await ledger.maintain();
    assert.equal(await seen(ledger), "");
  }),

  test("calls that make no sense are refused", async ({ open }) => {
    const { ledger } = await opened(open);
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
      await store(first);
      const receipt: Purge = await purgeOf({ ledger: first, clock }, "p", ["message", "m"]);
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
      assert.equal(await seen(second), left);
      await assertInvariants(second, alice);
    },
  ),
]);

export const purgedIndex = group("index, purges", [
  test("what is hidden is found by no search and no look for duplicates, and is found again afterwards", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const indexed = await withSpaces(await open({ clock }));
    const { ledger } = indexed;
    await keep(indexed, {
      a: { text: "tea", vector: [1, 0, 0] },
      b: { text: "tea", vector: [0.8, 0.6, 0], grain: { sessionId: "s" } },
    });
    const look = async (): Promise<unknown> => [
      names(await matchTerms(indexed, ["tea"])).sort(),
      names(await matchTerms(indexed, ["tea"], { limit: 1, where: { sessionIds: [null] } })),
      names(await nearestTo(indexed, [1, 0, 0])),
      names(await nearestTo(indexed, [1, 0, 0], { limit: 1 })),
      (await ledger.read([alice], [find("text", { index: "byForm", prefix: ["note"] })]))[0].items.length,
    ];
    const before = await look();
    const { id } = await purgeOf({ ledger, clock }, "p", ["text", "a"]);
    assert.deepEqual(await look(), [["b"], [], ["b"], ["b"], 1]);
    await ledger.undo(alice, { purge: id, operation: "u" });
    assert.deepEqual(await look(), before);
  }),
]);
