import { expect, test } from "vitest";
import { requestDigest } from "./request-digest.ts";
import { scopeOf } from "./scope.ts";
import type { StoreItem } from "./store-items.ts";

const scope = scopeOf({ userId: "alice" });
const labelled = scopeOf({ userId: "alice", sessionId: "s", agentId: "a" });
const items: StoreItem[] = [
  { text: "Ｉ like  TEA!", metadata: { tags: ["a"], level: 1 }, importance: 0.5 },
  { role: "user", content: "", toolCalls: [{ id: "c", input: { __proto__: null, x: [null] } }] },
];

test("the digest of a request stays the same in all versions: stores hold it", () => {
  expect(requestDigest(scope, [{ text: "tea" }])).toBe("v79s4nb2zke20f3sw9xd9ah9s5hrqha1");
  expect(requestDigest(labelled, items)).toBe("08t57afatgw74j2xr4ss1xyqm4ke39zb");
});

test("what was given counts, and nothing that follows from it", () => {
  const digestOf = (item: StoreItem) => requestDigest(scope, [item]);
  const plain = digestOf({ text: "tea" });
  expect(digestOf({ metadata: undefined, text: "tea" })).toBe(plain);
  for (const other of [
    { text: "Tea" },
    { text: "tea", provenance: "user_stated" },
    { text: "tea", sessionId: "s" },
    { role: "user", content: "tea" },
  ] as const)
    expect(digestOf(other)).not.toBe(plain);
  expect(requestDigest(labelled, [{ text: "tea" }])).not.toBe(plain);
  expect(requestDigest(scope, [{ text: "tea" }, { text: "tea" }])).not.toBe(plain);
});
