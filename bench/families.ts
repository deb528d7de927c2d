import { LedgerStore } from "./ledger-store.ts";
import {
  newDatabase,
  newSchema,
  openLedger,
  type Places,
  poolSize,
  removeDatabase,
  type StoreName,
} from "./ledgers.ts";
import { RawPostgres, rawPostgres } from "./peers/raw-postgres.ts";
import { RawSqlite, rawSqlite } from "./peers/raw-sqlite.ts";
import type { BenchStore } from "./store.ts";

/** Something that is measured: makes a new, empty store, which goes when it is disposed of. */
export interface Contender {
  readonly name: string;
  open(): Promise<BenchStore>;
}

/** Adapters that are measured side by side with what one could write by hand on the same database. */
export interface Family {
  readonly contenders: readonly Contender[];
  readonly peer?: Contender & { readonly description: string };
}

export function families(stores: readonly StoreName[], places: Places): readonly Family[] {
  const contenders = (...names: readonly StoreName[]): readonly Contender[] =>
    names
      .filter((name) => stores.includes(name))
      .map((name) => ({ name, open: async () => new LedgerStore(openLedger(name, places)) }));
  const all: readonly Family[] = [
    { contenders: contenders("inmemory") },
    { contenders: contenders("sqlite", "sqlite-worker"), peer: handSqlite(places.folder) },
    { contenders: contenders("postgres"), peer: handPostgres(places.postgres ?? "") },
  ];
  return all.filter(({ contenders }) => contenders.length > 0);
}

function handSqlite(folder: string): Family["peer"] & object {
  return {
    name: "raw better-sqlite3",
    description: rawSqlite,
    open: async () => {
      const path = newDatabase(folder);
      return new RawSqlite(path, { remove: () => removeDatabase(path) });
    },
  };
}

function handPostgres(url: string): Family["peer"] & object {
  return {
    name: "raw pg",
    description: rawPostgres,
    open: () => RawPostgres.open(url, newSchema(), poolSize),
  };
}
