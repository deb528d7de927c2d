import { expect, test } from "vitest";
import { printable, printableLine } from "./printable.ts";

test.each([
  ["\u001b[31mred\u001b[0m", "\ufffd[31mred\ufffd[0m"],
  ["\u001b]0;title\u0007", "\ufffd]0;title\ufffd"],
  ["over\rwritten\b\b", "over\nwritten\ufffd\ufffd"],
  ["\u202eevil\u2066", "\ufffdevil\ufffd"],
  ["\u009b31m\u007f\0", "\ufffd31m\ufffd\ufffd"],
  ["\ud800", "\ufffd"],
  ["a\tb\r\nc", "a\tb\nc"],
  ["né 日本 🦊 مرحبا", "né 日本 🦊 مرحبا"],
])("%j is shown as %j", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("a line is one line, and no longer than it may be", () => {
  expect(printableLine(" a\n\n b\t")).toBe("a b");
  expect(printableLine("🦊".repeat(200), 10)).toBe(`${"🦊".repeat(4)}\ufffd…`);
});
