import { expect, test } from "vitest";
import { itemsOf, problemsOf, readAll } from "../../../test/support/import-source.ts";
import { readChatGpt } from "./chatgpt.ts";

const node = (id: string, parent: string | null, message?: object): object => ({
  [id]: { id, parent, children: [], message: message ?? null },
});

const said = (role: string, words: unknown, rest: object = {}): object => ({
  author: { role, name: null, metadata: {} },
  content: Array.isArray(words)
    ? { content_type: "multimodal_text", parts: words }
    : { content_type: "text", parts: [words] },
  ...{ status: "finished_successfully", weight: 1, recipient: "all", metadata: {} },
  ...rest,
});

const conversation = (rest: object, ...nodes: object[]): object => ({
  ...{ title: "A trip", create_time: 1_700_000_000.5, conversation_id: "c1" },
  mapping: Object.assign({}, ...nodes),
  ...rest,
});

const read = (...conversations: unknown[]) => readAll(readChatGpt, JSON.stringify(conversations));

test("the branch that was shown is read in its order, with its times", async () => {
  const found = await read(
    conversation(
      { current_node: "m4" },
      node("root", null),
      node("m1", "root", said("user", "Where to go?", { create_time: 1_700_000_001.25 })),
      node("m2", "m1", said("assistant", "To Rome, first try.", { create_time: 1_700_000_002 })),
      node("m3", "m1", said("assistant", "To Porto.", { create_time: 1_700_000_003 })),
      node("m4", "m3", said("user", "Good.", { create_time: null })),
    ),
  );
  expect(problemsOf(found)).toEqual([]);
  const common = { sessionId: "chatgpt:c1" };
  const metadata = { source: "chatgpt", conversation: "A trip" };
  expect(itemsOf(found)).toEqual([
    {
      ...common,
      role: "user",
      content: "Where to go?",
      saidAt: 1_700_000_001_250,
      metadata: { ...metadata, message_id: "m1" },
    },
    {
      ...common,
      role: "assistant",
      content: "To Porto.",
      saidAt: 1_700_000_003_000,
      metadata: { ...metadata, message_id: "m3" },
    },
    // It has no time, so it has that of the message before.
    {
      ...common,
      role: "user",
      content: "Good.",
      saidAt: 1_700_000_003_000,
      metadata: { ...metadata, message_id: "m4" },
    },
  ]);
});

test("instructions, tools, thoughts and hidden messages are left out", async () => {
  const found = await read(
    conversation(
      { current_node: "m9" },
      node("m1", null, said("system", "You are ChatGPT")),
      node(
        "m2",
        "m1",
        said("user", "About me", { content: { content_type: "user_editable_context", parts: ["x"] } }),
      ),
      node("m3", "m2", said("user", "Hidden", { metadata: { is_visually_hidden_from_conversation: true } })),
      node("m4", "m3", said("assistant", "search('x')", { recipient: "browser" })),
      node("m5", "m4", said("tool", "results")),
      node("m6", "m5", said("assistant", "", { content: { content_type: "thoughts", thoughts: [] } })),
      node("m7", "m6", said("assistant", "Replaced", { weight: 0 })),
      node("m8", "m7", said("assistant", "   ")),
      node("m9", "m8", said("assistant", "The answer.")),
    ),
  );
  expect(itemsOf(found)).toMatchObject([{ role: "assistant", content: "The answer." }]);
  expect(problemsOf(found)).toEqual([]);
});

test("of a message with pictures and voice, the words are read", async () => {
  const picture = { content_type: "image_asset_pointer", asset_pointer: "file://x" };
  const voice = { content_type: "audio_transcription", type: "audio_transcription", text: "What is this?" };
  const found = await read(
    conversation({ current_node: "m1" }, node("m1", null, said("user", [picture, voice, "See above."]))),
  );
  expect(itemsOf(found)).toMatchObject([{ content: "What is this?\n\nSee above." }]);
});

test("without a current node, the branch of the newest message is read; a circle ends", async () => {
  const found = await read(
    conversation(
      {},
      node("m1", null, said("user", "one", { create_time: 1 })),
      node("m2", "m1", said("assistant", "old", { create_time: 2 })),
      node("m3", "m1", said("assistant", "new", { create_time: 3 })),
    ),
    conversation(
      { conversation_id: "c2", current_node: "b" },
      node("a", "b", said("user", "first")),
      node("b", "a", said("user", "second")),
    ),
  );
  expect(itemsOf(found)).toMatchObject([
    { content: "one" },
    { content: "new" },
    { content: "first", sessionId: "chatgpt:c2" },
    { content: "second" },
  ]);
});

test("what is no conversation is a problem, and the others are read", async () => {
  const good = conversation({ current_node: "m1" }, node("m1", null, said("user", "hello")));
  const found = await read(
    null,
    5,
    [],
    {},
    { conversation_id: "c" },
    { conversation_id: 7, mapping: {} },
    good,
  );
  expect(problemsOf(found)).toEqual([
    ...[1, 2, 3, 4].map((n) => ({ place: `conversation ${n}`, problem: "has no id" })),
    { place: "conversation 5", problem: "has no messages that can be followed" },
    { place: "conversation 6", problem: "has no id" },
  ]);
  expect(itemsOf(found)).toMatchObject([{ content: "hello" }]);
});

test("fields of other types do no harm", async () => {
  const wrong = [null, 5, "x", [], {}, { parts: 5 }, { content_type: 5, parts: ["x"] }];
  const nodes = wrong.map((content, i) =>
    node(`m${i}`, i === 0 ? null : `m${i - 1}`, said("user", "", { content })),
  );
  const found = await read(
    conversation({ title: 5, create_time: "soon", current_node: `m${wrong.length - 1}` }, ...nodes),
    conversation({ mapping: { __proto__: null, a: null, b: 5 }, current_node: "constructor" }),
  );
  expect(itemsOf(found)).toEqual([]);
});

test("a conversation that grew has the same keys, and new ones for what is new", async () => {
  const first = node("m1", null, said("user", "hello"));
  const second = node("m2", "m1", said("assistant", "hi"));
  const keys = async (...args: Parameters<typeof conversation>) =>
    (await read(conversation(...args))).flatMap((found) => (found.type === "item" ? [found.key] : []));
  const before = await keys({ current_node: "m1" }, first);
  const after = await keys({ current_node: "m2", title: "Renamed" }, first, second);
  expect(after.slice(0, 1)).toEqual(before);
  expect(new Set(after).size).toBe(2);
});
