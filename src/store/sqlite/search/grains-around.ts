import type { SearchRead } from "../../driver.ts";
import type { Row } from "../../table.ts";
import type { Connection } from "../connection.ts";
import { decodeGrain, grainColumns } from "./grain-rows.ts";

type Around = Extract<SearchRead, { readonly type: "around" }>;

// Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call: hence `+?`.
const nextText = (side: "before" | "after"): string => `select ${grainColumns} from "grain" g
  where g."partition" = +? and g."session_id" = +? and g."seq" ${side === "before" ? "<" : ">"} +?
  and g."owner_kind" = +? and (g."expires_at" is null or g."expires_at" > +?)
  order by g."seq" ${side === "before" ? "desc" : "asc"} limit +?`;
const beforeText = nextText("before");
const afterText = nextText("after");

/** Grains that stand next to others in their sessions. */
export function grainsAround(
  connection: Connection,
  partition: number,
  { points, reach, now }: Around,
): readonly Row[] {
  const next = (text: string, side: number): readonly Row[] =>
    points.flatMap(({ id, sessionId, ownerKind, seq }) =>
      connection
        .statement(text)
        .all(partition, sessionId, seq, ownerKind, now, reach)
        .map((values, i) => ({ ...decodeGrain(values), of: id, distance: side * (i + 1) })),
    );
  return [...next(beforeText, -1), ...next(afterText, 1)];
}
