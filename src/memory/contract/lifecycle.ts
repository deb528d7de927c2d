import assert from "node:assert/strict";
import { fails, inputs, known } from "./samples.ts";
import { durableTest, type Group, test } from "./suite.ts";

export const lifecycle: Group = {
  name: "lifecycle",
  cases: [
    test("calls that come together open the store once, and all of them are answered", async ({ open }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      const [a, b] = await Promise.all([memory.flux(), memory.flux()]);
      assert.equal(a, b);
      await Promise.all([user.remember({ input: "one" }), user.updateBlock("b", "x"), user.recall("one")]);
      assert.equal((await user.recall("")).length, 1);
    }),

    test("close waits for calls under way, may be called twice, and nothing works after it", async ({
      open,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      const pending = user.remember({ input: "one" });
      await memory.close();
      await pending;
      await memory.close();
      const calls: readonly (() => Promise<unknown>)[] = [
        () => user.remember({ input: "two" }),
        () => user.recall("two"),
        () => user.working(),
        () => memory.status(),
        () => memory.flux(),
        () => memory.flush(),
      ];
      for (const call of calls) await fails("closed", call);
    }),

    test("a memory that nobody used closes without a connection", async ({ open }) => {
      const memory = await open();
      memory.for({ userId: "alice" });
      await memory.close();
    }),

    test("status says where it is, what makes the vectors and why that one", async ({ open }) => {
      const memory = await open({ embedder: "hash" });
      const { backend, embedder, embedderFrom, withFacts, degraded } = await memory.status();
      assert.equal(typeof backend, "string");
      assert.match(embedder?.id ?? "", /hash/);
      assert.deepEqual(
        { embedderFrom, withFacts, degraded },
        { embedderFrom: "given", withFacts: true, degraded: [] },
      );
    }),

    test("one line tells of a new store what was chosen for it", async ({ open }) => {
      const lines: string[] = [];
      const memory = await open({ logger: { info: (line) => lines.push(line) } });
      await memory.for({ userId: "alice" }).recall("");
      await memory.for({ userId: "bob" }).recall("");
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", /hash.*given/);
    }),

    durableTest(
      "the recorded embedder stays the one of the store, whatever is given later",
      async ({ place, reopen }) => {
        const store = await place();
        const first = await reopen(store, { embedder: "hash" });
        await first.for({ userId: "alice" }).remember({ input: "I like tea." });
        const { embedder } = await first.status();
        await first.close();
        const lines: string[] = [];
        const logger = { info: (line: string) => lines.push(line) };
        const second = await reopen(store, { embedder: "shingle-hash", logger });
        const status = await second.status();
        assert.deepEqual(status.embedder, embedder);
        assert.equal(status.embedderFrom, "recorded");
        assert.deepEqual(inputs(await second.for({ userId: "alice" }).recall("tea")), ["I like tea."]);
        assert.deepEqual(lines, []);
      },
    ),

    test("flush waits until what was said is known; without facts there is nothing to know", async ({
      open,
    }) => {
      const memory = await open();
      assert.deepEqual(await memory.flush(), { waiting: 0, dead: 0 });
      const user = memory.for({ userId: "alice" });
      await user.remember({ input: "I live in Porto.", output: "Nice!" });
      assert.deepEqual(await memory.flush(), { waiting: 0, dead: 0 });
      assert.deepEqual(await known(user, "Where do I live?"), ["user lives_in Porto"]);
      const without = await open({ withFacts: false });
      const other = without.for({ userId: "alice" });
      await other.remember({ input: "I live in Porto.", output: "Nice!" });
      await without.flush();
      assert.deepEqual(await other.recallFacts("Where do I live?"), []);
      assert.deepEqual(await other.recall("Where do I live?", { kind: "semantic" }), []);
      await fails("invalid_argument", () => other.facts.query());
      await fails("invalid_argument", () => other.consolidate());
      assert.equal((await other.profile()).factCount, 0);
    }),

    test("without autoExtract nothing is derived until consolidate, and facts can be told", async ({
      open,
    }) => {
      const memory = await open({ autoExtract: false });
      const user = memory.for({ userId: "alice" });
      await user.remember({ input: "I live in Porto.", output: "Nice!" });
      await memory.flush();
      assert.deepEqual(await known(user, ""), []);
      await user.facts.add({ subject: "user", predicate: "likes", object: "tea" });
      assert.deepEqual(await known(user, ""), ["user likes tea"]);
      assert.deepEqual(await user.consolidate(), { waiting: 0, dead: 0 });
      assert.deepEqual(await known(user, ""), ["user likes tea", "user lives_in Porto"]);
      await fails("invalid_argument", () => user.consolidate({ timeout: -1 }));
    }),

    durableTest(
      "what could not be extracted before the end is extracted by the next memory",
      async ({ place, reopen, clock }) => {
        const store = await place();
        const first = await reopen(store);
        await first.for({ userId: "alice" }).remember({ input: "I live in Porto.", output: "Nice!" });
        await first.close({ timeout: 0 });
        // What was begun is taken up again once the lease of it has ended.
        clock.advance(60_000);
        const second = await reopen(store);
        const user = second.for({ userId: "alice" });
        assert.deepEqual(await user.consolidate(), { waiting: 0, dead: 0 });
        assert.deepEqual(await known(user, "Where do I live?"), ["user lives_in Porto"]);
      },
    ),

    test("a policy of retention ends the time of what comes after it, and refuses what is too much", async ({
      open,
      clock,
    }) => {
      const memory = await open({ withFacts: false });
      const user = memory.for({ userId: "alice" });
      assert.deepEqual(await user.retention(), {});
      await user.remember({ input: "stays" });
      await user.setRetention({ ttl: 60_000, maxRecords: 8 });
      assert.deepEqual(await user.retention(), { ttl: 60_000, maxRecords: 8 });
      await user.remember({ input: "goes" });
      clock.advance(60_001);
      assert.deepEqual(inputs(await user.recall("")), ["stays"]);
      await memory.work({ once: true });
      for (let i = 0; i < 10; i++) await user.remember({ input: `number ${i}` }).catch(() => undefined);
      await fails("quota_exceeded", () => user.remember({ input: "one too many" }));
      await memory.for({ userId: "bob" }).remember({ input: "somebody else" });
    }),
  ],
};
