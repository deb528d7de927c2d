import assert from "node:assert/strict";
import { found, probe, refused, textsOf } from "./probe.ts";

/** Complaints about what is stored twice, changed or deleted. */
export const changeProbes = [
  probe(
    "#1 #2 #3 #11 the same text is kept once, however often and at once it is stored",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice" });
      await Promise.all(Array.from({ length: 50 }, () => memory.store("Ann likes tea")));
      await memory.storeBatch([
        { text: "Ann likes tea" },
        { text: "Tom likes tea" },
        { text: "Tom likes tea" },
      ]);
      assert.deepEqual(await textsOf(memory), ["Ann likes tea", "Tom likes tea"]);
    },
  ),

  probe("#4 recalled texts that are stored again let nothing grow", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    await memory.store("Ann likes tea");
    for (let i = 0; i < 20; i++) {
      for (const text of await found(memory, "What does Ann like?"))
        await memory.store(text, { provenance: "ai_stated", author: `agent ${i}` });
    }
    assert.deepEqual(await textsOf(memory), ["Ann likes tea"]);
  }),

  probe("#10 #11c texts that differ in a letter or a number are kept both", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    const texts = [
      "我喜欢喝茶",
      "我喜欢喝水",
      "I have worked here for 5 years",
      "I have worked here for 6 years",
    ];
    await memory.storeBatch(texts.map((text) => ({ text })));
    assert.deepEqual(await textsOf(memory), texts);
  }),

  probe("#42 after an update nothing finds or shows the old text", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    const { id } = await memory.store("Ann lives in Lisbon");
    await memory.store("Tom lives in Hamburg");
    await memory.update(id, { text: "Ann moved to Porto" });
    for (const query of ["Where does Ann live?", "Lisbon", "Ann lives in Lisbon", "Who lives in Lisbon?"])
      for (const text of await found(memory, query)) assert.doesNotMatch(text, /Lisbon/);
    assert.equal((await found(memory, "Who moved to Porto?"))[0], "Ann moved to Porto");
    assert.deepEqual(await textsOf(memory), ["Ann moved to Porto", "Tom lives in Hamburg"]);
  }),

  probe("#94 a short text is found by its meaning after it was edited", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice" });
    const { id } = await memory.store("tea");
    await memory.update(id, { text: "coffee" });
    const { hits } = await memory.recall("coffee");
    assert.equal(hits[0]?.text, "coffee");
    const before = hits[0]?.signals.map(({ name }) => name) ?? [];
    const other = await face.open({ namespace, userId: "bob" });
    await other.store("coffee");
    const fresh = (await other.recall("coffee")).hits[0]?.signals.map(({ name }) => name) ?? [];
    assert.deepEqual(new Set(before), new Set(fresh));
  }),

  probe("#107 an update keeps what it does not name", async (face, namespace) => {
    const memory = await face.open({ namespace, userId: "alice", sessionId: "s" });
    const given = { metadata: { project: "alpha", n: 7 }, author: "Ann", importance: 0.9, statedAt: 1000 };
    const { id } = await memory.store("The plan is old", given);
    const before = await memory.get(id);
    const after = await memory.update(id, { text: "The plan is new" });
    const { version: _before, ...kept } = { ...before, text: "The plan is new" };
    const { version: _after, ...now } = after;
    assert.deepEqual(now, kept);
  }),

  probe(
    "#105 #110 #111 one record can be erased, and everything is when it is asked for",
    async (face, namespace) => {
      const memory = await face.open({ namespace, userId: "alice" });
      const results = await memory.storeBatch(
        Array.from({ length: 500 }, (_, i) => ({ text: `number ${i}` })),
      );
      const one = results[250]?.id ?? "";
      const { counts } = await memory.erase({ id: one });
      assert.deepEqual(counts, { text: 1, grain: 1 });
      await refused(() => memory.erase({ id: one }), "not_found");
      assert.equal((await textsOf(memory)).includes("number 250"), false);
      assert.equal((await textsOf(memory)).length, 499);
      await memory.erase({ everything: true });
      assert.deepEqual(await textsOf(memory), []);
      assert.deepEqual(await found(memory, "number 7"), []);
    },
  ),
];
