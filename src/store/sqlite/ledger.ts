import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";
import { createLedger, type LedgerOptions } from "../engine.ts";
import type { Ledger } from "../ledger.ts";
import { inMemory } from "./connection.ts";
import { SqliteDriver } from "./driver.ts";

export interface SqliteOptions extends LedgerOptions {
  /**
   * The database file; it and its folders are made when they are missing. A leading `~/` is the home folder. `:memory:` is
   * a database that lives as long as the ledger.
   */
  readonly path: string;
  /** Milliseconds that a call may wait for other processes that write. Default 10,000. */
  readonly busyTimeout?: number;
}

/** A ledger in a SQLite database, which any number of processes may open. It is opened at the first call. */
export function sqliteLedger({ path, busyTimeout = 10_000, ...options }: SqliteOptions): Ledger {
  const driver = new SqliteDriver({ path: resolvePath(path), busyTimeout });
  return createLedger(driver, options);
}

function resolvePath(path: unknown): string {
  if (typeof path !== "string") {
    throw new FluxTypeError("invalid_argument", `path must be a string, not ${describe(path)}`);
  }
  if (path === "" || path.includes("\0")) {
    throw new FluxError("invalid_argument", "path must not be empty, and must not contain NUL");
  }
  if (path === inMemory) return path;
  return resolve(path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);
}
