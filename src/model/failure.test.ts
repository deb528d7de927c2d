import { expect, test } from "vitest";
import { FluxError } from "./errors.ts";
import { failureCause } from "./failure.ts";

test("of an error its code, hint and whether a retry helps are told, never its message", () => {
  const error = new FluxError("rate_limited", "s3cret", { hint: "Wait.", retryable: true });
  expect(failureCause(error)).toEqual({ code: "rate_limited", hint: "Wait.", retryable: true });
  expect(failureCause(new FluxError("unauthorized", "s3cret"))).toEqual({
    ...{ code: "unauthorized", retryable: false },
  });
  expect(failureCause(new RangeError("s3cret"))).toEqual({ code: "RangeError" });
  expect(failureCause("s3cret")).toEqual({ code: "error" });
  expect(failureCause(undefined)).toEqual({ code: "error" });
});
