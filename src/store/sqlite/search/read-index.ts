import type { RowConditions, SearchRead } from "../../driver.ts";
import { checkQueryVector } from "../../index-entries.ts";
import { leadingTerms } from "../../leading-terms.ts";
import { recordTables } from "../../schema.ts";
import { columnName } from "../../sql/select.ts";
import type { Row } from "../../table.ts";
import { decodeVector, encodeVector } from "../../vector-bytes.ts";
import type { StoredVector, VectorSource } from "../../vector-cache.ts";
import type { Connection } from "../connection.ts";
import { decodeRow } from "../rows.ts";
import { liveSpaces } from "./spaces.ts";
import { token } from "./terms.ts";

type Match = Extract<SearchRead, { readonly type: "match" }>;
type Nearest = Extract<SearchRead, { readonly type: "nearest" }>;
type Around = Extract<SearchRead, { readonly type: "around" }>;

const grainColumns = Object.entries(recordTables.grain.columns);
const grain = grainColumns.map(([name]) => `g.${columnName(name)}`).join(", ");

// Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call: hence `+?`.
const sizeText = `select "entries", "terms", "removed" from "index_size" where "partition" = +? and "space" = +?`;
const dimensionsText = `select "dimensions" from "space" where "id" = ?`;
const frequencyText = `select "doc" from "entry_vocabulary" where "term" = +?`;
// Ranked before anything is joined: the join costs more than the ranking.
const matchText = `select e."length", e."terms", ${grain}
  from (
    select rowid as "position", rank as "rank" from "entry_tokens" where "entry_tokens" match +? order by rank, rowid desc limit +?
  ) m
  cross join "entry" e on e."position" = m."position"
  cross join "grain" g on g."partition" = e."partition" and g."id" = e."grain_id"
  order by m."rank", g."seq" desc`;
const matchThatMeetText = `select e."length", e."terms", ${grain}
  from "entry_tokens" m
  cross join "entry" e on e."position" = m.rowid
  cross join "grain" g on g."partition" = e."partition" and g."id" = e."grain_id"
  where m."entry_tokens" match +?`;
const vectorsText = `select "position", "grain_id", "vector" from "vector"
  where "partition" = +? and "space" = +? and "position" > +? order by "position"`;
const indexedText = `select
  (select count(*) from "entry" where "partition" = +? and "grain_id" in (select "value" from json_each(+?)))
  + (select count(*) from "vector" where "partition" = +? and "grain_id" in (select "value" from json_each(+?)))`;
const similarity = `coalesce(1 - vec_distance_cosine("vector", +?), 0) as "similarity"`;
const nearestText = `select n."similarity", ${grain}
  from (
    select "partition", "grain_id", "position", ${similarity} from "vector" where "partition" = +? and "space" = +?
    order by "similarity" desc, "position" desc limit +?
  ) n
  cross join "grain" g on g."partition" = n."partition" and g."id" = n."grain_id"
  order by n."similarity" desc, n."position" desc`;
const nearestThatMeetText = `select ${similarity}, ${grain}
  from "vector" v cross join "grain" g on g."partition" = v."partition" and g."id" = v."grain_id"
  where v."partition" = +? and v."space" = +?`;
const grainText = `select ${grain} from "grain" g where g."partition" = +? and g."id" = +?`;
const nextText = (side: "before" | "after"): string => `select ${grain} from "grain" g
  where g."partition" = +? and g."session_id" = +? and g."seq" ${side === "before" ? "<" : ">"} +?
  and g."owner_kind" = +? and (g."expires_at" is null or g."expires_at" > +?)
  order by g."seq" ${side === "before" ? "desc" : "asc"} limit +?`;
const beforeText = nextText("before");
const afterText = nextText("after");

/** The rows of a search inside a partition, which may not exist yet. */
export function searchIndex(
  connection: Connection,
  partition: number | undefined,
  read: SearchRead,
): readonly Row[] {
  switch (read.type) {
    case "spaces":
      return liveSpaces(connection);
    case "match":
      return partition === undefined ? [emptyStatistics(read)] : matchGrains(connection, partition, read);
    case "nearest":
      return partition === undefined ? [] : nearestGrains(connection, partition, read);
    case "indexed":
      return [{ count: partition === undefined ? 0 : countIndexed(connection, partition, read.grainIds) }];
    case "around":
      return partition === undefined ? [] : grainsAround(connection, partition, read);
  }
}

function emptyStatistics({ terms }: Match): Row {
  return { documents: 0, terms: 0, frequencies: JSON.stringify(terms.map(() => 0)) };
}

function countIndexed(connection: Connection, partition: number, grainIds: readonly string[]): number {
  const ids = JSON.stringify(grainIds);
  const [count] = connection.statement(indexedText).get(partition, ids, partition, ids) ?? [];
  return count as number;
}

function matchGrains(connection: Connection, partition: number, read: Match): readonly Row[] {
  const { space, terms } = read;
  const [documents = 0, total = 0] = connection.statement(sizeText).get(partition, space) ?? [];
  const frequencies = terms.map((term) => {
    const [count = 0] = connection.statement(frequencyText).get(token(partition, space, term)) ?? [];
    return count as number;
  });
  const statistics = { documents, terms: total, frequencies: JSON.stringify(frequencies) };
  const leading = leadingTerms(frequencies);
  if (leading.length === 0) return [statistics];
  const query = leading.map((i) => `"${token(partition, space, terms[i] as string)}"`).join(" OR ");
  const rows = bestMatches(connection, query, read) ?? bestMatchesThatMeet(connection, query, read);
  return [statistics, ...rows.map((row) => decodeMatch(row, terms))];
}

/** The best matches where any grain will do; undefined where some have to be left out. */
function bestMatches(
  connection: Connection,
  query: string,
  { limit, where, now }: Match,
): readonly unknown[][] | undefined {
  if (hasConditions(where)) return undefined;
  const rows = connection.statement(matchText).all(query, limit);
  const alive = rows.filter((row) => !expired(row, 2, now));
  // Expired grains are few and soon gone, but here they took the places of others.
  return alive.length < rows.length && rows.length === limit ? undefined : alive;
}

function bestMatchesThatMeet(
  connection: Connection,
  query: string,
  { limit, where, now }: Match,
): readonly unknown[][] {
  const { text, parameters } = conditionsOn(where, now);
  return connection
    .statement(`${matchThatMeetText} and ${text} order by m.rank, g."seq" desc limit +?`)
    .all(query, ...parameters, limit);
}

function decodeMatch([length, text, ...values]: readonly unknown[], terms: readonly string[]): Row {
  const counts = new Map<string, number>();
  for (const term of (text as string).split(" ")) counts.set(term, (counts.get(term) ?? 0) + 1);
  return {
    ...decodeRow(grainColumns, values),
    length,
    counts: JSON.stringify(terms.map((term) => counts.get(term) ?? 0)),
  };
}

function nearestGrains(connection: Connection, partition: number, read: Nearest): readonly Row[] {
  const { space, vector, limit, where, now } = read;
  const [dimensions] = connection.statement(dimensionsText).get(space) ?? [];
  if (dimensions !== undefined) checkQueryVector(vector, dimensions as number);
  const [count = 0, , removed = 0] = (connection.statement(sizeText).get(partition, space) ?? []) as number[];
  if (count === 0) return [];
  const source: VectorSource = {
    count,
    removed,
    load: (after) => vectorsAfter(connection, partition, space, after),
  };
  if (!connection.vectors.fits(source, vector.length) && connection.comparesVectors)
    return nearestRows(connection, partition, read);
  const search = (most: number, allowed?: ReadonlySet<string>): readonly Row[] =>
    connection.vectors
      .nearest(`${partition}/${space}`, source, vector, { limit: most, allowed })
      .flatMap(({ grainId, similarity }) => {
        const values = connection.statement(grainText).get(partition, grainId);
        if (values === undefined) return [];
        return [{ ...decodeRow(grainColumns, values), similarity }];
      });
  if (!hasConditions(where)) {
    const rows = search(limit);
    const alive = rows.filter(({ expiresAt }) => expiresAt === undefined || (expiresAt as number) > now);
    if (alive.length === rows.length || rows.length < limit) return alive;
  }
  const { text, parameters } = conditionsOn(where, now);
  const allowed = connection
    .statement(`select g."id" from "grain" g where g."partition" = ? and ${text}`)
    .all(partition, ...parameters)
    .map(([id]) => id as string);
  return search(limit, new Set(allowed));
}

/** By `sqlite-vec`, which walks through the rows themselves. The cosine with a vector of zeros is none; here it counts as 0. */
function nearestRows(connection: Connection, partition: number, read: Nearest): readonly Row[] {
  const { space, vector, limit, where, now } = read;
  const bytes = encodeVector(vector);
  const decode = ([similarity, ...values]: readonly unknown[]): Row => ({
    ...decodeRow(grainColumns, values),
    similarity,
  });
  if (!hasConditions(where)) {
    const rows = connection.statement(nearestText).all(bytes, partition, space, limit);
    const alive = rows.filter((row) => !expired(row, 1, now));
    if (alive.length === rows.length || rows.length < limit) return alive.map(decode);
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

function grainsAround(
  connection: Connection,
  partition: number,
  { points, reach, now }: Around,
): readonly Row[] {
  const next = (text: string, side: number): readonly Row[] =>
    points.flatMap(({ id, sessionId, ownerKind, seq }) =>
      connection
        .statement(text)
        .all(partition, sessionId, seq, ownerKind, now, reach)
        .map((values, i) => ({ ...decodeRow(grainColumns, values), of: id, distance: side * (i + 1) })),
    );
  return [...next(beforeText, -1), ...next(afterText, 1)];
}

const expiresAtPlace = grainColumns.findIndex(([name]) => name === "expiresAt");

/** @param before how many values come before those of the grain */
function expired(row: readonly unknown[], before: number, now: number): boolean {
  const expiresAt = row[before + expiresAtPlace] as number | null;
  return expiresAt !== null && expiresAt <= now;
}

function hasConditions({ allowed, from, until, filter }: RowConditions): boolean {
  return allowed.length > 0 || from !== undefined || until !== undefined || filter !== undefined;
}

function conditionsOn(
  { allowed, from, until, filter }: RowConditions,
  now: number,
): { readonly text: string; readonly parameters: readonly unknown[] } {
  const conditions = [`(g."expires_at" is null or g."expires_at" > ?)`];
  const parameters: unknown[] = [now];
  const add = (condition: string, parameter: unknown): void => {
    conditions.push(condition);
    parameters.push(parameter);
  };
  for (const [column, values] of allowed)
    add(`g.${columnName(column)} in (select "value" from json_each(?))`, JSON.stringify(values));
  if (from !== undefined) add(`g."said_at" >= ?`, from);
  if (until !== undefined) add(`g."said_at" < ?`, until);
  if (filter !== undefined) add(`flux_matches(?, g."metadata")`, JSON.stringify(filter));
  return { text: conditions.join(" and "), parameters };
}
