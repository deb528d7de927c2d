import { expect, test } from "vitest";
import { instanceNamed, instanceNotFound } from "./instance.ts";
import { programName } from "./program-name.ts";

test("what npx started is named so that npx finds it", () => {
  expect(programName({ npm_command: "exec" })).toBe("npx flux-memory");
  expect(programName({ npm_command: "run-script" })).toBe("flux");
  expect(programName({})).toBe("flux");
});

test("hints name the program as it was called", () => {
  const { hint } = instanceNotFound(instanceNamed("nope"));
  expect(hint).toContain(`${programName()} init --name nope`);
});
