import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { type ErrorCode, FluxError, type FluxErrorOptions } from "../../model/errors.ts";

const { SqliteError } = Database;

interface Meaning extends FluxErrorOptions {
  readonly code: ErrorCode;
  readonly message: string;
}

const retryable = true;

/** What SQLite's primary result codes mean to a caller. */
const meanings: Readonly<Record<string, Meaning>> = {
  SQLITE_BUSY: {
    code: "busy",
    message: "Another process held the database for longer than the time-out",
    hint: "Try again, or raise busyTimeout.",
    retryable,
  },
  SQLITE_FULL: {
    code: "storage_full",
    message: "The disk is full; nothing was committed",
    hint: "Free some space and repeat the call with the same operation id.",
    retryable,
  },
  SQLITE_IOERR: {
    code: "storage_failed",
    message: "The database files could not be read or written; nothing was committed",
    hint: "Repeat the call with the same operation id once the cause is gone.",
    retryable,
  },
  SQLITE_CORRUPT: {
    code: "storage_corrupt",
    message: "The database file is damaged",
    hint: "Restore it from a backup.",
  },
  SQLITE_NOTADB: {
    code: "storage_corrupt",
    message: "The file is not a SQLite database, or its beginning is damaged",
    hint: "Check the path.",
  },
  SQLITE_READONLY: {
    code: "storage_readonly",
    message: "The database cannot be written to",
    hint:
      "Check the permissions of the file and of its folder, where SQLite writes two more files even to read. " +
      "On a read-only file system it cannot be opened: copy it to another one.",
  },
  SQLITE_CANTOPEN: {
    code: "unavailable",
    message: "The database file cannot be opened",
    hint: "Check that the path names a file, and the permissions of the file and of its folder.",
    retryable,
  },
  SQLITE_TOOBIG: { code: "too_large", message: "A value is too large for SQLite" },
};

const other: Meaning = { code: "storage_failed", message: "SQLite refused a statement" };

// Both say that another process was in the way just now.
const aliases: Readonly<Record<string, string>> = {
  SQLITE_LOCKED: "SQLITE_BUSY",
  SQLITE_PROTOCOL: "SQLITE_BUSY",
  SQLITE_PERM: "SQLITE_CANTOPEN",
};

/** The primary result code of an error of SQLite, without its extension: `SQLITE_IOERR` of `SQLITE_IOERR_WRITE`. */
function resultCode(error: unknown): string | undefined {
  if (!(error instanceof SqliteError)) return undefined;
  const [primary = ""] = /^SQLITE_[A-Z]+/.exec(error.code) ?? [];
  return aliases[primary] ?? primary;
}

/** An error of SQLite as a FluxError with the original as its cause; any other error as it is. */
export function translateError(error: unknown): unknown {
  const primary = resultCode(error);
  if (primary === undefined) return error;
  const { code, message, ...options } = meanings[primary] ?? other;
  return new FluxError(code, message, { ...options, cause: error });
}

/** An error of opening a database as a FluxError, like `translateError`. SQLite does not say that a file is read-only. */
export function translateOpenError(error: unknown, path: string): unknown {
  if (resultCode(error) !== "SQLITE_CANTOPEN" || !isReadOnly(path)) return translateError(error);
  const { code, message, ...options } = meanings.SQLITE_READONLY as Meaning;
  return new FluxError(code, message, { ...options, cause: error });
}

/** Whether a file is there that can be read, but not written to, or not in its folder. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    return false;
  }
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** Whether another connection holds the lock, so that the same statement may soon succeed. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === "SQLITE_BUSY";
}

/** Whether a unique key is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)$/.test(error.code);
}

/** Whether a statement failed by itself, so that the transaction around it can go on without it. */
export function isLocal(error: unknown): boolean {
  const primary = resultCode(error);
  return primary === undefined || ["SQLITE_CONSTRAINT", "SQLITE_TOOBIG", "SQLITE_ERROR"].includes(primary);
}

/** Whether a new connection may work where this one failed, since the files may have been repaired or replaced. */
export function isConnectionLost(error: unknown): boolean {
  const lost = ["SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CANTOPEN", "SQLITE_READONLY"];
  return lost.includes(resultCode(error) ?? "");
}
