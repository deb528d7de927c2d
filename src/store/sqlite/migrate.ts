import type Database from "better-sqlite3";
import { FluxError } from "../../model/errors.ts";
import {
  checkVersion,
  latestVersion,
  type Migration,
  missingSteps,
  type StoredVersion,
} from "../sql/migration.ts";
import { migrations } from "./migrations.ts";

/** Marks a database file as one of ours: "FLUX". */
const applicationId = 0x464c5558;

/**
 * Brings a database to the version of this code, all steps in one transaction. Leaves one alone that is newer but can be
 * read.
 *
 * @throws FluxError `outdated` when only newer code can read it; `invalid_argument` when it is another application's
 * @throws SqliteError SQLITE_BUSY when another process is in the way
 */
export function migrate(db: Database.Database, list: readonly Migration[] = migrations): void {
  const code = latestVersion(list);
  if (readVersion(db, code).version >= code) return;
  db.exec("begin immediate");
  try {
    // Another process may have been faster.
    const { version } = readVersion(db, code);
    const missing = missingSteps(list, version);
    const last = missing.at(-1);
    if (last !== undefined) {
      for (const { sql } of missing) db.exec(sql);
      db.prepare(`update "meta" set "version" = ?, "min_reader" = ?, "min_writer" = ?`).run(
        last.version,
        last.minReader,
        last.minWriter,
      );
      db.pragma(`application_id = ${applicationId}`);
    }
    db.exec("commit");
  } catch (error) {
    if (db.inTransaction) db.exec("rollback");
    throw error;
  }
}

function readVersion(db: Database.Database, code: number): StoredVersion {
  const tables = db.prepare(`select "name" from sqlite_schema where "type" = 'table'`).pluck().all();
  if (tables.length === 0) return { version: 0, minReader: 0, minWriter: 0 };
  if (db.pragma("application_id", { simple: true }) !== applicationId || !tables.includes("meta")) {
    throw new FluxError("invalid_argument", "The file is a SQLite database of another application", {
      hint: "Give the ledger a file of its own.",
    });
  }
  const row = db
    .prepare<[], StoredVersion>(
      `select "version", "min_reader" as "minReader", "min_writer" as "minWriter" from "meta"`,
    )
    .get();
  if (row === undefined) throw new FluxError("storage_corrupt", "The database has lost its version");
  checkVersion("read", row.minReader, code);
  return row;
}
