import assert from "node:assert/strict";
import { partition } from "../../model/partition.ts";
import { get } from "../read.ts";
import { makeGraph } from "./decisions.ts";
import { alice, bob, everyPage, headOf, rejects, theRecord } from "./expectations.ts";
import { named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

export const wrongTenant = group("complaints 3c, wrong tenant", [
  test("#26 options that are frozen or used again carry nothing over to the next user", async ({ open }) => {
    const ledger = await open();
    const request = Object.freeze({
      operation: "same",
      records: Object.freeze([Object.freeze(note("mine"))]),
    });
    await ledger.append(alice, request);
    await ledger.append(bob, request);
    assert.equal((await everyPage(ledger, "text", {}, alice)).length, 1);
    assert.equal((await everyPage(ledger, "text", {}, bob)).length, 1);
  }),

  test("#27 scope names in metadata are data", async ({ open }) => {
    const ledger = await open();
    const metadata = { userId: "bob", namespace: "other", sessionId: "x", partition: "bob" };
    await ledger.append(alice, { operation: "o", records: [note("hers", { metadata })] });
    assert.equal((await everyPage(ledger, "text", {}, bob)).length, 0);
    assert.deepEqual((await everyPage(ledger, "text"))[0]?.metadata, metadata);
  }),

  test("#28 #29 ids that look like patterns or hold delimiters are ids", async ({ open }) => {
    const ledger = await open();
    const ids = ["*", "%", "_", "a_b", "a%b", "a&b=c", "a,b", 'a"b', "a:b", "alice", "alice*", null];
    for (const userId of ids)
      await ledger.append(partition({ userId }), { operation: "o", records: [note(`of ${userId}`)] });
    for (const userId of ids) {
      const texts = await everyPage(ledger, "text", {}, partition({ userId }));
      assert.deepEqual(
        texts.map(({ content }) => content),
        [`of ${userId}`],
      );
    }
  }),

  test("#30 #33 everything of one user goes, and nothing of another who has the same names", async ({
    open,
  }) => {
    const ledger = await open();
    for (const user of [alice, bob]) await makeGraph(ledger, user);
    const { counts } = await ledger.erase(alice, { operation: "reset", everything: true });
    assert.deepEqual(counts, { message: 1, grain: 2, conduit: 1 });
    assert.equal((await headOf(ledger)).records, 0);
    assert.equal((await headOf(ledger, bob)).records, 4);
    assert.equal((await theRecord(ledger, "conduit", "c", bob)).fromId, "g");
  }),

  test("#34 two stores in one process are read where they were written", async ({ open }) => {
    const stores = [await open(), await open()];
    for (const [i, store] of stores.entries())
      await store.append(alice, { operation: "o", records: [named("t", note(`store ${i}`))] });
    for (const [i, store] of stores.entries())
      assert.equal((await theRecord(store, "text", "t")).content, `store ${i}`);
  }),

  test("#32 #37 #38 there is no read without a user", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [named("t", note("hers"))] });
    const nobody = [[], [undefined], [null], [{}], [{ namespace: "default" }], [alice, bob]] as never[];
    for (const partitions of nobody)
      await rejects(["invalid_argument", "invalid_user_id"], () =>
        ledger.read(partitions, [get("text", "t")]),
      );
    const [record] = await ledger.read([partition({ userId: null })], [get("text", "t")]);
    assert.equal(record, undefined);
  }),

  test("#31 another owner's id finds nothing", async ({ open }) => {
    const ledger = await open();
    const { ids } = await ledger.append(alice, { operation: "o", records: [note("hers")] });
    const texts = await everyPage(ledger, "text", {}, bob);
    assert.ok(!texts.some(({ id }) => ids.includes(id)));
    await rejects("erased", () =>
      ledger.append(bob, { operation: "o", records: [named("y", note("y"), ["text", ids[0] ?? ""])] }),
    );
  }),
]);
