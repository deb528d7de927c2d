import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A real PostgreSQL that all test files of the run share: `inject("postgresUrl")`. */
    postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // It does nothing by itself, which transactions, erasures and the change feed would wait for at some time or other.
  const postgres = await startPostgres({ settings: { autovacuum: "off" } });
  project.provide("postgresUrl", postgres.url);
  return () => postgres.remove();
}
