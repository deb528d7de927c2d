import assert from "node:assert/strict";
import { derivedFrom, find, get, head } from "../read.ts";
import { alice } from "./expectations.ts";
import { apply, setPair } from "./plans.ts";
import { block, message, named, note } from "./samples.ts";
import { group, processTest, test } from "./suite.ts";
import { readPairs, setPairs } from "./tasks.ts";

const pair = ["b1", "b2"] as const;

export const snapshot = group("snapshot", [
  test("two records that change together are never seen apart", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, { operation: "o", records: pair.map((id) => named(id, block(id, "start"))) });
    let writing = true;
    const write = async (name: string): Promise<void> => {
      for (let i = 0; i < 60; i++)
        await ledger.update(alice, {
          operation: `${name} ${i}`,
          plan: setPair,
          input: { ids: pair, content: `${name} ${i}` },
        });
    };
    let reads = 0;
    const read = async (): Promise<void> => {
      while (writing) {
        const [one, page, other] = await ledger.read(
          [alice],
          [get("block", "b1"), find("block"), get("block", "b2")],
        );
        const contents = new Set([one?.content, other?.content, ...page.items.map(({ content }) => content)]);
        assert.equal(contents.size, 1, `seen apart: ${[...contents]}`);
        reads += 1;
        // Reads that never leave the event loop would keep the writers from writing.
        await new Promise(setImmediate);
      }
    };
    const reading = Promise.all([read(), read()]);
    await Promise.all([write("a"), write("b")]).finally(() => {
      writing = false;
    });
    await reading;
    assert.ok(reads > 0);
  }),

  test("a batch is seen whole or not at all, with the head that belongs to it", async ({ open }) => {
    const ledger = await open();
    let writing = true;
    const write = async (): Promise<void> => {
      for (let i = 0; i < 60; i++) {
        const records = [
          named(`m${i}`, message("m")),
          named(`t${i}`, note("t"), ["message", `m${i}`]),
          named(`b${i}`, block(`b${i}`)),
        ];
        await ledger.append(alice, { operation: `o${i}`, records });
      }
    };
    const reading = (async () => {
      while (writing) {
        const [state, messages, texts, blocks, derived] = await ledger.read(
          [alice],
          [
            head(),
            find("message", { limit: 1000 }),
            find("text", { limit: 1000 }),
            find("block", { limit: 1000 }),
            derivedFrom("message", "m30"),
          ],
        );
        const counts = [messages.items.length, texts.items.length, blocks.items.length];
        assert.deepEqual(counts, Array(3).fill((state?.records ?? 0) / 3));
        assert.equal(state?.seq ?? 0, 3 * messages.items.length);
        assert.equal(derived.length, messages.items.length > 30 ? 1 : 0);
        await new Promise(setImmediate);
      }
    })();
    await write().finally(() => {
      writing = false;
    });
    await reading;
  }),

  test("what is acknowledged is seen by every read that begins afterwards", async ({ open }) => {
    const ledger = await open();
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const { ids } = await ledger.append(alice, { operation: `o${i}`, records: [note(`${i}`)] });
        const [record, page] = await ledger.read(
          [alice],
          [get("text", ids[0] as string), find("text", { limit: 1000 })],
        );
        assert.equal(record?.content, `${i}`);
        assert.ok(page.items.some(({ id }) => id === ids[0]));
        const mutations = [{ type: "patch", kind: "text", id: ids[0] as string, value: { content: "new" } }];
        await ledger.update(alice, { operation: `p${i}`, plan: apply, input: { mutations } });
        const [after] = await ledger.read([alice], [get("text", ids[0] as string)]);
        assert.equal(after?.content, "new");
      }),
    );
  }),

  processTest("nor are they seen apart by other processes", async ({ place, reopen, start }) => {
    const store = await place();
    const ledger = await reopen(store);
    await ledger.append(alice, { operation: "o", records: pair.map((id) => named(id, block(id, "start"))) });
    const [writer, other, reader] = await Promise.all([
      start(store, setPairs, { user: alice, name: "writer", count: 80, ids: pair }),
      start(store, setPairs, { user: alice, name: "other", count: 80, ids: pair }),
      start(store, readPairs, { user: alice, ids: pair, count: 150 }),
    ]);
    for (const child of [writer, other, reader]) child.go();
    const torn: unknown[] = [];
    let done = false;
    const writing = Promise.all([writer.result, other.result]).finally(() => {
      done = true;
    });
    while (!done) {
      const [one, another] = await ledger.read([alice], [get("block", "b1"), get("block", "b2")]);
      if (one?.content !== another?.content) torn.push([one?.content, another?.content]);
      await new Promise(setImmediate);
    }
    await writing;
    assert.deepEqual([...torn, ...(await reader.result)], []);
    const [one, another] = await ledger.read([alice], [get("block", "b1"), get("block", "b2")]);
    assert.equal(one?.updatedSeq, 321);
    assert.equal(another?.updatedSeq, 322);
  }),
]);
