import assert from "node:assert/strict";
import { partition } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import { derivedFrom } from "../read.ts";
import { makeGraph } from "./decisions.ts";
import { alice, everyPage, headOf, rejects, theRecord } from "./expectations.ts";
import { reinforce } from "./plans.ts";
import { block, fact, grain, message, named, note } from "./samples.ts";
import { group, processTest, test } from "./suite.ts";
import { erase } from "./tasks.ts";

export const deletion = group("complaints 3j, deletion", [
  test("#105 erasing everything leaves none of many records", async ({ open }) => {
    const ledger = await open();
    for (let i = 0; i < 4; i++) {
      const records = Array.from({ length: 500 }, (_, n) => note(`note ${i} ${n}`));
      await ledger.append(alice, { operation: `o${i}`, records });
    }
    const { counts } = await ledger.erase(alice, { operation: "all", everything: true });
    assert.equal(counts.text, 2000);
    assert.equal((await headOf(ledger)).records, 0);
    assert.equal((await everyPage(ledger, "text")).length, 0);
  }),

  processTest(
    "#106 what another process erases is found by nobody, with its links and edges",
    async (setup) => {
      const store = await setup.place();
      const ledger = await setup.reopen(store);
      await makeGraph(ledger);
      await ledger.append(alice, {
        operation: "s",
        records: [named("s", note("summary"), ["message", "m"])],
      });
      const child = await setup.start(store, erase, {
        user: alice,
        operation: "e",
        refs: [{ kind: "message", id: "m" }],
      });
      child.go();
      assert.deepEqual((await child.result).counts, { message: 1, grain: 2, conduit: 1, text: 1, link: 1 });
      assert.equal((await headOf(ledger)).records, 0);
      const [derived] = await ledger.read([alice], [derivedFrom("message", "m")]);
      assert.deepEqual(derived, []);
    },
  ),

  test("#108 a summary that is being written while its session is erased does not appear", async ({
    open,
  }) => {
    const ledger = await open();
    const records = [named("m", message("secret", { sessionId: "s" })), named("n", message("other"))];
    const sources = [
      { kind: "message", id: "m" },
      { kind: "message", id: "n" },
    ];
    await ledger.append(alice, { operation: "o", records, jobs: [{ queue: "summarise", sources }] });
    const [job] = await ledger.jobs.claim({ queues: ["summarise"], leaseFor: 60_000 });
    await ledger.erase(alice, { operation: "e", sessionId: "s" });
    const late = named("summary", note("about the secret"));
    await rejects("lease_lost", () => ledger.append(alice, { operation: "late", records: [late], job }));
    const derived = named("summary", note("about the secret"), ["message", "m"]);
    await rejects("erased", () => ledger.append(alice, { operation: "late", records: [derived] }));
    assert.deepEqual(await everyPage(ledger, "text"), []);
  }),

  test("#107 a changed record keeps the properties that were not changed", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    await ledger.update(alice, { operation: "o", plan: reinforce, input: { id: "c", step: 0.1 } });
    assert.equal((await theRecord(ledger, "conduit", "c")).relation, "next");
  }),

  test("#109 #110 erasing takes edges along, and erasing nothing counts nothing", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    const nothing = await ledger.erase(alice, { operation: "none", refs: [{ kind: "text", id: "nobody" }] });
    assert.deepEqual(nothing.counts, {});
    const { counts } = await ledger.erase(alice, { operation: "one", refs: [{ kind: "grain", id: "g" }] });
    assert.deepEqual(counts, { grain: 1, conduit: 1 });
  }),

  test("#111 one record of many can be erased alone", async ({ open }) => {
    const ledger = await open();
    const records = [
      named("a", note("a")),
      named("b", note("b")),
      named("k", block("k")),
      named("f", fact("f")),
    ];
    await ledger.append(alice, { operation: "o", records });
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "a" }] });
    assert.equal((await headOf(ledger)).records, 3);
  }),

  test("#116 quotes and operators in ids and texts are no statements", async ({ open }) => {
    const ledger = await open();
    const hostile = `'); drop table "text"; -- \\ " ; select 1 /* NEAR( OR * ^ :`;
    const user = partition({ userId: hostile, namespace: hostile });
    const records = [
      named(hostile, note(hostile, { sessionId: hostile, metadata: { [hostile]: hostile } })),
      insert("grain", grain("text", hostile)),
    ];
    await ledger.append(user, { operation: hostile, records });
    const texts = await everyPage(ledger, "text", { filter: { [hostile]: hostile } }, user);
    assert.equal(texts[0]?.content, hostile);
    assert.equal((await headOf(ledger, user)).records, 2);
  }),
]);
