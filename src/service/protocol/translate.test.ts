import { expect, test } from "vitest";
import type { MemoryRecord } from "../../flux/memory-record.ts";
import type { StoreItem } from "../../flux/store-items.ts";
import {
  askedFromWire,
  fromWire,
  itemFromWire,
  itemToWire,
  pageFromWire,
  pageToWire,
  queryToWire,
  recordFromWire,
  recordToWire,
  toWire,
} from "./translate.ts";

const record: MemoryRecord = {
  ...{ id: "r-0", kind: "text", text: "Alice likes tea", author: "Bob", provenance: "user_stated" },
  ...{ status: "active", saidAt: 5, recordedAt: 6, version: 7, sessionId: "s", mentions: 0 },
  ...{ grainIds: ["r-1"], metadata: { camelCase: "a", snake_case: ["b"], __proto__: "c" } },
};

test("names are in snake_case on the wire, at every depth, and come back", () => {
  const value = { traceId: "t", items: [{ grainIds: ["g"], saidAt: 5 }], none: null };
  expect(toWire(value)).toEqual({
    trace_id: "t",
    items: [{ grain_ids: ["g"], said_at: 5 }],
    none: null,
  });
  expect(fromWire(toWire(value))).toEqual(value);
});

test.each(["metadata", "filter", "toolCalls", "counts", "config"])("what is in %s stays as it is", (name) => {
  const value = { [name]: { camelCase: 1, snake_case: 2, nested: [{ someName: 3 }] } };
  const [inner] = Object.values(toWire(value));
  expect(inner).toEqual(value[name]);
  expect(fromWire(toWire(value))).toEqual(value);
});

test("a record and a page survive both ways", () => {
  expect(recordToWire(record)).toMatchObject({ content: "Alice likes tea", said_at: 5, grain_ids: ["r-1"] });
  expect(recordFromWire(recordToWire(record))).toEqual(record);
  const page = { items: [record], cursor: "c" };
  expect(pageFromWire(pageToWire(page))).toEqual(page);
  expect(pageToWire({ items: [] })).toEqual({ grains: [] });
});

test.each<StoreItem>([
  { text: "Alice likes tea", author: "Bob", statedAt: 5, provenance: "ai_inferred", sessionId: "s" },
  { role: "tool", content: "", name: "clock", saidAt: 5, toolCallId: "c", metadata: { someName: 1 } },
  { role: "assistant", content: "Calling.", toolCalls: [{ someName: 1 }], pinned: true, expiresAt: 9 },
  { input: "Hi", output: "", transcript: [{ someName: 1 }], id: "e-1", occurredAt: 5, sessionId: "s" },
])("an item survives both ways: %j", (item) => {
  const wire = itemToWire(item);
  if ("text" in item) expect(wire.content).toBe(item.text);
  if ("input" in item) expect(wire).toMatchObject({ said_at: 5, transcript: [{ someName: 1 }] });
  expect(itemFromWire(wire)).toEqual(item);
});

test("a query survives both ways", () => {
  const where = { sessionIds: ["s", null], ownerKinds: ["text"], filter: { someName: 1 }, from: 5 } as const;
  const asked = {
    k: 3,
    minScore: 0.5,
    maxTokens: 90,
    alpha: 0.2,
    byScore: true,
    askedAt: 7,
    zone: "UTC",
    where,
  };
  const { query, ...wire } = queryToWire("tea", asked);
  expect([query, wire.limit, wire.kinds, wire.session_ids]).toEqual(["tea", 3, ["text"], ["s", null]]);
  expect(askedFromWire(wire)).toEqual(asked);
});

test("a key called __proto__ is a property like any other", () => {
  const metadata = JSON.parse('{"__proto__":"x"}');
  const wire = toWire({ ...JSON.parse('{"__proto__":{"someName":1}}'), metadata });
  expect(Object.getPrototypeOf(wire)).toBe(Object.prototype);
  expect(Object.keys(wire.metadata)).toEqual(["__proto__"]);
});
