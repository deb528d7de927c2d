import { statSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { privateFile } from "./private-files.ts";

/**
 * Held by the daemon of an instance for as long as it runs: an exclusive lock of SQLite's on a file that stays empty. The
 * system frees it when the process ends, however it ends, so that no lock is ever left behind and nothing has to be renewed.
 */
export class DaemonLock implements Disposable {
  readonly #file: string;
  readonly #database: Database.Database;
  readonly #inode: bigint;

  private constructor(file: string, database: Database.Database) {
    this.#file = file;
    this.#database = database;
    this.#inode = inodeOf(file) as bigint;
  }

  /** Takes the lock; undefined when another process has it. */
  static take(file: string): DaemonLock | undefined {
    create(file);
    // Whoever looks whether it is taken holds it for a moment.
    const database = new Database(file, { timeout: 500 });
    try {
      database.exec("BEGIN EXCLUSIVE");
      return new DaemonLock(file, database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  /** Whether a process has the lock. Does not keep one from taking it. */
  static isTaken(file: string): boolean {
    if (inodeOf(file) === undefined) return false;
    const database = new Database(file, { readonly: true, timeout: 0 });
    try {
      database.prepare("SELECT 1 FROM sqlite_master").get();
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw error;
    } finally {
      database.close();
    }
  }

  /** Whether its file is still there: without it, another process could take the same lock. */
  stands(): boolean {
    return inodeOf(this.#file) === this.#inode;
  }

  release(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}

function create(file: string): void {
  try {
    // Never opens a file that exists: closing it again would free the locks that this process has on it.
    writeFileSync(file, "", { flag: "wx", mode: privateFile });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}

function isBusy(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "SQLITE_BUSY";
}
