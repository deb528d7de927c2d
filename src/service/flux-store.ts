import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { checkKnown } from "../flux/check-options.ts";
import { type Clock, systemClock } from "../model/clock.ts";
import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { optionNames } from "../model/options.ts";
import { lazyLedger } from "../store/lazy.ts";
import type { Ledger } from "../store/ledger.ts";
import { openLedger } from "../store/resolve.ts";
import { databasePath } from "../store/sqlite/database-path.ts";

export interface FluxStoreOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined;
  /** Whether a SQLite file is worked on in a thread of its own, so that no call ever holds up this one. Default false. */
  readonly worker?: boolean | undefined;
}

const names = optionNames<FluxStoreOptions>({ clock: true, worker: true });

/** Where the memory of a service is kept. Opened at the first call, and closed by `close`, not by the service. */
export class FluxStore implements AsyncDisposable {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** The database file; undefined for a store that is none. */
  readonly path: string | undefined;

  /**
   * @param place the path of a SQLite file, which is made when it is missing, with folders that only their owner can read; or a
   *   URL as for `openLedger`. `~/` is the home folder
   * @throws FluxTypeError or FluxError `invalid_url`, `invalid_argument`
   */
  constructor(place: string, options: FluxStoreOptions = {}) {
    const { clock = systemClock, worker = false } = checkKnown(options, names);
    if (typeof worker !== "boolean")
      throw new FluxTypeError("invalid_argument", `worker must be a boolean, not ${describe(worker)}`);
    const path = storeFile(place);
    if (path === undefined && worker)
      throw new FluxError("invalid_argument", "worker is for SQLite files, and this store is none");
    this.clock = clock;
    this.path = path;
    this.ledger = path === undefined ? openLedger(place, { clock }) : fileLedger(path, { clock, worker });
  }

  /** Safe to call twice. */
  close(): Promise<void> {
    return this.ledger.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function fileLedger(path: string, options: { readonly clock: Clock; readonly worker: boolean }): Ledger {
  return lazyLedger(async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
      throw new FluxError("unavailable", "The folder of the store cannot be made", {
        hint: `The system says ${cause.code}.`,
        cause,
      });
    });
    const { sqliteLedger } = await import("../store/sqlite/ledger.ts");
    return sqliteLedger({ path, ...options });
  });
}

/**
 * The absolute path of the file that a place names; undefined for a URL of another kind.
 *
 * @param folder where relative paths begin. Default: the current folder
 */
export function storeFile(place: unknown, folder?: string): string | undefined {
  if (typeof place !== "string")
    throw new FluxTypeError("invalid_argument", `A store must be a path or a URL, not ${describe(place)}`);
  // A single letter before a colon is a drive.
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(place) ?? [];
  if (place === "inmemory" || place === "sqlite") return undefined;
  if (scheme === undefined) return databasePath(place, folder);
  // What a URL may not be is told where URLs are read.
  const isFile = scheme.toLowerCase() === "sqlite" && rest !== "" && rest !== ":memory:";
  return isFile && !rest.startsWith("//") ? databasePath(rest, folder) : undefined;
}
