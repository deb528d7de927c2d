import { type Partition, partitionKey } from "../../model/partition.ts";
import type { Head } from "../driver.ts";
import type { PartitionPolicy } from "../ledger.ts";
import type { Connection } from "./connection.ts";

/** A partition as it is stored. */
export interface StoredHead {
  readonly id: number;
  readonly head: Head;
}

const columns = `p."id", p."seq", p."generation", p."salt", p."recorded_at", p."records", p."bytes", p."policy"`;
const selectHead = `select ${columns} from "partitions" p where p."key" = ?`;
// `+?`: SQLite would look at the value of a bare parameter of a join, and plan anew at every call.
const selectHeadAndVersion = `
  select ${columns}, m."min_reader" from "meta" m left join "partitions" p on p."key" = +?`;
const insertHeadText = `
  insert into "partitions"
    ("key", "namespace", "user_id", "seq", "generation", "salt", "recorded_at", "records", "bytes", "policy")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const updateHeadText = `
  update "partitions"
  set "seq" = ?, "generation" = ?, "salt" = ?, "recorded_at" = ?, "records" = ?, "bytes" = ?, "policy" = ?
  where "id" = ?`;

type Values = readonly unknown[];

export function readHead(connection: Connection, partition: Partition): StoredHead | undefined {
  return decode(partition, connection.statement(selectHead).get(partitionKey(partition)));
}

/** The head, after making sure that this code may read the database at all. */
export function readHeadChecked(connection: Connection, partition: Partition): StoredHead | undefined {
  const row = connection.statement(selectHeadAndVersion).get(partitionKey(partition)) ?? [];
  connection.checkReader(row[8]);
  return row[0] === null ? undefined : decode(partition, row);
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
  const { seq, generation, salt, recordedAt, records, bytes, policy } = head;
  return [seq, generation, salt, recordedAt, records, bytes, JSON.stringify(policy)];
}

function decode(partition: Partition, row: Values | undefined): StoredHead | undefined {
  if (row === undefined) return undefined;
  const [id, seq, generation, salt, recordedAt, records, bytes, policy] = row as [
    ...[number, number, number, string, number, number, number, string],
  ];
  const head = { partition, seq, generation, salt, recordedAt, records, bytes, policy: parsePolicy(policy) };
  return { id, head };
}

const noPolicy: PartitionPolicy = {};

function parsePolicy(text: string): PartitionPolicy {
  return text === "{}" ? noPolicy : JSON.parse(text);
}
