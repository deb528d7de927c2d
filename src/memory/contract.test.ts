import { Client } from "pg";
import { afterAll, describe, test } from "vitest";
import { startPostgres } from "../../test/servers/postgres.ts";
import { temporaryFolder } from "../../test/support/folder.ts";
import { open as openPostgres, placeOf } from "../../test/support/postgres-store.ts";
import { open as openSqlite } from "../../test/support/sqlite-store.ts";
import type { LedgerOptions } from "../store/engine.ts";
import type { Ledger } from "../store/ledger.ts";
import type { AgentMemory } from "./agent-memory.ts";
import { agentMemoryContract } from "./contract/memory-contract.ts";
import type { AgentMemoryContractOptions } from "./contract/suite.ts";
import { resolveMemory } from "./resolve.ts";
import type { MemoryOptions } from "./spec.ts";
import { VectorMemory } from "./vector-memory.ts";

const folder = temporaryFolder();
// A server of its own, which goes as a whole. It leaves it to the system when to write to the disk: no case cuts the power.
const server = await startPostgres({
  settings: { fsync: "off", full_page_writes: "off", autovacuum: "off" },
});
afterAll(() => server.remove());
let schemas = 0;

function newSchema(): string {
  schemas += 1;
  return placeOf(server.url, `memory_${schemas}`);
}

/** Schemas whose memories are closed. */
const free: string[] = [];

/** A schema without records. To empty one takes a fraction of the time that it takes to make one. */
async function emptySchema(): Promise<string> {
  const place = free.pop();
  if (place === undefined) return newSchema();
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { schema }: { schema: string } = JSON.parse(place);
  const { rows } = await client.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1 and tablename <> 'meta'",
    [schema],
  );
  if (rows.length > 0) await client.query(`truncate ${rows.map(({ name }) => name).join(", ")}`);
  await client.end();
  return place;
}

/** A memory on a ledger that is closed with it. */
function owning(
  open: (place: string, options: LedgerOptions) => Ledger,
  onClosed?: () => void,
): (place: string, options: MemoryOptions) => AgentMemory {
  return (place, options) => {
    const { clock, randomness } = options;
    const store = open(place, { clock, randomness });
    const memory = resolveMemory({ store, ...options });
    const close = memory.close.bind(memory);
    memory.close = async (how) => {
      await close(how);
      await store.close();
      onClosed?.();
    };
    return memory;
  };
}

function onPlaces(
  place: () => string,
  open: (place: string, options: LedgerOptions) => Ledger,
): AgentMemoryContractOptions {
  const reopen = owning(open);
  return { place, reopen, open: (options) => reopen(place(), options) };
}

const memories: Readonly<Record<string, AgentMemoryContractOptions>> = {
  "in memory": { open: (options) => resolveMemory({ backend: "inmemory", ...options }) },
  VectorMemory: { open: (options) => new VectorMemory(options) },
  SQLite: onPlaces(() => folder.path("memory.db"), openSqlite),
  PostgreSQL: {
    ...onPlaces(newSchema, openPostgres),
    open: async (options) => {
      const place = await emptySchema();
      return owning(openPostgres, () => free.push(place))(place, options);
    },
  },
};

for (const [name, options] of Object.entries(memories))
  describe(name, () => {
    for (const { group, name, run, timeout } of agentMemoryContract(options))
      test(`${group}: ${name}`, run, timeout);
  });
