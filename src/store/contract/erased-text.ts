import assert from "node:assert/strict";
import { type Insert, insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find, head } from "../read.ts";
import { alice, bob, everything } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { bareRecords, fact, grain, message, named, note, value } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

const canary = 'canary Ünïcode 7f3a «柏林» "quoted" \\ end';

/** Records with the text in every place that can hold one, all of them resting on one message. */
function records(): Insert[] {
  const { episode, trace } = bareRecords;
  const from = ["message", "m"] as const;
  return [
    named(
      "m",
      message(canary, {
        name: canary,
        toolCalls: [{ text: canary }],
        sessionId: canary,
        metadata: { said: canary },
      }),
    ),
    named("e", insert("episode", { ...episode, input: canary, output: canary, transcript: [canary] }), from),
    named("s", note(canary, { form: "summary", contentKey: canary, metadata: { tags: [canary] } }), from),
    named(
      "f",
      fact(canary, {
        subject: canary,
        reason: canary,
        validFrom: { at: 0, precision: "day", words: canary },
      }),
      from,
    ),
    named("b", insert("block", { name: canary, content: canary, position: 0 }), from),
    named("v", value(canary, { [canary]: canary }), from),
    named("g", insert("grain", { ...grain("text", "s"), metadata: { said: canary } })),
    named("t", insert("trace", { ...trace, query: canary })),
  ];
}

/** Everything that the ledger hands out, as text. */
async function everythingTold(ledger: Ledger, operation: string, id: string): Promise<string> {
  const queues = ["derive", "q"];
  const told: unknown[] = [
    await everything(ledger),
    await ledger.read([alice], [head()]),
    (await ledger.changes.read()).changes,
    await ledger.erasure(alice, id),
    await ledger.verify(alice, id),
    await ledger.append(alice, { operation, records: [] }),
    await ledger.partitions(),
  ];
  for (const queue of queues)
    for (const dead of [false, true]) told.push(await ledger.jobs.list(alice, { queue, dead }));
  return JSON.stringify(told);
}

function assertAbsent(told: string): void {
  for (const text of [canary, JSON.stringify(canary).slice(1, -1), "canary"]) assert.ok(!told.includes(text));
}

export const erasedText = group("erased text", [
  test("probes find a text in rows while it is there, in every place", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: records() });
    await ledger.append(alice, { operation: "p", records: [named("other", note("other"))] });
    const { id } = await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "other" }] });
    const report = await ledger.verify(alice, id, { probes: [canary] });
    assert.ok((report.probes?.rows ?? 0) >= 7, `only ${report.probes?.rows} places were found`);
    const { probes } = await ledger.verify(alice, id, { probes: ["no such text anywhere", ""] });
    assert.equal(probes?.rows, 0);
  }),

  leavesNothing("by name", (ledger) =>
    ledger.erase(alice, { operation: "e", refs: [{ kind: "message", id: "m" }] }),
  ),
  leavesNothing("by session", (ledger) => ledger.erase(alice, { operation: "e", sessionId: canary })),
  leavesNothing("with everything", (ledger) => ledger.erase(alice, { operation: "e", everything: true })),

  test("nor of a text that was replaced, removed or expired before", async ({ open }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    const expiresAt = clock.now() + 10;
    const inserted = [
      named("t", note(canary)),
      named("v", value("k", canary)),
      named("x", message(canary, { expiresAt })),
    ];
    await ledger.append(alice, { operation: "o", records: inserted });
    const mutations = [
      { type: "patch", kind: "text", id: "t", value: { content: "harmless" } },
      { type: "remove", kind: "value", id: "v" },
    ];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } as never });
    clock.advance(10);
    assert.equal((await ledger.maintain()).expired, 1);
    const { id } = await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    await ledger.maintain();
    const { clean, probes } = await ledger.verify(alice, id, { probes: [canary] });
    assert.deepEqual([clean, probes?.rows, probes?.files ?? 0], [true, 0, 0]);
    assertAbsent(await everythingTold(ledger, "o", id));
  }),

  test("probes find the text where it was stored anew, and do not look at other partitions' rows", async ({
    open,
  }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note(canary))] });
    await ledger.append(bob, { operation: "o", records: [named("t", note(canary))] });
    const { id } = await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    await ledger.maintain();
    assert.equal((await ledger.verify(alice, id, { probes: [canary] })).probes?.rows, 0);
    await ledger.append(alice, { operation: "p", records: [note(canary)] });
    const report = await ledger.verify(alice, id, { probes: [canary] });
    assert.deepEqual([report.clean, report.probes?.rows], [true, 1]);
  }),

  test("results of plans go with an erasure, since they may name what was erased", async ({ open }) => {
    const ledger = await open();
    const call = { operation: "o", plan: apply, input: { mutations: [], jobs: [] } };
    await ledger.update(alice, call);
    await ledger.append(alice, { operation: "p", records: [named("t", note("n"))] });
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "t" }] });
    assert.equal((await ledger.update(alice, call)).result, undefined);
  }),

  durableTest(
    "nor after the store was closed and opened again, with the bytes gone from its files",
    async ({ place, reopen }) => {
      const store = await place();
      const before = await reopen(store);
      await before.append(alice, { operation: "o", records: records() });
      const { id } = await before.erase(alice, {
        operation: "e",
        refs: records().map(({ kind, id = "" }) => ({ kind, id })),
      });
      await before.close();
      const after = await reopen(store);
      await after.maintain();
      const { clean, probes } = await after.verify(alice, id, { probes: [canary] });
      assert.deepEqual([clean, probes?.rows, probes?.files ?? 0], [true, 0, 0]);
      assertAbsent(await everythingTold(after, "o", id));
    },
  ),
]);

/** After an erasure, nothing that the ledger says or keeps has the text in it. */
function leavesNothing(
  name: string,
  erase: (ledger: Ledger) => ReturnType<Ledger["erase"]>,
): ReturnType<typeof test> {
  return test(`no read, feed, job, receipt or file has anything of a text that was erased ${name}`, async ({
    open,
  }) => {
    const ledger = await open();
    const jobs = [{ queue: "q", payload: { ids: ["m"] }, sources: [{ kind: "message", id: "m" }] }];
    await ledger.append(alice, { operation: "o", records: records(), jobs });
    // Someone reads and follows meanwhile.
    await ledger.read([alice], [find("text", { index: "byContent", prefix: [canary] })]);
    const { id, counts } = await erase(ledger);
    assert.equal(counts.message, 1);
    await ledger.maintain();
    const { clean, leftovers, probes } = await ledger.verify(alice, id, { probes: [canary, "canary"] });
    assert.deepEqual([clean, leftovers, probes?.rows, probes?.files ?? 0], [true, {}, 0, 0]);
    assertAbsent(await everythingTold(ledger, "o", id));
  });
}
