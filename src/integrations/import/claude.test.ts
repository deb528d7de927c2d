import { expect, test } from "vitest";
import { itemsOf, problemsOf, readAll } from "../../../test/support/import-source.ts";
import { readClaude } from "./claude.ts";

const read = (...conversations: unknown[]) => readAll(readClaude, JSON.stringify(conversations));

const conversation = (...chat_messages: unknown[]): object => ({
  ...{ uuid: "u1", name: "Plans", created_at: "2025-03-01T10:00:00.123456Z" },
  chat_messages,
});

test("messages have their sender, time and session", async () => {
  const found = await read(
    conversation(
      { uuid: "a", text: "Hello", content: [], sender: "human", created_at: "2025-03-01T10:00:01Z" },
      {
        ...{ uuid: "b", text: "old form", sender: "assistant", created_at: "2025-03-01T10:00:02+00:00" },
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "Hi." },
          { type: "tool_use", name: "search", input: {} },
          { type: "text", text: "Found it." },
        ],
      },
    ),
  );
  expect(problemsOf(found)).toEqual([]);
  const metadata = { source: "claude", conversation: "Plans" };
  expect(itemsOf(found)).toEqual([
    {
      ...{ role: "user", content: "Hello", sessionId: "claude:u1", saidAt: Date.UTC(2025, 2, 1, 10, 0, 1) },
      metadata: { ...metadata, message_id: "a" },
    },
    {
      ...{ role: "assistant", content: "Hi.\n\nFound it.", sessionId: "claude:u1" },
      ...{ saidAt: Date.UTC(2025, 2, 1, 10, 0, 2), metadata: { ...metadata, message_id: "b" } },
    },
  ]);
});

test("the text of an attached file is a text that nobody said", async () => {
  const found = await read(
    conversation({
      ...{ uuid: "a", text: "Look", sender: "human" },
      attachments: [{ file_name: "list.txt", extracted_content: "milk" }, { file_name: "empty" }, null],
    }),
  );
  expect(itemsOf(found)).toMatchObject([
    {
      ...{ text: "milk", provenance: "external_source", sessionId: "claude:u1" },
      ...{ metadata: { file: "list.txt" }, statedAt: Date.UTC(2025, 2, 1, 10, 0, 0, 123) },
    },
    { role: "user", content: "Look" },
  ]);
});

test("what is damaged is a problem, and the rest is read", async () => {
  const found = await read(
    ...[null, {}, { uuid: "x" }, { uuid: "x", chat_messages: {} }],
    conversation(
      null,
      { sender: "robot", text: "x" },
      { sender: "human" },
      { sender: "human", text: "kept" },
    ),
  );
  expect(problemsOf(found)).toEqual([
    { place: "conversation 1", problem: "has no uuid" },
    { place: "conversation 2", problem: "has no uuid" },
    { place: "conversation 3", problem: "has no chat_messages" },
    { place: "conversation 4", problem: "has no chat_messages" },
    { place: "conversation 5, message 1", problem: "has no sender that is known" },
    { place: "conversation 5, message 2", problem: "has no sender that is known" },
  ]);
  expect(itemsOf(found)).toMatchObject([{ role: "user", content: "kept" }]);
});
