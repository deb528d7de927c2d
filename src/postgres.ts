/**
 * The ledger on PostgreSQL. Needs the package `pg`.
 *
 * @module
 */

export { type PostgresOptions, postgresLedger } from "./store/postgres/ledger.ts";
