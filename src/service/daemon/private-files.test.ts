import { existsSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import { writeNewPrivateFile } from "./private-files.ts";

const folder = temporaryFolder();

test("a new file is its owner's alone, and is never written over", () => {
  const path = folder.path("config.yaml");
  expect(writeNewPrivateFile(path, "first")).toBe(true);
  expect(writeNewPrivateFile(path, "second")).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("first");
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("of a file that could not be written to its end nothing is left", () => {
  const path = folder.path("half.yaml");
  expect(() => writeNewPrivateFile(path, undefined as never)).toThrow();
  expect(existsSync(path)).toBe(false);
});
