import { fdatasync, statSync } from "node:fs";
import { promisify } from "node:util";
import type Database from "better-sqlite3";
import { type Connection, openDatabase } from "./connection.ts";
import { descriptorOf } from "./database-files.ts";
import { isBusy } from "./errors.ts";
import { clearSlack, findSlack } from "./page-slack.ts";
import { pause } from "./retry.ts";

const flushToDisk = promisify(fdatasync);

/** Pages that are overwritten under one lock. */
const batch = 1024;

/** Milliseconds for which writers are waited for; a reader may take any time and is not. */
const patience = 200;

const startText = `update "meta" set "cleaning" = "cleaning" + 1 returning "cleaning"`;
const finishText = `update "meta" set "cleaned" = max("cleaned", ?)`;
const selectText = `select "cleaning", "cleaned" from "meta"`;

/** Numbers a run of cleaning. What was deleted before is clean once the run is finished. */
export function startCleaning(connection: Connection): number {
  return connection.statement(startText).get()?.[0] as number;
}

export function finishCleaning(connection: Connection, run: number): void {
  connection.statement(finishText).run(run);
}

/** The number of the last run that was started, and of the last one that succeeded. */
export function cleaningState(connection: Connection): {
  readonly started: number;
  readonly finished: number;
} {
  const [started, finished] = connection.statement(selectText).get() as [number, number];
  return { started, finished };
}

/**
 * Removes the bytes of everything that was deleted before the call from the files of a database; false when another
 * connection is in the way, or there is no file.
 */
export async function cleanFiles(path: string): Promise<boolean> {
  const descriptor = descriptorOf(path);
  if (descriptor === undefined) return false;
  // A connection of its own: its commits make every other one forget the pages that it has in memory.
  const db = openDatabase(path, { creates: false });
  try {
    if (!(await attempt(() => emptyLog(db)))) return false;
    const pages = await findSlack(descriptor);
    for (let done = 0; done < pages.length; done += batch) {
      const some = pages.slice(done, done + batch);
      if (!(await attempt(() => emptyLog(db) && clearPages(db, path, descriptor, some)))) return false;
    }
    if (pages.length > 0) await flushToDisk(descriptor);
    return true;
  } finally {
    db.close();
  }
}

/** Tries for a short time. */
async function attempt(step: () => boolean): Promise<boolean> {
  const start = performance.now();
  for (let attempts = 0; performance.now() - start < patience; attempts++) {
    try {
      if (step()) return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await pause(attempts);
  }
  return false;
}

/** Moves everything from the log to the database file and cuts the log to nothing. */
function emptyLog(db: Database.Database): boolean {
  const [result] = db.pragma("wal_checkpoint(truncate)") as { readonly busy: number }[];
  return result?.busy === 0;
}

function clearPages(
  db: Database.Database,
  path: string,
  descriptor: number,
  pages: readonly number[],
): boolean {
  db.exec("begin immediate");
  try {
    const empty = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size === 0;
    if (empty) {
      const roots = db.prepare(`select "rootpage" from sqlite_schema where "rootpage" > 0`).pluck().all();
      clearSlack(descriptor, [1, ...(roots as number[])], pages);
      // Only a commit that changes something is noticed by the others.
      db.prepare(startText).get();
    }
    db.exec("commit");
    return empty;
  } catch (error) {
    if (db.inTransaction) db.exec("rollback");
    throw error;
  }
}
