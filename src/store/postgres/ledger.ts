import { checkWhole } from "../../model/check-values.ts";
import { describe, FluxError, FluxTypeError } from "../../model/errors.ts";
import { checkNames, optionNames } from "../../model/options.ts";
import { utf8Length } from "../../model/unicode.ts";
import { createLedger, type LedgerOptions } from "../engine.ts";
import type { Ledger } from "../ledger.ts";
import { PostgresDriver } from "./driver.ts";

export interface PostgresOptions extends LedgerOptions {
  /** `postgres://user:password@host:port/database`, with parameters such as `?sslmode=verify-full`. */
  readonly url: string;
  /** The schema that holds the ledger's tables; made if it is not there. Default "flux". */
  readonly schema?: string | undefined;
  /** Most connections for reads and commits; a follower of changes takes one more. Default 10. */
  readonly poolSize?: number | undefined;
  /** Milliseconds that a statement may take, the wait for another process's commit included. Default 30,000. */
  readonly statementTimeout?: number | undefined;
  /** Milliseconds for which a call is tried again when connections break or cannot be made. Default 10,000. */
  readonly retryFor?: number | undefined;
  /**
   * Where the server has no pgvector: bytes of vectors that are kept in memory to search them. Those of a partition that does
   * not fit are read again by each search. Default 128 MiB.
   */
  readonly vectorMemory?: number | undefined;
}

const names = optionNames<PostgresOptions>({
  url: true,
  schema: true,
  poolSize: true,
  statementTimeout: true,
  retryFor: true,
  vectorMemory: true,
  clock: true,
  randomness: true,
  changeRetention: true,
});

/**
 * A ledger in a PostgreSQL database (13 or newer, encoding UTF8), for any number of processes. Needs the package `pg`.
 * Nothing is connected before the first call; a call that cannot connect fails, and the next one tries again.
 *
 * The role needs a schema it may create tables in, or CREATE on the database to make it; only the tables' owner can clean
 * up after an erasure. Connections are used for whole sessions: a pooler between must pool sessions, not transactions.
 *
 * Vectors are searched by the extension pgvector where it is there when the ledger's tables are made, or can be made by the
 * role, and else in process; `capabilities().vectors` says which. To change it, make a ledger in another schema.
 *
 * @throws FluxTypeError or FluxError `invalid_argument`, `invalid_url`
 */
export function postgresLedger(options: PostgresOptions): Ledger {
  checkNames(options, "options", names);
  const {
    url,
    schema = "flux",
    poolSize = 10,
    statementTimeout = 30_000,
    retryFor = 10_000,
    vectorMemory,
    ...ledgerOptions
  } = options;
  if (typeof url !== "string") {
    throw new FluxTypeError("invalid_url", `url must be a string, not ${describe(url)}`);
  }
  if (!/^postgres(ql)?:\/\//i.test(url)) {
    throw new FluxError("invalid_url", "A PostgreSQL URL begins with postgres:// or postgresql://", {
      hint: "Write postgres://user:password@host:port/database.",
    });
  }
  checkSchema(schema);
  checkWhole(poolSize, "poolSize", 1, maxCount);
  checkWhole(statementTimeout, "statementTimeout", 1, maxCount);
  checkWhole(retryFor, "retryFor", 0, maxCount);
  if (vectorMemory !== undefined && !(vectorMemory >= 0))
    throw new FluxError("invalid_argument", "vectorMemory must be a number of bytes from 0");
  return createLedger(
    new PostgresDriver({ url, schema, poolSize, statementTimeout, retryFor, vectorMemory }),
    ledgerOptions,
  );
}

/** Longer names would be cut by PostgreSQL, and so could be the same as others. */
const maxNameBytes = 63;

function checkSchema(schema: unknown): void {
  if (typeof schema !== "string") {
    throw new FluxTypeError("invalid_argument", `schema must be a string, not ${describe(schema)}`);
  }
  const valid = schema !== "" && schema.isWellFormed() && !schema.includes("\0");
  if (!valid || utf8Length(schema) > maxNameBytes || schema.startsWith("pg_")) {
    throw new FluxError("invalid_argument", `schema must be a name of 1 to ${maxNameBytes} bytes`, {
      hint: "Names that begin with pg_ are PostgreSQL's own.",
    });
  }
}

/** What PostgreSQL's integers hold and Node's timers can wait, with room for what is added to a time-out. */
const maxCount = 2 ** 31 - 1 - 60_000;
