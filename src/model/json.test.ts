import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, copyJson, jsonSchema, maxJsonDepth, repairJson } from "./json.ts";
import { copyMetadata, metadataSchema } from "./metadata.ts";

const jsonProblem = (value: unknown): string | undefined => copyJson(value).problem;
const metadataProblem = (value: unknown): string | undefined => copyMetadata(value).problem;

/** Says another thing each time it is asked. */
function fickle(...answers: readonly unknown[]): object {
  let next = 0;
  const get = (): unknown => answers[Math.min(next++, answers.length - 1)];
  return Object.defineProperty({}, "a", { enumerable: true, get });
}

describe("copyJson", () => {
  test("copies every JSON value, and shares nothing with it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const { copy } = copyJson(value);
        expect(copy).toStrictEqual(value);
        if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
      }),
    );
    const proto = JSON.parse('{"__proto__":{"x":1}}');
    expect(JSON.stringify(copyJson(proto).copy)).toBe('{"__proto__":{"x":1}}');
  });

  test("what it checked is what it copied, whatever a getter or a proxy says at a second look", () => {
    const answers = ["ok", 7n];
    const proxy = new Proxy({ a: 1 }, { get: (_target, key) => (key === "a" ? answers.shift() : undefined) });
    for (const value of [fickle("ok", () => 1), fickle("ok", Number.NaN), proxy]) {
      const { copy } = copyJson(value);
      for (let look = 0; look < 2; look++) expect(copy).toStrictEqual({ a: "ok" });
    }
    expect(jsonSchema.parse(fickle("ok", 7n))).toEqual({ a: "ok" });
  });

  test("accepts every JSON value", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => jsonProblem(value) === undefined));
  });

  test.each([
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["bytes", new Uint8Array(1)],
    ["a hole", new Array(1)],
    ["an object with toJSON", { toJSON: () => 1 }],
    ["undefined inside", { a: [undefined] }],
  ])("refuses %s", (_name, value) => {
    expect(jsonProblem(value)).toBeTypeOf("string");
  });

  test("ends at the depth limit, and so also for a value that contains itself", () => {
    let deep: unknown = 1;
    for (let i = 0; i < maxJsonDepth; i++) deep = [deep];
    expect(jsonProblem(deep)).toBeUndefined();
    expect(jsonProblem([deep])).toBeTypeOf("string");
    let shared: unknown = ["x"];
    for (let i = 0; i < 40; i++) shared = [shared, shared];
    expect(jsonProblem(shared)).toBe("holds more than 2000000 values");
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(jsonProblem(cycle)).toBeTypeOf("string");
  });
});

describe("canonicalJson", () => {
  test("does not depend on the order of keys, and reads back as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test("leaves out what is undefined", () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

describe("repairJson", () => {
  test("repairs strings and keys at any depth and keeps __proto__ a key", () => {
    const broken = JSON.parse('{"a\\u0000":["\\ud800",{"__proto__":"\\u0000"}]}');
    expect(JSON.stringify(repairJson(broken))).toBe('{"a\ufffd":["\ufffd",{"__proto__":"\ufffd"}]}');
  });

  test("returns the value itself when there is nothing to repair", () => {
    const value = { a: ["x", { b: null }] };
    expect(repairJson(value)).toBe(value);
  });
});

describe("metadata", () => {
  test("is flat: strings, finite numbers, booleans and lists of strings", () => {
    expect(
      metadataProblem({ a: "x", b: 1.5, c: false, d: ["x", ""], sessionId: "just data" }),
    ).toBeUndefined();
    for (const value of [
      null,
      [],
      "x",
      { a: null },
      { a: {} },
      { a: [1] },
      { a: Number.NaN },
      { a: new Array(1) },
      { a: 1n },
    ]) {
      expect(metadataProblem(value)).toBeTypeOf("string");
    }
  });

  test("has limits, and no key that the filter grammar uses", () => {
    expect(metadataProblem({ and: "x" })).toMatch(/filter grammar/);
    expect(metadataProblem({ "": "x" })).toBeTypeOf("string");
    expect(metadataProblem({ "\ud800": "x" })).toBeTypeOf("string");
    expect(metadataProblem({ ["k".repeat(129)]: "x" })).toBeTypeOf("string");
    expect(metadataProblem({ ["k".repeat(128)]: "x" })).toBeUndefined();
    expect(
      metadataProblem(Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, 1]))),
    ).toBeTypeOf("string");
    expect(metadataProblem({ a: "x".repeat(16_384) })).toBeTypeOf("string");
  });

  test("is what was checked, whatever a getter says at a second look", () => {
    const list = new Proxy(["ok"], { get: (target, key) => (key === "0" ? "ok" : Reflect.get(target, key)) });
    for (const answers of [
      ["ok", { nested: 1 }],
      [list, 7n],
    ]) {
      const copy = metadataSchema.parse(fickle(...answers));
      expect(["ok", ["ok"]]).toContainEqual(copy.a);
      expect(copy).not.toBe(answers[0]);
      expect(copy.a).toBe(copy.a);
    }
  });
});
