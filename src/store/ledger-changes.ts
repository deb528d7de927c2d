import { FluxError, FluxTypeError } from "../model/errors.ts";
import { checkLimit, checkObject } from "./checks.ts";
import type { CallOptions, Driver } from "./driver.ts";
import type { Changes } from "./ledger.ts";
import { names } from "./option-names.ts";
import { maxPage } from "./translate.ts";

/** The change feed of every ledger that is made of a driver. */
export class LedgerChanges implements Changes {
  readonly #open: (options?: CallOptions) => Driver;

  constructor(open: (options?: CallOptions) => Driver) {
    this.#open = open;
  }

  async head(options?: CallOptions): Promise<string> {
    return this.#open(options).changesHead(options);
  }

  async read(options?: Parameters<Changes["read"]>[0]): ReturnType<Changes["read"]> {
    const { after, limit = maxPage, signal } = checkObject(options ?? {}, "options", names.changesRead);
    return this.#open({ signal }).changes(checkFeedCursor(after), checkLimit(limit), { signal });
  }

  async wait(options: Parameters<Changes["wait"]>[0]): Promise<void> {
    const { timeout, signal } = checkObject(options, "options", names.changesWait);
    return this.#open({ signal }).wait(checkTimeout(timeout), signal);
  }
}

function checkFeedCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || typeof cursor === "string") return cursor;
  throw new FluxTypeError("invalid_cursor", "The cursor of a change feed is a string");
}

/** Timers take 31 bits, and turn what is longer into nothing. */
const longestTimeout = 2 ** 31 - 1;

function checkTimeout(timeout: number): number {
  if (typeof timeout === "number" && timeout >= 0) return Math.min(timeout, longestTimeout);
  throw new FluxError("invalid_argument", "timeout must be a number of milliseconds from 0");
}
