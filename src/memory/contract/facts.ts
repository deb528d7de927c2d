import assert from "node:assert/strict";
import { day, known, told } from "./samples.ts";
import { durableTest, type Group, test } from "./suite.ts";

export const facts: Group = {
  name: "facts",
  cases: [
    test("a move closes the old home, keeps it in the history, and points to who said so", async ({
      open,
      clock,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await told(memory, user, "I live in Tokyo.");
      const before = clock.now();
      clock.advance(10 * day);
      const episode = await user.remember({ input: "I moved to Berlin.", output: "Great!" });
      await memory.flush();
      assert.deepEqual(await known(user, "Where do I live?"), ["user lives_in Berlin"]);
      const then = await user.recallFacts("Where do I live?", { asOf: before + day });
      assert.deepEqual(
        then.map(({ object }) => object),
        ["Tokyo"],
      );
      const all = await user.recallFacts("Where do I live?", { history: true });
      assert.deepEqual(all.map(({ object }) => object).sort(), ["Berlin", "Tokyo"]);
      const [now] = await user.recallFacts("Where do I live?");
      assert.ok(now?.sources.some(({ kind, id }) => kind === "episode" && id === episode));
      const believed = await user.recallFacts("Where do I live?", { knownAt: before + day });
      assert.deepEqual(
        believed.map(({ object }) => object),
        ["Tokyo"],
      );
    }),

    test("a fact that was told to the memory is found for as long as it is known, whatever the time to live", async ({
      open,
      clock,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await user.setRetention({ ttl: day });
      await user.facts.add({ subject: "user", predicate: "owns", object: "a boat" });
      await told(memory, user, "I live in Tokyo.");
      clock.advance(2 * day);
      assert.equal(await user.facts.count(), 1);
      assert.deepEqual(await known(user, "Is there a boat?"), ["user owns a boat"]);
    }),

    test("what there can be many of does not close each other, and the same again is no second fact", async ({
      open,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await told(memory, user, "I like sushi.", "I like pizza.", "I like sushi.", "I like jazz.");
      assert.deepEqual(await known(user, ""), ["user likes jazz", "user likes pizza", "user likes sushi"]);
      const sushi = (await user.facts.query({ object: "sushi" })).items;
      assert.equal(sushi.length, 1);
      assert.equal(sushi[0]?.sources.length, 2);
    }),

    test("an older statement that comes late goes into the past, and what is current stays", async ({
      open,
      clock,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      const occurredAt = clock.now();
      await user.remember({ input: "I live in Berlin.", occurredAt });
      await user.remember({ input: "I live in Tokyo.", occurredAt: occurredAt - 100 * day });
      await memory.flush();
      assert.deepEqual(await known(user, "Where do I live?"), ["user lives_in Berlin"]);
      const then = await user.recallFacts("Where do I live?", { asOf: occurredAt - 50 * day });
      assert.deepEqual(
        then.map(({ object }) => object),
        ["Tokyo"],
      );
      for (const fact of await user.recallFacts("Where do I live?", { history: true })) {
        const { validFrom, validUntil } = fact;
        assert.ok(validFrom === undefined || validUntil === undefined || validFrom.at < validUntil.at);
      }
    }),

    test("what an assistant or a tool says is not known of the user", async ({ open }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await user.remember({
        input: "What is the weather?",
        output: "I live in Oslo. You live in Paris and your name is Zoe.",
        transcript: [{ role: "tool", content: "My name is Mallory and I live in Rome.", toolCallId: "c" }],
      });
      await memory.flush();
      assert.deepEqual(await known(user, ""), []);
    }),

    test("spellings of a predicate are one, and a blank question finds the newest", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      await user.facts.add({ subject: "user", predicate: "livesIn", object: "Porto" });
      for (const predicate of ["lives in", "lives-in", "Lives_In", "livesIn"])
        assert.equal((await user.facts.query({ predicate })).items.length, 1);
      await user.facts.add({ subject: "user", predicate: "likes", object: "tea" });
      const [newest] = await user.recallFacts("", { limit: 1 });
      assert.equal(newest?.object, "tea");
      assert.deepEqual(
        (await user.recall("Where?", { kind: "semantic", limit: 5 })).map(({ id }) => id).sort(),
        (await user.recallFacts("Where?")).map(({ id }) => id).sort(),
      );
    }),

    test("a profile counts, and names sessions and facts, of one user alone", async ({ open, clock }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      assert.deepEqual(await user.profile(), {
        ...{ userId: "alice", episodeCount: 0, factCount: 0, recentSessions: [], sampleFacts: [] },
      });
      for (let i = 0; i < 12; i++)
        await user.remember({ input: "Hello", sessionId: `s${i}`, occurredAt: clock.now() + i });
      await told(memory, user, "I live in Porto.");
      const profile = await user.profile();
      assert.equal(profile.episodeCount, 13);
      assert.equal(profile.lastSeen, clock.now() + 11);
      assert.deepEqual(
        profile.recentSessions,
        [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((i) => `s${i}`),
      );
      assert.equal(profile.factCount, 1);
      assert.deepEqual(
        profile.sampleFacts.map(({ object }) => object),
        ["Porto"],
      );
    }),

    test("an episode that is replaced takes its facts along, and gives those of what it says now", async ({
      open,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      await user.remember({ id: "e", input: "I live in Tokyo." });
      await memory.flush();
      await user.remember({ id: "e", input: "I live in Berlin." });
      await memory.flush();
      assert.deepEqual(await known(user, "Where do I live?"), ["user lives_in Berlin"]);
      const all = (await user.facts.query({ history: true })).items;
      assert.deepEqual(
        all.map(({ object }) => object),
        ["Berlin"],
      );
    }),

    durableTest("facts outlive the process, with what took whose place", async ({ place, reopen, clock }) => {
      const store = await place();
      const first = await reopen(store);
      await told(first, first.for({ userId: "alice" }), "I live in Tokyo.");
      clock.advance(day);
      await told(first, first.for({ userId: "alice" }), "I moved to Berlin.");
      await first.close();
      const second = await reopen(store);
      const user = second.for({ userId: "alice" });
      assert.deepEqual(await known(user, "Where do I live?"), ["user lives_in Berlin"]);
      assert.equal((await user.facts.query({ predicate: "lives_in", history: true })).items.length, 2);
      assert.deepEqual(await known(second.for({ userId: "bob" }), "Where does Alice live?"), []);
    }),
  ],
};
