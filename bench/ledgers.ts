import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Pool } from "pg";
import { inMemoryLedger, type Ledger, type LedgerOptions } from "../src/index.ts";
import { postgresLedger } from "../src/postgres.ts";
import { sqliteLedger } from "../src/sqlite.ts";
import { postgresSizes } from "./postgres-sizes.ts";
import { sqliteSizes } from "./sqlite-sizes.ts";
import type { Size } from "./store.ts";

export const storeNames = ["inmemory", "sqlite", "sqlite-worker", "postgres"] as const;
export type StoreName = (typeof storeNames)[number];

/** Connections to a server, as many for the adapter as for its peer. */
export const poolSize = 10;

/** A ledger on a new, empty store. */
export interface OpenedLedger {
  readonly ledger: Ledger;
  /** What the store takes, measured while it is open. */
  sizes(): Promise<readonly Size[]>;
  /** Closes the ledger and removes the store. */
  remove(): Promise<void>;
}

/** Where stores are made. */
export interface Places {
  readonly folder: string;
  /** URL of a server. */
  readonly postgres: string | undefined;
}

export function openLedger(name: StoreName, places: Places, options: LedgerOptions = {}): OpenedLedger {
  switch (name) {
    case "inmemory":
      return inMemory(options);
    case "sqlite":
    case "sqlite-worker":
      return sqlite(newDatabase(places.folder), name === "sqlite-worker", options);
    case "postgres":
      return postgres(places.postgres ?? "", options);
  }
}

function inMemory(options: LedgerOptions): OpenedLedger {
  const ledger = inMemoryLedger(options);
  return {
    ledger,
    sizes: async () => [{ table: "heap", index: false, bytes: usedHeap() }],
    remove: () => ledger.close(),
  };
}

export function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function sqlite(path: string, worker: boolean, options: LedgerOptions): OpenedLedger {
  const ledger = sqliteLedger({ ...options, path, worker });
  return {
    ledger,
    sizes: async () => sqliteSizes(path),
    remove: async () => {
      await ledger.close();
      await removeDatabase(path);
    },
  };
}

let databases = 0;

export function newDatabase(folder: string): string {
  return join(folder, `${databases++}.db`);
}

export async function removeDatabase(path: string): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(path + end, { force: true });
}

function postgres(url: string, options: LedgerOptions): OpenedLedger {
  const schema = newSchema();
  const ledger = postgresLedger({ ...options, url, schema, poolSize });
  const pool = new Pool({ connectionString: url, max: 1 });
  return {
    ledger,
    sizes: () => postgresSizes(pool, schema),
    remove: async () => {
      await ledger.close();
      await pool.query(`drop schema if exists "${schema}" cascade`);
      await pool.end();
    },
  };
}

let schemas = 0;

export function newSchema(): string {
  return `flux_bench_${process.pid}_${schemas++}`;
}
