import { expect, test } from "vitest";
import { collected } from "../../../test/support/import-source.ts";
import { decodeText } from "./decode.ts";

async function* byteByByte(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

async function decoded(bytes: Uint8Array): Promise<{ readonly text: string; readonly replaced: number }> {
  let replaced = 0;
  const parts = await collected(decodeText(byteByByte(bytes), () => (replaced += 1)));
  return { text: parts.join(""), replaced };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ["nothing", utf8(""), ""],
  ["one letter", utf8("a"), "a"],
  ["UTF-8 of several bytes", utf8("né 日本 🦊"), "né 日本 🦊"],
  ["a byte order mark", utf8("\ufeffhello"), "hello"],
  ["a byte order mark alone", utf8("\ufeff"), ""],
  ["UTF-16, little end first", Uint8Array.of(0xff, 0xfe, 0x61, 0, 0xe9, 0), "aé"],
  ["UTF-16, big end first", Uint8Array.of(0xfe, 0xff, 0, 0x61, 0, 0xe9), "aé"],
])("%s is read, one byte at a time", async (_, bytes, text) => {
  expect(await decoded(bytes)).toEqual({ text, replaced: 0 });
});

test.each([
  ["Latin-1", Uint8Array.of(0x61, 0x62, 0xe9, 0x63, 0x64), "ab\ufffdcd"],
  ["a character that the end cuts", utf8("ab🦊").slice(0, 4), "ab\ufffd"],
  ["a single byte", Uint8Array.of(0xe9), "\ufffd"],
])("%s is replaced, which is told once", async (_, bytes, text) => {
  expect(await decoded(bytes)).toEqual({ text, replaced: 1 });
});
