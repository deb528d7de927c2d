import type { SearchRead } from "../../driver.ts";
import { checkQueryVector } from "../../index-entries.ts";
import { meets } from "../../meets.ts";
import { hasConditions } from "../../sql/conditions.ts";
import type { Row } from "../../table.ts";
import { decodeVector, encodeVector } from "../../vector-bytes.ts";
import type { StoredVector, VectorSource } from "../../vector-cache.ts";
import type { Connection } from "../connection.ts";
import { conditionsOn, decodeGrain, type FoundGrain, grainColumns, grainsThatMeet } from "./grain-rows.ts";
import { readSize } from "./size.ts";

type Nearest = Extract<SearchRead, { readonly type: "nearest" }>;

const dimensionsText = `select "dimensions" from "space" where "id" = ?`;
// Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call: hence `+?`.
const vectorsText = `select "position", "grain_id", "vector" from "vector"
  where "partition" = +? and "space" = +? and "position" > +? order by "position"`;
const positionsText = `select "position" from "vector"
  where "partition" = +? and "space" = +? order by "position"`;
const similarity = `coalesce(1 - vec_distance_cosine("vector", +?), 0) as "similarity"`;
const nearestText = `select n."similarity", ${grainColumns}
  from (
    select "partition", "grain_id", "position", ${similarity} from "vector" where "partition" = +? and "space" = +?
    order by "similarity" desc, "position" desc limit +?
  ) n
  cross join "grain" g on g."partition" = n."partition" and g."id" = n."grain_id"
  order by n."similarity" desc, n."position" desc`;
const nearestThatMeetText = `select ${similarity}, ${grainColumns}
  from "vector" v cross join "grain" g on g."partition" = v."partition" and g."id" = v."grain_id"
  where v."partition" = +? and v."space" = +?`;

/** Grains whose vectors are nearest. */
export function nearestGrains(connection: Connection, partition: number, read: Nearest): readonly Row[] {
  const { space, vector } = read;
  const [dimensions] = connection.statement(dimensionsText).get(space) ?? [];
  if (dimensions !== undefined) checkQueryVector(vector, dimensions as number);
  const { entries: count, removed } = readSize(connection, partition, space);
  if (count === 0) return [];
  const source: VectorSource = {
    count,
    removed,
    load: (after) => vectorsAfter(connection, partition, space, after),
    positions: () =>
      connection
        .statement(positionsText)
        .all(partition, space)
        .map(([position]) => position as number),
    removedHere: () => connection.removed.vector.take(partition, space),
  };
  if (!connection.vectors.fits(source, vector.length) && connection.comparesVectors)
    return nearestRows(connection, partition, read);
  return grainsThatMeet(connection, partition, read, ({ take, allowed }) =>
    connection.vectors.nearest(`${partition}/${space}`, source, vector, { limit: take, allowed }),
  );
}

/** By `sqlite-vec`, which walks through the rows themselves. The cosine with a vector of zeros is none; here it counts as 0. */
function nearestRows(connection: Connection, partition: number, read: Nearest): readonly Row[] {
  const { space, vector, limit, where, now } = read;
  const bytes = encodeVector(vector);
  const decode = ([similarity, ...values]: readonly unknown[]): FoundGrain => ({
    grain: decodeGrain(values),
    similarity,
  });
  if (!hasConditions(where)) {
    const rows = connection.statement(nearestText).all(bytes, partition, space, limit).map(decode);
    const left = rows.filter(({ grain }) => meets(grain, where, now));
    if (left.length === rows.length || rows.length < limit) return left;
  }
  const { text, parameters } = conditionsOn(where, now);
  return connection
    .statement(`${nearestThatMeetText} and ${text} order by "similarity" desc, v."position" desc limit +?`)
    .all(bytes, partition, space, ...parameters, limit)
    .map(decode);
}

function* vectorsAfter(
  connection: Connection,
  partition: number,
  space: number,
  after: number,
): Generator<StoredVector> {
  // A statement that is being walked through can do nothing else meanwhile; nothing else is asked of it.
  for (const [position, grainId, bytes] of connection.statement(vectorsText).iterate(partition, space, after))
    yield { position: position as number, grainId: grainId as string, vector: decodeVector(bytes as Buffer) };
}
