import { expect, test } from "vitest";
import { grainText, ownerText } from "./owner-text.ts";

test("each kind of record has one text", () => {
  expect(ownerText("message", { content: "Hi" })).toBe("Hi");
  expect(ownerText("text", { content: "A note" })).toBe("A note");
  expect(ownerText("episode", { input: "2+2?", output: "4" })).toBe("2+2?\n4");
  expect(ownerText("episode", { input: "", output: "4" })).toBe("4");
  expect(ownerText("episode", { input: "2+2?", output: "" })).toBe("2+2?");
  const fact = { subject: "Ann", predicate: "eats", object: "meat" };
  expect(ownerText("fact", { ...fact, affirmed: true })).toBe("Ann eats meat");
  expect(ownerText("fact", { ...fact, affirmed: false })).toBe("not: Ann eats meat");
  expect(ownerText("fact", { ...fact, predicate: "lives_in", object: "Porto", affirmed: true })).toBe(
    "Ann lives in Porto",
  );
});

test("a grain is a span of it, or all of it", () => {
  expect(grainText("one two three", {})).toBe("one two three");
  expect(grainText("one two three", { start: 4, end: 7 })).toBe("two");
  expect(grainText("one two three", { start: 8 })).toBe("three");
  expect(grainText("one two three", { end: 3 })).toBe("one");
});

test("a span that no longer fits splits no character and is no error", () => {
  expect(grainText("a👍b", { start: 0, end: 2 })).toBe("a");
  expect(grainText("a👍b", { start: 2, end: 4 })).toBe("b");
  expect(grainText("short", { start: 10, end: 20 })).toBe("");
  expect(grainText("", { start: 0, end: 5 })).toBe("");
});
