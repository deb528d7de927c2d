import { expect, test } from "vitest";
import { StatementNames } from "./session.ts";
import { Slots } from "./slots.ts";

test("a statement gets a name when it comes again, and keeps it", () => {
  const names = new StatementNames();
  expect(names.nameOf("select 1")).toBeUndefined();
  const name = names.nameOf("select 1");
  expect(name).toBeDefined();
  expect(names.nameOf("select 1")).toBe(name);
  expect(names.nameOf("select 2")).toBeUndefined();
  expect(names.nameOf("select 2")).not.toBe(name);
});

test("the number of named statements is bounded, and long ones have none", () => {
  const names = new StatementNames();
  const texts = Array.from({ length: 1000 }, (_, i) => `select ${i}`);
  const given = texts.map((text) => [names.nameOf(text), names.nameOf(text), names.nameOf(text)].at(-1));
  expect(new Set(given.filter((name) => name !== undefined)).size).toBe(128);
  const long = new StatementNames();
  const text = `select ${"1 + ".repeat(10_000)} 1`;
  expect([long.nameOf(text), long.nameOf(text)]).toEqual([undefined, undefined]);
});

test("slots go to those who wait in their order, and not to those who gave up", async () => {
  const slots = new Slots(1);
  await slots.take(undefined);
  const order: string[] = [];
  const wait = (name: string, signal?: AbortSignal) =>
    slots.take(signal).then(
      () => order.push(name),
      (error: Error) => order.push(error.message),
    );
  const controller = new AbortController();
  const all = [wait("first"), wait("second", controller.signal), wait("third")];
  controller.abort(new Error("gave up"));
  slots.give();
  slots.give();
  await Promise.all(all);
  expect(order).toEqual(["gave up", "first", "third"]);
  slots.give();
  await slots.take(undefined);
  await expect(slots.take(AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
});
