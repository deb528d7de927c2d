import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ledgerContract } from "../../contract/ledger-contract.ts";
import type { LedgerOptions } from "../../engine.ts";
import { Connection, inMemory } from "../connection.ts";
import { sqliteLedger } from "../ledger.ts";

const folder = mkdtempSync(join(tmpdir(), "flux-vectors-"));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const place = (): string => join(folder, `${++files}.db`);
const reopen = (path: string, options?: LedgerOptions) => sqliteLedger({ path, indexMemory: 0, ...options });

// Vectors that do not fit into memory: searched in the file, by sqlite-vec.
for (const { group, name, run, timeout } of ledgerContract({
  open: (options) => reopen(place(), options),
  place,
  reopen,
}))
  if (group.includes("index")) test(`${group}: ${name}`, run, timeout);

test("sqlite-vec is loaded where it is installed", () => {
  const connection = Connection.open(inMemory);
  expect(connection.comparesVectors).toBe(true);
  connection.close();
});
