/**
 * The ledger in a SQLite database.
 *
 * @module
 */

export { type SqliteOptions, sqliteLedger } from "./store/sqlite/ledger.ts";
