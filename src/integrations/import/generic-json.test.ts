import { expect, test } from "vitest";
import { itemsOf, problemsOf, readAll } from "../../../test/support/import-source.ts";
import { readJsonLines, readJsonList } from "./generic-json.ts";

const read = (...lines: unknown[]) =>
  readAll(
    readJsonLines,
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
    "log.jsonl",
  );

test("a line with a role is a message, and one without is a text", async () => {
  const found = await read(
    {
      role: "human",
      content: "Hi",
      timestamp: 1_700_000_000,
      session_id: "s",
      name: "Ann",
      metadata: { a: 1 },
    },
    { role: "AI", text: [{ type: "text", text: "Hello" }], createdAt: "2025-03-09T00:00:00Z" },
    { text: "Tea is fine", author: "Ann", provenance: "user_stated", conversation_id: 5 },
    '"Just a text"',
  );
  expect(problemsOf(found)).toEqual([]);
  expect(itemsOf(found)).toEqual([
    {
      ...{ role: "user", content: "Hi", saidAt: 1_700_000_000_000, sessionId: "import:s" },
      ...{ name: "Ann", metadata: { a: 1 } },
    },
    { role: "assistant", content: "Hello", sessionId: "import:log.jsonl", saidAt: Date.UTC(2025, 2, 9) },
    { text: "Tea is fine", provenance: "user_stated", author: "Ann", sessionId: "import:5" },
    { text: "Just a text", provenance: "external_source" },
  ]);
});

test("a line with messages is a conversation", async () => {
  const found = await read(
    {
      id: "c1",
      messages: [
        { role: "user", content: "one" },
        { role: "assistant", content: "two" },
      ],
    },
    { messages: [{ role: "user", content: "three" }] },
  );
  expect(itemsOf(found)).toMatchObject([
    { content: "one", sessionId: "import:c1" },
    { content: "two", sessionId: "import:c1" },
    { content: "three", sessionId: "import:log.jsonl line 2" },
  ]);
});

test("the same said twice are two, with the same keys when it is read again", async () => {
  const keys = async () =>
    (await read({ role: "user", content: "yes" }, { role: "user", content: "yes" })).map((found) =>
      found.type === "item" ? found.key : "",
    );
  const first = await keys();
  expect(new Set(first).size).toBe(2);
  expect(await keys()).toEqual(first);
});

test("what is wrong is told by line, and no text is in what is told", async () => {
  const found = await read(
    ...["{", "5", "[]", {}, { content: 5 }, { role: "wizard", content: "secret" }],
    ...[
      { text: "secret", time: "once" },
      { text: "secret", metadata: { a: { b: 1 } } },
    ],
  );
  expect(problemsOf(found)).toEqual([
    { place: "line 1", problem: "is no JSON" },
    ...[2, 3, 4, 5].map((n) => ({ place: `line ${n}`, problem: "has no text" })),
    { place: "line 6", problem: "has a role that is not known" },
    { place: "line 7", problem: "has a time that is not known; it counts as said now" },
    { place: "line 8", problem: "has metadata that is no flat object; it is left out" },
  ]);
  expect(itemsOf(found)).toHaveLength(2);
});

test("a JSON list is read in the same way", async () => {
  const found = await readAll(
    readJsonList,
    JSON.stringify([{ text: "one" }, { role: "user", content: "two" }]),
    "a.json",
  );
  expect(itemsOf(found)).toMatchObject([{ text: "one" }, { content: "two", sessionId: "import:a.json" }]);
});

test("conversations in conversations have an end", async () => {
  let nested: unknown = { role: "user", content: "deep" };
  for (let i = 0; i < 100; i++) nested = { messages: [nested] };
  expect(itemsOf(await read(nested))).toMatchObject([{ content: "deep" }]);
});
