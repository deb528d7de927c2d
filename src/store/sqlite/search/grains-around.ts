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
    select "value"->>0 as "of", "value"->>1 as "session_id", "value"->>2 as "owner_kind", "value"->>3 as "seq"
    from json_each(+@points)
  )
  select p."of", ${nextText("before")}, ${nextText("after")} from p`;

interface Neighbour {
  readonly id: string;
  readonly of: string;
  readonly distance: number;
}

/** Grains that stand next to others in their sessions. */
export function grainsAround(
  connection: Connection,
  partition: number,
  { points, reach, now }: Around,
): readonly Row[] {
  const json = JSON.stringify(
    points.map(({ id, sessionId, ownerKind, seq }) => [id, sessionId, ownerKind, seq]),
  );
  const rows = connection.statement(nextToText).all({ partition, now, reach, points: json });
  const found = rows.flatMap((row) => {
    const [of, before, after] = row as [string, string, string];
    return [...neighbours(of, -1, before), ...neighbours(of, 1, after)];
  });
  const grains = readGrains(connection, partition, [...new Set(found.map(({ id }) => id))]);
  return found.map(({ id, ...more }) => ({ grain: grains.get(id), ...more }));
}

function neighbours(of: string, side: number, ids: string): readonly Neighbour[] {
  return (JSON.parse(ids) as string[]).map((id, i) => ({ id, of, distance: side * (i + 1) }));
}
