import fc from "fast-check";
import { expect, test } from "vitest";
import { findSpeakers } from "./speaker.ts";

test.each<[string, [string, string][]]>([
  ["Alice: Hi there", [["Alice", "Hi there"]]],
  [
    "Alice: Hi\nBob Smith: Hello\nhow are you?\nAlice: Fine",
    [
      ["Alice", "Hi"],
      ["Bob Smith", "Hello\nhow are you?"],
      ["Alice", "Fine"],
    ],
  ],
  [
    "user: hello\nassistant: hi",
    [
      ["user", "hello"],
      ["assistant", "hi"],
    ],
  ],
  [
    "小明：你好\n小红：嗨",
    [
      ["小明", "你好"],
      ["小红", "嗨"],
    ],
  ],
  ["**Anna**: yes", [["Anna", "yes"]]],
  ["[10:32] Иван: Привет", [["Иван", "Привет"]]],
  ["Note: buy milk", []],
  ["I said: no", []],
  ["https://example.com and 10:30", []],
  ["Call me at: home", []],
  ["", []],
])("%j", (text, turns) => {
  expect(findSpeakers(text).map(({ speaker, said }) => [speaker.text, said.text])).toEqual(turns);
});

test("parts stand where they say, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("A", "b", ":", " ", "\n", "小", "：", "*", "[", "]", "\ud800", "1"),
      }),
      (text) => {
        for (const { speaker, said } of findSpeakers(text)) {
          for (const piece of [speaker, said]) {
            expect(text.slice(piece.start, piece.start + piece.text.length)).toBe(piece.text);
          }
        }
      },
    ),
  );
});
