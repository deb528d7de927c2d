import { digest } from "../../model/hash.ts";
import {
  checkVersion,
  latestVersion,
  type Migration,
  missingSteps,
  type StoredVersion,
} from "../sql/migration.ts";
import type { SchemaNames } from "./names.ts";
import type { Session } from "./session.ts";

/**
 * Brings the schema to the version of the last migration, and makes it if it is not there. Processes that start at once take
 * turns; one that finds the work done does nothing. All missing steps are one transaction, during which nobody else reads or
 * writes the schema.
 *
 * @throws FluxError `outdated` when only newer code can read the schema
 * @throws DatabaseFailure
 */
export async function migrate(
  session: Session,
  names: SchemaNames,
  migrations: readonly Migration[],
): Promise<StoredVersion> {
  const target = latestVersion(migrations);
  const found = await readVersion(session, names);
  if (found !== undefined && found.version >= target) {
    checkVersion("read", found.minReader, target);
    return found;
  }

  await session.unhurried();
  await session.command("begin");
  await session.query("select pg_advisory_xact_lock($1)", [lockNumber(names)]);
  const before = await readVersion(session, names);
  if (before === undefined) await makeSchema(session, names);
  // Writers share a lock on it from before they look at the version until they have committed.
  else await session.command(`lock table ${names.meta} in access exclusive mode`);
  const missing = missingSteps(migrations, before?.version ?? 0);
  await session.query("select set_config('search_path', $1, true)", [names.schema]);
  for (const { sql } of missing) await session.command(sql);
  const last = missing.at(-1);
  if (last !== undefined) {
    const values = [last.version, last.minReader, last.minWriter];
    const text = `update ${names.meta} set "version" = $1, "min_reader" = $2, "min_writer" = $3`;
    await session.query(text, values);
  }
  const after = (await readVersion(session, names)) as StoredVersion;
  await session.command("commit");
  checkVersion("read", after.minReader, target);
  return after;
}

/** Undefined when there is no store in the schema. */
export async function readVersion(
  session: Session,
  { name, meta }: SchemaNames,
): Promise<StoredVersion | undefined> {
  // By a query, since to_regclass() may answer from before another process's commit.
  const text = `select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relname = 'meta'`;
  const [there] = await session.query(text, [name]);
  if (there === undefined) return undefined;
  const [row = []] = await session.query(`select "version", "min_reader", "min_writer" from ${meta}`);
  const [version, minReader, minWriter] = row.map(Number);
  return { version: version as number, minReader: minReader as number, minWriter: minWriter as number };
}

async function makeSchema(session: Session, { schema, name }: SchemaNames): Promise<void> {
  const [found] = await session.query("select 1 from pg_catalog.pg_namespace where nspname = $1", [name]);
  if (found === undefined) await session.command(`create schema ${schema}`);
}

/** The advisory lock of a schema's migrations: a number that nobody else uses. */
function lockNumber({ schema }: SchemaNames): string {
  return new DataView(digest("flux-memory", schema).buffer).getBigInt64(0).toString();
}
