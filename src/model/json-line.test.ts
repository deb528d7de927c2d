import { expect, test } from "vitest";
import { jsonLine } from "./json-line.ts";

test("a line of JSON is one to every reader, says nothing to a terminal and is the same value", () => {
  const value = {
    "k\u009b": ["\u001b[31m\u0007\u009b2J\u007f", "a\u0085b\u2028c\u2029d\r\n", "\u202ex\u2066", "né 🦊"],
  };
  const line = jsonLine(value);
  expect(JSON.parse(line)).toEqual(value);
  expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  expect(line).toContain("né 🦊");
});
