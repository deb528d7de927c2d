import assert from "node:assert/strict";
import { find } from "../read.ts";
import { alice, everyPage, rejects, theRecord } from "./expectations.ts";
import { message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

export const textAndIds = group("complaints 3f, text", [
  test("#65 #67 lone surrogates and NUL lose nothing around them", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("before\ud800between\0after")] });
    assert.equal((await everyPage(ledger, "text"))[0]?.content, "before\ufffdbetween\ufffdafter");
  }),

  test("#66 an emoji text cut at every index is stored, and each cut says that it was repaired", async ({
    open,
  }) => {
    const ledger = await open();
    const whole = "a👍🏽é👨‍👩‍👧";
    const cuts = Array.from({ length: whole.length + 1 }, (_, i) => whole.slice(0, i));
    const records = cuts.map((cut, i) => named(`cut ${i}`, note(cut)));
    const { repaired } = await ledger.append(alice, { operation: "o", records });
    const broken = cuts.flatMap((cut, i) => (cut.isWellFormed() ? [] : [`cut ${i}`]));
    assert.deepEqual(repaired, broken);
    assert.ok(broken.length > 0);
  }),

  test("#74 a string for `in` is refused, not read letter by letter", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: [note("n", { metadata: { tag: "a" } })] });
    const filter = { tag: { in: "abc" } } as never;
    await rejects("invalid_filter", () => ledger.read([alice], [find("text", { filter })]));
    await rejects("invalid_argument", () => ledger.jobs.claim({ queues: "abc" as never, leaseFor: 1 }));
  }),

  test("#104 a hundred messages of one millisecond keep their order", async ({ open }) => {
    const ledger = await open();
    const contents = Array.from({ length: 100 }, (_, i) => `${i}`);
    for (let at = 0; at < 100; at += 10)
      await ledger.append(alice, {
        operation: `o${at}`,
        records: contents.slice(at, at + 10).map((one) => message(one)),
      });
    const options = { index: "bySession", prefix: ["session"], limit: 7 };
    const found = (await everyPage(ledger, "message", options)).map(({ content }) => content);
    assert.deepEqual(found, contents);
  }),

  test("#72 one very large message is stored whole", async ({ open }) => {
    const ledger = await open();
    const content = "語".repeat(500_000);
    await ledger.append(alice, { operation: "o", records: [message(content)] });
    assert.equal((await everyPage(ledger, "message"))[0]?.content, content);
  }),

  test("#75 keys of metadata keep their spelling", async ({ open }) => {
    const ledger = await open();
    const metadata = { snake_case: 1, camelCase: 2, "Kebab-Case": 3, UPPER: 4 };
    await ledger.append(alice, { operation: "o", records: [note("n", { metadata })] });
    assert.deepEqual((await everyPage(ledger, "text"))[0]?.metadata, metadata);
  }),

  test("#76 the number 42 is no id, and the text 42 is", async ({ open }) => {
    const ledger = await open();
    await rejects("invalid_id", () => ledger.append(alice, { operation: 42 as never, records: [note("n")] }));
    await ledger.append(alice, { operation: "42", records: [named("42", note("n"))] });
    assert.equal((await theRecord(ledger, "text", "42")).content, "n");
  }),
]);
