import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { isSupported, nodeProblem } from "./node-version.ts";

test("the oldest Node that is supported is the one in the manifest", () => {
  const [, oldest = ""] = /^>=(\d+\.\d+)$/.exec(manifest.engines.node) ?? [];
  const [major = 0, minor = 0] = oldest.split(".").map(Number);
  expect(isSupported(`${oldest}.0`)).toBe(true);
  expect(isSupported(`${major}.${minor - 1}.99`)).toBe(false);
});

test.each([
  ["18.0.0", false],
  ["20.20.2", false],
  ["22.9.0", false],
  ["23.0.0", true],
  ["24.0.0-nightly", true],
  ["100.1.0", true],
])("%s: %s", (version, supported) => {
  expect(isSupported(version)).toBe(supported);
});

test("an older Node is told as an error, and what is no Node is not", () => {
  expect(nodeProblem("20.20.2")).toMatchObject({
    code: "outdated_node",
    message: "flux-memory needs Node 22.14 or newer; this is v20.20.2",
  });
  expect(nodeProblem(process.versions.node)).toBeUndefined();
  expect(nodeProblem(undefined)).toBeUndefined();
});
