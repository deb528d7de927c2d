import { expect, it } from "vitest";
import { speedQuestion, speedText } from "./speed-texts.ts";

const texts = Array.from({ length: 5000 }, (_, i) => speedText(i));

it("makes the same text and question of the same number", () => {
  expect(texts.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, i) => speedText(i)));
  expect(speedQuestion(7, 3)).toBe(speedQuestion(7, 3));
});

it("makes texts as long as people write them, in sessions that follow on one another", () => {
  const mean = texts.reduce((sum, { content }) => sum + content.length, 0) / texts.length;
  expect(mean).toBeGreaterThan(100);
  expect(mean).toBeLessThan(150);
  expect(new Set(texts.map(({ content }) => content)).size).toBeGreaterThan(4900);
  expect(texts.slice(0, 26).map(({ session }) => session)).toEqual([
    ...Array.from({ length: 25 }, () => "session-0"),
    "session-1",
  ]);
  for (const [i, { saidAt }] of texts.entries())
    if (i > 0) expect(saidAt).toBeGreaterThan(texts[i - 1]?.saidAt ?? 0);
});

it("uses a few words often and many words once", () => {
  const counts = new Map<string, number>();
  for (const { topics } of texts) for (const word of topics) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts.values()].sort((a, b) => b - a);
  expect(sorted[0]).toBeGreaterThan(texts.length / 100);
  expect(sorted[0]).toBeLessThan(texts.length / 20);
  expect(sorted.filter((count) => count === 1).length).toBeGreaterThan(sorted.length / 3);
});

it("asks about what a text tells of", () => {
  for (let i = 0; i < 200; i++) {
    const words = new Set(speedQuestion(i, i).match(/\w+/g));
    expect(speedText(i).topics.some((topic) => words.has(topic))).toBe(true);
  }
});
