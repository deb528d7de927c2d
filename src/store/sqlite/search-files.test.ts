import { writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { searchFiles } from "./search-files.ts";

const folder = temporaryFolder();
let path: string;

beforeEach(() => {
  path = folder.path("test.db");
});

const search = (...texts: string[]): Promise<number> => searchFiles(path, texts, undefined);

test("places are counted in all files of the database", async () => {
  writeFileSync(path, "one canary, two canary");
  writeFileSync(`${path}-wal`, "canary");
  writeFileSync(`${path}-shm`, "nothing");
  writeFileSync(`${path}-other`, "canary");
  expect(await search("canary")).toBe(3);
  expect(await search("canary", "two", "absent")).toBe(4);
  expect(await search()).toBe(0);
});

test("files that are not there hold nothing", async () => {
  expect(await search("canary")).toBe(0);
});

test("a text is found across the chunks that a large file is read in, once", async () => {
  for (const before of [1024 * 1024 - 3, 1024 * 1024 - 6, 1024 * 1024, 2 * 1024 * 1024 - 1]) {
    writeFileSync(path, `${"x".repeat(before)}canary${"y".repeat(2_000_000)}`);
    expect(await search("canary"), `after ${before} bytes`).toBe(1);
  }
});

test("a text is also found as JSON writes it, and by its bytes whatever its script", async () => {
  writeFileSync(path, String.raw`{"a":"say \"hi\"\nnow"} Grüße 😀`);
  expect(await search('say "hi"\nnow')).toBe(1);
  expect(await search("Grüße 😀")).toBe(1);
  expect(await search("grüße")).toBe(0);
});

test("a long text is found although pages end within it, and although only a part of it is left", async () => {
  const words = Array.from({ length: 2000 }, (_, i) => `word${i}`).join(" ");
  const pages = words.match(/.{1,4092}/g) ?? [];
  writeFileSync(path, pages.join("\0\0\0\u0001"));
  expect(await search(words)).toBe(1);
  writeFileSync(path, words.slice(5000, 9000));
  expect(await search(words)).toBe(1);
  writeFileSync(path, "word1 word3 word5");
  expect(await search(words)).toBe(0);
});
