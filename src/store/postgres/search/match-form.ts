import type { SearchRead } from "../../driver.ts";
import { mostWalked } from "../../leading-terms.ts";
import type { Row } from "../../table.ts";
import { countsOf } from "../../term-counts.ts";
import type { SchemaNames } from "../names.ts";
import { conditionsSql } from "./conditions.ts";
import { type Form, loop } from "./form.ts";
import { decodeGrain, grainColumns } from "./grain-rows.ts";
import { onlyRow } from "./only-row.ts";

type Match = Extract<SearchRead, { readonly type: "match" }>;

interface Found {
  readonly documents: number | null;
  readonly terms: number | null;
  readonly frequencies: readonly number[] | null;
  readonly hits: readonly Readonly<Record<string, unknown>>[] | null;
}

/**
 * A search by terms, in one query: the frequency of each term, the terms that bring candidates (see `leadingTerms`), the BM25
 * score of each candidate over them, and from the best on the grains that meet the conditions, until there are enough.
 *
 * BM25 as in the memory's index, with k1 = 1.2 and b = 0.75: k1 + 1 = 2.2, k1 × (1 - b) = 0.3, k1 × b = 0.9. These are written
 * as doubles, since the decimals that PostgreSQL would take them for are ten times as slow.
 */
export function matchForm(names: SchemaNames, read: Match): Form {
  const { space, terms, limit, where, now } = read;
  const conditions = conditionsSql(where, now);
  const text = `
with size as (
  select "entries", "terms" from ${names.indexSize} where "space" = q."space" and "partition" = p."id"
), term as materialized (
  select t.place, t.term, (
    select count(*) from ${names.posting} where "partition" = p."id" and "space" = q."space" and "term" = t.term
  ) as frequency
  from unnest(q."terms") with ordinality t(term, place)
), rare as materialized (
  select t.term, 2.2::float8 * ln(1 + (size."entries" - t.frequency + 0.5::float8) / (t.frequency + 0.5::float8)) as rarity,
    size."terms"::float8 / size."entries" as average
  from (
    select *, sum(frequency) over w as walked
    from term where frequency > 0 window w as (order by frequency, place)
  ) t, size
  where t.walked - t.frequency < q."limit" or t.walked <= ${mostWalked}
), candidate as materialized (
  select o."seq",
    sum(l.rarity * o."count" / (o."count" + 0.3::float8 + 0.9::float8 * o."length" / l.average)) as score
  from rare l cross join lateral (
    select "seq", "count", "length" from ${names.posting}
    where "partition" = p."id" and "space" = q."space" and "term" = l.term offset 0
  ) o
  group by o."seq"
)
select (select "entries" from size) as documents, (select "terms" from size) as terms,
  (select json_agg(frequency order by place) from term) as frequencies,
  (select json_agg(h) from (
    select e."length", e."terms", g.*
    from (select * from candidate order by score desc, "seq" desc offset 0) c
    cross join lateral (
      select "length", "terms", "grain_id" from ${names.entry}
      where "partition" = p."id" and "space" = q."space" and ${onlyRow("seq", 'c."seq"')} limit 1
    ) e
    cross join lateral (
      select ${grainColumns} from ${names.grain}
      where "partition" = p."id" and ${onlyRow("id", 'e."grain_id"', conditions.text)} limit 1
    ) g
    order by c.score desc, c."seq" desc limit q."limit"
  ) h) as hits`;
  const types = { space: "bigint", terms: "text[]", limit: "bigint", ...conditions.types };
  return {
    key: `match ${conditions.text}`,
    expression: (parameter) => loop(parameter, types, text),
    values: { space, terms, limit, ...conditions.values },
    decode: (object) => decodeMatch(object as unknown as Found, terms),
  };
}

function decodeMatch(found: Found, terms: readonly string[]): readonly Row[] {
  const { documents, terms: total, frequencies, hits } = found;
  return [
    {
      documents: documents ?? 0,
      terms: total ?? 0,
      frequencies: frequencies ?? [],
    },
    ...(hits ?? []).map(({ length, terms: text, ...grain }) => ({
      grain: decodeGrain(grain),
      length,
      counts: countsOf(text as string, terms),
    })),
  ];
}
