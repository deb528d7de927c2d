import type { SearchRead } from "../../driver.ts";
import type { Row } from "../../table.ts";
import type { Connection } from "../connection.ts";
import { readGrains } from "./grain-rows.ts";

type Around = Extract<SearchRead, { readonly type: "around" }>;

// Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call: hence `+@`.
/** Ids of the grains on one side of a point, the nearest first, as JSON. */
const nextText = (side: "before" | "after"): string => {
  const [beyond, order] = side === "before" ? ["<", `"seq" desc`] : [">", `"seq"`];
  return `(
    select json_group_array("id" order by ${order}) from (
      select g."id", g."seq" from "grain" g
      where g."partition" = +@partition and g."session_id" = p."session_id" and g."owner_kind" = p."owner_kind"
      and g."seq" ${beyond} p."seq" and (g."expires_at" is null or g."expires_at" > +@now)
      order by g.${order} limit +@reach
    ))`;
};
// One statement for all points: of one for each, most of the time is that of the calls.
const nextToText = `with p as materialized (
    select "key" as "place", "value"->>0 as "session_id", "value"->>1 as "owner_kind", "value"->>2 as "seq"
    from json_each(+@points)
  )
  select p."place", ${nextText("before")}, ${nextText("after")} from p`;

/** Grains that stand next to others in their sessions. */
export function grainsAround(
  connection: Connection,
  partition: number,
  { points, reach, now }: Around,
): readonly Row[] {
  const json = JSON.stringify(points.map(({ sessionId, ownerKind, seq }) => [sessionId, ownerKind, seq]));
  const sides = connection.statement(nextToText).all({ partition, now, reach, points: json });
  const ids: string[] = [];
  const found: { readonly of: string; readonly distance: number }[] = [];
  for (const [place, ...texts] of sides as [number, before: string, after: string][]) {
    const { id: of } = points[place] as (typeof points)[number];
    for (const [side, text] of texts.entries())
      for (const [i, id] of (JSON.parse(text) as string[]).entries()) {
        ids.push(id);
        found.push({ of, distance: side === 0 ? -(i + 1) : i + 1 });
      }
  }
  const grains = readGrains(connection, partition, ids);
  return found.map((neighbour, i) => ({ grain: grains[i], ...neighbour }));
}
