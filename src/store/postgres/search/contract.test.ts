import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { open, placeOf } from "../../../../test/support/postgres-store.ts";
import { ledgerContract } from "../../contract/ledger-contract.ts";

let server: PostgresServer;
let schemas = 0;

beforeAll(async () => {
  server = await startPostgres({ pgvector: false });
});
afterAll(() => server.remove());

const newPlace = (): string => placeOf(server.url, `contract_${schemas++}`);

test("the server has no pgvector, and the ledger says so", async () => {
  await using ledger = open(newPlace());
  expect(await ledger.capabilities()).toMatchObject({ vectors: "in_process" });
});

const cases = ledgerContract({
  open: (options) => open(newPlace(), options),
  place: newPlace,
  reopen: open,
});
for (const { group, name, run, timeout } of cases.filter(({ group }) => /index/.test(group)))
  test(`without pgvector: ${group}: ${name}`, run, timeout);
