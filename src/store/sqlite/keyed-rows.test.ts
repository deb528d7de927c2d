import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import type { RowRead } from "../driver.ts";
import { noGrains } from "../grain-counts.ts";
import { recordTables, tables } from "../schema.ts";
import type { Table } from "../table.ts";
import { Connection } from "./connection.ts";
import { insertHead } from "./heads.ts";
import { readKeyedRows } from "./keyed-rows.ts";
import { readRows, writeRows } from "./rows.ts";

const folder = temporaryFolder();
let connection: Connection;

beforeEach(() => {
  connection = Connection.open(folder.path("test.db"));
});
afterEach(() => connection.close());

const { text, message } = recordTables;

function newPartition(userId: string): number {
  const numbers = { seq: 0, generation: 0, recordedAt: 0, records: 0, bytes: 0 };
  const partition = { namespace: "test", userId };
  return insertHead(connection, { ...numbers, partition, salt: "", grains: noGrains, policy: {} });
}

function row(table: Table, id: string, more: object = {}) {
  const stamp = {
    id,
    seq: 1,
    updatedSeq: 1,
    recordedAt: 1,
    bytes: 1,
    saidAt: 1,
    statedAt: 1,
    sessionId: "s",
    content: `said ${id}`,
  };
  return {
    ...stamp,
    ...(table === message ? { role: "user" } : { form: "plain", provenance: "user_stated" }),
    ...more,
  };
}

test("reads by key have the rows that each has by itself", () => {
  const [mine, other] = [newPartition("a"), newPartition("b")];
  const strange = ['quo"te', "comma,", "Ünï", "a\u0001b"];
  const insert = (table: Table, id: string, more?: object) =>
    ({ type: "insert", table, row: row(table, id, more) }) as const;
  writeRows(connection, mine, [
    ...["1", "2", ...strange].map((id) => insert(text, id)),
    ...[insert(text, "brief", { expiresAt: 50 }), insert(message, "1", { metadata: "{}" })],
  ]);
  writeRows(connection, other, [insert(text, "theirs")]);
  const get = (table: Table, id: string, more: object = {}): RowRead => ({
    ...({ type: "get", table, key: [id] } as const),
    ...more,
  });
  const columns = ["content"];
  const reads: RowRead[] = [
    ...["1", "none", ...strange, "1", "theirs", "brief"].map((id) => get(text, id)),
    ...[get(message, "1"), { type: "count", table: text } as const, get(message, "2")],
    ...["1", "brief", "2"].map((id) => get(text, id, { now: 60, columns })),
    ...["1", "brief", "2"].map((id) => get(text, id, { now: 40 })),
    ...["1", "2"].map((id) => get(message, id, { now: 60, columns })),
  ];
  const keyed = readKeyedRows(connection, mine, reads);
  for (const [place, rows] of keyed) {
    expect(rows).toEqual(readRows(connection, mine, reads[place] as never));
  }
  // All but what is no read by key.
  expect(keyed.size).toBe(reads.length - 1);
  expect(keyed.get(0)?.[0]).toMatchObject({ content: "said 1" });
  const again = keyed.get(2 + strange.length);
  expect(again).toEqual(keyed.get(0));
  expect(again?.[0]).not.toBe(keyed.get(0)?.[0]);
});

test("one alone, and one by several columns, is left to others", () => {
  const partition = newPartition("a");
  const marker = tables.find(({ key }) => key.length > 1);
  if (marker === undefined) throw new Error("There is no such table");
  const key = marker.key.map(() => "x");
  const reads: RowRead[] = [
    { type: "get", table: text, key: ["1"] },
    { type: "get", table: marker, key },
    { type: "get", table: marker, key },
  ];
  expect(readKeyedRows(connection, partition, reads).size).toBe(0);
});
