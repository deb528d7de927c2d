import { expect, test } from "vitest";
import { confidenceOf } from "./confidence.ts";
import { type Said, samplePool } from "./sample-memory.ts";
import { scorePool } from "./score.ts";

function confidence(question: string, said: readonly Said[]): number {
  const { query, pool } = samplePool(question, said);
  return confidenceOf(scorePool(query, pool));
}

const said: readonly Said[] = [
  { text: "I baked a cherry cake", author: "Bob" },
  { text: "I went to the museum", author: "Ann" },
  { text: "The cake was a dream", author: "Bob" },
];

test("words that nobody ever used make less confident", () => {
  const all = confidence("cherry cake", said);
  const half = confidence("cherry pie", said);
  expect(all).toBeGreaterThan(half);
  expect(half).toBeGreaterThan(0);
  expect(all).toBeLessThan(1);
});

test("what somebody else said is no answer to a question about one person", () => {
  expect(confidence("Did Bob bake the cherry cake?", said)).toBeGreaterThan(0.6);
  expect(confidence("Did Ann bake the cherry cake?", said)).toBeLessThan(0.4);
});

test("nothing that fits is no confidence", () => {
  expect(confidence("zeppelin", said)).toBe(0);
  expect(confidence("", said)).toBe(0);
  expect(confidence("zeppelin", [])).toBe(0);
});

test("a nearer meaning is more confidence", () => {
  const { query, pool } = samplePool("cherry cake", said);
  const before = confidenceOf(scorePool(query, pool));
  for (const candidate of pool.candidates) candidate.similarity = 0.8;
  expect(confidenceOf(scorePool(query, pool))).toBeGreaterThan(before);
});
