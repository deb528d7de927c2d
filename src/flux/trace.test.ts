import { expect, test } from "vitest";
import { partition } from "../model/partition.ts";
import { utf8Length } from "../model/unicode.ts";
import type { RecallHit } from "../recall/result.ts";
import { traceOf } from "./trace.ts";

const hits = Array.from(
  { length: 100 },
  (_, i) =>
    ({ id: `f16d50gb3gk7zcyegdbphrhv7w-${1999 - i}`, score: 0.123456789, text: `text ${i}` }) as RecallHit,
);

function hitsOf(query: string, label: number): number {
  const labels = { sessionId: "s".repeat(label), agentId: "a".repeat(label) };
  const scope = { partition: partition({ userId: "alice" }), caller: undefined, ...labels };
  const trace = traceOf("t", { query, hits, scope, expiresAt: 1_800_000_000_000 });
  const { query: kept, ...rest } = trace;
  expect(utf8Length(JSON.stringify(rest)) + utf8Length(kept)).toBeLessThanOrEqual(2048);
  return trace.hits.length;
}

test("a trace holds the best 15 hits at least, whatever the query, where its labels are short", () => {
  for (const query of ["", "tea", "x".repeat(300), '"'.repeat(300), "\u0001".repeat(300), "🐶".repeat(300)]) {
    expect(hitsOf(query, 100)).toBeGreaterThanOrEqual(15);
  }
  expect(hitsOf("x".repeat(300), 512)).toBeGreaterThan(0);
});
