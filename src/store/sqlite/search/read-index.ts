import type { SearchRead } from "../../driver.ts";
import type { Row } from "../../table.ts";
import type { Connection } from "../connection.ts";
import { grainsAround } from "./grains-around.ts";
import { matchGrains } from "./match-grains.ts";
import { nearestGrains } from "./nearest-grains.ts";
import { liveSpaces } from "./spaces.ts";

const indexedText = `select
  (select count(*) from "entry" where "partition" = ? and "grain_id" in (select "value" from json_each(?)))
  + (select count(*) from "vector" where "partition" = ? and "grain_id" in (select "value" from json_each(?)))`;

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
      return matchGrains(connection, partition, read);
    case "nearest":
      return partition === undefined ? [] : nearestGrains(connection, partition, read);
    case "indexed":
      return [{ count: partition === undefined ? 0 : countIndexed(connection, partition, read.grainIds) }];
    case "around":
      return partition === undefined ? [] : grainsAround(connection, partition, read);
  }
}

function countIndexed(connection: Connection, partition: number, grainIds: readonly string[]): number {
  const ids = JSON.stringify(grainIds);
  const [count] = connection.statement(indexedText).get(partition, ids, partition, ids) ?? [];
  return count as number;
}
