import { expect, test } from "vitest";
import { findStatements } from "./statements.ts";

const texts = (text: string): string[] => findStatements(text).map((piece) => piece.text);

test("sentences stand where they stood", () => {
  const text = "Hi there! I live in Rome. Do you? `x` I like it.";
  for (const { text: sentence, start } of findStatements(text))
    expect(text.slice(start, start + sentence.length).replace("`x`", "¦¦¦")).toBe(sentence);
});

test("questions and orders go, and what stands before a question stays", () => {
  expect(texts("Where do I live? I live in Rome. Write a poem.")).toEqual(["I live in Rome."]);
  expect(texts("I live in Rome, can you help me?")).toEqual(["I live in Rome"]);
  expect(texts("I live in Rome, so what are good places to eat")).toEqual(["I live in Rome"]);
});

test("other people's words and code are blanked", () => {
  expect(texts('She said "I hate it." and left.')).toEqual(['She said "¦¦¦¦¦¦¦¦¦¦" and left.']);
  expect(texts("I ran `rm -rf` once.")).toEqual(["I ran ¦¦¦¦¦¦¦¦ once."]);
});

test("titles stay", () => {
  expect(texts('I read "Pride and Prejudice".')).toEqual(['I read "Pride and Prejudice".']);
});

test("what follows a text that is handed over is not read", () => {
  expect(texts("I live in Rome.\nTranslate this:\nI live in Paris.\nI live in Oslo.")).toEqual([
    "I live in Rome.",
  ]);
});

test("code, lists of settings and what nobody says in one breath go", () => {
  expect(texts("const a = 1;\nif (x) { y() }\nSELECT name FROM users")).toEqual([]);
  expect(texts(`I live in ${"very ".repeat(200)}far.`)).toEqual([]);
});
