import type { SearchRead } from "../../driver.ts";
import type { Row } from "../../table.ts";
import type { Connection } from "../connection.ts";
import { readGrains } from "./grain-rows.ts";

type Around = Extract<SearchRead, { readonly type: "around" }>;

// Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call: hence `+?`.
const nextText = (side: "before" | "after"): string => `select g."id" from "grain" g
  where g."partition" = +? and g."session_id" = +? and g."seq" ${side === "before" ? "<" : ">"} +?
  and g."owner_kind" = +? and (g."expires_at" is null or g."expires_at" > +?)
  order by g."seq" ${side === "before" ? "desc" : "asc"} limit +?`;
const beforeText = nextText("before");
const afterText = nextText("after");

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
  const next = (text: string, side: number): readonly Neighbour[] =>
    points.flatMap(({ id, sessionId, ownerKind, seq }) =>
      connection
        .statement(text)
        .all(partition, sessionId, seq, ownerKind, now, reach)
        .map(([other], i) => ({ id: other as string, of: id, distance: side * (i + 1) })),
    );
  const found = [...next(beforeText, -1), ...next(afterText, 1)];
  const grains = readGrains(connection, partition, [...new Set(found.map(({ id }) => id))]);
  return found.map(({ id, ...more }) => ({ grain: grains.get(id), ...more }));
}
