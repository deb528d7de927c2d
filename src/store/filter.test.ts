import { describe, expect, test } from "vitest";
import { FluxError } from "../model/errors.ts";
import type { Metadata } from "../model/metadata.ts";
import { matches, parseFilter } from "./filter.ts";

function passes(filter: unknown, metadata?: Metadata): boolean {
  return matches(parseFilter(filter), metadata);
}

describe("conditions", () => {
  const metadata = { plan: "pro", seats: 5, trial: false, tags: ["a", "b"], empty: "" };

  test.each<[unknown, boolean]>([
    [{}, true],
    [{ plan: "pro" }, true],
    [{ plan: { eq: "pro" }, seats: 5 }, true],
    [{ plan: "pro", seats: 6 }, false],
    [{ seats: "5" }, false],
    [{ trial: false }, true],
    [{ trial: { eq: true } }, false],
    [{ missing: false }, false],
    [{ plan: { in: ["free", "pro"] } }, true],
    [{ plan: { in: [] } }, false],
    [{ seats: { in: [5, "x"] } }, true],
    [{ tags: { in: ["a"] } }, false],
    [{ tags: "a" }, false],
    [{ tags: { contains: "a" } }, true],
    [{ tags: { contains: "c" } }, false],
    [{ plan: { contains: "pro" } }, false],
    [{ seats: { gt: 4, lt: 6 } }, true],
    [{ seats: { gt: 5 } }, false],
    [{ seats: { gte: 5, lte: 5 } }, true],
    [{ seats: { gt: "4" } }, false],
    [{ plan: { gt: "pra" } }, true],
    [{ trial: { gte: 0 } }, false],
    [{ plan: { exists: true } }, true],
    [{ missing: { exists: true } }, false],
    [{ missing: { exists: false } }, true],
    [{ empty: { exists: true } }, true],
    [{ not: { plan: "free" } }, true],
    [{ not: { missing: "x" } }, true],
    [{ or: [{ plan: "free" }, { seats: 5 }] }, true],
    [{ or: [] }, false],
    [{ and: [] }, true],
    [{ and: [{ plan: "pro" }, { not: { trial: true } }], tags: { contains: "b" } }, true],
    [{ toString: { exists: true } }, false],
  ])("%j gives %s", (filter, expected) => {
    expect(passes(filter, metadata)).toBe(expected);
  });

  test("a record without metadata has none of the keys", () => {
    expect(passes({ a: { exists: true } })).toBe(false);
    expect(passes({ not: { a: 1 } })).toBe(true);
  });

  test("strings are compared by their bytes", () => {
    expect(passes({ a: { gt: "\uffff" } }, { a: "\u{1f600}" })).toBe(true);
  });
});

test.each<[unknown, string]>([
  ["plan", "filter must be an object"],
  [null, "filter must be an object"],
  [[], "filter must be an object"],
  [{ a: null }, "filter.a must be"],
  [{ a: ["x"] }, "filter.a must be"],
  [{ a: {} }, "filter.a has no condition"],
  [{ a: { like: "x" } }, "filter.a.like is not known"],
  [{ a: { in: "abc" } }, "filter.a.in must be a list"],
  [{ a: { in: [null] } }, "filter.a.in must be a list"],
  [{ a: { gt: true } }, "filter.a.gt must be"],
  [{ a: { gt: Number.NaN } }, "filter.a.gt must be"],
  [{ a: { exists: "yes" } }, "filter.a.exists must be"],
  [{ a: { contains: 1 } }, "filter.a.contains must be"],
  [{ a: "\ud800" }, "filter.a must be"],
  [{ "\ud800": 1 }, "is not a well-formed key"],
  [{ and: { a: 1 } }, "filter.and must be a list"],
  [{ or: [{ a: 1 }, 5] }, "filter.or[1] must be an object"],
  [{ not: [] }, "filter.not must be an object"],
  [{ a: { in: Array.from({ length: 1001 }, (_, i) => i) } }, "at most 1000"],
  [{ or: Array.from({ length: 1001 }, () => ({ a: 1 })) }, "at most 1000"],
])("%j is refused", (filter, message) => {
  const refused = (() => {
    try {
      parseFilter(filter);
    } catch (error) {
      return error;
    }
    return undefined;
  })();
  expect(refused).toBeInstanceOf(FluxError);
  expect(refused).toMatchObject({ code: "invalid_filter", message: expect.stringContaining(message) });
});

test("nesting has a limit", () => {
  let filter: unknown = { a: 1 };
  for (let i = 0; i < 16; i++) filter = { not: filter };
  expect(() => parseFilter(filter)).not.toThrow();
  expect(() => parseFilter({ not: filter })).toThrow(/nests deeper/);
});
