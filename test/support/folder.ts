import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder that is removed after the tests of the file; each call of `path` names a file in a folder of its own. */
export function temporaryFolder(): { path(name: string): string } {
  const root = mkdtempSync(join(tmpdir(), "flux-test-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return { path: (name) => join(mkdtempSync(join(root, "f-")), name) };
}
