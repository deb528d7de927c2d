import type { Partition } from "../model/partition.ts";
import type { CallOptions, Driver, Transaction } from "./driver.ts";

/** What the parts of a ledger need of it. */
export interface LedgerTools {
  /** The driver, while the ledger is open. */
  open(options?: CallOptions): Driver;
  /** Runs a call of several steps to its end, even when the ledger is closed meanwhile. */
  finish<T>(options: CallOptions | undefined, steps: () => Promise<T>): Promise<T>;
  now(): number;
  transact<T>(partition: Partition, transaction: Transaction<T>, options?: CallOptions): Promise<T>;
}
