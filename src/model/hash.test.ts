import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { base32, digest } from "./hash.ts";

test("digest is SHA-256 of the parts as a JSON array", () => {
  const expected = createHash("sha256").update('["a","é\\n"]').digest("hex");
  expect(Buffer.from(digest("a", "é\n")).toString("hex")).toBe(expected);
});

test("no two lists of parts have the same digest, lone surrogates included", () => {
  const lists = [
    ["ab", "c"],
    ["a", "bc"],
    ["abc"],
    ["abc", ""],
    ['a","b'],
    ["\ud800"],
    ["\ud801"],
    ["\ufffd"],
  ];
  expect(new Set(lists.map((parts) => base32(digest(...parts)))).size).toBe(lists.length);
});

test("base32 is Crockford's alphabet in lower case", () => {
  expect(base32(Uint8Array.of(0))).toBe("00");
  expect(base32(Uint8Array.of(255, 255, 255, 255, 255))).toBe("zzzzzzzz");
  expect(base32(new TextEncoder().encode("hello"))).toBe("d1jprv3f");
  expect(base32(new Uint8Array())).toBe("");
});
