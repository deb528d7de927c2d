import { expect, test } from "vitest";
import { FluxError } from "./errors.ts";
import { checkNames, optionNames } from "./options.ts";

const names = optionNames<{ limit?: number; after?: string; sessionId?: string; queue: string }>({
  limit: true,
  after: true,
  sessionId: true,
  queue: true,
});

function complaint(options: object): FluxError {
  try {
    checkNames(options, "options", names);
  } catch (error) {
    return error as FluxError;
  }
  throw new Error("nothing was wrong");
}

test("known names pass, none at all as well", () => {
  checkNames({}, "options", names);
  checkNames({ limit: 1, after: undefined, queue: "" }, "options", names);
});

test.each([
  ["limt", "limit"],
  ["limits", "limit"],
  ["lmiit", "limit"],
  ["LIMIT", "limit"],
  ["sessionid", "sessionId"],
  ["session_id", "sessionId"],
  ["queues", "queue"],
  ["aftre", "after"],
])("%s: perhaps %s was meant", (given, meant) => {
  const error = complaint({ [given]: undefined });
  expect(error).toBeInstanceOf(FluxError);
  expect(error.code).toBe("invalid_argument");
  expect(error.hint).toBe(`Perhaps ${meant} was meant. Known: limit, after, sessionId, queue.`);
});

test.each(["colour", "", "x".repeat(1_000_000), "constructor", "toString", "限", "🍎"])(
  "%.20s is nothing like any of them, and is not repeated",
  (given) => {
    const error = complaint({ [given]: 1 });
    expect(error.hint).toBe("Known: limit, after, sessionId, queue.");
    expect(error.message).toBe("options has a property that is not known");
  },
);

test("inherited names count, since they would be read", () => {
  expect(complaint(Object.create({ limt: 1 })).hint).toContain("Perhaps limit");
  checkNames(
    new (class Options {
      limit = 1;
      get other(): number {
        return 1;
      }
    })(),
    "options",
    names,
  );
});
