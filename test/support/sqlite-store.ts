import type { LedgerOptions } from "../../src/store/engine.ts";
import type { Ledger } from "../../src/store/ledger.ts";
import { sqliteLedger } from "../../src/store/sqlite/ledger.ts";

/** Opens a SQLite file for the contract suite, in this process or another; `worker:` before its path asks for a thread. */
export function open(place: string, options: LedgerOptions = {}): Ledger {
  const worker = place.startsWith("worker:");
  const path = worker ? place.slice("worker:".length) : place;
  // Others may write for as long as a busy machine lets them.
  return sqliteLedger({ ...options, path, worker, busyTimeout: 60_000 });
}
