import type { Connection } from "../connection.ts";

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
