import { afterAll, inject, test } from "vitest";
import { drop, open, placeOf } from "../../../test/support/postgres-store.ts";
import { ledgerContract } from "../contract/ledger-contract.ts";

const url = inject("postgresUrl");
const schemas: string[] = [];

function newPlace(): string {
  const schema = `contract_${schemas.length}`;
  schemas.push(schema);
  return placeOf(url, schema);
}

afterAll(() => drop(url, schemas), 120_000);

const options = {
  open: (options) => open(newPlace(), options),
  place: newPlace,
  reopen: open,
  module: new URL("../../../test/support/postgres-store.ts", import.meta.url),
} satisfies Parameters<typeof ledgerContract>[0];

for (const { group, name, run, timeout } of ledgerContract(options)) test(`${group}: ${name}`, run, timeout);
