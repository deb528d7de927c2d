import { bm25 } from "../../bm25.ts";
import type { RowConditions, SearchRead } from "../../driver.ts";
import { checkQueryVector } from "../../index-entries.ts";
import { leadingTerms } from "../../leading-terms.ts";
import { recordTables } from "../../schema.ts";
import { columnName } from "../../sql/select.ts";
import type { Row } from "../../table.ts";
import type { StoredTerms, TermSource } from "../../term-cache.ts";
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
const positionsText = `select rowid from "entry_tokens" where "entry_tokens" match +?`;
const entryText = `select "grain_id", "length", "terms" from "entry" where "position" = +?`;
const entriesText = `select "position", "grain_id", "terms" from "entry"
  where "partition" = +? and "space" = +? and "position" > +? order by "position"`;
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
const grainsText = `select j."key", ${grain} from json_each(?) j
  cross join "grain" g on g."partition" = ? and g."id" = j."value" order by j."key"`;
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

/** Of how many candidates for each result BM25 is worked out, where the full-text table brings them. */
const scoredPerResult = 3;

function emptyStatistics({ terms }: Match): Row {
  return { documents: 0, terms: 0, frequencies: JSON.stringify(terms.map(() => 0)) };
}

function countIndexed(connection: Connection, partition: number, grainIds: readonly string[]): number {
  const ids = JSON.stringify(grainIds);
  const [count] = connection.statement(indexedText).get(partition, ids, partition, ids) ?? [];
  return count as number;
}

function matchGrains(connection: Connection, partition: number, read: Match): readonly Row[] {
  const { space, terms, limit } = read;
  const [entries = 0, total = 0, removed = 0] = (connection.statement(sizeText).get(partition, space) ??
    []) as number[];
  const load = (after: number): Iterable<StoredTerms> => entriesAfter(connection, partition, space, after);
  const source: TermSource = { entries, terms: total, removed, load };
  if (!connection.terms.fits(source)) return matchTokens(connection, partition, read, source);
  let frequencies: readonly number[] = [];
  const rows = grainsThatMeet(connection, partition, read, (allowed) => {
    const found = connection.terms.match(`${partition}/${space}`, source, terms, { limit, allowed });
    frequencies = found.frequencies;
    return found.candidates.map(({ grainId, length, counts }) => ({
      ...{ grainId, length },
      counts: JSON.stringify(counts),
    }));
  });
  return [{ documents: entries, terms: total, frequencies: JSON.stringify(frequencies) }, ...rows];
}

/**
 * Where the terms of a partition are too many for memory: by the full-text table. It tells where terms occur, not how often, so
 * that candidates come by the rarity of their terms, and the best of them by BM25.
 */
function matchTokens(
  connection: Connection,
  partition: number,
  read: Match,
  { entries, terms: total }: TermSource,
): readonly Row[] {
  const { space, terms, limit } = read;
  const tokenOf = (place: number): string => token(partition, space, terms[place] as string);
  const frequencies = terms.map((_term, place) => {
    const [count = 0] = connection.statement(frequencyText).get(tokenOf(place)) ?? [];
    return count as number;
  });
  const rarities = new Map<number, number>();
  for (const place of leadingTerms(frequencies, limit)) {
    const frequency = frequencies[place] as number;
    const rarity = Math.log(1 + (entries - frequency + 0.5) / (frequency + 0.5));
    for (const [position] of connection.statement(positionsText).all(`"${tokenOf(place)}"`))
      rarities.set(position as number, (rarities.get(position as number) ?? 0) + rarity);
  }
  const ranked = [...rarities].sort(([a, x], [b, y]) => y - x || b - a);
  const rows = grainsThatMeet(connection, partition, read, (allowed) => {
    const some: (Entry & { readonly score: number })[] = [];
    for (const [position] of ranked) {
      if (some.length === limit * scoredPerResult) break;
      const entry = readEntry(connection, position, terms);
      if (entry === undefined || allowed?.has(entry.grainId) === false) continue;
      const { length, counts } = entry;
      const average = total / entries;
      const score = counts.reduce((sum, count, place) => {
        const frequency = frequencies[place] as number;
        return sum + bm25({ documents: entries, frequency, count, length, average });
      }, 0);
      some.push({ ...entry, score });
    }
    return some
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ grainId, length, counts }) => ({ grainId, length, counts: JSON.stringify(counts) }));
  });
  return [{ documents: entries, terms: total, frequencies: JSON.stringify(frequencies) }, ...rows];
}

interface Entry {
  readonly grainId: string;
  readonly length: number;
  readonly counts: readonly number[];
}

function readEntry(connection: Connection, position: number, terms: readonly string[]): Entry | undefined {
  const row = connection.statement(entryText).get(position);
  if (row === undefined) return undefined;
  const [grainId, length, text] = row as [string, number, string];
  const counts = new Map<string, number>();
  for (const term of text.split(" ")) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { grainId, length, counts: terms.map((term) => counts.get(term) ?? 0) };
}

function* entriesAfter(
  connection: Connection,
  partition: number,
  space: number,
  after: number,
): Generator<StoredTerms> {
  for (const [position, grainId, terms] of connection.statement(entriesText).iterate(partition, space, after))
    yield { position: position as number, grainId: grainId as string, terms: terms as string };
}

/**
 * The grains of a search's results, as far as they meet its conditions.
 *
 * @param search the best results among the grains that are allowed, or among all
 */
function grainsThatMeet(
  connection: Connection,
  partition: number,
  { where, now, limit }: Match | Nearest,
  search: (allowed?: ReadonlySet<string>) => readonly (Row & { readonly grainId: string })[],
): readonly Row[] {
  if (!hasConditions(where)) {
    const found = search();
    const rows = grainsOf(connection, partition, found);
    const alive = rows.filter(({ expiresAt }) => expiresAt === undefined || (expiresAt as number) > now);
    // Expired grains are few and soon gone, but here they may have taken the places of others.
    if (alive.length === found.length || found.length < limit) return alive;
  }
  const { text, parameters } = conditionsOn(where, now);
  const allowed = connection
    .statement(`select g."id" from "grain" g where g."partition" = +? and ${text}`)
    .all(partition, ...parameters)
    .map(([id]) => id as string);
  return grainsOf(connection, partition, search(new Set(allowed)));
}

/** The rows of grains, with what was found out about each, in the same order. */
function grainsOf(
  connection: Connection,
  partition: number,
  found: readonly (Row & { readonly grainId: string })[],
): readonly Row[] {
  const ids = JSON.stringify(found.map(({ grainId }) => grainId));
  return connection
    .statement(grainsText)
    .all(ids, partition)
    .map(([place, ...values]) => {
      const { grainId: _id, ...more } = found[place as number] as Row & { readonly grainId: string };
      return { ...decodeRow(grainColumns, values), ...more };
    });
}

function nearestGrains(connection: Connection, partition: number, read: Nearest): readonly Row[] {
  const { space, vector, limit } = read;
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
  return grainsThatMeet(connection, partition, read, (allowed) =>
    connection.vectors.nearest(`${partition}/${space}`, source, vector, { limit, allowed }),
  );
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
