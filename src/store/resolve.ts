import { describe, FluxError, FluxTypeError } from "../model/errors.ts";
import { checkNames } from "../model/options.ts";
import type { LedgerOptions } from "./engine.ts";
import { lazyLedger } from "./lazy.ts";
import type { Ledger } from "./ledger.ts";
import { inMemoryLedger } from "./memory/ledger.ts";
import { names } from "./option-names.ts";

/** The URL forms that `openLedger` accepts. */
export const ledgerUrls = [
  "inmemory",
  "sqlite (an in-memory database)",
  "sqlite:path/to/file.db",
  "postgres://user:password@host:port/database",
  "postgresql://user:password@host:port/database",
] as const;

const accepted = `Accepted: ${ledgerUrls.join(", ")}.`;

/** Schemes that belong to the project and are not built yet. */
const planned = ["chroma", "redis", "rediss"];

/**
 * Makes a ledger of a URL. Nothing is opened or connected before the first call, and a connection that fails is tried
 * again by the next one.
 *
 * @throws FluxTypeError `invalid_url` when it is no string
 * @throws FluxError `invalid_url` when the form is not known; the message never repeats the URL, which may hold a password
 */
export function openLedger(url: string, options: LedgerOptions = {}): Ledger {
  if (typeof url !== "string") {
    throw new FluxTypeError("invalid_url", `A store URL must be a string, not ${describe(url)}`, {
      hint: accepted,
    });
  }
  checkNames(options, "options", names.ledger);
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*)(?::(.*))?$/is.exec(url) ?? [];
  const bare = !url.includes(":");
  switch (scheme.toLowerCase()) {
    case "inmemory":
      if (bare) return inMemoryLedger(options);
      throw new FluxError("invalid_url", "inmemory takes nothing after it", { hint: accepted });
    case "sqlite":
      if (rest.startsWith("//")) {
        throw new FluxError("invalid_url", "A sqlite URL is sqlite: and a path, without slashes in between", {
          hint: "Write sqlite:./relative.db, sqlite:/absolute/path.db or sqlite:~/home.db.",
        });
      }
      // An empty path is more likely an unset variable than a wish to keep nothing.
      if (!bare && rest === "") {
        throw new FluxError("invalid_url", "sqlite: needs a path", {
          hint: "Write sqlite:./memory.db, or just sqlite for a database in memory.",
        });
      }
      return lazyLedger(async () => {
        const { sqliteLedger } = await import("./sqlite/ledger.ts");
        return sqliteLedger({ ...options, path: bare ? ":memory:" : rest });
      });
    case "postgres":
    case "postgresql":
      if (!URL.canParse(url) || !rest.startsWith("//")) {
        throw new FluxError("invalid_url", `This is no well-formed ${scheme.toLowerCase()} URL`, {
          hint: `${accepted} Percent-encode special characters of the user name and password.`,
        });
      }
      return lazyLedger(async () => {
        const { postgresLedger } = await import("./postgres/ledger.ts");
        return postgresLedger({ ...options, url });
      });
    default: {
      const known = planned.includes(scheme.toLowerCase());
      throw new FluxError(
        "invalid_url",
        known
          ? `${scheme.toLowerCase()}: is not available in this version`
          : "This kind of store URL is not known",
        { hint: accepted },
      );
    }
  }
}
