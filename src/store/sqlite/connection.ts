import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { FluxError } from "../../model/errors.ts";
import { matches, type Predicate } from "../filter.ts";
import { checkVersion, latestVersion, type Migration } from "../sql/migration.ts";
import type { RowSelector } from "../sql/select.ts";
import { TermCache } from "../term-cache.ts";
import { VectorCache } from "../vector-cache.ts";
import { migrate } from "./migrate.ts";
import { migrations as published } from "./migrations.ts";
import { checkNodeApi } from "./node-api.ts";
import { GrainCache } from "./search/grain-cache.ts";
import { RemovedPositions } from "./search/removed-positions.ts";
import { selectorByKey } from "./selection.ts";

export const inMemory = ":memory:";

const defaultIndexMemory = 256 * 1024 * 1024;

/** Bytes of the file that are mapped into memory, which scans of vectors gain the most from. */
const mappedBytes = 256 * 1024 * 1024;

export interface ConnectionOptions {
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[] | undefined;
  /** Bytes of the index that are kept in memory, half of them for terms and half for vectors, and a quarter more for grains. Default 256 MiB. */
  readonly indexMemory?: number | undefined;
  /** Whether the file, with its folder, is made where there is none. Default true. */
  readonly creates?: boolean | undefined;
}

/** How many statements are kept prepared at least; twice as many at most. */
const statementsOfGeneration = 250;

type Statement = Database.Statement<unknown[], unknown[]>;

/** One open database with its prepared statements. Every method is synchronous, and throws SqliteErrors as they come. */
export class Connection {
  readonly db: Database.Database;
  /** Terms and vectors that searches of this connection have read. */
  readonly terms: TermCache;
  readonly vectors: VectorCache;
  readonly grains: GrainCache;
  /** What this connection took out of the tables of entries and of vectors. */
  readonly removed = { entry: new RemovedPositions(), vector: new RemovedPositions() };
  /** Selects rows by their partition's key. */
  readonly selectByKey: RowSelector;
  #statements = new Map<string, Statement>();
  #older = new Map<string, Statement>();
  readonly #code: number;
  #comparesVectors: boolean | undefined;
  #isReading = false;

  private constructor(db: Database.Database, code: number, indexMemory: number) {
    this.db = db;
    this.terms = new TermCache(indexMemory / 2);
    this.vectors = new VectorCache({ maxBytes: indexMemory / 2 });
    this.grains = new GrainCache(indexMemory / 4);
    this.#code = code;
    this.selectByKey = selectorByKey(code);
  }

  /**
   * Opens the database, creating and migrating it as needed.
   *
   * @param path absolute, or `:memory:`
   */
  static open(
    path: string,
    { migrations = published, indexMemory = defaultIndexMemory, creates = true }: ConnectionOptions = {},
  ): Connection {
    if (!creates && !existsSync(path)) throw fileMissing();
    if (creates && path !== inMemory) makeFolder(dirname(path));
    const db = openDatabase(path, { creates });
    try {
      if (path !== inMemory && db.pragma("journal_mode = wal", { simple: true }) !== "wal") {
        throw new FluxError("unavailable", "The file system cannot hold a database in WAL mode", {
          hint: "Put the database on a local disk.",
        });
      }
      configure(db);
      migrate(db, migrations);
      return new Connection(db, latestVersion(migrations), indexMemory);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** A prepared statement, kept for the next time; those used longest ago are let go. Rows come as arrays. */
  statement(text: string): Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#older.get(text) ?? this.#prepare(text);
    // Once a generation is full, only what is used again while the next one fills goes on.
    if (this.#statements.size === statementsOfGeneration) {
      this.#older = this.#statements;
      this.#statements = new Map();
    }
    this.#statements.set(text, statement);
    return statement;
  }

  #prepare(text: string): Statement {
    const statement = this.db.prepare<unknown[], unknown[]>(text);
    return statement.reader ? statement.raw() : statement;
  }

  /** Whether a snapshot is open in which nothing is written. */
  get isReading(): boolean {
    return this.#isReading;
  }

  /** Runs reads on one snapshot. */
  read<T>(run: (connection: Connection) => T): T {
    this.statement("begin").run();
    this.#isReading = true;
    try {
      this.#checkReader();
      return run(this);
    } finally {
      this.#isReading = false;
      if (this.db.inTransaction) this.statement("commit").run();
    }
  }

  /** Runs one statement, which is a snapshot of its own. By `selectByKey`, it finds nothing where this code is too old. */
  readOne<T>(run: (connection: Connection) => readonly T[]): readonly T[] {
    let rows: readonly T[] = [];
    try {
      rows = run(this);
    } finally {
      if (rows.length === 0) this.#checkReader();
    }
    return rows;
  }

  #checkReader(): void {
    const [minReader] = this.statement(`select "min_reader" from "meta"`).get() ?? [];
    this.checkReader(minReader);
  }

  /** @throws FluxError `outdated`: another process may have brought the database beyond this code while it ran */
  checkReader(minReader: unknown): void {
    checkVersion("read", minReader as number, this.#code);
  }

  checkWriter(minWriter: unknown): void {
    checkVersion("write to", minWriter as number, this.#code);
  }

  /** Whether statements can compare vectors: the optional package `sqlite-vec` is loaded at the first question. */
  get comparesVectors(): boolean {
    this.#comparesVectors ??= loadVectorFunctions(this.db);
    return this.#comparesVectors;
  }

  /** Forgets what searches have read: some of it may have been undone. */
  forgetIndex(): void {
    this.terms.clear();
    this.vectors.clear();
    this.grains.clear();
    this.removed.entry.clear();
    this.removed.vector.clear();
  }

  close(): void {
    this.db.close();
  }
}

/** A bare connection that waits for no lock, so that the event loop never stands still. */
export function openDatabase(path: string, { creates }: { readonly creates: boolean }): Database.Database {
  checkNodeApi();
  try {
    return new Database(path, { timeout: 0, fileMustExist: !creates });
  } catch (error) {
    // The native library is missing on this platform, or is another Node's.
    if (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_DLOPEN")) {
      throw new FluxError("missing_package", "The native part of better-sqlite3 cannot be loaded", {
        hint: "Install the package again on this machine, with this version of Node.",
        cause: error,
      });
    }
    throw error;
  }
}

/** Whether the package is installed for this platform. */
function loadVectorFunctions(db: Database.Database): boolean {
  try {
    const { getLoadablePath } = createRequire(import.meta.url)("sqlite-vec") as { getLoadablePath(): string };
    db.loadExtension(getLoadablePath());
    return true;
  } catch {
    return false;
  }
}

/** The error of a file that is not where it was opened. */
export function fileMissing(): FluxError {
  return new FluxError("unavailable", "The database file was removed or renamed while it was open", {
    hint: "Nothing was written. Put it back, and calls go on with it. To begin anew with an empty one, close this memory and open it again.",
    retryable: true,
  });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new FluxError("unavailable", "The folder of the database cannot be created", {
      hint: "Check the path and its permissions.",
      retryable: true,
      cause: error,
    });
  }
}

function configure(db: Database.Database): void {
  // A commit is on the disk before it is acknowledged.
  db.pragma("synchronous = full");
  db.pragma("fullfsync = on");
  // What is deleted is overwritten, and never spills into temporary files.
  db.pragma("secure_delete = on");
  db.pragma("temp_store = memory");
  db.pragma(`mmap_size = ${mappedBytes}`);
  db.pragma("trusted_schema = off");
  // A statement asks about the same predicate for every row.
  let text: string | undefined;
  let predicate: Predicate = { type: "and", items: [] };
  db.function("flux_matches", { deterministic: true, directOnly: true }, (given: string, metadata) => {
    if (given !== text) {
      predicate = JSON.parse(given);
      text = given;
    }
    return matches(predicate, metadata === null ? undefined : JSON.parse(metadata)) ? 1 : 0;
  });
}
