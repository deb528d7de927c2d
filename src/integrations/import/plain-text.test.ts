import { expect, test } from "vitest";
import { itemsOf, readAll } from "../../../test/support/import-source.ts";
import { readText } from "./plain-text.ts";

const texts = async (text: string, name?: string) =>
  itemsOf(await readAll(readText, text, name)).map((item) => ("text" in item ? item.text : undefined));

test("short paragraphs are packed together, whole", async () => {
  const long = "x".repeat(800);
  expect(await texts(`one\nline\r\n\n\n  \ntwo\n\n${long}\n\n${long}\n\nthree`)).toEqual([
    `one\nline\n\ntwo\n\n${long}`,
    `${long}\n\nthree`,
  ]);
});

test("nothing, and white space, are no text", async () => {
  expect(await texts("")).toEqual([]);
  expect(await texts(" \n\n\t\n")).toEqual([]);
});

test("a text without an empty line, or without any line end, is cut, and no character of it", async () => {
  const lines = await texts("line\n".repeat(50_000));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join("\n")).toBe("line\n".repeat(50_000).trimEnd());
  const foxes = await texts("🦊".repeat(120_000));
  expect(foxes.length).toBeGreaterThan(1);
  expect(foxes.join("")).toBe("🦊".repeat(120_000));
  expect(foxes.every((text) => text?.isWellFormed())).toBe(true);
});

test("a text names its file, and a day in the name is its time", async () => {
  expect(itemsOf(await readAll(readText, "hello", "2025-03-09 diary.txt"))).toEqual([
    {
      ...{ text: "hello", provenance: "external_source", statedAt: Date.UTC(2025, 2, 9) },
      metadata: { source: "2025-03-09 diary.txt" },
    },
  ]);
  expect(itemsOf(await readAll(readText, "hello", "12025-03-091.txt"))[0]).not.toHaveProperty("statedAt");
});
