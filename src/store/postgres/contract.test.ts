import { afterAll, test } from "vitest";
import { startPostgres } from "../../../test/servers/postgres.ts";
import { open, placeOf } from "../../../test/support/postgres-store.ts";
import { ledgerContract } from "../contract/ledger-contract.ts";

// A server of its own, which goes as a whole. It leaves it to the system when to write to the disk: no case cuts the power, and
// each makes a schema of some ninety files. And it writes nothing by itself, which the change feed would wait for.
const server = await startPostgres({
  settings: { fsync: "off", full_page_writes: "off", autovacuum: "off" },
});
let schemas = 0;

function newPlace(): string {
  schemas += 1;
  return placeOf(server.url, `contract_${schemas}`);
}

afterAll(() => server.remove());

const options = {
  open: (options) => open(newPlace(), options),
  place: newPlace,
  reopen: open,
  module: new URL("../../../test/support/postgres-store.ts", import.meta.url),
} satisfies Parameters<typeof ledgerContract>[0];

for (const { group, name, run, timeout } of ledgerContract(options)) test(`${group}: ${name}`, run, timeout);
