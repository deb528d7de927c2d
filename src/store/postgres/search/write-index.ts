import type { RowWrite } from "../../driver.ts";
import { recordTables } from "../../schema.ts";
import { encodeVector } from "../../vector-bytes.ts";
import type { SchemaNames } from "../names.ts";
import type { StatementBuilder } from "../statement-builder.ts";
import { onlyRow } from "./only-row.ts";
import type { Pgvector } from "./pgvector.ts";
import { vectorText } from "./vector-text.ts";

type IndexWrite = Extract<RowWrite, { readonly type: "index" }>;

/** Adds what removes from the index: of grains that go, and what is replaced of those that are there. */
export function removeFromIndex(
  names: SchemaNames,
  writes: readonly RowWrite[],
  builder: StatementBuilder,
): void {
  const { entry, posting, vector, indexSize } = names;
  const gone = writes.flatMap((write) => (write.type === "unindex" ? [write.grainId] : []));
  if (gone.includes(undefined)) {
    for (const table of [entry, posting, vector]) builder.add(`delete from ${table} where "partition" = $1`);
    builder.add(`update ${indexSize} z set "entries" = 0, "terms" = 0, "removed" = z."removed" + 1
      from (select "id" from ${names.space} offset 0) s where z."space" = s."id" and z."partition" = $1`);
    return;
  }
  const inserted = insertedSeqs(writes);
  const replaced = writes.filter(isIndex).filter(({ grainId }) => !inserted.has(grainId));
  if (gone.length + replaced.length === 0) return;
  const wanted = [
    ...gone.map((id) => ({ id })),
    ...replaced.map(({ grainId, entry: { space } }) => ({ id: grainId, space })),
  ];
  const what = builder.add(`select s."id" as "space", r."id" as "grain_id"
    from json_to_recordset(${builder.bind(JSON.stringify(wanted))}) as r("id" text, "space" integer)
    cross join lateral (
      select "id" from ${names.space} where r."space" is null or "id" = r."space" offset 0
    ) s`);
  const found = (table: string, key: string): string => `cross join lateral (
      select ctid from ${table} where "partition" = $1 and ${key} limit 1
    ) k where t.ctid = k.ctid`;
  const entries = builder.add(`delete from ${entry} t
    using ${what} r ${found(entry, `"space" = r."space" and ${onlyRow("grain_id", 'r."grain_id"')}`)}
    returning t."space", t."seq", t."length", t."terms"`);
  builder.add(`delete from ${posting} t
    using (
      select e."space", e."seq", x.term
      from ${entries} e cross join lateral (
        select distinct term from unnest(string_to_array(e."terms", ' ')) as x(term) offset 0
      ) x
    ) r ${found(posting, `"space" = r."space" and "term" = r.term and ${onlyRow("seq", 'r."seq"')}`)}`);
  const vectors = builder.add(`delete from ${vector} t
    using ${what} r ${found(vector, `"space" = r."space" and ${onlyRow("grain_id", 'r."grain_id"')}`)}
    returning t."space"`);
  builder.add(`update ${indexSize} z
    set "entries" = z."entries" - d.entries, "terms" = z."terms" - d.terms, "removed" = z."removed" + d.removed
    from (
      select "space", count(*) as entries, sum(terms) as terms, sum(removed) as removed from (
        select "space", "length" as terms, 0 as removed from ${entries}
        union all select "space", 0, 1 from ${vectors}
      ) x group by "space"
    ) d where z."space" = d."space" and z."partition" = $1`);
}

/** Adds what puts entries into the index. */
export function addToIndex(
  names: SchemaNames,
  pgvector: Pgvector | undefined,
  writes: readonly RowWrite[],
  builder: StatementBuilder,
): void {
  const all = writes.filter(isIndex);
  if (all.length === 0) return;
  const inserted = insertedSeqs(writes);
  const sizes = new Map<number, { entries: number; terms: number }>();
  const entries: unknown[] = [];
  const vectors: unknown[] = [];
  for (const { grainId, entry } of all) {
    const { space } = entry;
    const place = { space, id: grainId, seq: inserted.get(grainId) };
    const size = sizes.get(space) ?? { entries: 0, terms: 0 };
    sizes.set(space, size);
    size.entries += 1;
    if ("vector" in entry) {
      const { vector } = entry;
      vectors.push({
        ...place,
        vector: pgvector === undefined ? encodeVector(vector).toString("base64") : vectorText(vector),
      });
    } else {
      size.terms += entry.terms.length;
      entries.push({ ...place, length: entry.terms.length, terms: entry.terms.join(" ") });
    }
  }
  if (entries.length > 0) {
    const rows = builder.add(
      located(names, builder.bind(JSON.stringify(entries)), ["length integer", "terms text"]),
    );
    builder.add(`insert into ${names.entry} ("partition", "space", "seq", "grain_id", "length", "terms")
      select $1, "space", "seq", "id", length, terms from ${rows}`);
    builder.add(`insert into ${names.posting} ("partition", "space", "term", "seq", "count", "length")
      select $1, r."space", x.term, r."seq", x.count, r.length
      from ${rows} r cross join lateral (
        select term, count(*) as count from unnest(string_to_array(r.terms, ' ')) as x(term) group by term offset 0
      ) x`);
  }
  if (vectors.length > 0) {
    const value = pgvector === undefined ? "decode(vector, 'base64')" : `vector::${pgvector.schema}.vector`;
    builder.add(`insert into ${names.vector} ("partition", "space", "grain_id", "seq", "vector")
      select $1, "space", "id", "seq", ${value}
      from (${located(names, builder.bind(JSON.stringify(vectors)), ["vector text"])}) r`);
  }
  const changed = [...sizes].map(([space, size]) => ({ space, ...size }));
  builder.add(`insert into ${names.indexSize} as z ("space", "partition", "entries", "terms", "removed")
    select "space", $1, entries, terms, 0
    from json_to_recordset(${builder.bind(JSON.stringify(changed))}) as r("space" integer, entries bigint, terms bigint)
    on conflict ("space", "partition") do update
    set "entries" = z."entries" + excluded."entries", "terms" = z."terms" + excluded."terms"`);
}

function isIndex(write: RowWrite): write is IndexWrite {
  return write.type === "index";
}

/** The `seq` of grains that the same outcome inserts, by their ids. Nothing is in the index of them yet. */
function insertedSeqs(writes: readonly RowWrite[]): ReadonlyMap<string, number> {
  const seqs = new Map<string, number>();
  for (const write of writes) {
    if (write.type === "insert" && write.table === recordTables.grain)
      seqs.set(write.row.id as string, write.row.seq as number);
  }
  return seqs;
}

/** Rows of a parameter, with the `seq` of grains that are there already. */
function located(names: SchemaNames, parameter: string, columns: readonly string[]): string {
  const types = [`"space" integer`, `"id" text`, `"seq" bigint`, ...columns];
  const rest = columns.map((column) => `r.${column.split(" ")[0]}`);
  return `select r."space", r."id", coalesce(r."seq", (
      select "seq" from ${names.grain} where "partition" = $1 and ${onlyRow("id", 'r."id"')} limit 1
    )) as "seq", ${rest.join(", ")}
    from json_to_recordset(${parameter}) as r(${types.join(", ")})`;
}
