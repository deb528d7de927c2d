import type { GrainSearch, RowConditions } from "../../driver.ts";
import { meets } from "../../meets.ts";
import { recordTables } from "../../schema.ts";
import { hasConditions } from "../../sql/conditions.ts";
import { columnName } from "../../sql/select.ts";
import type { Row } from "../../table.ts";
import type { Connection } from "../connection.ts";
import { changedGrains } from "../feed.ts";
import { decodeRow } from "../rows.ts";

const columns = Object.entries(recordTables.grain.columns);

/** What a statement selects of a grain `g`. */
export const grainColumns = columns.map(([name]) => `g.${columnName(name)}`).join(", ");

// Of a bare parameter SQLite looks at the value, and may plan anew at every call: hence `+?`.
const grainsText = `select ${grainColumns} from json_each(+?) j
  cross join "grain" g on g."partition" = +? and g."id" = j."value"`;

/** A grain from the values of its columns. */
export function decodeGrain(values: readonly unknown[]): Row {
  return decodeRow(columns, values);
}

/** How many times as many results as are wanted are looked at, before all grains are asked whether they meet conditions. */
const wider = 3;
/** Up to so many grains that meet conditions are better searched alone. */
const few = 2000;

/**
 * A search for so many results, the best first, among the grains that are allowed, or among all. Which are allowed narrows the
 * results, and changes neither their scores nor their order.
 */
type AllowedSearch = (options: {
  readonly take: number;
  readonly allowed?: ReadonlySet<string>;
}) => readonly (Row & { readonly grainId: string })[];

/**
 * The grains of a search's results that meet its conditions. Where few grains do, these alone are searched. Else the best among all
 * are looked at first, of which mostly enough do.
 */
export function grainsThatMeet(
  connection: Connection,
  partition: number,
  { where, now, limit }: GrainSearch,
  search: AllowedSearch,
): readonly FoundGrain[] {
  const isBound = hasConditions(where);
  const among = (ids: readonly string[]): readonly FoundGrain[] =>
    grainsOf(connection, partition, search({ take: limit, allowed: new Set(ids) }));
  if (isBound) {
    const some = idsThatMeet(connection, partition, { where, now }, few + 1);
    if (some.length <= few) return among(some);
  }
  // Without conditions only expired grains can take the places of others: they are few and soon gone.
  const take = isBound ? wider * limit : limit;
  const found = search({ take });
  const left = grainsOf(connection, partition, found).filter(({ grain }) => meets(grain, where, now));
  if (left.length >= limit || found.length < take) return left.slice(0, limit);
  return among(idsThatMeet(connection, partition, { where, now }));
}

/** Of the best, how many are looked at however few of them meet conditions, and the share from which on further ones are. */
const manyLookedAt = 640;
const leastShare = 0.1;
/** Of the grains of a large partition, few have the same of one of these. */
const labels: readonly string[] = ["sessionId", "agentId"];

/**
 * The same of a search that has looked at all there is, where what is best costs nothing more: as long as some of the best ones
 * meet the conditions, no others are asked whether they do.
 */
export function bestThatMeet(
  connection: Connection,
  partition: number,
  read: GrainSearch,
  search: AllowedSearch,
): readonly FoundGrain[] {
  const { where, now, limit } = read;
  const isNarrow = where.filter !== undefined || where.allowed.some(([column]) => labels.includes(column));
  for (let take = limit; !isNarrow; ) {
    const found = search({ take });
    const left = grainsOf(connection, partition, found).filter(({ grain }) => meets(grain, where, now));
    if (left.length >= limit || found.length < take) return left.slice(0, limit);
    const share = left.length / take;
    if (take >= manyLookedAt && share < leastShare) break;
    // Half as many again as would do if the others were like these.
    take = Math.max(2 * take, Math.ceil((1.5 * limit) / Math.max(share, leastShare)));
  }
  return grainsThatMeet(connection, partition, read, search);
}

/** Ids of grains that meet conditions: all, or the first ones. */
function idsThatMeet(
  connection: Connection,
  partition: number,
  { where, now }: Pick<GrainSearch, "where" | "now">,
  most = -1,
): readonly string[] {
  const { text, parameters } = conditionsOn(where, now);
  return connection
    .statement(`select g."id" from "grain" g where g."partition" = +? and ${text} limit +?`)
    .all(partition, ...parameters, most)
    .map(([id]) => id as string);
}

/** The rows of grains, with what was found out about each, in the same order. */
function grainsOf(
  connection: Connection,
  partition: number,
  found: readonly (Row & { readonly grainId: string })[],
): readonly FoundGrain[] {
  const grains = readGrains(
    connection,
    partition,
    found.map(({ grainId }) => grainId),
  );
  const rows: FoundGrain[] = [];
  for (const [i, grain] of grains.entries()) {
    if (grain === undefined) continue;
    const { grainId: _, ...more } = found[i] as Row & { readonly grainId: string };
    rows.push({ grain, ...more });
  }
  return rows;
}

/** A row of a search's results. */
export type FoundGrain = Row & { readonly grain: Row };

/** The rows of grains by their ids, in their order; undefined for those that are not there. */
export function readGrains(
  connection: Connection,
  partition: number,
  ids: readonly string[],
): readonly (Row | undefined)[] {
  const read = (missing: readonly string[]): readonly Row[] =>
    connection.statement(grainsText).all(JSON.stringify(missing), partition).map(decodeGrain);
  // What a commit that is under way has written may be taken back.
  if (!connection.isReading) {
    const rows = new Map(read(ids).map((row) => [row.id as string, row]));
    return ids.map((id) => rows.get(id));
  }
  return connection.grains.rows(partition, ids, {
    changes: (after) => changedGrains(connection, partition, after),
    read,
  });
}

/** Conditions on a grain `g`, and that it has not expired. */
export function conditionsOn(
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
