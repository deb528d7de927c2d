import { systemClock } from "../../model/clock.ts";
import { FluxError } from "../../model/errors.ts";
import { checkNames, optionNames } from "../../model/options.ts";
import { createLedger, type LedgerOptions } from "../engine.ts";
import type { Ledger } from "../ledger.ts";
import { inMemory } from "./connection.ts";
import { databasePath } from "./database-path.ts";
import { SqliteDriver } from "./driver.ts";
import { WorkerLedger } from "./worker-ledger.ts";

export interface SqliteOptions extends LedgerOptions {
  /**
   * The database file; it and its folders are made when they are missing. A leading `~/` is the home folder. `:memory:` is
   * a database that lives as long as the ledger.
   */
  readonly path: string;
  /**
   * Whether the ledger works in a thread of its own, so that no call ever holds up this one. A call then takes about 0.25 ms
   * more, arguments and results are copies, and plans are loaded by the module they name. Default false.
   */
  readonly worker?: boolean | undefined;
  /** Milliseconds that a call may wait for other processes that write. Default 10,000. */
  readonly busyTimeout?: number | undefined;
  /**
   * Bytes of the search index that are kept in memory, half of them for terms and half for vectors; rows of grains that were
   * found take a quarter of it more. What does not fit is searched in the database; vectors an order of magnitude faster where
   * the package `sqlite-vec` is installed. Default 256 MiB.
   */
  readonly indexMemory?: number | undefined;
}

const names = optionNames<SqliteOptions>({
  path: true,
  worker: true,
  busyTimeout: true,
  indexMemory: true,
  clock: true,
  randomness: true,
  changeRetention: true,
});

/**
 * A ledger in a SQLite database, which any number of processes on one machine may open. The file is opened at the first
 * call; when that fails, the next call tries again.
 *
 * @throws FluxTypeError or FluxError `invalid_argument` for options that make no sense
 */
export function sqliteLedger(options: SqliteOptions): Ledger {
  checkNames(options, "options", names);
  const { path: given, worker = false, busyTimeout = 10_000, indexMemory, ...ledgerOptions } = options;
  const path = given === inMemory ? given : databasePath(given);
  if (!(busyTimeout >= 0)) {
    throw new FluxError("invalid_argument", "busyTimeout must be a number of milliseconds from 0");
  }
  if (indexMemory !== undefined && !(indexMemory >= 0))
    throw new FluxError("invalid_argument", "indexMemory must be a number of bytes from 0");
  if (!worker) return createLedger(new SqliteDriver({ path, busyTimeout, indexMemory }), ledgerOptions);
  if (options.randomness !== undefined) {
    throw new FluxError("invalid_argument", "randomness cannot be given together with worker", {
      hint: "The thread has the platform's own source.",
    });
  }
  const { clock = systemClock, changeRetention } = options;
  return new WorkerLedger({ path, busyTimeout, indexMemory, changeRetention }, clock);
}
