import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { base32, digest } from "./hash.ts";

test("digest is SHA-256 of the parts as a JSON array", () => {
  const expected = createHash("sha256").update('["a","é\\n"]').digest("hex");
  expect(Buffer.from(digest("a", "é\n")).toString("hex")).toBe(expected);
});

test("digest is the same where there is no node:crypto, as in a browser", async () => {
  const { getBuiltinModule } = process;
  vi.resetModules();
  try {
    Object.assign(process, { getBuiltinModule: undefined });
    const elsewhere = await import("./hash.ts");
    expect(elsewhere.digest).not.toBe(digest);
    for (const parts of [[], [""], ["a", "é\n"], ["\ud800", "\0", "中\u{1f600}"], ["x".repeat(10_000)]])
      expect(elsewhere.digest(...parts)).toEqual(digest(...parts));
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
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
