import fc from "fast-check";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { freshSchema } from "../../../test/postgres/database.ts";
import { partitionKey } from "../../model/partition.ts";
import { compareUtf8 } from "../../model/unicode.ts";
import type { FindRows, Head, IndexValue, NewChange, Reading, RowRead, RowWrite } from "../driver.ts";
import type { Predicate } from "../filter.ts";
import { noGrains } from "../grain-counts.ts";
import { MemoryDriver } from "../memory/driver.ts";
import { recordTables, tables } from "../schema.ts";
import { systemTables } from "../system-tables.ts";
import { type ColumnType, indexOrder, type Row, type Table } from "../table.ts";
import { orderValue } from "../translate.ts";
import { PostgresDriver } from "./driver.ts";

const url = inject("postgresUrl");
const postgres = new PostgresDriver({
  ...{ url, schema: freshSchema(), poolSize: 3, statementTimeout: 30_000, retryFor: 1_000 },
});
afterAll(() => postgres.close());

const partition = (name: string) => ({ namespace: "n", userId: name });
const fresh = (name: string) => (): Head => ({
  ...{ partition: partition(name), seq: 0, generation: 0, salt: "5a17", recordedAt: 0, records: 0, bytes: 0 },
  ...{ grains: noGrains, policy: {} },
});

/** Commits writes as they are. */
function write(
  driver: PostgresDriver | MemoryDriver,
  name: string,
  writes: readonly RowWrite[],
  changes: readonly NewChange[] = [],
): Promise<string> {
  return driver.transact(partition(name), fresh(name), function* (head) {
    yield [];
    return { head: { ...head, seq: head.seq + 1, recordedAt: 7 }, writes, changes, value: "done" };
  });
}

const storable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
// Text that is easily changed on its way: what JSON, COPY, arrays and collations treat as special, and all planes.
const special = [
  "",
  "\u0001",
  "\t\n\r\v\f\b\u007f",
  "\\n",
  "\\\\",
  '"',
  "'",
  "{}",
  "[]",
  "null",
  "NULL",
  "%_",
  "$1",
];
const unicode = [
  "é",
  "e\u0301",
  "\u2028\u2029",
  "\ufeff",
  "\ufffd",
  "\uffff",
  "😀",
  "\u{10ffff}",
  "ß",
  "İ",
  "ﬀ",
  "א",
];
const text = fc.oneof(
  fc.constantFrom(...special, ...unicode),
  fc.string({ unit: "binary" }).filter(storable),
  fc.string({ unit: "grapheme" }).filter(storable),
);
// Few, so that equal ones meet, in an order that languages and bytes do not agree on.
const ids = [
  "a",
  "A",
  "B",
  "b",
  "Z",
  "z",
  "é",
  "e",
  "f",
  "\uffff",
  "😀",
  " ",
  "-",
  "a b",
  "ab",
  "\u0001",
  "'",
  "~",
];
const id = fc.constantFrom(...ids);
const integer = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -1, 2 ** 40),
);
const real = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0.1, 0.1 + 0.2, 5e-324, Number.MAX_VALUE, 1e21, 123456789.12345679),
);
const json = fc
  .jsonValue()
  .map((value) => JSON.stringify(value))
  .filter(storable);

function arbitraryOf(column: string, type: ColumnType): fc.Arbitrary<unknown> {
  const optional = (value: fc.Arbitrary<unknown>) =>
    type.endsWith("?") ? fc.option(value, { nil: undefined }) : value;
  if (column === "metadata") return optional(fc.constant('{"a":1}'));
  switch (type.replace("?", "")) {
    case "id":
      return optional(id);
    case "text":
      return optional(text);
    case "integer":
      return optional(integer);
    case "real":
      return optional(real);
    case "boolean":
      return optional(fc.boolean());
    default:
      return optional(json);
  }
}

function rowOf(table: Table): fc.Arbitrary<Row> {
  const columns = Object.entries(table.columns).map(([name, type]) => [name, arbitraryOf(name, type)]);
  return fc.record(Object.fromEntries(columns)) as fc.Arbitrary<Row>;
}

/** Rows without a key twice. */
function distinct(table: Table, rows: readonly Row[]): readonly Row[] {
  const keys = [table.key, ...Object.values(table.indexes).flatMap((i) => (i.unique ? [i.columns] : []))];
  const taken = new Set<string>();
  return rows.filter((row) => {
    const own = keys.map((columns) =>
      JSON.stringify([columns, columns.map((column) => orderValue(table, row, column))]),
    );
    if (own.some((key) => taken.has(key))) return false;
    for (const key of own) taken.add(key);
    return true;
  });
}

/** Any find on the table, with values that its rows have. */
function findOf(table: Table, rows: readonly Row[]): fc.Arbitrary<FindRows> {
  const row = fc.constantFrom(...rows);
  return fc.constantFrom("byId", ...Object.keys(table.indexes)).chain((index) => {
    const order = indexOrder(table, index);
    const values = (from: Row, columns: readonly string[]): IndexValue[] =>
      columns.map((column) => orderValue(table, from, column));
    return fc
      .record({
        of: row,
        from: row,
        to: row,
        prefix: fc.nat({ max: order.length }),
        bounds: fc.subarray(["gt", "gte", "lt", "lte"] as const, { maxLength: 2 }),
        after: fc.option(row, { nil: undefined }),
        reverse: fc.boolean(),
        limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
        now: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
        fraction: fc.boolean(),
      })
      .map(({ of, from, to, prefix, bounds, after, reverse, limit, now, fraction }): FindRows => {
        const rest = order.slice(prefix);
        const [column] = rest;
        const bound = (name: string): IndexValue => {
          const value = orderValue(table, name.startsWith("g") ? from : to, column as string);
          return typeof value === "number" && fraction ? value + 0.5 : value;
        };
        return {
          ...{ type: "find", table, index, reverse, prefix: values(of, order.slice(0, prefix)) },
          ...(column === undefined || bounds.length === 0
            ? {}
            : { range: Object.fromEntries(bounds.map((name) => [name, bound(name)])) }),
          ...(after === undefined || rest.length === 0 ? {} : { after: values(after, rest) }),
          ...(limit === undefined ? {} : { limit }),
          ...(now === undefined ? {} : { now }),
        };
      });
  });
}

describe.each(tables.map((table) => [table.name, table] as const))("rows of %s", (name, table) => {
  const memory = new MemoryDriver();

  test("come back as they were given, and are found as in memory", async () => {
    const rows = distinct(table, fc.sample(rowOf(table), 60));
    const given = rows.map((row) => ({ type: "insert", table, row }) as const);
    for (const driver of [memory, postgres]) await write(driver, name, given);
    const reads: RowRead[] = [
      ...rows.map(
        (row): RowRead => ({ type: "get", table, key: table.key.map((column) => row[column] as string) }),
      ),
      ...fc.sample(findOf(table, rows), 150),
      { type: "get", table, key: table.key.map(() => "nothing") },
      { type: "count", table },
      ...("seq" in table.columns ? [{ type: "count", table, upTo: 2 } as const] : []),
    ];
    const [expected, found] = await Promise.all(
      [memory, postgres].map((driver) => driver.snapshot(partition(name), reads, { head: true })),
    );
    expect(found?.head).toEqual(expected?.head);
    reads.forEach((read, i) => {
      expect(found?.rows[i], JSON.stringify(read)).toEqual(expected?.rows[i]?.map(present));
    });
    rows.forEach((row, i) => {
      expect(found?.rows[i]).toStrictEqual([present(row)]);
    });
    // A read alone is another statement.
    for (const [i, read] of reads.entries()) {
      const alone = await postgres.snapshot(partition(name), [read]);
      expect(alone.rows, JSON.stringify(read)).toStrictEqual([found?.rows[i]]);
    }
  });

  test("are replaced, removed and cleared", async () => {
    const rows = distinct(table, fc.sample(rowOf(table), 30));
    const unique = Object.values(table.indexes).flatMap((index) => (index.unique ? index.columns : []));
    const fixed = [...table.key, ...unique];
    const others = fc.sample(rowOf(table), rows.length);
    const replacements = rows.map((row, i) => ({
      ...others[i],
      ...Object.fromEntries(fixed.map((column) => [column, row[column]])),
    }));
    const key = (row: Row): string[] => table.key.map((column) => row[column] as string);
    const batches: readonly (readonly RowWrite[])[] = [
      [{ type: "clear", table }],
      rows.slice(0, 20).map((row) => ({ type: "insert", table, row })),
      [
        ...rows.slice(0, 8).map((row) => ({ type: "remove", table, key: key(row) }) as const),
        ...replacements.slice(8, 16).map((row) => ({ type: "replace", table, row }) as const),
        // Keys that go are free in the same commit.
        ...rows.slice(0, 4).map((row) => ({ type: "insert", table, row }) as const),
        ...rows.slice(20).map((row) => ({ type: "insert", table, row }) as const),
        { type: "remove", table, key: table.key.map(() => "nothing") },
      ],
      [{ type: "scrub" }],
      [{ type: "clear", table }, ...rows.slice(3, 5).map((row) => ({ type: "insert", table, row }) as const)],
    ];
    const reads: readonly RowRead[] = [{ type: "find", table, index: "byId", prefix: [] }];
    for (const writes of batches) {
      for (const driver of [memory, postgres]) await write(driver, name, writes);
      const [expected, found] = await Promise.all(
        [memory, postgres].map((driver) => driver.snapshot(partition(name), reads, { head: true })),
      );
      expect(found).toEqual(expected);
    }
  });
});

/** A row without columns that are undefined. */
function present(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

describe("across partitions", () => {
  const memory = new MemoryDriver();
  const schema = freshSchema();
  const driver = new PostgresDriver({ url, schema, poolSize: 3, statementTimeout: 30_000, retryFor: 1_000 });
  afterAll(() => driver.close());
  const both = [memory, driver] as const;

  test("partitions are listed in the order of their keys' bytes, however long those are", async () => {
    // Control characters take six characters in a key.
    const noise = (length: number): string =>
      Array.from({ length }, (_, i) => String.fromCharCode(1 + ((i * 7919) % 31))).join("");
    const users = [...ids, "x".repeat(512), noise(512), `${noise(511)}a`, "é".repeat(256), null];
    const partitions = ["n", noise(512)].flatMap((namespace) =>
      users.map((userId) => ({ namespace, userId })),
    );
    for (const partition of partitions) {
      for (const driver of both) {
        await driver.transact(
          partition,
          () => ({ ...fresh("")(), partition }),
          function* (head) {
            yield [];
            return { head, writes: [], changes: [], value: undefined };
          },
        );
      }
    }
    const sorted = [...partitions].sort((a, b) => compareUtf8(partitionKey(a), partitionKey(b)));
    for (const driver of both) {
      const listed = [];
      for (let after: string | undefined; ; ) {
        const page = await driver.partitions(after, 7);
        listed.push(...page);
        const last = page.at(-1);
        if (last === undefined) break;
        after = partitionKey(last);
      }
      expect(listed).toEqual(sorted);
    }
  });

  test("a partition is not there before a commit", async () => {
    const nobody = partition("nobody");
    await expect(
      driver.transact(nobody, fresh("nobody"), function* (): Reading<never> {
        yield [];
        throw new RangeError("no");
      }),
    ).rejects.toThrow(RangeError);
    const reads: RowRead[] = [{ type: "count", table: recordTables.text }];
    await expect(driver.snapshot(nobody, reads)).resolves.toEqual({
      head: undefined,
      rows: [[{ count: 0 }]],
    });
    expect(await driver.partitions(undefined, 1000)).not.toContainEqual(nobody);
  });

  test("lanes, expired records, pending erasures and texts are found as in memory", async () => {
    const { job, erasure } = systemTables;
    const { text: texts } = recordTables;
    for (const name of ["p1", "p2", "p3", "p4"]) {
      const first = ["p1", "p2", "p3", "p4"].indexOf(name);
      const jobs = distinct(job, fc.sample(rowOf(job), 30)).map((row, i) => ({
        ...row,
        // No two at once, whose order would be open.
        readyAt: (first + 4 * i) % 120,
        queue: `q${((row.queue as string).codePointAt(0) as number) % 4}`,
      }));
      const rows = [
        ...jobs.map((row) => ({ type: "insert", table: job, row }) as const),
        ...distinct(texts, fc.sample(rowOf(texts), 30)).map(
          (row) => ({ type: "insert", table: texts, row }) as const,
        ),
        ...distinct(erasure, fc.sample(rowOf(erasure), 10)).map(
          (row) => ({ type: "insert", table: erasure, row }) as const,
        ),
      ];
      for (const driver of both) await write(driver, name, rows);
    }
    const sorted = (list: readonly unknown[]): string[] => list.map((item) => JSON.stringify(item)).sort();
    const queues = ["q1", "q0", "q3", "q1", "absent"];
    for (const now of [0, 9, 30, 100]) {
      const [expected, found] = await Promise.all(both.map((driver) => driver.readyLanes(queues, now, 100)));
      const lanes = expected?.map(({ partition, queue }) => ({ partition, queue }));
      expect(found).toEqual(lanes);
      expect(await driver.readyLanes(queues, now, 2)).toEqual(lanes?.slice(0, 2));
      const due = await Promise.all(
        both.map((driver) => driver.expired(texts, { after: 5, until: now }, 1000)),
      );
      expect(sorted(due[1] ?? [])).toEqual(sorted(due[0] ?? []));
      expect(await driver.expired(texts, { after: 5, until: now }, 1)).toHaveLength(
        Math.min(due[0]?.length ?? 0, 1),
      );
    }
    const pending = await Promise.all(both.map((driver) => driver.pendingErasures(1000)));
    expect(sorted(pending[1] ?? [])).toEqual(sorted(pending[0] ?? []));
    for (const probes of [["a"], ['"', "\\", "\n", "é", "😀"], ["%"], ["_"], [], ["nowhere to be found"]]) {
      for (const name of ["p1", "p2", "nobody"]) {
        const [expected, found] = await Promise.all(
          both.map((driver) => driver.search(partition(name), probes)),
        );
        expect(found).toEqual(expected);
      }
    }
  });
});

test("lanes are found behind any number of jobs that wait in others", async () => {
  const { job } = systemTables;
  const schema = freshSchema();
  const driver = new PostgresDriver({ url, schema, poolSize: 1, statementTimeout: 30_000, retryFor: 1_000 });
  onTestFinished(() => driver.close());
  const jobs = (count: number, queue: string, readyAt: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => ({
      ...{ type: "insert", table: job },
      row: {
        ...{ id: `${queue}-${i}`, seq: i, queue, dead: false, attempts: 0, maxAttempts: 8, generation: 0 },
        readyAt: readyAt(i),
      },
    })) as RowWrite[];
  // The first of a thousand is leased, those behind it are ready; other lanes became ready after all of them.
  await write(
    driver,
    "deep",
    jobs(1_000, "q", (i) => (i === 0 ? 9_999 : i)),
  );
  await write(
    driver,
    "first",
    jobs(3, "q", (i) => 2_000 + i),
  );
  await write(
    driver,
    "second",
    jobs(2, "q", (i) => 3_000 - i),
  );
  await write(
    driver,
    "third",
    jobs(1, "r", () => 500),
  );
  const lanes = async (now: number, limit: number) =>
    (await driver.readyLanes(["q", "r"], now, limit)).map(({ partition, queue }) => [
      partition.userId,
      queue,
    ]);
  const all = [
    ["third", "r"],
    ["first", "q"],
    ["second", "q"],
  ];
  expect(await lanes(5_000, 10)).toEqual(all);
  expect(await lanes(5_000, 2)).toEqual(all.slice(0, 2));
  expect(await lanes(2_500, 10)).toEqual(all.slice(0, 2));
  expect(await lanes(400, 10)).toEqual([]);
  expect(await lanes(10_000, 10)).toEqual([...all, ["deep", "q"]]);
});

test("any number of reads of one form, and more than a thousand forms, are one statement", async () => {
  const table = recordTables.message;
  const rows = Array.from({ length: 2_000 }, (_, i) => ({
    ...{
      id: `m${i}`,
      seq: i,
      updatedSeq: i,
      recordedAt: 0,
      bytes: 0,
      sessionId: "s",
      role: "user",
      saidAt: i,
    },
    content: `content ${i}`,
  }));
  await write(
    postgres,
    "many",
    rows.map((row) => ({ type: "insert", table, row })),
  );
  const gets = rows.map(({ id }): RowRead => ({ type: "get", table, key: [id] }));
  const { rows: found } = await postgres.snapshot(partition("many"), gets);
  expect(found.map(([row]) => row?.content)).toEqual(rows.map(({ content }) => content));
  // A number of bits tells the forms apart.
  const forms = Array.from({ length: 1_601 }, (_, i): RowRead => {
    const items = Array.from(i.toString(2).padStart(11, "0"), (bit): Predicate => {
      const nothing: Predicate = { type: "and", items: [] };
      return bit === "1" ? nothing : { type: "not", item: { type: "not", item: nothing } };
    });
    return { type: "find", table, index: "byTime", prefix: [i], filter: { type: "and", items } };
  });
  const { rows: all } = await postgres.snapshot(partition("many"), forms.slice(0, 1_600));
  expect(all.map(([row]) => row?.id)).toEqual(rows.slice(0, 1_600).map(({ id }) => id));
  await expect(postgres.snapshot(partition("many"), forms)).rejects.toMatchObject({ code: "too_large" });
});

test("rows that would not fit into a string are an error, not a crash", async () => {
  const table = recordTables.text;
  const content = "x".repeat(16_000_000);
  const row = {
    ...{ id: "big", seq: 1, updatedSeq: 1, recordedAt: 0, bytes: 0, form: "note", content },
    ...{ provenance: "user_stated", statedAt: 0 },
  };
  await write(postgres, "big", [{ type: "insert", table, row }]);
  const read = (times: number) =>
    postgres.snapshot(partition("big"), Array(times).fill({ type: "get", table, key: ["big"] }));
  const { rows } = await read(2);
  expect(rows.map(([row]) => row?.content === content)).toEqual([true, true]);
  await expect(read(20)).rejects.toMatchObject({ code: "too_large" });
});
