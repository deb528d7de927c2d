import assert from "node:assert/strict";
import type { Job } from "../../model/job.ts";
import { type Insert, insert } from "../batch.ts";
import { erase, left, store, toDerive } from "./erasing.ts";
import { alice, bob, everyPage, headOf, isThere, kinds, rejects, theRecord } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import {
  bareRecords,
  block,
  conduit,
  fact,
  grain,
  inventory,
  message,
  named,
  note,
  value,
} from "./samples.ts";
import { durableTest, group, processTest, test } from "./suite.ts";
import { erase as eraseTask } from "./tasks.ts";

export const erasure = group("erasure", [
  test("what was erased is gone at once, with everything that follows from it; the rest stays", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [
      named("m", message("m")),
      named("other", message("other")),
      named("summary", note("s", { form: "summary" }), ["message", "m"]),
      named("abstraction", note("a", { form: "abstraction" }), ["text", "summary"]),
      named("episode", insert("episode", bareRecords.episode), ["message", "m"]),
      named("value", value("k", 1), ["text", "abstraction"]),
      named("block", block("b"), ["episode", "episode"]),
      named("g-m", insert("grain", grain("message", "m"))),
      named("g-a", insert("grain", grain("text", "abstraction"))),
      named("g-other", insert("grain", grain("message", "other"))),
      named("in", insert("conduit", conduit("g-other", "g-m"))),
      named("out", insert("conduit", conduit("g-a", "g-other"))),
      named("self", insert("conduit", conduit("g-other", "g-other"))),
      named("trace", insert("trace", { query: "q", hits: [{ grainId: "g-m", score: 1 }] })),
    ]);
    const receipt = await erase(ledger, "e", "message m");
    assert.deepEqual(await left(ledger), ["conduit self", "grain g-other", "message other"]);
    assert.deepEqual(receipt.counts, {
      ...{ message: 1, text: 2, episode: 1, value: 1, block: 1, grain: 2, conduit: 2, trace: 1 },
      link: 5,
    });
    const { records, seq, generation } = await headOf(ledger);
    assert.deepEqual([records, seq, generation], [3, receipt.seq, 1]);
    assert.deepEqual(await toDerive(ledger), {});
  }),

  test("a session goes with every kind that carries its label, and what follows from them", async ({
    open,
  }) => {
    const ledger = await open();
    const other = inventory().map(({ kind, value, id }) => {
      const content: Record<string, unknown> = { ...value };
      if ("sessionId" in content) content.sessionId = "s-other";
      for (const key of ["ownerId", "fromId", "toId", "grainId"])
        if (key in content) content[key] = `o-${content[key]}`;
      for (const key of ["name", "key"]) if (key in content) content[key] = `o-${content[key]}`;
      return { ...insert(kind, content as never), id: `o-${id}` } as Insert;
    });
    await store(ledger, [
      ...inventory(),
      ...other,
      named("s", note("summary of all"), ["episode", "episode"], ["message", "bare-message"]),
    ]);
    const { counts } = await ledger.erase(alice, { operation: "e", sessionId: "s-1" });
    // All traces go with any erasure; those of the other session as well.
    assert.deepEqual(counts, {
      message: 1,
      episode: 1,
      text: 2,
      grain: 3,
      fact: 1,
      conduit: 2,
      feedback: 2,
      trace: 4,
      link: 2,
    });
    assert.deepEqual(
      await left(ledger),
      [
        ...[
          "block bare-block",
          "block block",
          "episode bare-episode",
          "fact bare-fact",
          "message bare-message",
        ],
        ...["text bare-text", "value bare-value", "value value"],
        ...other.filter(({ kind }) => kind !== "trace").map(({ kind, id }) => `${kind} ${id}`),
      ].sort(),
    );
    assert.deepEqual(await toDerive(ledger), { "text s": ["message bare-message"] });
    await rejects("erased", () =>
      ledger.append(alice, { operation: "o", records: [named("fact", fact("x"))] }),
    );
  }),

  test("an empty session, or an empty list, is erased without effect but with a receipt", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const one = await ledger.erase(alice, { operation: "e", sessionId: "nowhere" });
    const other = await ledger.erase(alice, { operation: "f", refs: [] });
    assert.deepEqual([one.counts, other.counts], [{}, {}]);
    assert.deepEqual(await left(ledger), ["message m"]);
    assert.ok(await ledger.erasure(alice, one.id));
  }),

  test("everything is every record, link and job of the partition, and no more", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [...inventory(), named("s", note("s"), ["message", "message"])]);
    await ledger.append(alice, {
      operation: "jobs",
      records: [],
      jobs: [{ queue: "q" }, { queue: "q", sources: [{ kind: "text", id: "s" }] }],
    });
    await store(ledger, inventory(), bob);
    await ledger.setPolicy(alice, { maxRecords: 1000 });
    const { counts, seq } = await ledger.erase(alice, { operation: "e", everything: true });
    const each = Object.fromEntries(kinds.map((kind) => [kind, 2]));
    assert.deepEqual(counts, { ...each, text: 3, grain: 3, link: 2, job: 2 });
    assert.deepEqual(await left(ledger), []);
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "q" })).jobs, []);
    const head = await headOf(ledger);
    assert.deepEqual(
      [head.records, head.bytes, head.seq, head.generation, head.policy],
      [0, 0, seq, 1, { maxRecords: 1000 }],
    );
    // Two of each kind and one more grain; traces do not count.
    assert.equal((await headOf(ledger, bob)).records, 2 * (kinds.length - 1) + 1);
    // Life goes on, and no number comes twice.
    const after = await ledger.append(alice, { operation: "after", records: [note("n")] });
    assert.equal(after.seq, seq + 1);
    // The operations of before have had their effect, and have none again.
    const replay = await ledger.append(alice, { operation: "stored", records: [note("n")] });
    assert.deepEqual([replay.replayed, replay.compared], [true, false]);
    assert.equal((await headOf(ledger)).records, 1);
  }),

  test("erasing everything in a partition that does not exist is no error", async ({ open }) => {
    const ledger = await open();
    const { counts, id } = await ledger.erase(alice, { operation: "e", everything: true });
    assert.deepEqual(counts, {});
    assert.equal((await ledger.verify(alice, id)).clean, true);
  }),

  test("thousands of records go in one call, and none is left", async ({ open }) => {
    const ledger = await open();
    for (let i = 0; i < 4; i++) {
      const records = Array.from({ length: 1000 }, () => message("m", { sessionId: "long" }));
      await ledger.append(alice, { operation: `o${i}`, records });
    }
    await store(ledger, [named("kept", message("kept", { sessionId: "other" }))]);
    const { counts, id } = await ledger.erase(alice, { operation: "e", sessionId: "long" });
    assert.deepEqual(counts, { message: 4000 });
    assert.deepEqual(await left(ledger), ["message kept"]);
    const report = await ledger.verify(alice, id);
    assert.deepEqual([report.clean, report.leftovers], [true, {}]);
  }, 120_000),

  test("an erasure is idempotent by its operation, and has a receipt by its id", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    await store(ledger, [
      named("m", message("m")),
      named("n", message("n")),
      named("s", note("s"), ["message", "m"]),
    ]);
    const first = await erase(ledger, "e", "message m", "message n");
    assert.equal(first.recordedAt, clock.now());
    clock.advance(1000);
    await ledger.append(alice, { operation: "new", records: [named("o", message("o"))] });
    const before = await headOf(ledger);
    for (const again of [
      await erase(ledger, "e", "message m", "message n"),
      await erase(ledger, "e", "message n", "message m"),
    ])
      assert.deepEqual({ ...again, state: first.state }, first);
    assert.deepEqual(await headOf(ledger), before);
    assert.deepEqual({ ...(await ledger.erasure(alice, first.id)), state: first.state }, first);
    assert.equal(await ledger.erasure(alice, "nowhere"), undefined);
    await rejects("operation_conflict", () => erase(ledger, "e", "message m"));
    await rejects("operation_conflict", () => erase(ledger, "e", "message m", "message n", "message o"));
    await rejects("operation_conflict", () => ledger.erase(alice, { operation: "e", sessionId: "session" }));
    assert.ok(await isThere(ledger, "message", "o"));
  }),

  test("a retry of an erasure of what was found is told by what was asked for", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m")), named("n", message("n"))]);
    const m = { kind: "message", id: "m" };
    const first = await ledger.erase(alice, { operation: "e", refs: [m], request: "what is like m" });
    assert.deepEqual(await left(ledger), ["message n"]);
    const again = await ledger.erase(alice, { operation: "e", refs: [], request: "what is like m" });
    assert.deepEqual({ ...again, state: first.state }, first);
    await rejects("operation_conflict", () =>
      ledger.erase(alice, { operation: "e", refs: [m], request: "something else" }),
    );
    await rejects("operation_conflict", () => erase(ledger, "e", "message m"));
    const wrong = [
      { sessionId: "s", request: "r" },
      { everything: true, request: "r" },
      { refs: [m], request: 1 },
    ];
    for (const scope of wrong)
      await rejects("invalid_argument", () => ledger.erase(alice, { operation: "w", ...scope } as never));
  }),

  test("fifty callers of one erasure erase once", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const receipts = await Promise.all(Array.from({ length: 50 }, () => erase(ledger, "e", "message m")));
    for (const { counts, seq } of receipts)
      assert.deepEqual([counts, seq], [{ message: 1 }, receipts[0]?.seq]);
    assert.equal((await headOf(ledger)).generation, 1);
  }),

  test("an erasure names exactly one scope", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const scopes = [
      {},
      { refs: [], everything: true },
      { sessionId: "s", refs: [] },
      { everything: false },
      { agentId: "a" },
      { everything: true, more: 1 },
    ];
    for (const scope of scopes)
      await rejects("invalid_argument", () => ledger.erase(alice, { operation: "e", ...scope } as never));
    await rejects("invalid_argument", () =>
      ledger.erase(alice, { operation: "e", refs: [{ kind: "job", id: "j" }] }),
    );
    await rejects("invalid_argument", () =>
      ledger.erase(alice, { operation: "e", refs: [{ kind: "toString", id: "j" }] }),
    );
    assert.deepEqual(await left(ledger), ["message m"]);
  }),

  test("an erasure ends physical, at the latest after maintenance", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [named("m", message("m"))]);
    const { id, state } = await erase(ledger, "e", "message m");
    assert.ok(["logically_erased", "physically_erased"].includes(state));
    await ledger.maintain();
    assert.equal((await ledger.erasure(alice, id))?.state, "physically_erased");
    assert.equal((await erase(ledger, "e", "message m")).state, "physically_erased");
    const report = await ledger.verify(alice, id);
    assert.deepEqual(
      [report.clean, report.state, report.leftovers, report.probes],
      [true, "physically_erased", {}, undefined],
    );
    assert.ok(report.outside.length > 0);
  }),

  test("derive jobs are claimed and done like any other, and their result may take the erased one's place", async ({
    open,
  }) => {
    const ledger = await open();
    await store(ledger, [
      named("m1", message("m1")),
      named("m2", message("m2")),
      named("s", note("s"), ["message", "m1"], ["message", "m2"]),
    ]);
    await erase(ledger, "e", "message m1");
    const [job] = await ledger.jobs.claim({ queues: ["derive"], leaseFor: 60_000 });
    assert.deepEqual(
      [job?.payload, job?.sources],
      [{ kind: "text", id: "s" }, [{ kind: "message", id: "m2" }]],
    );
    const { ids } = await ledger.append(alice, {
      operation: `job/${job?.id}`,
      records: [{ ...note("s of m2"), sources: job?.sources }],
      job,
    });
    assert.equal((await theRecord(ledger, "text", ids[0] as string)).content, "s of m2");
    assert.deepEqual((await ledger.jobs.list(alice, { queue: "derive" })).jobs as Job[], []);
  }),

  test("agents' labels are no scope, and are kept by what stays", async ({ open }) => {
    const ledger = await open();
    await store(ledger, [
      named("a", note("a", { agentId: "one" })),
      named("b", note("b", { agentId: "two" })),
    ]);
    await erase(ledger, "e", "text a");
    const texts = await everyPage(ledger, "text", { index: "byAgent", prefix: ["two"] });
    assert.deepEqual(
      texts.map(({ id }) => id),
      ["b"],
    );
    assert.deepEqual(await everyPage(ledger, "text", { index: "byAgent", prefix: ["one"] }), []);
  }),

  durableTest("an erasure, its markers and its receipt outlive the ledger", async ({ place, reopen }) => {
    const name = await place();
    const before = await reopen(name);
    await store(before, [named("m", message("m")), named("s", note("s"), ["message", "m"])]);
    const receipt = await erase(before, "e", "message m");
    await before.close();
    const after = await reopen(name);
    await after.maintain();
    assert.deepEqual(await left(after), []);
    assert.deepEqual(await after.erasure(alice, receipt.id), { ...receipt, state: "physically_erased" });
    for (const id of ["m", "s"])
      await rejects("erased", () =>
        after.append(alice, {
          operation: "o",
          records: [id === "m" ? named(id, message("")) : named(id, note(""))],
        }),
      );
    assert.equal((await after.verify(alice, receipt.id)).clean, true);
  }),

  processTest(
    "another process erases what this one wrote, and this one sees it gone",
    async ({ place, reopen, start }) => {
      const name = await place();
      const ledger = await reopen(name);
      await store(ledger, [
        named("m", message("m")),
        named("s", note("s"), ["message", "m"]),
        named("kept", note("k")),
      ]);
      const child = await start(name, eraseTask, {
        user: alice,
        operation: "e",
        refs: [{ kind: "message", id: "m" }],
      });
      child.go();
      const receipt = await child.result;
      assert.deepEqual(receipt.counts, { message: 1, text: 1, link: 1 });
      assert.deepEqual(await left(ledger), ["text kept"]);
      await rejects("erased", () =>
        ledger.append(alice, { operation: "o", records: [named("t", note("t"), ["message", "m"])] }),
      );
      const again = await erase(ledger, "e", "message m");
      assert.deepEqual({ ...again, state: receipt.state }, receipt);
    },
  ),
]);
