import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/folder.ts";
import type { Metadata } from "../../model/metadata.ts";
import type { FindRows, IndexValue } from "../driver.ts";
import { type Filter, matches, parseFilter } from "../filter.ts";
import { noGrains } from "../grain-counts.ts";
import { tables } from "../schema.ts";
import { indexOrder, type Table } from "../table.ts";
import { Connection } from "./connection.ts";
import { insertHead } from "./heads.ts";
import { readRows, writeRows } from "./rows.ts";

const folder = temporaryFolder();
let connection: Connection;

beforeEach(() => {
  connection = Connection.open(folder.path("test.db"));
});
afterEach(() => connection.close());

function example(table: Table, column: string): IndexValue {
  const type = table.columns[column];
  if (type === "boolean") return false;
  return type === "integer" ? 5 : "x";
}

/** How SQLite runs the statements that a read prepares. */
function planOf(read: FindRows): string {
  const texts: [string, readonly unknown[]][] = [];
  const statement = connection.statement.bind(connection);
  connection.statement = (text) => {
    const prepared = statement(text);
    return {
      all: (...values: unknown[]) => {
        texts.push([text, values]);
        return prepared.all(...values);
      },
    } as never;
  };
  readRows(connection, 1, read);
  connection.statement = statement;
  const [[text = "", values = []] = []] = texts;
  const steps = connection.db.prepare(`explain query plan ${text}`).all(...values) as { detail: string }[];
  return steps.map(({ detail }) => detail).join("; ");
}

const indexes = tables.flatMap((table) =>
  ["byId", ...Object.keys(table.indexes)].map((index) => ({ table, index, name: `${table.name}.${index}` })),
);

test.each(indexes)("every find on $name searches an index of its partition and sorts nothing", (at) => {
  const { table, index } = at;
  const order = indexOrder(table, index);
  for (let length = 0; length <= order.length; length++) {
    const prefix = order.slice(0, length).map((column) => example(table, column));
    const rest = order.slice(length).map((column) => example(table, column));
    const plain: FindRows = { type: "find", table, index, prefix, limit: 10 };
    const variants: FindRows[] = [plain, { ...plain, reverse: true }, { ...plain, now: 7 }];
    if (rest[0] !== undefined) {
      variants.push({ ...plain, after: rest, now: 7 }, { ...plain, after: rest, reverse: true });
      variants.push({ ...plain, range: { gte: rest[0], lt: rest[0] } });
    }
    for (const read of variants) {
      const plan = planOf(read);
      expect(plan).toMatch(/^SEARCH \w+ USING (COVERING |PRIMARY )?(INDEX|KEY).*\(partition=\?/);
      expect(plan).not.toContain("TEMP B-TREE");
      expect(plan).not.toContain("MULTI-INDEX OR");
    }
  }
});

const key = fc.constantFrom("a", "b", "é", "__proto__", "toString", 'q"uote');
const text = fc.constantFrom("", "a", "b", "aa", "\uffff", "\u{1f600}", "5", "true", "'", '"');
const number = fc.constantFrom(0, -1, 5, 5.5, 1e300, 2 ** 53);
const scalar = fc.oneof(text, number, fc.boolean());
const metadata = fc.option(
  fc.dictionary(key, fc.oneof(scalar, fc.array(text, { maxLength: 3 })), { maxKeys: 4 }),
  { nil: undefined },
);
const condition = fc.oneof(
  scalar,
  fc.record({ eq: scalar }),
  fc.record({ in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ gt: fc.oneof(text, number) }),
  fc.record({ gte: fc.oneof(text, number), lt: fc.oneof(text, number) }, { requiredKeys: ["gte"] }),
  fc.record({ lte: fc.oneof(text, number) }),
  fc.record({ exists: fc.boolean() }),
  fc.record({ contains: text }),
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.dictionary(key, condition, { maxKeys: 2, noNullPrototype: true }) as fc.Arbitrary<Filter>,
    fc.record({ and: fc.array(tie("filter"), { maxLength: 2 }) }),
    fc.record({ or: fc.array(tie("filter"), { maxLength: 2 }) }),
    fc.record({ not: tie("filter") }),
  ),
}));

test("filters agree with `matches`, whatever the metadata", () => {
  const text = tables.find(({ name }) => name === "text") as Table;
  fc.assert(
    fc.property(fc.array(metadata, { minLength: 1, maxLength: 6 }), fc.array(filter), (rows, filters) => {
      const partition = insertHead(connection, {
        ...{ partition: { namespace: "n", userId: String(Math.random()) }, seq: 0, generation: 0, salt: "" },
        ...{ recordedAt: 0, records: 0, bytes: 0, grains: noGrains, policy: {} },
      });
      const id = (i: number): string => `t${i}`;
      const stamp = { seq: 1, updatedSeq: 1, recordedAt: 1, bytes: 1, statedAt: 0 };
      writeRows(
        connection,
        partition,
        rows.map((metadata, i) => ({
          ...{ type: "insert", table: text },
          row: {
            ...{ ...stamp, id: id(i), form: "note", content: "c", provenance: "user_stated" },
            metadata: metadata === undefined ? undefined : JSON.stringify(metadata),
          },
        })),
      );
      for (const given of filters) {
        const predicate = parseFilter(given);
        const find = { type: "find", table: text, index: "byId", prefix: [], filter: predicate } as const;
        const found = readRows(connection, partition, find).map((row) => row.id);
        const expected = rows.flatMap((row, i) => (matches(predicate, row as Metadata) ? [id(i)] : []));
        expect(found).toEqual(expected);
        const first = readRows(connection, partition, { ...find, limit: 1 });
        expect(first.map((row) => row.id)).toEqual(expected.slice(0, 1));
      }
    }),
    { numRuns: 100 },
  );
});
