import { describe, expect, test } from "vitest";
import { FluxError, FluxTypeError } from "./errors.ts";
import { checkId, operationKey, randomId, recordId } from "./ids.ts";
import { partition, partitionKey } from "./partition.ts";

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return FluxError.isInstance(error) ? error.code : String(error);
  }
  return undefined;
}

describe("checkId", () => {
  test.each([
    "a",
    " ",
    "*",
    "%",
    "_",
    "'; drop table message; --",
    "é",
    "e\u0301",
    "\u{1f600}",
    "../..",
    "null",
    "\u200f",
  ])("takes %j as it is", (id) => {
    expect(checkId(id, "id")).toBe(id);
  });

  test("counts bytes, not characters", () => {
    for (const character of ["a", "é", "中", "\u{1f600}"]) {
      const bytes = Buffer.byteLength(character);
      const longest = character.repeat(512 / bytes);
      expect(codeOf(() => checkId(longest, "id"))).toBe(
        Buffer.byteLength(longest) <= 512 ? undefined : "invalid_id",
      );
      expect(codeOf(() => checkId(`${longest}${character}`, "id"))).toBe("invalid_id");
    }
  });

  test("refuses what a backend would take for something else", () => {
    for (const id of ["", "a\0b", "\ud800", "\udc00x"])
      expect(codeOf(() => checkId(id, "id"))).toBe("invalid_id");
  });

  test("refuses what is no string with a TypeError that does not repeat the value", () => {
    for (const value of [undefined, null, 42, {}, ["a"], Symbol("s"), () => 1]) {
      expect(() => checkId(value, "sessionId")).toThrow(FluxTypeError);
    }
    expect(() => checkId({ secret: "hunter2" }, "id")).toThrow(/^id must be a string, not an object$/);
  });
});

describe("partition", () => {
  test("the anonymous user is nobody else", () => {
    const keys = [null, "null", "anonymous", "__jeeves_anon_user__", "[null]", '","x'].map((userId) =>
      partitionKey(partition({ userId })),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("delimiters cannot move text from one part of the key to the other", () => {
    const keys = [
      ["a", 'b","c'],
      ['a","b', "c"],
      ["a\\", "b"],
      ["a", "\\b"],
    ].map(([namespace = "", userId = ""]) => partitionKey(partition({ namespace, userId })));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("a user id is null or a string, and says so", () => {
    for (const userId of [undefined, 42, {}, true]) {
      const make = () => partition({ userId: userId as never });
      expect(make).toThrow(TypeError);
      expect(codeOf(make)).toBe("invalid_user_id");
    }
    expect(codeOf(() => partition({ userId: "" }))).toBe("invalid_user_id");
    expect(codeOf(() => partition({ userId: "a", namespace: "\0" }))).toBe("invalid_id");
    expect(codeOf(() => partition(null as never))).toBe("invalid_argument");
  });

  test("is frozen, in the default namespace unless told", () => {
    const made = partition({ userId: "alice" });
    expect(made).toEqual({ namespace: "default", userId: "alice" });
    expect(Object.isFrozen(made)).toBe(true);
  });
});

describe("derived ids", () => {
  const alice = partition({ userId: "alice" });

  test("follow from partition, operation and ordinal alone", () => {
    expect(recordId(alice, "op-1", 0)).toBe("6mxpsm2yxht6ymx1p44nyes0dg-0");
    expect(recordId(alice, "op-1", 36)).toBe(`${operationKey(alice, "op-1")}-10`);
  });

  test("differ between users, namespaces, operations and ordinals", () => {
    const ids = [
      recordId(alice, "op", 0),
      recordId(alice, "op", 1),
      recordId(alice, "op2", 0),
      recordId(partition({ userId: null }), "op", 0),
      recordId(partition({ userId: "alice", namespace: "n" }), "op", 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("random ids are 128 bits as 26 characters", () => {
    expect(randomId({ bytes: (length) => new Uint8Array(length).fill(255) })).toBe(
      "zzzzzzzzzzzzzzzzzzzzzzzzzw",
    );
    expect(randomId()).not.toBe(randomId());
  });
});
