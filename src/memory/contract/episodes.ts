import assert from "node:assert/strict";
import { FluxError } from "../../model/errors.ts";
import { day, fails, inputs } from "./samples.ts";
import { durableTest, type Group, test } from "./suite.ts";

export const episodes: Group = {
  name: "episodes",
  cases: [
    test("an episode is remembered with all that it was given, and read back by its id", async ({
      open,
      clock,
    }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s1", agentId: "coder" });
      const given = {
        ...{ input: "What is the weather?", output: "Sunny.", occurredAt: clock.now() - day },
        ...{ metadata: { topic: "weather" }, expiresAt: clock.now() + day },
      };
      const id = await user.remember(given);
      assert.match(id, /^ep_/);
      assert.deepEqual(await user.episodes.get(id), {
        ...{ ...given, id, sessionId: "s1", agentId: "coder", recordedAt: clock.now() },
      });
      assert.equal(await user.episodes.get("missing"), undefined);
      clock.advance(day);
      assert.equal(await user.episodes.get(id), undefined);
      assert.deepEqual(await user.recall("weather"), []);
    }),

    test("the same id with the same content is one episode; with another content it takes the place of the old one", async ({
      open,
      clock,
    }) => {
      const user = (await open()).for({ userId: "alice" });
      const id = await user.remember({ id: "run-1", input: "I like tea.", output: "Noted" });
      assert.equal(id, "run-1");
      clock.advance(1000);
      await user.remember({ id, input: "I like tea.", output: "Noted" });
      assert.equal((await user.episodes.list()).items.length, 1);
      await user.remember({ id, input: "I like coffee.", output: "Noted" });
      assert.deepEqual(inputs((await user.episodes.list()).items), ["I like coffee."]);
      assert.deepEqual(inputs(await user.recall("tea coffee")), ["I like coffee."]);
    }),

    test("a call has what it was given when it was made, whatever becomes of the objects since then", async ({
      open,
    }) => {
      const user = (await open()).for({ userId: "alice" });
      const episode = { id: "e", input: "I like tea.", metadata: { turn: 1 } };
      const claim = { subject: "user", predicate: "likes", object: "figs", sources: [] };
      const calls = [user.remember(episode), user.facts.add([claim], { operation: "op" })];
      Object.assign(episode.metadata, { turn: 2 });
      claim.object = "plums";
      await Promise.all(calls);
      assert.deepEqual((await user.episodes.get("e"))?.metadata, { turn: 1 });
      const { items } = await user.facts.query();
      assert.deepEqual(
        items.map(({ object }) => object),
        ["figs"],
      );
      const [again] = await user.facts.add([{ ...claim, object: "figs" }], { operation: "op" });
      assert.equal(again?.outcome, "added");
      const changes = { metadata: { turn: 3 } };
      const update = user.episodes.update("e", changes);
      changes.metadata.turn = 4;
      assert.deepEqual((await update).metadata, { turn: 3 });
      const filter = { ids: ["e"] };
      const forgetting = user.forget(filter);
      filter.ids.push(items[0]?.id ?? "");
      await forgetting;
      assert.deepEqual([await user.episodes.get("e"), await user.facts.count()], [undefined, 1]);
    }),

    test("an operation has its effect once, also without an id of the episode", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      const call = () => user.remember({ input: "I like tea." }, { operation: "op-1" });
      assert.equal(await call(), await call());
      assert.equal((await user.recall("")).length, 1);
      await fails("operation_conflict", () => user.remember({ input: "Other." }, { operation: "op-1" }));
    }),

    test("which side is kept is a matter of the memory", async ({ open }) => {
      const said = { id: "e", input: "My cat is Luna.", output: "Luna is a lovely name." };
      for (const storeSides of ["both", "input", "output"] as const) {
        const user = (await open({ storeSides })).for({ userId: "alice", sessionId: "s" });
        await user.remember(said);
        const episode = await user.episodes.get("e");
        assert.equal(episode?.input, storeSides === "output" ? "" : said.input);
        assert.equal(episode?.output, storeSides === "input" ? "" : said.output);
        const found = {
          cat: (await user.recall("cat")).length,
          lovely: (await user.recall("lovely")).length,
        };
        assert.deepEqual(found, {
          cat: storeSides === "output" ? 0 : 1,
          lovely: storeSides === "input" ? 0 : 1,
        });
        assert.equal((await user.sessionMessages()).length, storeSides === "both" ? 2 : 1);
      }
    }),

    test("a blank query finds the newest first, whatever it is made of", async ({ open, clock }) => {
      const user = (await open()).for({ userId: "alice" });
      for (const [input, ago] of [
        ["older", 2],
        ["newest", 0],
        ["oldest", 3],
        ["newer", 1],
      ] as const)
        await user.remember({ input, occurredAt: clock.now() - ago * day });
      for (const query of ["", "  ", "\n\t"])
        assert.deepEqual(inputs(await user.recall(query)), ["newest", "newer", "older", "oldest"]);
      assert.deepEqual(inputs(await user.recall("", { limit: 2 })), ["newest", "newer"]);
      const scored = await user.recallScored("");
      assert.deepEqual(
        scored.map(({ score }) => score),
        [1, 1, 1, 1],
      );
    }),

    test("a time range takes what occurred from its beginning on and before its end, with words and without", async ({
      open,
      clock,
    }) => {
      const user = (await open()).for({ userId: "alice" });
      const noon = clock.now();
      for (let i = 0; i < 5; i++) await user.remember({ input: `tea ${i}`, occurredAt: noon + i * 1000 });
      for (const query of ["tea", ""]) {
        const within = async (timeRange: { from?: number; until?: number }) =>
          inputs(await user.recall(query, { timeRange })).sort();
        assert.deepEqual(await within({ from: noon + 1000, until: noon + 3000 }), ["tea 1", "tea 2"]);
        assert.deepEqual(await within({ from: noon + 3000 }), ["tea 3", "tea 4"]);
        assert.deepEqual(await within({ until: noon + 1000 }), ["tea 0"]);
        await fails("invalid_argument", () => within({ from: noon, until: noon }));
      }
      await fails("invalid_argument", () => user.recall("tea", { timeRange: { from: "today" as never } }));
    }),

    test("five are found unless another number is asked for, and nothing where nothing fits", async ({
      open,
    }) => {
      const user = (await open()).for({ userId: "alice" });
      assert.deepEqual(await user.recall("tea"), []);
      assert.deepEqual(await user.recall(""), []);
      for (let i = 0; i < 8; i++) await user.remember({ input: `green tea number ${i}` });
      assert.equal((await user.recall("green tea")).length, 5);
      assert.equal((await user.recall("green tea", { limit: 7 })).length, 7);
      for (const limit of [0, -1, 1.5, 101, "5" as never])
        await fails("invalid_argument", () => user.recall("tea", { limit }));
    }),

    test("an episode is found once, by either of its sides", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      await user.remember({ input: "Tell me about green tea.", output: "Green tea comes from China." });
      await user.remember({ input: "What is the capital of France?", output: "It is Paris." });
      assert.deepEqual(inputs(await user.recall("green tea China")), ["Tell me about green tea."]);
      assert.deepEqual(inputs(await user.recall("Paris")), ["What is the capital of France?"]);
    }),

    test("metadata narrows what is found, listed and newest", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      await user.remember({ input: "tea at work", metadata: { place: "work" } });
      await user.remember({ input: "tea at home", metadata: { place: "home" } });
      const filter = { place: "home" };
      for (const query of ["tea", ""])
        assert.deepEqual(inputs(await user.recall(query, { where: { filter } })), ["tea at home"]);
      assert.deepEqual(inputs((await user.episodes.list({ filter })).items), ["tea at home"]);
    }),

    test("episodes are listed in pages, in both orders, by session, agent and time", async ({
      open,
      clock,
    }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice" });
      for (let i = 0; i < 7; i++) {
        clock.advance(1000);
        await user.remember({ input: `turn ${i}`, sessionId: i % 2 === 0 ? "even" : "odd" });
      }
      const all: string[] = [];
      let after: string | undefined;
      do {
        const page = await user.episodes.list({ limit: 3, after, order: "oldest" });
        all.push(...inputs(page.items));
        after = page.cursor;
      } while (after !== undefined);
      assert.deepEqual(
        all,
        Array.from({ length: 7 }, (_, i) => `turn ${i}`),
      );
      assert.deepEqual(inputs((await user.episodes.list()).items), [...all].reverse());
      const odd = await user.episodes.list({ sessionId: "odd", order: "oldest" });
      assert.deepEqual(inputs(odd.items), ["turn 1", "turn 3", "turn 5"]);
      const late = await user.episodes.list({ timeRange: { from: clock.now() - 1000 }, order: "oldest" });
      assert.deepEqual(inputs(late.items), ["turn 5", "turn 6"]);
      assert.deepEqual((await user.episodes.list({ agentId: "nobody" })).items, []);
    }),

    test("what is known about an episode changes, what was said does not", async ({ open, clock }) => {
      const user = (await open()).for({ userId: "alice" });
      const id = await user.remember({ input: "I like tea.", metadata: { topic: "drinks" } });
      const changed = await user.episodes.update(id, {
        metadata: { topic: "tea" },
        expiresAt: clock.now() + day,
        pinned: true,
      });
      assert.deepEqual(changed.metadata, { topic: "tea" });
      assert.equal(changed.expiresAt, clock.now() + day);
      assert.deepEqual([changed.pinned, changed.importance], [true, undefined]);
      await user.episodes.update(id, { importance: 0.9 });
      const shown = [
        await user.episodes.get(id),
        ...(await user.episodes.list()).items,
        ...(await user.recall("tea")),
        ...(await user.recall("")),
      ];
      assert.deepEqual(
        shown.map((episode) => [episode?.pinned, episode?.importance]),
        Array.from({ length: 4 }, () => [true, 0.9]),
      );
      await fails("invalid_argument", () => user.episodes.update(id, { text: "I hate tea." } as never));
      await fails("not_found", () => user.episodes.update("missing", { pinned: true }));
      assert.deepEqual(inputs(await user.recall("tea")), ["I like tea."]);
    }),

    test("an episode that was deleted is found no more, and its id is not used again", async ({ open }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s" });
      await user.remember({ id: "e1", input: "I like tea." });
      await user.remember({ id: "e2", input: "I like cake." });
      const { counts } = await user.episodes.delete("e1");
      assert.equal(counts.episode, 1);
      assert.equal(await user.episodes.get("e1"), undefined);
      assert.deepEqual(inputs(await user.recall("I like tea")), ["I like cake."]);
      assert.equal((await user.sessionMessages()).length, 1);
      await fails("not_found", () => user.episodes.delete("e1"));
      await fails("erased", () => user.remember({ id: "e1", input: "I like tea." }));
    }),

    test("what is no episode is neither changed nor deleted as one", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      const { id } = await user.updateBlock("persona", "Kind.");
      await fails("not_found", () => user.episodes.update(id, { pinned: true }));
      await fails("not_found", () => user.episodes.delete(id));
      assert.equal((await user.blocks.get("persona"))?.content, "Kind.");
    }),

    test("a deletion can be told again", async ({ open }) => {
      const user = (await open()).for({ userId: "alice" });
      const id = await user.remember({ input: "I like tea." });
      const first = await user.episodes.delete(id, { operation: "d" });
      assert.equal((await user.episodes.delete(id, { operation: "d" })).id, first.id);
    }),

    test("misspelt options, and arguments of the wrong type, are errors that say what was probably meant", async ({
      open,
    }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s" });
      const misspelt: Readonly<Record<string, () => Promise<unknown>>> = {
        limit: () => user.recall("tea", { limt: 5 } as never),
        alpha: () => user.recallScored("tea", { alfa: 1 } as never),
        timeRange: () => user.recall("tea", { timerange: {} } as never),
        sessionIds: () => user.recall("tea", { where: { sessionId: ["s"] } as never }),
        occurredAt: () => user.remember({ input: "tea", occuredAt: 5 } as never),
        asOf: () => user.recallFacts("tea", { asof: 5 } as never),
        until: () => user.recall("tea", { timeRange: { untl: 5 } as never }),
        before: () => user.forget({ befor: 5 } as never),
      };
      for (const [name, call] of Object.entries(misspelt)) {
        const error = await fails(["invalid_argument", "invalid_filter"], call);
        assert.ok(FluxError.isInstance(error) && error.hint?.includes(name), `${name}: ${error.message}`);
      }
      const wrong: readonly (() => Promise<unknown>)[] = [
        () => user.recall(undefined as never),
        () => user.recall("tea", { kind: "both" as never }),
        () => user.recall("tea", null as never),
        () => user.recall("tea", { minScore: 1 } as never),
        () => user.remember("I like tea." as never),
        () => user.remember({ input: 5 as never }),
        () => user.remember({ input: "a", output: null as never }),
        () => user.remember({ input: "a", occurredAt: new Date() as never }),
        () => user.remember({ input: "a", transcript: {} as never }),
        () => user.remember({ input: "a", metadata: { a: { b: 1 } } as never }),
        () => user.sessionMessages("s", { limit: 0 }),
      ];
      for (const [i, call] of wrong.entries())
        await fails(["invalid_argument", "invalid_record", "invalid_metadata"], call).catch(
          (cause: unknown) => {
            throw new Error(`Call ${i}`, { cause });
          },
        );
      assert.deepEqual(await user.recall(""), []);
    }),

    test("an aborted call rejects with the reason, and leaves nothing behind", async ({ open }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s" });
      const signal = AbortSignal.abort(new Error("no more"));
      const calls: readonly (() => Promise<unknown>)[] = [
        () => user.remember({ input: "tea" }, { signal }),
        () => user.recall("tea", { signal }),
        () => user.recall("", { signal }),
        () => user.sessionMessages("s", { signal }),
        () => user.forget(undefined, { signal }),
      ];
      for (const call of calls) await assert.rejects(call, /no more/);
      assert.deepEqual(await user.recall(""), []);
    }),

    durableTest("what was remembered outlives the process", async ({ place, reopen }) => {
      const store = await place();
      const before = await reopen(store);
      await before.for({ userId: "alice", sessionId: "s" }).remember({ input: "My cat is Luna." });
      await before.close();
      const after = (await reopen(store)).for({ userId: "alice" });
      assert.deepEqual(inputs(await after.recall("cat")), ["My cat is Luna."]);
      assert.equal((await after.sessionMessages("s")).length, 1);
    }),
  ],
};
