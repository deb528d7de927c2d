import { expect, test } from "vitest";
import type { RowRead } from "./driver.ts";
import { KnownRows } from "./known-rows.ts";
import { recordTables } from "./schema.ts";
import { systemTables } from "./system-tables.ts";

const { value, message } = recordTables;
const get = (id: string, table = value): RowRead => ({ type: "get", table, key: [id] });

test("a record that was found is known by its kind and id, and the others are read in their order", () => {
  const rows = [{ id: "a" }, { id: "b" }];
  const known = new KnownRows(
    [{ type: "find", table: value, index: "byId", prefix: [] }, get("c")],
    [rows, []],
  );
  const reads = [get("x"), get("b"), get("a", message), get("c"), get("a")];
  expect(known.missing(reads)).toEqual([reads[0], reads[2], reads[3]]);
  expect(known.merge(reads, [[{ id: "x" }], [], [{ id: "c" }]])).toEqual([
    [{ id: "x" }],
    [rows[1]],
    [],
    [{ id: "c" }],
    [rows[0]],
  ]);
});

test("parts of rows are not enough, nor are rows that are no records", () => {
  const marker: RowRead = { type: "get", table: systemTables.marker, key: ["message", "a"] };
  const part: RowRead = { type: "get", table: value, key: ["a"], columns: ["id"] };
  const known = new KnownRows([part, marker], [[{ id: "a" }], [{ kind: "message", id: "a" }]]);
  expect(known.missing([get("a"), marker])).toEqual([get("a"), marker]);
});

test("what only has to be there is known where the whole is", () => {
  const known = new KnownRows([get("a")], [[{ id: "a", bytes: 5 }]]);
  const part: RowRead = { type: "get", table: value, key: ["a"], columns: ["id"] };
  expect(known.merge([part], [])).toEqual([[{ id: "a", bytes: 5 }]]);
});
