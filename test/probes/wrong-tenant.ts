import assert from "node:assert/strict";
import { found, probe, refused, textsOf } from "./probe.ts";

const question = "What does she like to drink?";

/** Complaints 26 to 39: what one user stored was seen, moved or taken by another. */
export const wrongTenantProbes = [
  probe(
    "#26 options that are frozen and used again carry nothing over to the next user",
    async (face, namespace) => {
      const scope = (userId: string) => Object.freeze({ namespace, userId });
      const options = Object.freeze({ metadata: Object.freeze({ topic: "drinks" }) });
      const where = Object.freeze({ where: Object.freeze({ filter: Object.freeze({ topic: "drinks" }) }) });
      for (const userId of ["alice", "bob", "alice"]) {
        const memory = await face.open(scope(userId));
        await memory.store(`${userId} drinks tea`, options);
        assert.deepEqual(await found(memory, question, where), [`${userId} drinks tea`]);
      }
      assert.deepEqual(await textsOf(await face.open({ namespace, userId: null })), []);
    },
  ),

  probe("#27 scope names in metadata are data, and move nothing", async (face, namespace) => {
    const alice = await face.open({ namespace, userId: "alice", sessionId: "s" });
    const metadata = { userId: "bob", user_id: "bob", namespace: "x", sessionId: "y", agentId: "z", id: "1" };
    const { id } = await alice.store("Alice drinks tea", { metadata });
    assert.deepEqual((await alice.get(id))?.metadata, metadata);
    assert.equal((await alice.get(id))?.sessionId, "s");
    const bob = await face.open({ namespace, userId: "bob" });
    assert.deepEqual(await textsOf(bob), []);
    assert.deepEqual(await found(bob, question), []);
    const inside = { ...metadata, changed: true };
    await alice.update(id, { metadata: inside });
    assert.deepEqual((await alice.get(id))?.metadata, inside);
    assert.deepEqual(await textsOf(bob), []);
  }),

  probe(
    "#28 #29 ids that look like patterns or hold delimiters are ids like any other",
    async (face, namespace) => {
      const ids = ["*", "%", "_", "?", ".", "..", "a_b", "a%b", "a%25b", "a&b=c", "a,b", 'a"b', "a'b", "a:b"];
      const more = [
        "a/b",
        "a\\b",
        "a b",
        " a",
        "a+b",
        "a#b",
        "null",
        "undefined",
        "alice",
        "Alice",
        "é",
        "e\u0301",
      ];
      const users = [...ids, ...more, null];
      for (const userId of users) await (await face.open({ namespace, userId })).store(`of ${userId}.`);
      for (const userId of users) {
        const memory = await face.open({ namespace, userId });
        assert.deepEqual(await textsOf(memory), [`of ${userId}.`]);
        assert.deepEqual(await found(memory, "of"), [`of ${userId}.`]);
      }
      for (const label of ["*", "%", "a&b", "é"]) {
        const memory = await face.open({ namespace, userId: "labels", sessionId: label });
        await memory.store(`in ${label}`);
        assert.deepEqual(await found(memory, "in", { where: { sessionIds: [label] } }), [`in ${label}`]);
        const { items } = await memory.list({ sessionId: label });
        assert.deepEqual(
          items.map(({ text }) => text),
          [`in ${label}`],
        );
      }
      await refused(async () => (await face.open({ namespace, userId: "" })).list(), "invalid_user_id");
    },
  ),

  probe(
    "#30 #33 everything of one user is erased, and nothing of another with the same names",
    async (face, namespace) => {
      const alice = await face.open({ namespace, userId: "alice", sessionId: "monday" });
      const bob = await face.open({ namespace, userId: "bob", sessionId: "monday" });
      const elsewhere = await face.open({
        namespace: `${namespace}-2`,
        userId: "alice",
        sessionId: "monday",
      });
      for (const memory of [alice, bob, elsewhere]) {
        await memory.storeBatch([
          { text: "Ann met Tom" },
          { role: "user", content: "Ann met Tom", sessionId: "monday" },
        ]);
      }
      await alice.erase({ sessionId: "monday" });
      assert.deepEqual(await textsOf(alice), []);
      await alice.erase({ everything: true });
      for (const memory of [bob, elsewhere]) {
        assert.equal((await textsOf(memory)).length, 2);
        assert.equal((await found(memory, "Who met Tom?")).length > 0, true);
      }
    },
  ),

  probe("#31 the ids of another user lead nowhere, whatever is asked of them", async (face, namespace) => {
    const alice = await face.open({ namespace, userId: "alice" });
    const bob = await face.open({ namespace, userId: "bob" });
    const { id, grainIds } = await alice.store("Alice drinks tea");
    const { traceId = "" } = await alice.recall(question);
    for (const known of [id, ...grainIds]) {
      assert.equal(await bob.get(known), undefined);
      await refused(() => bob.update(known, { text: "Bob was here" }), "not_found");
      await refused(() => bob.archive(known), "not_found");
      await refused(() => bob.erase({ id: known }), "not_found");
      await refused(() => bob.feedback(traceId, known, { useful: false }), "not_found");
    }
    assert.deepEqual(await bob.pendingFeedback(), []);
    const record = await alice.get(id);
    assert.deepEqual([record?.text, record?.status], ["Alice drinks tea", "active"]);
  }),

  probe(
    "#32 without a session everything of the user is searched, and nothing of others",
    async (face, namespace) => {
      for (const userId of ["alice", "bob"]) {
        for (const sessionId of ["monday", "tuesday"]) {
          const memory = await face.open({ namespace, userId, sessionId });
          await memory.storeBatch([{ role: "user", content: `${userId} drank tea on ${sessionId}` }]);
        }
      }
      const alice = await face.open({ namespace, userId: "alice" });
      const all = ["alice drank tea on monday", "alice drank tea on tuesday"];
      assert.deepEqual((await found(alice, "Who drank tea?")).sort(), all);
      const one = await found(alice, "Who drank tea?", { where: { sessionIds: ["monday"] } });
      assert.deepEqual(one, ["alice drank tea on monday"]);
    },
  ),

  probe("#35 #36 #37 #39 no query and no list returns what another user stored", async (face, namespace) => {
    const users = Array.from({ length: 8 }, (_, i) => `user-${i}`);
    const memories = await Promise.all(users.map((userId) => face.open({ namespace, userId })));
    await Promise.all(
      memories.map((memory, i) => memory.storeBatch([{ text: `The code of user-${i} is ${i}${i}${i}` }])),
    );
    for (const [i, memory] of memories.entries()) {
      const own = [`The code of user-${i} is ${i}${i}${i}`];
      assert.deepEqual(await textsOf(memory), own);
      for (const query of ["What is the code of user-3?", "333", "code", "*", "user-3 333 code"])
        for (const text of await found(memory, query)) assert.deepEqual([text], own);
    }
  }),

  probe("#38 a memory of nobody in particular is not that of everybody", async (face, namespace) => {
    await (await face.open({ namespace, userId: "alice" })).store("Alice drinks tea");
    // Refused, or the anonymous user: both are fine.
    const nobody = await face.open({ namespace } as never).catch(() => undefined);
    if (nobody !== undefined) assert.deepEqual(await textsOf(nobody), []);
    const anonymous = await face.open({ namespace, userId: null });
    assert.deepEqual(await found(anonymous, question), []);
    await anonymous.store("Somebody drinks coffee");
    assert.deepEqual(await textsOf(await face.open({ namespace, userId: "null" })), []);
    assert.deepEqual(await textsOf(await face.open({ namespace, userId: "alice" })), ["Alice drinks tea"]);
  }),
];
