import assert from "node:assert/strict";
import type { ScopedMemory } from "../agent-memory.ts";
import type { TranscriptMessage } from "../episodes.ts";
import { fails } from "./samples.ts";
import { type Group, test } from "./suite.ts";

const call: TranscriptMessage = {
  ...{ role: "assistant", content: "" },
  toolCalls: [{ id: "call_1", name: "weather", arguments: { city: "Porto" } }],
};
const answer: TranscriptMessage = {
  role: "tool",
  content: "18 degrees",
  name: "weather",
  toolCallId: "call_1",
};

const said = async (user: ScopedMemory, sessionId?: string, limit?: number): Promise<string[]> =>
  (await user.sessionMessages(sessionId, { limit })).map(({ role, content }) => `${role}: ${content}`);

export const sessions: Group = {
  name: "sessions",
  cases: [
    test("the same session goes on; another one, or that of another user, is another thread", async ({
      open,
    }) => {
      const memory = await open();
      await memory.for({ userId: "alice", sessionId: "s" }).remember({ input: "one", output: "1" });
      await memory.for({ userId: "alice", sessionId: "t" }).remember({ input: "elsewhere", output: "0" });
      await memory.for({ userId: "bob", sessionId: "s" }).remember({ input: "bob's", output: "b" });
      await memory.for({ userId: "alice", sessionId: "s" }).remember({ input: "two", output: "2" });
      const user = memory.for({ userId: "alice", sessionId: "s" });
      assert.deepEqual(await said(user), ["user: one", "assistant: 1", "user: two", "assistant: 2"]);
      assert.deepEqual(await said(user, "t"), ["user: elsewhere", "assistant: 0"]);
      assert.deepEqual(await said(user, "missing"), []);
      assert.deepEqual(await said(memory.for({ userId: null }), "s"), []);
      await fails("invalid_argument", () => memory.for({ userId: "alice" }).sessionMessages());
    }),

    test("the newest messages are kept, whole exchanges, at least one", async ({ open }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s" });
      for (let i = 0; i < 12; i++) await user.remember({ input: `q${i}`, output: `a${i}` });
      const last = (n: number): string[] =>
        Array.from({ length: n }, (_, i) => 12 - n + i).flatMap((i) => [`user: q${i}`, `assistant: a${i}`]);
      assert.deepEqual(await said(user), last(10));
      assert.deepEqual(await said(user, "s", 4), last(2));
      assert.deepEqual(await said(user, "s", 5), last(2));
      assert.deepEqual(await said(user, "s", 1), last(1));
      assert.deepEqual(await said(user, "s", 1000), last(12));
      await user.remember({ input: "only asked" });
      assert.deepEqual(await said(user, "s", 3), [...last(1), "user: only asked"]);
    }),

    test("what tools did stands between question and answer, and does not count", async ({ open }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s" });
      await user.remember({ input: "Weather?", output: "Sunny.", transcript: [call, answer] });
      const messages = await user.sessionMessages("s", { limit: 2 });
      assert.deepEqual(
        messages.map(({ recordId: _, saidAt: _at, ...message }) => message),
        [{ role: "user", content: "Weather?" }, call, answer, { role: "assistant", content: "Sunny." }],
      );
    }),

    test("a transcript is replaced with its episode, and an empty one is kept apart from none", async ({
      open,
    }) => {
      const user = (await open()).for({ userId: "alice", sessionId: "s" });
      const episode = { id: "e", input: "Weather?", output: "Sunny." };
      await user.remember(episode);
      assert.ok(!("transcript" in ((await user.episodes.get("e")) ?? {})));
      await user.remember({ ...episode, transcript: [] });
      assert.deepEqual((await user.episodes.get("e"))?.transcript, []);
      await user.remember({ ...episode, transcript: [call, answer] });
      assert.deepEqual((await user.episodes.get("e"))?.transcript, [call, answer]);
      await user.remember(episode);
      assert.ok(!("transcript" in ((await user.episodes.get("e")) ?? {})));
    }),

    test("long results and arguments are cut before a character, and say how many bytes are missing", async ({
      open,
    }) => {
      const user = (await open({ transcriptMaxBytes: 10 })).for({ userId: "alice" });
      const city = "Vila Nova de Gaia";
      const transcript: TranscriptMessage[] = [
        { ...call, toolCalls: [{ id: "call_1", name: "weather", arguments: { city } }] },
        { ...answer, content: "👩‍👩‍👧 sunny" },
        { ...answer, content: "ééééé" },
        { ...answer, content: "éééééé" },
      ];
      await user.remember({ id: "e", input: "Weather?", transcript });
      const kept = (await user.episodes.get("e"))?.transcript ?? [];
      const bytes = JSON.stringify({ city }).length;
      assert.equal(kept[0]?.toolCalls?.[0]?.arguments, `{"city":"V… [${bytes - 10} bytes cut]`);
      assert.equal(kept[1]?.content, "… [24 bytes cut]");
      assert.equal(kept[2]?.content, "ééééé");
      assert.equal(kept[3]?.content, "ééééé… [2 bytes cut]");
    }),

    test("50,000 bytes are kept unless the memory says otherwise, and all of it with 0", async ({ open }) => {
      const content = "x".repeat(60_000);
      const kept = async (options: { transcriptMaxBytes?: number }): Promise<string | undefined> => {
        const user = (await open(options)).for({ userId: "alice" });
        await user.remember({ id: "e", input: "Weather?", transcript: [{ ...answer, content }] });
        return (await user.episodes.get("e"))?.transcript?.[0]?.content;
      };
      assert.equal(await kept({}), `${"x".repeat(50_000)}… [10000 bytes cut]`);
      assert.equal(await kept({ transcriptMaxBytes: 0 }), content);
      for (const transcriptMaxBytes of [-1, 0.5, Number.NaN])
        await fails("invalid_argument", () => open({ transcriptMaxBytes }));
    }),

    test("messages that were stored one by one stand in the same thread", async ({ open }) => {
      const memory = await open();
      const user = memory.for({ userId: "alice", sessionId: "s" });
      const engine = (await memory.flux()).for({ userId: "alice", sessionId: "s" });
      await user.remember({ input: "first", output: "1" });
      await engine.storeBatch([{ role: "user", content: "second" }]);
      await engine.storeBatch([{ role: "assistant", content: "2" }]);
      await user.remember({ input: "third", output: "3" });
      const all = [
        "user: first",
        "assistant: 1",
        "user: second",
        "assistant: 2",
        "user: third",
        "assistant: 3",
      ];
      assert.deepEqual(await said(user), all);
      assert.deepEqual(await said(user, "s", 3), all.slice(3));
    }),
  ],
};
