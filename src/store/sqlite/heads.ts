import { type Partition, partitionKey } from "../../model/partition.ts";
import type { Head } from "../driver.ts";
import type { PartitionPolicy } from "../ledger.ts";
import type { Connection } from "./connection.ts";

/** A partition as it is stored. */
export interface StoredHead {
  readonly id: number;
  readonly head: Head;
}

const selectHead = `
  select "id", "seq", "generation", "salt", "recorded_at", "records", "bytes", "grains", "policy"
  from "partitions" where "key" = ?`;
const insertHeadText = `
  insert into "partitions"
    ("key", "namespace", "user_id", "seq", "generation", "salt", "recorded_at", "records", "bytes", "grains",
     "policy")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const updateHeadText = `
  update "partitions"
  set "seq" = ?, "generation" = ?, "salt" = ?, "recorded_at" = ?, "records" = ?, "bytes" = ?, "grains" = ?,
    "policy" = ?
  where "id" = ?`;

type Values = readonly unknown[];

export function readHead(connection: Connection, partition: Partition): StoredHead | undefined {
  return decode(partition, connection.statement(selectHead).get(partitionKey(partition)));
}

/** Stores a new partition and returns its id. */
export function insertHead(connection: Connection, head: Head): number {
  const { namespace, userId } = head.partition;
  const { lastInsertRowid } = connection
    .statement(insertHeadText)
    .run(partitionKey(head.partition), namespace, userId, ...values(head));
  return Number(lastInsertRowid);
}

export function updateHead(connection: Connection, { id, head }: StoredHead): void {
  connection.statement(updateHeadText).run(...values(head), id);
}

function values(head: Head): Values {
  const { seq, generation, salt, recordedAt, records, bytes, grains, policy } = head;
  const texts = [JSON.stringify(grains), JSON.stringify(policy)];
  return [seq, generation, salt, recordedAt, records, bytes, ...texts];
}

function decode(partition: Partition, row: Values | undefined): StoredHead | undefined {
  if (row === undefined) return undefined;
  const [id, seq, generation, salt, recordedAt, records, bytes, grains, policy] = row as [
    ...[number, number, number, string, number, number, number, string, string],
  ];
  const head = {
    ...{ partition, seq, generation, salt, recordedAt, records, bytes },
    ...{ grains: JSON.parse(grains), policy: parsePolicy(policy) },
  };
  return { id, head };
}

const noPolicy: PartitionPolicy = {};

function parsePolicy(text: string): PartitionPolicy {
  return text === "{}" ? noPolicy : JSON.parse(text);
}
