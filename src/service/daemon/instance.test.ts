import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { fluxHome, instanceNamed } from "./instance.ts";

test("an instance has a folder of its name", () => {
  const { folder, configFile, databaseFile } = instanceNamed("my-memory", "/home/a b/Flüx");
  expect(folder).toBe(join("/home/a b/Flüx", "my-memory"));
  expect([configFile, databaseFile]).toEqual([join(folder, "config.yaml"), join(folder, "flux.db")]);
});

test.each(["a", "_", "A-1_b", "0", "x".repeat(64), "console"])("%j is a name", (name) => {
  expect(instanceNamed(name, "/home").name).toBe(name);
});

test.each([
  ...["", ".", "..", "../up", "a/b", "a\\b", "/abs", "C:", "a.b", "-a", "--json", " a", "a ", "a\n", "a\0"],
  ...["x".repeat(65), "ü", "名", "🙂", "\ud800", "a%2f", "*", "$HOME", '"', "con", "NUL", "lpt1", "~"],
])("%j is none", (name) => {
  expect(() => instanceNamed(name, "/home")).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});

test.each([undefined, null, 1, {}, ["a"]])("%j is of the wrong type", (name) => {
  expect(() => instanceNamed(name as never, "/home")).toThrow(TypeError);
});

test("instances lie in the home folder of the user, or where FLUX_HOME says", () => {
  expect(fluxHome({})).toBe(join(homedir(), ".flux"));
  expect(fluxHome({ FLUX_HOME: "" })).toBe(join(homedir(), ".flux"));
  expect(fluxHome({ FLUX_HOME: "/tmp/x" })).toBe(resolve("/tmp/x"));
  expect(fluxHome({ FLUX_HOME: "here" })).toBe(resolve("here"));
});
