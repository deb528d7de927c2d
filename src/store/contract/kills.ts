import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { recordId } from "../../model/ids.ts";
import { makeGraph } from "./decisions.ts";
import { alice, everyPage, headOf, settled, theRecord } from "./expectations.ts";
import { assertInvariants } from "./invariants.ts";
import { reinforce } from "./plans.ts";
import { message, named, note } from "./samples.ts";
import { Choices } from "./seeded-randomness.ts";
import { group, processTest } from "./suite.ts";
import { acknowledge, eraseSessions } from "./tasks.ts";

interface Report {
  readonly n: number;
  readonly did: "append" | "reinforce";
}

export const kills = group("kills", [
  processTest(
    "a process killed at any time loses nothing that it acknowledged, and does nothing twice",
    async ({ place, reopen, start }) => {
      const store = await place();
      const ledger = await reopen(store);
      await makeGraph(ledger);
      const choices = new Choices(31);
      const acknowledged = { append: new Set<number>(), reinforce: new Set<number>() };
      let from = 0;
      for (let round = 0; round < 6; round++) {
        const child = await start(store, acknowledge, { user: alice, from });
        child.go();
        // After some work, at any moment of the next.
        await child.reportedAtLeast(1 + choices.below(20));
        await sleep(choices.below(15));
        await child.kill();
        const reports = child.reports as readonly Report[];
        for (const { n, did } of reports) acknowledged[did].add(n);
        // The next one begins with operations that are done, half done and not done.
        from = Math.max(0, Math.max(from, ...reports.map(({ n }) => n)) - 6);
      }
      const last = Math.max(...acknowledged.append, ...acknowledged.reinforce);
      await settled(ledger);

      const messages = new Set((await everyPage(ledger, "message", { limit: 1000 })).map(({ id }) => id));
      const texts = await everyPage(ledger, "text", { limit: 1000 });
      for (const n of acknowledged.append)
        assert.ok(messages.has(`m ${n}`), `the acknowledged message ${n} is lost`);
      // A batch is there whole or not at all.
      assert.deepEqual(
        texts.map(({ id }) => id.slice(2)).sort(),
        [...messages]
          .filter((id) => id !== "m")
          .map((id) => id.slice(2))
          .sort(),
      );
      const jobs: unknown[] = [];
      let after: string | undefined;
      do {
        const page = await ledger.jobs.list(alice, {
          queue: "q",
          limit: 1000,
          ...(after === undefined ? {} : { after }),
        });
        jobs.push(...page.jobs.map(({ payload }) => payload));
        after = page.cursor;
      } while (after !== undefined);
      assert.deepEqual(
        jobs.map(Number).sort((a, b) => a - b),
        texts.map(({ id }) => Number(id.slice(2))).sort((a, b) => a - b),
      );

      // Whatever was killed in between is tried again: what was done is answered, and has no second effect.
      const before = await theRecord(ledger, "conduit", "c");
      let replayed = 0;
      for (let n = 0; n <= last + 10; n++) {
        const receipt = await ledger.update(alice, {
          operation: `reinforce ${n}`,
          plan: reinforce,
          input: { id: "c", step: 0 },
        });
        if (receipt.replayed) replayed += 1;
        else assert.ok(!acknowledged.reinforce.has(n), `the acknowledged operation ${n} is lost`);
      }
      assert.equal(replayed, before.useCount);
      assert.equal((await theRecord(ledger, "conduit", "c")).useCount, last + 11);
      for (const n of acknowledged.append) {
        const records = [
          named(`m ${n}`, message(`message ${n}`)),
          named(`t ${n}`, note(`note ${n}`), ["message", `m ${n}`]),
        ];
        const queued = [{ queue: "q", payload: n, sources: [{ kind: "message", id: `m ${n}` }] }];
        assert.equal(
          (await ledger.append(alice, { operation: `append ${n}`, records, jobs: queued })).replayed,
          true,
        );
      }
      await assertInvariants(ledger, alice);
    },
  ),

  processTest(
    "an erasure that was killed is there whole or not at all, and can be repeated",
    async ({ place, reopen, start }) => {
      const store = await place();
      const ledger = await reopen(store);
      const sessions = 60;
      for (let n = 0; n < sessions; n++) {
        const said = Array.from({ length: 5 }, (_, i) =>
          named(`m ${n} ${i}`, message(`secret-of-${n}`, { sessionId: `session ${n}` })),
        );
        const summary = named(
          `s ${n}`,
          note(`summary-of-${n}`),
          ["message", `m ${n} 0`],
          ["message", `m ${n} 4`],
        );
        await ledger.append(alice, { operation: `o ${n}`, records: [...said, summary] });
      }
      const choices = new Choices(37);
      const acknowledged = new Set<number>();
      let from = 0;
      for (let round = 0; round < 4 && from < sessions; round++) {
        const child = await start(store, eraseSessions, {
          user: alice,
          from: Math.max(0, from - 2),
          to: sessions,
        });
        child.go();
        await child.reportedAtLeast(1 + choices.below(8));
        await sleep(choices.below(10));
        await child.kill();
        for (const n of child.reports as readonly number[]) acknowledged.add(n);
        from = Math.max(...acknowledged) + 1;
      }
      await settled(ledger);
      await assertInvariants(ledger, alice);
      const there = new Set((await everyPage(ledger, "message", { limit: 1000 })).map(({ id }) => id));
      const summaries = new Set((await everyPage(ledger, "text", { limit: 1000 })).map(({ id }) => id));
      let erased = 0;
      for (let n = 0; n < sessions; n++) {
        const left = Array.from({ length: 5 }, (_, i) => there.has(`m ${n} ${i}`)).filter(Boolean).length;
        assert.ok(left === 0 || left === 5, `session ${n} is half erased`);
        assert.equal(summaries.has(`s ${n}`), left === 5);
        if (acknowledged.has(n)) assert.equal(left, 0, `the acknowledged erasure ${n} is lost`);
        if (left === 0) erased += 1;
      }
      assert.equal((await headOf(ledger)).generation, erased);
      await ledger.maintain();
      for (const n of acknowledged) {
        const receipt = await ledger.erase(alice, { operation: `erase ${n}`, sessionId: `session ${n}` });
        assert.deepEqual(
          [receipt.counts, receipt.state],
          [{ message: 5, text: 1, link: 2 }, "physically_erased"],
        );
      }
      const [first = 0] = acknowledged;
      const { id } = await ledger.erase(alice, {
        operation: `erase ${first}`,
        sessionId: `session ${first}`,
      });
      const { clean, probes } = await ledger.verify(alice, id, {
        probes: [`secret-of-${first}"`, `summary-of-${first}"`],
      });
      assert.deepEqual([clean, probes?.rows], [true, 0]);
    },
  ),

  processTest("several processes may open a new store at once", async ({ place, reopen, start }) => {
    const store = await place();
    const children = await Promise.all(
      Array.from({ length: 6 }, () => start(store, eraseSessions, { user: alice, from: 0, to: 1 })),
    );
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.result));
    const ledger = await reopen(store);
    const { generation } = await headOf(ledger);
    assert.equal(generation, 1);
    await ledger.append(alice, { operation: "o", records: [note("n")] });
    assert.ok(await ledger.erasure(alice, recordId(alice, "erase 0", 0).split("-")[0] ?? ""));
  }),
]);
