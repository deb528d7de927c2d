import { digest } from "../../../model/hash.ts";
import type { SchemaNames } from "../names.ts";
import type { Session } from "../session.ts";
import type { Pgvector } from "./pgvector.ts";

/**
 * A space of vectors gets an index of its own (HNSW: a graph of neighbours, searched from any vector to the nearest) once some
 * partition is so large that an exact search of it is slower than one along the index, which meets other partitions' vectors,
 * too. Measured with vectors of 384 numbers: an exact search takes 2 µs for each of the partition's, one along the index
 * 10 µs for each that it meets, and it meets limit × all / partition's.
 */
const exactUpTo = 5000;
const costOfMeeting = 5;

/** The limit that a search has at most when the index is made for it. */
const usualLimit = 50;

/** Most dimensions that an index takes as they are, and at half their precision. */
const fullDimensions = 2000;
const mostDimensions = 4000;

/** The index of a space of vectors: what it is called and what it is on; undefined for vectors that are too long. */
export interface VectorIndex {
  readonly name: string;
  /** The vector as it is indexed, and the type to cast to. */
  readonly type: string;
  readonly expression: string;
  readonly operators: string;
  /** Whether it stores vectors at less than their precision. */
  readonly coarse: boolean;
}

export function vectorIndex(
  { schema, iterative }: Pgvector,
  space: number,
  dimensions: number,
): VectorIndex | undefined {
  if (!iterative || dimensions > mostDimensions) return undefined;
  const coarse = dimensions > fullDimensions;
  const kind = coarse ? "halfvec" : "vector";
  const type = `${schema}.${kind}(${dimensions})`;
  return {
    name: `vector_near_${space}`,
    type,
    expression: `("vector"::${type})`,
    operators: `${schema}.${kind}_ip_ops`,
    coarse,
  };
}

/** Makes the indexes that searches need by now, without keeping anybody from writing. */
export async function indexVectors(session: Session, names: SchemaNames, pgvector: Pgvector): Promise<void> {
  for (const { space, dimensions } of await largeSpaces(session, names)) {
    const index = vectorIndex(pgvector, space, dimensions);
    if (index === undefined || (await isValid(session, names, index.name))) continue;
    await session.unhurried();
    const [locked] = await session.query("select pg_try_advisory_lock($1)", [lockNumber(names)]);
    // Another process is at it.
    if (locked?.[0] !== "t") return;
    if (await isValid(session, names, index.name)) continue;
    await dropVectorIndex(session, names, space);
    await session.query(
      `select set_config('maintenance_work_mem', greatest(setting::bigint, $1::bigint) || 'kB', false)
      from pg_catalog.pg_settings where name = 'maintenance_work_mem'`,
      [buildMemory],
    );
    await session.command(`create index concurrently "${index.name}" on ${names.vector}
      using hnsw (${index.expression} ${index.operators}) where "space" = ${space}`);
  }
}

/** Kilobytes in which a graph is built ten times as fast as beyond; taken as far as they are needed. */
const buildMemory = 256 * 1024;

/** Removes the index of a space, and what an attempt at making it has left. */
export async function dropVectorIndex(
  session: Session,
  { schema }: SchemaNames,
  space: number,
): Promise<void> {
  await session.command(`drop index concurrently if exists ${schema}."vector_near_${space}"`);
}

async function largeSpaces(
  session: Session,
  names: SchemaNames,
): Promise<readonly { readonly space: number; readonly dimensions: number }[]> {
  const text = `
    select s."id", s."dimensions" from ${names.space} s
    cross join lateral (
      select max("entries")::float8 as largest, sum("entries")::float8 as total from ${names.indexSize}
      where "space" = s."id" offset 0
    ) z
    where s."dimensions" > 0 and s."state" <> 'retired' and ${worthIt("z.largest", "z.total", String(usualLimit))}`;
  const rows = await session.query(text);
  return rows.map(([space, dimensions]) => ({ space: Number(space), dimensions: Number(dimensions) }));
}

/** Whether a search along the index is faster than an exact one. */
export function worthIt(size: string, total: string, limit: string): string {
  return `${size} > ${exactUpTo} and ${size} * ${size} > ${costOfMeeting}::float8 * ${limit} * ${total}`;
}

async function isValid(session: Session, { name }: SchemaNames, index: string): Promise<boolean> {
  const text = `
    select 1 from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_index i on i.indexrelid = c.oid
    where n.nspname = $1 and c.relname = $2 and i.indisvalid`;
  return (await session.query(text, [name, index])).length > 0;
}

/** The advisory lock of those who make indexes in a schema. */
function lockNumber({ schema }: SchemaNames): string {
  return new DataView(digest("flux-memory", schema, "vectors").buffer).getBigInt64(0).toString();
}
