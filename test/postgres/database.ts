import { Client, type QueryResultRow } from "pg";
import { onTestFinished } from "vitest";

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

/** A transaction of somebody else that has a number, until the returned function ends it. */
export async function openTransaction(url: string): Promise<() => Promise<void>> {
  const client = await connect(url);
  onTestFinished(() => client.end());
  await client.query("begin");
  await client.query("select pg_current_xact_id()");
  return async () => {
    await client.query("commit");
  };
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

/** Waits until the condition holds, for a minute at most. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > until) throw new Error("It did not come to that within a minute");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** A schema that is there already, empty, and belongs to the role of the URL. */
  readonly schema: string;
}

export interface TestDatabaseOptions {
  /** Whether the role owns the schema and nothing else, so that it can create no extension and no other schema. */
  restricted?: boolean;
}

/** A database without any created extension, which no other test uses. Dropped with its role when disposed of. */
export async function freshDatabase(
  url: string,
  { restricted = false }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const name = freshSchema();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await ask(url, `create database "${name}" template template0`);
  if (restricted) await ask(url, `create role "${name}" login password '${own.password}'`);
  await ask(own.href, `create schema "${name}" ${restricted ? `authorization "${name}"` : ""}`);
  if (restricted) own.username = name;
  return {
    url: own.href,
    schema: name,
    async [Symbol.asyncDispose]() {
      await ask(url, `drop database "${name}" with (force)`);
      if (restricted) await ask(url, `drop role "${name}"`);
    },
  };
}
