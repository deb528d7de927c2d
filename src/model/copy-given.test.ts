import { expect, test } from "vitest";
import { copyGiven } from "./copy-given.ts";

test("lists and plain objects are copied, and nothing else", () => {
  const { signal } = new AbortController();
  const date = new Date(0);
  const given = { list: [{ a: 1 }, "b"], signal, date, none: undefined, ["__proto__"]: 1 };
  const copy = copyGiven(given);
  expect(copy).toEqual(given);
  expect(copy.list).not.toBe(given.list);
  expect(copy.list[0]).not.toBe(given.list[0]);
  expect([copy.signal, copy.date]).toEqual([signal, date]);
  expect(copy.signal).toBe(signal);
  expect(Object.hasOwn(copy, "__proto__")).toBe(true);
});

test("what refers to itself comes to an end", () => {
  const one: Record<string, unknown> = {};
  for (const name of ["a", "b", "c"]) one[name] = one;
  expect(copyGiven(one)).not.toBe(one);
});
