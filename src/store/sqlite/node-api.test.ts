import { expect, test } from "vitest";
import { checkNodeApi } from "./node-api.ts";

test("a Node that better-sqlite3 would crash is refused beforehand", () => {
  expect(() => checkNodeApi("9")).toThrow(
    expect.objectContaining({ code: "missing_package", hint: "Use Node 22.14 or newer.", retryable: false }),
  );
  for (const version of ["10", "11", undefined]) expect(() => checkNodeApi(version)).not.toThrow();
});
