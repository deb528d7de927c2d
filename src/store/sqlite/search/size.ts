import type { Connection } from "../connection.ts";

const thereText = {
  entry: `select "position" from "entry" where "position" in (select "value" from json_each(?))`,
  vector: `select "position" from "vector" where "position" in (select "value" from json_each(?))`,
};
const sizeText = `select "entries", "terms", "removed" from "index_size" where "partition" = ? and "space" = ?`;

/** How much a space holds of a partition, and how often something of it was removed. */
export interface IndexSize {
  readonly entries: number;
  readonly terms: number;
  readonly removed: number;
}

export function readSize(connection: Connection, partition: number, space: number): IndexSize {
  const [entries = 0, terms = 0, removed = 0] = (connection.statement(sizeText).get(partition, space) ??
    []) as number[];
  return { entries, terms, removed };
}

/** What this process removed of a partition from a table of the index since it was asked last, and is gone. */
export function removedHere(
  connection: Connection,
  table: "entry" | "vector",
  partition: number,
  space: number,
): readonly number[] {
  const removed = connection.removed[table].take(partition, space);
  if (removed.length === 0) return [];
  // A commit that did not come about leaves what it had removed.
  const there = connection.statement(thereText[table]).all(JSON.stringify(removed));
  const left = new Set(there.map(([position]) => position));
  return removed.filter((position) => !left.has(position));
}
