import { Client } from "pg";
import type { LedgerOptions } from "../../src/store/engine.ts";
import type { Ledger } from "../../src/store/ledger.ts";
import { postgresLedger } from "../../src/store/postgres/ledger.ts";

/** Names a store for the contract suite: a schema in a database. */
export function placeOf(url: string, schema: string): string {
  return JSON.stringify({ url, schema });
}

/** Opens a schema for the contract suite, in this process or another. */
export function open(place: string, options: LedgerOptions = {}): Ledger {
  return postgresLedger({ ...options, ...(JSON.parse(place) as { url: string; schema: string }) });
}

/** Drops schemas with all that they hold. */
export async function drop(url: string, schemas: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const schema of schemas) await client.query(`drop schema if exists "${schema}" cascade`);
  } finally {
    await client.end();
  }
}
