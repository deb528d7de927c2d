import { Client, type QueryResultRow } from "pg";

let schemas = 0;

/** A schema that no other test uses. */
export function freshSchema(): string {
  return `test_${process.pid}_${Date.now().toString(36)}_${schemas++}`;
}

/** A connection beside those of the ledger under test, closed when disposed of. */
export async function connect(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** One query on a connection of its own. */
export async function ask<R extends QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  await using client = await connect(url);
  return (await client.query<R>(text, values)).rows;
}

/** Waits until the condition holds, for ten seconds at most. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error("It did not come to that within ten seconds");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
