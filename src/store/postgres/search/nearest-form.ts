import type { SearchRead } from "../../driver.ts";
import type { SchemaNames } from "../names.ts";
import { conditionsSql } from "./conditions.ts";
import { type Form, loop } from "./form.ts";
import { decodeGrain, grainColumns } from "./grain-rows.ts";
import { onlyRow } from "./only-row.ts";
import type { Pgvector } from "./pgvector.ts";
import { type VectorIndex, vectorIndex, worthIt } from "./vector-index.ts";
import { vectorText } from "./vector-text.ts";

type Nearest = Extract<SearchRead, { readonly type: "nearest" }>;

/**
 * A search by vector, in one query: along the space's index if there is one and it is worth it, and exactly if not, or if the
 * index did not find enough grains that meet the conditions.
 */
export function nearestForm(names: SchemaNames, pgvector: Pgvector, read: Nearest): Form {
  const { space, vector, limit, where, now } = read;
  const conditions = conditionsSql(where, now);
  const index = vectorIndex(pgvector, space, vector.length);
  const type = `${pgvector.schema}.vector`;
  const distance = `v."vector" operator(${pgvector.schema}.<#>) q."vector"`;
  const grain = `
      select ${grainColumns} from ${names.grain}
      where "partition" = p."id" and ${onlyRow("id", 'v."grain_id"', conditions.text)} limit 1`;
  // All vectors of the partition are ranked before any grain is looked up: the distances cost less.
  const exact = `
    select v.distance, v."seq", g.* from (
      select "grain_id", "seq", ${distance} as distance from ${names.vector} v
      where "partition" = p."id" and "space" = q."space" order by distance, "seq" desc offset 0
    ) v cross join lateral (${grain}) g
    order by v.distance, v."seq" desc limit q."limit"`;
  const text = `
    select 0 - n.distance as "similarity", n.* from (
      ${index === undefined ? exact : alongIndexOrExact(names, index, { space, distance, grain, exact, pgvector })}
    ) n order by n.distance, n."seq" desc`;
  const types = { space: "bigint", index: "text", vector: type, limit: "bigint", ...conditions.types };
  return {
    key: `nearest ${index === undefined ? "" : `${space} ${index.type}`} ${conditions.text}`,
    expression: (parameter) => loop(parameter, types, text),
    values: {
      space,
      index: `${names.schema}."${index?.name}"`,
      vector: vectorText(vector),
      limit,
      ...conditions.values,
    },
    decode: ({ similarity, ...grain }) => [{ grain: decodeGrain(grain), similarity: Number(similarity) }],
  };
}

interface Parts {
  readonly space: number;
  readonly distance: string;
  readonly grain: string;
  readonly exact: string;
  readonly pgvector: Pgvector;
}

function alongIndexOrExact(
  names: SchemaNames,
  { type, coarse }: VectorIndex,
  { space, distance, grain, exact, pgvector }: Parts,
): string {
  // How many vectors an index has is known from its making and from each vacuum.
  const worth = `
      select from ${names.indexSize} z
      join pg_catalog.pg_class c on c.oid = to_regclass(q."index")
      join pg_catalog.pg_index i on i.indexrelid = c.oid and i.indisvalid
      where z."space" = q."space" and z."partition" = p."id"
        and ${worthIt(`z."entries"`, 'greatest(c.reltuples, z."entries")', `q."limit"`)}`;
  return `
    with near as materialized (
      select ${distance} as distance, v."seq", g.* from ${names.vector} v cross join lateral (${grain}) g
      where v."space" = ${space} and v."partition" = p."id" and exists (${worth})
      order by v."vector"::${type} operator(${pgvector.schema}.<#>) q."vector"::${type}
      limit q."limit"${coarse ? " * 2" : ""}
    ), found as (
      select count(*) >= q."limit" as enough from near
    )
    (select * from near where (select enough from found) order by distance, "seq" desc limit q."limit")
    union all
    select * from (${exact}) x where not (select enough from found)`;
}
