import { createLedger, type LedgerOptions } from "../engine.ts";
import type { Ledger } from "../ledger.ts";
import { MemoryDriver } from "./driver.ts";

/** A ledger in this process's memory: the same promises as the others, but for durability and sharing. */
export function inMemoryLedger(options: LedgerOptions = {}): Ledger {
  return createLedger(new MemoryDriver(), options);
}
