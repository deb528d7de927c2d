import type { SearchRead } from "../../driver.ts";
import type { SchemaNames } from "../names.ts";
import { type Form, loop } from "./form.ts";
import { decodeGrain, grainColumns } from "./grain-rows.ts";

type Around = Extract<SearchRead, { readonly type: "around" }>;

/** Grains next to others in their sessions, each side walked along the index of sessions. */
export function aroundForm(names: SchemaNames, { points, reach, now }: Around): Form {
  const side = (before: boolean): string => `
      select g.*, ${before ? "-" : ""}row_number() over () as "distance" from (
        select ${grainColumns} from ${names.grain}
        where "partition" = p."id" and "session_id" = t."sessionId" and "seq" ${before ? "<" : ">"} t."seq"
          and "owner_kind" = t."ownerKind" and ("expires_at" is null or "expires_at" > q."now")
        order by "seq" ${before ? "desc" : "asc"} limit q."reach"
      ) g`;
  const text = `
    select t."id" as "of", g.*
    from json_to_recordset(q."points") as t("id" text, "sessionId" text, "ownerKind" text, "seq" bigint)
    cross join lateral (${side(true)} union all ${side(false)}) g`;
  const types = { points: "json", reach: "bigint", now: "bigint" };
  return {
    key: "around",
    expression: (parameter) => loop(parameter, types, text),
    values: { points, reach, now },
    decode: ({ of, distance, ...grain }) => [{ grain: decodeGrain(grain), of, distance }],
  };
}
