import { expect, test } from "vitest";
import { formatOf } from "./formats.ts";

test.each([
  ["a.txt", "hello", "text"],
  ["a.txt", "", "text"],
  ["a", "[note to myself]\nBuy milk", "text"],
  ["a.md", "# Title", "markdown"],
  ["A.MARKDOWN", "[1]", "markdown"],
  ["a.jsonl", "", "jsonl"],
  ["a.log", '{"role":"user","content":"x"}\n', "jsonl"],
  ["a.json", '[{"role":"user","content":"x"}]', "json"],
  ["a.json", "[\n", "json"],
  ["a", '[{"content":"x"}]', "json"],
  ["conversations.json", '[{"title":"x","mapping":{"a":{', "chatgpt"],
  ["conversations.json", '[\n  {"uuid":"x","chat_messages":[{', "claude"],
  ["memory.json", '{"type":"entity","name":"x"}\n{"type":"relation"}', "server-memory"],
  ["flux.jsonl", '{"type":"flux-memory","version":1}\n', "export"],
])("%s with %s is %s", (name, beginning, format) => {
  expect(formatOf("auto", name, beginning)).toBe(format);
});

test("a format that is named holds, and JSON Lines may be an export, or a list", () => {
  expect(formatOf("text", "a.md", "# x")).toBe("text");
  expect(formatOf("jsonl", "a.txt", '{"type":"flux-memory","version":1}\n')).toBe("export");
  expect(formatOf("jsonl", "a.txt", '{"text":"x"}')).toBe("jsonl");
  expect(formatOf("jsonl", "a.txt", ' [\n{"text":"x"}]')).toBe("json");
  expect(() => formatOf("json", "a", "")).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});
