import fc from "fast-check";
import { afterAll, expect, inject, test } from "vitest";
import { freshSchema } from "../../../test/postgres/database.ts";
import type { Metadata } from "../../model/metadata.ts";
import { matches, type Predicate } from "../filter.ts";
import { noGrains } from "../grain-counts.ts";
import { recordTables } from "../schema.ts";
import { PostgresDriver } from "./driver.ts";

const driver = new PostgresDriver({
  url: inject("postgresUrl"),
  schema: freshSchema(),
  poolSize: 2,
  statementTimeout: 30_000,
  retryFor: 1_000,
});
afterAll(() => driver.close());

const partition = { namespace: "n", userId: null };

// Few of each, so that conditions hold often enough, and such as are easily taken for others.
const keys = [
  "a",
  "A",
  "é",
  "e\u0301",
  "a.b",
  "$.a",
  "'",
  '"',
  "\\",
  "%",
  "?",
  " ",
  "__proto__",
  "😀",
  "\u0001",
];
const strings = [
  "",
  "a",
  "b",
  "B",
  "é",
  "e\u0301",
  "10",
  "9",
  "true",
  "null",
  "\uffff",
  "😀",
  "[]",
  '"',
  "\u0001",
];
const numbers = [
  ...[
    0,
    -0,
    1,
    -1,
    9,
    10,
    0.1,
    0.1 + 0.2,
    0.3,
    1e21,
    1e-7,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53),
    123456789012345680000,
  ],
  ...[
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    -Number.MAX_VALUE,
    5e-324,
    1.7976931348623155e308,
    4.35,
    4.349999999999999,
  ],
];
const key = fc.constantFrom(...keys);
const string = fc.oneof(fc.constantFrom(...strings), fc.string({ unit: "grapheme" }));
const number = fc.oneof(fc.constantFrom(...numbers), fc.double({ noNaN: true, noDefaultInfinity: true }));
const scalar = fc.oneof(string, number, fc.boolean());
const storable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
const metadata: fc.Arbitrary<Metadata | undefined> = fc.option(
  fc.dictionary(key, fc.oneof(scalar, fc.array(string, { maxLength: 3 })), { maxKeys: 4 }),
  { nil: undefined },
);

const condition: fc.Arbitrary<Predicate> = fc
  .oneof(
    fc.record({ op: fc.constant("eq" as const), value: scalar }),
    fc.record({ op: fc.constant("in" as const), value: fc.array(scalar, { maxLength: 4 }) }),
    fc.record({
      op: fc.constantFrom("gt" as const, "gte" as const, "lt" as const, "lte" as const),
      value: fc.oneof(string, number),
    }),
    fc.record({ op: fc.constant("exists" as const) }),
    fc.record({ op: fc.constant("contains" as const), value: string }),
  )
  .chain((of) => key.map((key): Predicate => ({ type: "test", key, test: of })));
const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    condition,
    fc.record({
      type: fc.constantFrom("and" as const, "or" as const),
      items: fc.array(tie("predicate"), { maxLength: 3 }),
    }),
    fc.record({ type: fc.constant("not" as const), item: tie("predicate") }),
  ),
}));

function isStorableJson(value: unknown): boolean {
  return storable(JSON.stringify(value).replaceAll("\\u0000", "\0"));
}

test("hundreds of filters over hundreds of rows agree with matches", async () => {
  const rows = fc.sample(
    metadata.filter((value) => value === undefined || isStorableJson(value)),
    400,
  );
  const filters = fc.sample(predicate.filter(isStorableJson), 400);
  const table = recordTables.text;
  await driver.transact(
    partition,
    () => ({
      ...{ partition, seq: 0, generation: 0, salt: "s", recordedAt: 0, records: 0, bytes: 0 },
      ...{ grains: noGrains, policy: {} },
    }),
    function* (head) {
      yield [];
      const writes = rows.map((value, i) => ({
        type: "insert" as const,
        table,
        row: {
          ...{ id: `r${i}`, seq: i, updatedSeq: i, recordedAt: 0, bytes: 0, form: "note", content: "" },
          ...{ provenance: "user_stated", statedAt: 0 },
          ...(value === undefined ? {} : { metadata: JSON.stringify(value) }),
        },
      }));
      return { head: { ...head, seq: rows.length }, writes, changes: [], value: undefined };
    },
  );
  const { rows: found } = await driver.snapshot(
    partition,
    filters.map((filter) => ({ type: "find", table, index: "byForm", prefix: ["note"], filter })),
  );
  let hits = 0;
  const wrong: unknown[] = [];
  filters.forEach((filter, i) => {
    const passed = new Set(found[i]?.map(({ id }) => id));
    rows.forEach((value, r) => {
      const expected = matches(filter, value);
      if (expected) hits += 1;
      if (passed.has(`r${r}`) !== expected) wrong.push({ filter, metadata: value, expected });
    });
  });
  expect(wrong).toEqual([]);
  // Neither nearly all nor nearly none of them held.
  expect(hits / (rows.length * filters.length)).toBeGreaterThan(0.1);
  expect(hits / (rows.length * filters.length)).toBeLessThan(0.9);
});
