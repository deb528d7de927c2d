import assert from "node:assert/strict";
import { FluxError } from "../../model/errors.ts";
import type { ScopedMemory } from "../agent-memory.ts";
import { confusingUsers, fails, inputs, known, linesOf, noIds, noUsers, told } from "./samples.ts";
import { type Group, test } from "./suite.ts";

export const isolation: Group = {
  name: "isolation",
  cases: [
    test("whatever their names, users share neither episodes nor blocks nor sessions nor profiles nor exports", async ({
      open,
    }) => {
      const memory = await open();
      const handles = confusingUsers.map((userId) => memory.for({ userId, sessionId: "shared" }));
      await Promise.all(
        handles.map(async (user, i) => {
          await user.remember({ input: `The secret is number${i}`, output: "Noted" });
          await user.updateBlock("note", `block ${i}`);
        }),
      );
      const look = async (user: ScopedMemory, i: number): Promise<void> => {
        const mine = [`The secret is number${i}`];
        assert.deepEqual(inputs(await user.recall("secret number")), mine);
        assert.deepEqual(inputs(await user.recall("")), mine);
        assert.deepEqual(inputs((await user.episodes.list()).items), mine);
        const messages = await user.sessionMessages();
        assert.deepEqual(
          messages.map(({ content }) => content),
          [...mine, "Noted"],
        );
        const blocks = await user.working();
        assert.deepEqual(
          blocks.map(({ content }) => content),
          [`block ${i}`],
        );
        const { userId, episodeCount, recentSessions } = await user.profile();
        assert.deepEqual({ userId, episodeCount }, { userId: confusingUsers[i], episodeCount: 1 });
        assert.deepEqual(recentSessions, ["shared"]);
        const lines = JSON.stringify(await linesOf(user));
        for (let other = 0; other < handles.length; other++)
          assert.equal(lines.includes(`number${other}"`), other === i);
      };
      await Promise.all(handles.map(look));
    }),

    test("what is known of one user is not known of another, nor of nobody", async ({ open }) => {
      const memory = await open();
      const alice = memory.for({ userId: "alice" });
      await told(memory, alice, "My name is Alice and I live in Tokyo.");
      await told(memory, memory.for({ userId: "bob" }), "Hi, I'm Bob.");
      assert.ok((await known(alice, "Where does she live?")).includes("user lives_in Tokyo"));
      for (const userId of ["bob", null, "Alice", "alice2"]) {
        const other = memory.for({ userId });
        const all = await other.facts.query({ history: true });
        assert.ok(!JSON.stringify(all).includes("Tokyo"), String(userId));
        assert.ok(!(await known(other, "Where does Alice live? Tokyo?")).join().includes("Tokyo"));
        assert.deepEqual(await other.recall("Tokyo", { timeRange: {} }), await other.recall("Tokyo"));
        assert.ok(!JSON.stringify(await other.recall("Tokyo")).includes("Tokyo"));
      }
    }),

    test("forgetting nobody's memory leaves that of everybody, and the other way round", async ({ open }) => {
      const memory = await open();
      const [nobody, alice, bob] = [null, "alice", "bob"].map((userId) => memory.for({ userId }));
      assert.ok(nobody && alice && bob);
      for (const user of [nobody, alice, bob]) await user.remember({ input: "I like tea." });
      await nobody.forget();
      assert.deepEqual(await nobody.recall(""), []);
      assert.equal((await alice.recall("")).length, 1);
      await alice.forget();
      assert.deepEqual(await alice.recall(""), []);
      assert.equal((await bob.recall("")).length, 1);
    }),

    test("a handle stays that of whom it was made for, whatever becomes of the object that named him", async ({
      open,
    }) => {
      const memory = await open();
      const scope = { userId: "alice", sessionId: "s" };
      const alice = memory.for(scope);
      scope.userId = "bob";
      const bob = memory.for(scope);
      await alice.remember({ input: "I like tea." });
      assert.deepEqual(inputs(await alice.recall("")), ["I like tea."]);
      assert.deepEqual(await bob.recall(""), []);
    }),

    test("a user is a string or null; anything else is a TypeError, before anything is connected", async ({
      open,
    }) => {
      const memory = await open();
      for (const userId of noUsers) {
        const error = await fails("invalid_user_id", () => memory.for({ userId: userId as never }));
        assert.ok(error instanceof TypeError, String(error));
      }
      for (const id of noIds) {
        await fails("invalid_user_id", () => memory.for({ userId: id }));
        for (const label of ["sessionId", "agentId", "namespace"])
          await fails("invalid_id", () => memory.for({ userId: "alice", [label]: id }));
      }
      await fails("invalid_argument", () => memory.for({ user: "alice" } as never));
      const error = await fails("invalid_argument", () =>
        memory.for({ userId: "a", sesionId: "s" } as never),
      );
      assert.ok(FluxError.isInstance(error) && error.hint?.includes("sessionId"));
    }),

    test("metadata never says whose, of which session or by which agent something is", async ({ open }) => {
      const memory = await open();
      const metadata = {
        userId: "bob",
        user_id: "bob",
        sessionId: "s2",
        agentId: "other",
        namespace: "other",
      };
      await memory.for({ userId: "alice" }).remember({ input: "I like tea.", metadata });
      const [found] = await memory.for({ userId: "alice" }).recall("tea");
      assert.deepEqual(found?.metadata, metadata);
      assert.deepEqual({ s: found?.sessionId, a: found?.agentId }, { s: undefined, a: undefined });
      assert.deepEqual(await memory.for({ userId: "bob" }).recall("tea"), []);
      assert.deepEqual(await memory.for({ userId: "alice", namespace: "other" }).recall("tea"), []);
    }),

    test("namespaces share nothing: no episodes, no blocks, no facts", async ({ open }) => {
      const memory = await open();
      const here = memory.for({ userId: "alice", namespace: "tenant_a" });
      const there = memory.for({ userId: "alice", namespace: "tenant_b" });
      await told(memory, here, "I live in Tokyo.");
      await here.updateBlock("note", "of a");
      assert.deepEqual(await there.recall("Tokyo"), []);
      assert.deepEqual(await there.working(), []);
      assert.deepEqual(await known(there, "Where do I live?"), []);
      assert.deepEqual((await there.facts.query({ history: true })).items, []);
      await there.forget();
      assert.deepEqual(await known(here, "Where do I live?"), ["user lives_in Tokyo"]);
    }),

    test("a memory made with a namespace has it for handles that name none", async ({ open }) => {
      const memory = await open({ namespace: "tenant_a" });
      await memory.for({ userId: "alice" }).remember({ input: "I like tea." });
      assert.equal(memory.for({ userId: "alice" }).namespace, "tenant_a");
      assert.equal((await memory.for({ userId: "alice", namespace: "tenant_a" }).recall("tea")).length, 1);
      assert.deepEqual(await memory.for({ userId: "alice", namespace: "default" }).recall("tea"), []);
    }),

    test("recall looks at all sessions and agents of a user unless it is told otherwise", async ({
      open,
    }) => {
      const memory = await open();
      await memory.for({ userId: "alice", sessionId: "s1", agentId: "coder" }).remember({ input: "tea one" });
      await memory.for({ userId: "alice", sessionId: "s2", agentId: "cook" }).remember({ input: "tea two" });
      await memory.for({ userId: "alice" }).remember({ input: "tea three" });
      const user = memory.for({ userId: "alice", sessionId: "s1", agentId: "coder" });
      assert.deepEqual(inputs(await user.recall("tea")).sort(), ["tea one", "tea three", "tea two"]);
      for (const query of ["tea", ""]) {
        const only = async (where: { sessionIds?: (string | null)[]; agentIds?: (string | null)[] }) =>
          inputs(await user.recall(query, { where })).sort();
        assert.deepEqual(await only({ sessionIds: ["s2"] }), ["tea two"]);
        assert.deepEqual(await only({ agentIds: ["coder", null] }), ["tea one", "tea three"]);
        assert.deepEqual(await only({ sessionIds: [null] }), ["tea three"]);
      }
    }),

    test("users who speak all at the same time keep their own", async ({ open }) => {
      const memory = await open();
      const users = Array.from({ length: 20 }, (_, i) => `user-${i}`);
      await Promise.all(
        users.flatMap((userId) =>
          Array.from({ length: 5 }, (_, turn) =>
            memory.for({ userId, sessionId: "s" }).remember({ input: `${userId} says ${turn} about tea` }),
          ),
        ),
      );
      await Promise.all(
        users.map(async (userId) => {
          const found = inputs(await memory.for({ userId }).recall("tea", { limit: 20 }));
          assert.equal(found.length, 5);
          assert.ok(found.every((input) => input.startsWith(`${userId} says`)));
        }),
      );
    }),
  ],
};
