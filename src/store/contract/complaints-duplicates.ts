import assert from "node:assert/strict";
import { alice, everyPage, headOf, rejects } from "./expectations.ts";
import { findOrInsert } from "./plans.ts";
import { message, named, note } from "./samples.ts";
import { group, test } from "./suite.ts";

export const duplicates = group("complaints 3a, duplicates", [
  test("#1 #2 fifty parallel adds of one text keep one row", async ({ open }) => {
    const ledger = await open();
    const input = { contentKey: "tea", content: "Alice likes tea" };
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ledger.update(alice, { operation: `add ${i}`, plan: findOrInsert, input }),
      ),
    );
    assert.equal((await everyPage(ledger, "text")).length, 1);
  }),

  test("#3 a second add of the same text does not delete it", async ({ open }) => {
    const ledger = await open();
    const input = { contentKey: "tea", content: "Alice likes tea" };
    for (const operation of ["first", "second"])
      await ledger.update(alice, { operation, plan: findOrInsert, input });
    const texts = await everyPage(ledger, "text");
    assert.deepEqual(
      texts.map(({ content }) => content),
      ["Alice likes tea"],
    );
  }),

  test("#5 #11b an event replayed forty times is stored once", async ({ open }) => {
    const ledger = await open();
    const receipts = [];
    for (let i = 0; i < 40; i++)
      receipts.push(await ledger.append(alice, { operation: "event-7", records: [message("hello")] }));
    assert.equal((await headOf(ledger)).records, 1);
    assert.deepEqual(new Set(receipts.map(({ ids }) => ids[0])).size, 1);
    assert.deepEqual(
      receipts.map(({ replayed }) => replayed),
      [false, ...Array.from({ length: 39 }, () => true)],
    );
  }),

  test("#7 #11d a turn stored again after each of its steps is one user message", async ({ open }) => {
    const ledger = await open();
    for (let step = 0; step < 5; step++) {
      await ledger.append(alice, { operation: "turn 1, user", records: [message("What is the weather?")] });
      await ledger.append(alice, {
        operation: `turn 1, step ${step}`,
        records: [message("{}", { role: "tool", toolCallId: `call-${step}` })],
      });
    }
    const messages = await everyPage(ledger, "message");
    assert.equal(messages.filter(({ role }) => role === "user").length, 1);
    assert.equal(messages.filter(({ role }) => role === "tool").length, 5);
  }),

  test("#8 ids are unique in a history, also of equal messages", async ({ open }) => {
    const ledger = await open();
    const records = Array.from({ length: 20 }, () => message("yes"));
    const { ids } = await ledger.append(alice, { operation: "turns", records });
    assert.equal(new Set(ids).size, 20);
    assert.equal((await everyPage(ledger, "message")).length, 20);
  }),

  test("#10 #11c texts that differ in a letter of any script or in a number are both kept", async ({
    open,
  }) => {
    const ledger = await open();
    const contents = [
      "她住在北京",
      "她住在南京",
      "He worked there for 5 years",
      "He worked there for 6 years",
    ];
    for (const content of contents)
      await ledger.update(alice, {
        operation: content,
        plan: findOrInsert,
        input: { contentKey: content, content },
      });
    assert.deepEqual(
      (await everyPage(ledger, "text")).map(({ content }) => content).sort(),
      [...contents].sort(),
    );
  }),

  test("#9 a passage that differs in white space or case alone is another text, unless the caller says otherwise", async ({
    open,
  }) => {
    const ledger = await open();
    const add = (content: string) => {
      const contentKey = content.trim().toLowerCase();
      return ledger.update(alice, { operation: content, plan: findOrInsert, input: { contentKey, content } });
    };
    for (const content of ["Tea", " tea", "TEA ", "Coffee"]) await add(content);
    const contents = (await everyPage(ledger, "text", { index: "byTime" })).map(({ content }) => content);
    assert.deepEqual(contents.sort(), ["Coffee", "Tea"]);
    await ledger.append(alice, { operation: "o", records: [note("tea"), note("Tea")] });
    assert.equal((await headOf(ledger)).records, 4);
  }),

  test("#11 one batch cannot hold the same id twice", async ({ open }) => {
    const ledger = await open();
    await rejects("already_exists", () =>
      ledger.append(alice, {
        operation: "batch",
        records: [named("x", note("one")), named("x", note("two"))],
      }),
    );
    assert.equal((await everyPage(ledger, "text")).length, 0);
  }),
]);
