import { expect, test } from "vitest";
import { itemsOf, problemsOf, readAll } from "../../../test/support/import-source.ts";
import { readServerMemory } from "./server-memory.ts";

const read = (...lines: unknown[]) =>
  readAll(
    readServerMemory,
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\r\n"),
  );

test("each observation and each relation is a text", async () => {
  const found = await read(
    { type: "entity", name: "Alice", entityType: "person", observations: ["Likes tea", "Speaks Spanish"] },
    { type: "entity", name: "Acme", entityType: "company", observations: [] },
    { type: "relation", from: "Alice", to: "Acme", relationType: "works_at" },
  );
  expect(problemsOf(found)).toEqual([]);
  const origin = { source: "server-memory", entity: "Alice", entity_type: "person" };
  expect(itemsOf(found)).toEqual([
    { text: "Alice: Likes tea", provenance: "ai_stated", metadata: origin },
    { text: "Alice: Speaks Spanish", provenance: "ai_stated", metadata: origin },
    {
      ...{ text: "Acme (company)", provenance: "ai_stated" },
      metadata: { source: "server-memory", entity: "Acme", entity_type: "company" },
    },
    {
      ...{ text: "Alice works at Acme", provenance: "ai_stated" },
      metadata: { source: "server-memory", from: "Alice", relation: "works_at", to: "Acme" },
    },
  ]);
});

test("damaged lines are reported with their number, and the rest is read", async () => {
  const found = await read(
    '{"type":"entity","name":"A","entityType":"x","observations":["cut of',
    "",
    ...[
      { type: "entity", observations: ["x"] },
      { type: "entity", name: "B", observations: "x" },
    ],
    ...[
      { type: "entity", name: "C", observations: [5, "kept", ""] },
      { type: "relation", from: "A" },
    ],
    ...[{ type: "note" }, [], "null"],
  );
  expect(problemsOf(found)).toEqual([
    { place: "line 1", problem: "is no JSON" },
    { place: "line 3", problem: "is an entity without a name" },
    { place: "line 4", problem: "has observations that are no list" },
    { place: "line 5, observation 1", problem: "is no text" },
    { place: "line 5, observation 3", problem: "is no text" },
    { place: "line 6", problem: "is a relation without from, to or relationType" },
    { place: "line 7", problem: "is neither an entity nor a relation" },
    { place: "line 8", problem: "is neither an entity nor a relation" },
    { place: "line 9", problem: "is neither an entity nor a relation" },
  ]);
  expect(itemsOf(found)).toMatchObject([{ text: "C: kept" }]);
});
