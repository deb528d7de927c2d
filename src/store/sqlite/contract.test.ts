import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { open } from "../../../test/support/sqlite-store.ts";
import { ledgerContract } from "../contract/ledger-contract.ts";

const module = new URL("../../../test/support/sqlite-store.ts", import.meta.url);

let folder = "";
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flux-contract-"));
});

afterAll(() => rm(folder, { recursive: true }));

function newFile(prefix = ""): string {
  files += 1;
  return `${prefix}${join(folder, `${files}.db`)}`;
}

const suites = {
  "a file": { open: (options) => open(newFile(), options), place: () => newFile(), reopen: open, module },
  "a file, in a worker thread": {
    open: (options) => open(newFile("worker:"), options),
    place: () => newFile("worker:"),
    reopen: open,
    module,
  },
  "in memory": { open: (options) => open(":memory:", options) },
} satisfies Record<string, Parameters<typeof ledgerContract>[0]>;

for (const [name, options] of Object.entries(suites)) {
  describe(name, () => {
    for (const { group, name, run, timeout } of ledgerContract(options))
      test(`${group}: ${name}`, run, timeout);
  });
}
