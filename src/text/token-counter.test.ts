import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { FluxTypeError } from "../model/errors.ts";
import { loadTokenCounter } from "./load-token-counter.ts";
import { estimatedTokens } from "./token-counter.ts";

const counter = await loadTokenCounter();

test("the tokenizer counts as its encoding does", () => {
  expect([counter.id, counter.exact]).toEqual(["o200k_base", true]);
  expect(counter.count("")).toBe(0);
  expect(counter.count("Hello, world!")).toBe(4);
  expect(counter.count("The quick brown fox jumps over the lazy dog.")).toBe(10);
});

test("an encoding that there is not is refused", async () => {
  await expect(loadTokenCounter("p50k_base" as never)).rejects.toThrow(FluxTypeError);
});

test("special tokens in a text are plain text", () => {
  expect(counter.count("<|endoftext|>")).toBeGreaterThan(1);
});

test.each(["a", "我", "😀", " ", "\n", "!", "1", "\ud800", "\0"])(
  "a long run of %j is counted in linear time",
  (unit) => {
    let count = 0;
    const time = cpuTime(() => {
      count = counter.count(unit.repeat(100_000));
    });
    expect(count).toBeGreaterThan(0);
    expect(time).toBeLessThan(10_000);
  },
);

test("both counters take any string", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const { count } of [counter, estimatedTokens]) {
        expect(Number.isInteger(count(text))).toBe(true);
        expect(count(text)).toBeGreaterThanOrEqual(text === "" ? 0 : 1);
      }
    }),
  );
});

test.each([
  "We went to the market yesterday and bought some apples, didn't we? It cost $12.50 in total.",
  "## Plan\n\n- **Monday**: read 20 pages\n- **Tuesday**: write a summary (about 300 words)\n",
  "我下周二要去北京大学参加面试，希望一切顺利。",
  "来週の火曜日に東京大学で面接があります。",
  "На следующей неделе я иду на собеседование в университет.",
  "سأذهب الأسبوع القادم إلى الجامعة لإجراء مقابلة.",
  "Nächste Woche habe ich ein Vorstellungsgespräch.",
])("the estimate is near: %s", (text) => {
  const ratio = estimatedTokens.count(text) / counter.count(text);
  expect(ratio).toBeGreaterThan(0.7);
  expect(ratio).toBeLessThan(1.35);
});
