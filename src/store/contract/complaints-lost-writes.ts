import assert from "node:assert/strict";
import { partition } from "../../model/partition.ts";
import { makeGraph } from "./decisions.ts";
import { alice, everyPage, headOf, settled, theRecord } from "./expectations.ts";
import { findOrInsert, reinforce } from "./plans.ts";
import { runTogether } from "./processes.ts";
import { message, named, note } from "./samples.ts";
import { durableTest, group, processTest, test } from "./suite.ts";
import { append } from "./tasks.ts";

export const lostWrites = group("complaints 3b, lost or corrupted writes", [
  test("#12 a hundred parallel writes in one process are a hundred records", async ({ open }) => {
    const ledger = await open();
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        ledger.append(alice, { operation: `o${i}`, records: [note(`note ${i}`)] }),
      ),
    );
    const contents = (await everyPage(ledger, "text")).map(({ content }) => content);
    assert.equal(new Set(contents).size, 100);
  }),

  processTest("#13 #17 four processes with 250 writes each leave a thousand records", async (setup) => {
    const store = await setup.place();
    const ledger = await setup.reopen(store);
    const names = ["a", "b", "c", "d"];
    const children = await Promise.all(
      names.map((name) => setup.start(store, append, { users: [alice], name, count: 250, shared: 0 })),
    );
    const ids = (await runTogether(children)).flat();
    assert.equal(new Set(ids).size, 2_000);
    const messages = await everyPage(ledger, "message", { limit: 1000 });
    for (const name of names) assert.equal(messages.filter(({ content }) => content === name).length, 250);
  }),

  processTest(
    "#13b a process killed between two writes leaves a store that opens and is whole",
    async (setup) => {
      const store = await setup.place();
      const child = await setup.start(store, append, {
        users: [alice],
        name: "a",
        count: 100_000,
        shared: 0,
      });
      child.go();
      const ledger = await setup.reopen(store);
      while ((await everyPage(ledger, "message", { limit: 1000 })).length < 20);
      await child.kill();
      await settled(ledger);
      // Each operation wrote a message and a text together.
      const [messages, texts] = [await everyPage(ledger, "message"), await everyPage(ledger, "text")];
      assert.equal(messages.length, texts.length);
      await ledger.append(alice, { operation: "after", records: [note("after")] });
      assert.equal((await headOf(ledger)).records, messages.length + texts.length + 1);
    },
  ),

  test("#13c #13d parallel appends with ids of their own, and to one thread, are all there", async ({
    open,
  }) => {
    const ledger = await open();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        ledger.append(alice, {
          operation: `o${i}`,
          records: [named(`n ${i}`, note("n")), message(`line ${i}`)],
        }),
      ),
    );
    assert.equal((await everyPage(ledger, "text")).length, 60);
    const lines = (await everyPage(ledger, "message")).map(({ content }) => content);
    assert.equal(new Set(lines).size, 60);
  }),

  test("#16 parallel read-modify-write of one edge loses no step", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        ledger.update(alice, { operation: `o${i}`, plan: reinforce, input: { id: "c", step: 0.01 } }),
      ),
    );
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 40);
  }),

  test("#14 a request that cannot be read does not make the others fail", async ({ open }) => {
    const ledger = await open();
    const calls = Array.from({ length: 30 }, (_, i) =>
      ledger.append(alice, {
        operation: `o${i}`,
        records: [note(`${i}`, i % 10 === 3 ? { form: "bad" as never } : {})],
      }),
    );
    const outcomes = await Promise.allSettled(calls);
    assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 3);
    assert.equal((await headOf(ledger)).records, 27);
  }),

  test("#20 #21 what was remembered in parallel is recalled at once, each of it", async ({ open }) => {
    const ledger = await open();
    const contents = Array.from({ length: 7 }, (_, i) => `remember ${i}`);
    await Promise.all(
      contents.map(async (content) => {
        const input = { contentKey: content, content };
        await ledger.update(alice, { operation: content, plan: findOrInsert, input });
        const [found] = await everyPage(ledger, "text", { index: "byContent", prefix: [content] });
        assert.equal(found?.content, content);
      }),
    );
    assert.equal((await headOf(ledger)).records, 7);
  }),

  test("#22 two agents on one thread wait for nobody for ever", async ({ open }) => {
    const ledger = await open();
    await makeGraph(ledger);
    const agent = async (name: string): Promise<void> => {
      for (let i = 0; i < 20; i++) {
        await ledger.append(alice, {
          operation: `${name} ${i}`,
          records: [message(name, { agentId: name })],
        });
        await ledger.update(alice, {
          operation: `${name} +${i}`,
          plan: reinforce,
          input: { id: "c", step: 0 },
        });
      }
    };
    await Promise.all([agent("one"), agent("two")]);
    assert.equal((await theRecord(ledger, "conduit", "c")).useCount, 40);
    for (const name of ["one", "two"])
      assert.equal((await everyPage(ledger, "message", { index: "byAgent", prefix: [name] })).length, 20);
  }),

  test("#18 parallel writes for several users do not cross", async ({ open }) => {
    const ledger = await open();
    const users = Array.from({ length: 10 }, (_, i) => partition({ userId: `user ${i}` }));
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const user = users[i % users.length] ?? alice;
        return ledger.append(user, { operation: `o${i}`, records: [note(String(user.userId))] });
      }),
    );
    for (const user of users) {
      const contents = (await everyPage(ledger, "text", {}, user)).map(({ content }) => content);
      assert.deepEqual(
        contents,
        Array.from({ length: 20 }, () => user.userId),
      );
    }
  }),

  durableTest("#15 #23 what was written in two steps is there whole after opening again", async (setup) => {
    const store = await setup.place();
    const first = await setup.reopen(store);
    await first.append(alice, { operation: "one", records: [message("one"), note("one")] });
    await first.close();
    const second = await setup.reopen(store);
    await second.append(alice, { operation: "two", records: [message("two"), note("two")] });
    assert.equal((await headOf(second)).records, 4);
  }),
]);
