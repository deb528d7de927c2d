import assert from "node:assert/strict";
import type { ScopedMemory } from "../agent-memory.ts";
import { day, fails, inputs, known, linesOf, told } from "./samples.ts";
import { type Group, test } from "./suite.ts";

const left = async (user: ScopedMemory): Promise<string[]> => inputs(await user.recall("")).sort();

export const forgetting: Group = {
  name: "forgetting",
  cases: [
    test("all of a user goes: episodes, blocks, facts, sessions, traces; the receipt counts, and verify finds nothing", async ({
      open,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice", sessionId: "s" });
      await told(memory, user, "My name is Alice and I live in Zanzibar.");
      await user.updateBlock("note", "Zanzibar is warm.");
      await user.recall("Zanzibar");
      const receipt = await user.forget();
      assert.equal(receipt.counts.episode, 1);
      assert.equal(receipt.counts.block, 1);
      assert.ok((receipt.counts.fact ?? 0) >= 1 && (receipt.counts.grain ?? 0) >= 1);
      assert.match(receipt.state, /erased$/);
      assert.deepEqual(await left(user), []);
      assert.deepEqual(await user.working(), []);
      assert.deepEqual(await user.sessionMessages(), []);
      assert.deepEqual((await user.facts.query({ history: true })).items, []);
      assert.equal((await linesOf(user)).length, 1);
      await memory.work({ once: true });
      const report = await receipt.verify({ probes: ["Zanzibar"] });
      assert.deepEqual(report.leftovers, {});
      assert.equal(report.probes?.rows, 0);
      assert.equal(report.clean, true);
    }),

    test("a session goes with the facts that only it stated, and the others stay", async ({ open }) => {
      const memory = await open();
      const first = memory.for({ userId: "alice", sessionId: "s1" });
      const second = memory.for({ userId: "alice", sessionId: "s2" });
      await told(memory, first, "I live in Porto.", "I have a dog called Rex.");
      await told(memory, second, "I live in Porto.");
      const receipt = await first.forget({ sessionId: "s1" });
      assert.equal(receipt.counts.episode, 2);
      await memory.flush();
      assert.deepEqual(await left(first), ["I live in Porto."]);
      const facts = (await known(first, "")).join("; ");
      assert.ok(facts.includes("lives_in Porto"), facts);
      assert.ok(!facts.includes("Rex"), facts);
      assert.deepEqual(await first.sessionMessages(), []);
      assert.equal((await second.sessionMessages()).length, 2);
    }),

    test("what is forgotten fulfils all conditions: of a session, of a time, with these words, with these ids", async ({
      open,
      clock,
    }) => {
      const memory = await open();
      const noon = clock.now();
      const filled = async (userId: string) => {
        const user = memory.for({ userId });
        for (const [id, sessionId, hours, input] of [
          ["e1", "s1", 0, "green tea"],
          ["e2", "s1", 2, "black tea"],
          ["e3", "s2", 1, "Green Tea!"],
          ["e4", "s2", 3, "coffee"],
        ] as const)
          await user.remember({ id, sessionId, input, occurredAt: noon + hours * 3_600_000 });
        return user;
      };
      const hour = 3_600_000;
      const expected: readonly (readonly [Parameters<ScopedMemory["forget"]>[0], string])[] = [
        [{ sessionId: "s1" }, "e3 e4"],
        [{ before: noon + 2 * hour }, "e2 e4"],
        [{ from: noon + 2 * hour }, "e1 e3"],
        [{ from: noon + hour, before: noon + 3 * hour }, "e1 e4"],
        [{ text: "green  tea" }, "e2 e4"],
        [{ ids: ["e1", "e4", "missing"] }, "e2 e3"],
        [{ sessionId: "s1", before: noon + hour }, "e2 e3 e4"],
        [{ sessionId: "s2", text: "green tea" }, "e1 e2 e4"],
        [{ ids: ["e1", "e3"], from: noon + hour }, "e1 e2 e4"],
        [{ sessionId: "missing" }, "e1 e2 e3 e4"],
        [{ text: "milk" }, "e1 e2 e3 e4"],
      ];
      for (const [i, [filter, stays]] of expected.entries()) {
        const user = await filled(`user ${i}`);
        const { counts } = await user.forget(filter);
        const ids = (await user.episodes.list({ order: "oldest" })).items.map(({ id }) => id);
        assert.equal(ids.join(" "), stays, JSON.stringify(filter));
        assert.equal(counts.episode ?? 0, 4 - ids.length);
      }
    }),

    test("facts that were told to the memory go by their id, their time and their words", async ({
      open,
      clock,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      const add = async (object: string) => user.facts.add({ subject: "user", predicate: "owns", object });
      const { factId } = await add("a boat");
      clock.advance(day);
      await add("a horse");
      await add("a violin");
      assert.ok(factId);
      await user.forget({ ids: [factId] });
      assert.deepEqual(await known(user, ""), ["user owns a horse", "user owns a violin"]);
      await user.forget({ text: "horse" });
      assert.deepEqual(await known(user, ""), ["user owns a violin"]);
      await user.forget({ before: clock.now() });
      assert.deepEqual(await known(user, ""), ["user owns a violin"]);
      await user.forget({ before: clock.now() + 1 });
      assert.deepEqual(await known(user, ""), []);
    }),

    test("blocks go by their id and their words, and stay where a session or a time is forgotten", async ({
      open,
    }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s" });
      const { id } = await user.updateBlock("persona", "Be kind.");
      await user.updateBlock("about", "Likes green tea.");
      await user.remember({ input: "green tea" });
      await user.forget({ sessionId: "s" });
      await user.forget({ from: 0 });
      assert.equal((await user.working()).length, 2);
      await user.forget({ text: "green tea" });
      await user.forget({ ids: [id] });
      assert.deepEqual(await user.working(), []);
    }),

    test("a filter without conditions, or with one that is undefined, erases nothing", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      await user.remember({ input: "tea" });
      const wrong = [{}, { sessionId: undefined }, { before: 5, text: undefined }, { text: " " }, null, "s1"];
      for (const filter of wrong) await fails("invalid_argument", () => user.forget(filter as never));
      await fails("invalid_id", () => user.forget({ sessionId: "" }));
      await fails("invalid_argument", () => user.forget({ ids: "e1" as never }));
      await fails("invalid_argument", () => user.forget({ before: new Date() as never }));
      assert.deepEqual(await left(user), ["tea"]);
    }),

    test("an operation forgets once: what is said after it stays, also when it is repeated", async ({
      open,
    }) => {
      const user = (await open()).for({ userId: "alice" });
      await user.remember({ input: "old tea" });
      const first = await user.forget({ text: "tea" }, { operation: "op-1" });
      assert.deepEqual(
        { ...(await user.forget({ text: "tea" }, { operation: "op-1" })), verify: 0 },
        {
          ...first,
          verify: 0,
        },
      );
      await user.remember({ input: "old tea" });
      assert.deepEqual(await left(user), ["old tea"]);
    }),

    test("what is in the middle of being extracted is not known once its episode is forgotten", async ({
      open,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice", sessionId: "s" });
      for (let i = 0; i < 20; i++) void (await user.remember({ input: `I have a cat called Luna${i}.` }));
      await user.forget();
      await memory.flush();
      await memory.work({ once: true });
      assert.deepEqual((await user.facts.query({ history: true })).items, []);
      await told(memory, user, "I have a dog called Rex.");
      const facts = JSON.stringify((await user.facts.query({ history: true })).items);
      assert.ok(facts.includes("Rex") && !facts.includes("Luna"));
    }),

    test("what was forgotten can be said anew", async ({ open }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await told(memory, user, "I live in Porto.");
      await user.forget();
      await told(memory, user, "I live in Porto.");
      assert.deepEqual(await left(user), ["I live in Porto."]);
      assert.deepEqual(await known(user, "Where do I live?"), ["user lives_in Porto"]);
    }),
  ],
};
