import { expect, test } from "vitest";
import { resolveMemory } from "../memory/resolve.ts";
import { buildContext } from "./memory-context.ts";
import { rememberRun } from "./remember-run.ts";
import { transcriptOf } from "./transcript.ts";

const day = 24 * 3_600_000;
const now = Date.UTC(2026, 2, 2, 12);
const open = () =>
  resolveMemory({ backend: "inmemory", embedder: "hash", clock: { now: () => now }, logger: false });

test("runs of a memory: facts that hold now, episodes of other sessions, then the session itself, and nobody else's", async () => {
  await using memory = open();
  const alice = (sessionId: string) => memory.for({ userId: "alice", sessionId });
  await alice("first").updateBlock("persona", "Kind.");
  const said: [string, string, number][] = [
    ["first", "I live in Porto.", now - 9 * day],
    ["second", "I have moved from Porto to Berlin.", now - 2 * day],
    ["third", "I bought a lamp for my flat.", now - day],
  ];
  for (const [sessionId, input, occurredAt] of said)
    await rememberRun(alice(sessionId), { input, output: "Noted.", occurredAt });
  await memory.flush();

  const { messages, used, cut, degraded } = await buildContext(alice("third"), "Where do I live?", { now });
  const [context, ...history] = messages;
  const facts = context?.content.match(/^<fact .*$/gm)?.join("\n") ?? "";
  expect(facts).toMatch(/user lives in Berlin/);
  expect(facts).not.toMatch(/user lives in Porto/);
  expect(context?.content).toContain('<block name="persona"');
  expect(context?.content).toMatch(/\| I have moved from Porto to Berlin\./);
  expect(context?.content).not.toContain("lamp for my flat");
  expect(history).toEqual([
    { role: "user", content: "I bought a lamp for my flat." },
    { role: "assistant", content: "Noted." },
  ]);
  expect(used).toMatchObject({ blocks: 1, episodes: 2, messages: 2 });
  expect([cut, degraded]).toEqual([[], []]);

  const bob = memory.for({ userId: "bob", sessionId: "third" });
  expect((await buildContext(bob, "Where do I live?", { now })).messages).toEqual([]);
});

test("what tools did comes back in the history of its session", async () => {
  await using memory = open();
  const session = memory.for({ userId: "alice", sessionId: "s" });
  const toolCalls = [{ id: "c1", name: "orders", arguments: { open: true } }];
  const transcript = transcriptOf([
    { role: "user", content: "What did I order?" },
    { role: "assistant", content: "", toolCalls },
    { role: "tool", content: "1 lamp", name: "orders", toolCallId: "c1" },
    { role: "assistant", content: "A lamp." },
  ]);
  await rememberRun(session, { input: "What did I order?", output: "A lamp.", transcript });
  const { messages } = await buildContext(session, "And what else?", { episodes: 0, facts: 0 });
  expect(messages).toEqual([
    { role: "user", content: "What did I order?" },
    { role: "assistant", content: "", toolCalls },
    { role: "tool", content: "1 lamp", name: "orders", toolCallId: "c1" },
    { role: "assistant", content: "A lamp." },
  ]);
});

test("a run without its memory goes on, and says so; what it was to leave is not lost without a word", async () => {
  const memory = open();
  const alice = memory.for({ userId: "alice", sessionId: "s" });
  await alice.remember({ input: "Hi", output: "Hello." });
  await memory.close();
  const { messages, degraded } = await buildContext(alice, "Hi again");
  expect(messages).toEqual([]);
  expect(degraded.map(({ part, code }) => [part, code])).toEqual(
    ["blocks", "facts", "episodes", "history"].map((part) => [part, "closed"]),
  );
  const outcome = await rememberRun(alice, { input: "Hi again", output: "Hello again." });
  expect(outcome).toMatchObject({ status: "failed", cause: { code: "closed" } });
});
