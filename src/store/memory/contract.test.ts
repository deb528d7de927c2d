import { test } from "vitest";
import { ledgerContract } from "../contract/ledger-contract.ts";
import { inMemoryLedger } from "./ledger.ts";

for (const { group, name, run, timeout } of ledgerContract({ open: inMemoryLedger }))
  test(`${group}: ${name}`, run, timeout);
