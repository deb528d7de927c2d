import { afterAll, describe, inject } from "vitest";
import type { LedgerOptions } from "../../src/store/engine.ts";
import type { Ledger } from "../../src/store/ledger.ts";
import { inMemoryLedger } from "../../src/store/memory/ledger.ts";
import { temporaryFolder } from "./folder.ts";
import { drop, open as openPostgres, placeOf } from "./postgres-store.ts";
import { open as openSqlite } from "./sqlite-store.ts";

/** A kind of store to run tests on. */
export interface TestStore {
  /** Names a new store. */
  place(): string;
  /** Opens a store, as often as wanted where it is shared. */
  open(place: string, options?: LedgerOptions): Ledger;
}

/** Describes tests once for each kind of store; `shared` leaves out what one process alone can open. */
export function onEveryStore(tests: (store: TestStore) => void, { shared = false } = {}): void {
  const folder = temporaryFolder();
  const schemas: string[] = [];
  const newSchema = (): string => {
    const schema = `flux_${process.pid}_${schemas.length}_${Math.random().toString(36).slice(2, 8)}`;
    schemas.push(schema);
    return placeOf(inject("postgresUrl"), schema);
  };
  afterAll(() => drop(inject("postgresUrl"), schemas));
  if (!shared) {
    describe("in memory", () =>
      tests({ place: () => "inmemory", open: (_place, options) => inMemoryLedger(options) }));
  }
  describe("SQLite", () => tests({ place: () => folder.path("memory.db"), open: openSqlite }));
  describe("PostgreSQL", () => tests({ place: newSchema, open: openPostgres }));
}
