import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errorCodes, FluxError, FluxTypeError } from "./errors.ts";

describe("FluxError", () => {
  test("carries its code, hint, cause and whether a retry may help", () => {
    const cause = new Error("driver");
    const error = new FluxError("busy", "The store is busy", { hint: "Wait.", retryable: true, cause });
    expect(error).toMatchObject({ name: "FluxError", code: "busy", hint: "Wait.", retryable: true, cause });
    expect(new FluxError("closed", "Closed").retryable).toBe(false);
    expect(String(error)).toBe("FluxError: The store is busy");
  });

  test("a FluxTypeError is a TypeError and a FluxError", () => {
    const error = new FluxTypeError("invalid_id", "id must be a string");
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toBeInstanceOf(FluxError);
    expect(error).toBeInstanceOf(FluxTypeError);
    expect(new FluxError("invalid_id", "id")).not.toBeInstanceOf(FluxTypeError);
    expect(new TypeError("other")).not.toBeInstanceOf(FluxError);
  });

  test("is recognised when it comes from another copy of the package", () => {
    const foreign = Object.assign(new Error("foreign"), {
      code: "busy",
      [Symbol.for("flux-memory.error")]: true,
    });
    expect(foreign).toBeInstanceOf(FluxError);
    expect(FluxError.isInstance(foreign)).toBe(true);
    expect(FluxError.isInstance(new Error("plain"))).toBe(false);
    expect(FluxError.isInstance(null)).toBe(false);
  });

  test("a subclass of a user's own is told apart from its base", () => {
    class OwnError extends FluxError {}
    expect(new FluxError("busy", "busy")).not.toBeInstanceOf(OwnError);
    expect(new OwnError("busy", "busy")).toBeInstanceOf(OwnError);
  });

  test("survives a thread as plain data, without its cause", () => {
    for (const error of [
      new FluxError("busy", "Busy", { retryable: true, hint: "Wait.", cause: new Error("secret") }),
      new FluxTypeError("invalid_id", "id must be a string"),
      new FluxError("rate_limited", "Wait", { retryable: true, details: { retryAfter: 1500 } }),
    ]) {
      const json = JSON.stringify(error);
      expect(json).not.toContain("secret");
      const copy = FluxError.fromJSON(JSON.parse(json));
      expect(copy).toBeInstanceOf(error.name === "FluxTypeError" ? FluxTypeError : FluxError);
      expect(copy.toJSON()).toEqual(error.toJSON());
    }
  });
});

test("docs/errors.md lists every code with its meaning, and no other", () => {
  const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(listed).toEqual(Object.entries(errorCodes));
});
