import type { SchemaNames } from "../names.ts";
import type { Session } from "../session.ts";

/** The extension, as the store's vectors use it. */
export interface Pgvector {
  /** The schema where it lies, as it stands in SQL. */
  readonly schema: string;
  /** Whether a search along its index goes on until enough is found: from version 0.8 on. */
  readonly iterative: boolean;
}

/**
 * The extension that the store's vectors are of; undefined where they are bytes. It is chosen when the tables are made, and
 * stays: an extension that comes later is for stores that are made later.
 */
export async function findPgvector(session: Session, { name }: SchemaNames): Promise<Pgvector | undefined> {
  const text = `
    select quote_ident(tn.nspname), e.extversion
    from pg_catalog.pg_namespace n
    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = 'vector'
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'vector'
    join pg_catalog.pg_type t on t.oid = a.atttypid and t.typname = 'vector'
    join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
    join pg_catalog.pg_extension e on e.extname = 'vector'
    where n.nspname = $1`;
  const [row] = await session.query(text, [name]);
  if (row === undefined) return undefined;
  const [schema, version] = row as readonly string[];
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return { schema: schema as string, iterative: major > 0 || minor >= 8 };
}
