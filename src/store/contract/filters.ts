import assert from "node:assert/strict";
import { FluxTypeError } from "../../model/errors.ts";
import type { Metadata } from "../../model/metadata.ts";
import { insert } from "../batch.ts";
import type { Filter } from "../filter.ts";
import type { Ledger } from "../ledger.ts";
import { find } from "../read.ts";
import { alice, canary, each, everyPage, rejects } from "./expectations.ts";
import { holds, randomFilter, randomMetadata } from "./random-filter.ts";
import { bareRecords, message, named, note } from "./samples.ts";
import { Choices } from "./seeded-randomness.ts";
import { group, test } from "./suite.ts";

const store: Readonly<Record<string, Metadata | undefined>> = {
  none: undefined,
  empty: {},
  one: { n: 1, s: "a", b: true, list: ["a", "b"] },
  two: { n: 2, s: "b", b: false, list: [] },
  other: { n: -1.5, s: "A", list: ["b"] },
  texts: { n: "1", s: "1", b: "true", list: "a" },
  zero: { n: 0, s: "", b: false, list: [""] },
  odd: {
    "a.b": 1,
    "a[0]": 1,
    "$.n": 1,
    "'": "'",
    '"': '"',
    "%": "%",
    _: "_",
    __proto__x: 1,
    "": 1,
    é: "e\u0301",
  },
  big: { n: 1e308, s: "\u{10000}", list: ["\uffff"] },
  small: { n: 5e-324, s: "\uffff" },
};
// The empty key cannot be stored.
delete (store.odd as Record<string, unknown>)[""];

async function fill(ledger: Ledger): Promise<void> {
  const records = Object.entries(store).map(([id, metadata]) => named(id, note(id, { metadata })));
  await ledger.append(alice, { operation: "o", records });
}

const expected: readonly (readonly [Filter, readonly string[]])[] = [
  [{}, Object.keys(store)],
  [{ n: 1 }, ["one"]],
  [{ n: { eq: 1 } }, ["one"]],
  [{ n: "1" }, ["texts"]],
  [{ s: "a" }, ["one"]],
  [{ s: "" }, ["zero"]],
  [{ b: true }, ["one"]],
  [{ b: false }, ["two", "zero"]],
  [{ b: "true" }, ["texts"]],
  [{ n: 0 }, ["zero"]],
  [{ n: -0 }, ["zero"]],
  [{ n: { in: [1, "1", 2] } }, ["one", "two", "texts"]],
  [{ n: { in: [] } }, []],
  [{ b: { in: [true, false] } }, ["one", "two", "zero"]],
  [{ list: { in: ["a", "b"] } }, ["texts"]],
  [{ list: "a" }, ["texts"]],
  [{ list: { contains: "a" } }, ["one"]],
  [{ list: { contains: "" } }, ["zero"]],
  [{ list: { contains: "b" } }, ["one", "other"]],
  [{ list: { contains: "\uffff" } }, ["big"]],
  [{ s: { contains: "a" } }, []],
  [{ n: { gt: 0 } }, ["one", "two", "big", "small"]],
  [{ n: { gte: 0 } }, ["one", "two", "zero", "big", "small"]],
  [{ n: { lt: 1 } }, ["other", "zero", "small"]],
  [{ n: { lte: 1 } }, ["one", "other", "zero", "small"]],
  [{ n: { gt: 0, lt: 2 } }, ["one", "small"]],
  [{ n: { gt: "0" } }, ["texts"]],
  [{ s: { gt: "a" } }, ["two", "big", "small"]],
  [{ s: { gte: "\uffff" } }, ["big", "small"]],
  [{ s: { gt: "\uffff" } }, ["big"]],
  [{ s: { lt: "a" } }, ["other", "texts", "zero"]],
  [{ list: { gte: "a" } }, ["texts"]],
  [{ b: { gte: "" } }, ["texts"]],
  [{ n: { exists: true } }, ["one", "two", "other", "texts", "zero", "big", "small"]],
  [{ n: { exists: false } }, ["none", "empty", "odd"]],
  [{ list: { exists: true } }, ["one", "two", "other", "texts", "zero", "big"]],
  [{ missing: 1 }, []],
  [{ not: { missing: 1 } }, Object.keys(store)],
  [{ not: { n: 1 } }, Object.keys(store).filter((id) => id !== "one")],
  [{ not: { n: { gt: 0 } } }, ["none", "empty", "other", "texts", "zero", "odd"]],
  [{ not: { not: { n: 1 } } }, ["one"]],
  [{ n: 1, s: "a" }, ["one"]],
  [{ n: 1, s: "b" }, []],
  [{ and: [{ n: 1 }, { s: "b" }] }, []],
  [{ or: [{ n: 1 }, { s: "b" }] }, ["one", "two"]],
  [{ and: [] }, Object.keys(store)],
  [{ or: [] }, []],
  [{ not: { or: [] } }, Object.keys(store)],
  [{ b: true, or: [{ n: 1 }, { n: 2 }], not: { s: "c" } }, ["one"]],
  [{ or: [{ and: [{ n: 1 }, { b: true }] }, { n: { gt: 1, lt: 3 }, b: false }] }, ["one", "two"]],
  [{ n: undefined }, Object.keys(store)],
  [{ n: { eq: 1, gt: undefined } }, ["one"]],
  [{ "a.b": 1 }, ["odd"]],
  [{ "a[0]": 1 }, ["odd"]],
  [{ "$.n": 1 }, ["odd"]],
  [{ a: { exists: true } }, []],
  [{ "'": "'" }, ["odd"]],
  [{ '"': '"' }, ["odd"]],
  [{ "%": "%" }, ["odd"]],
  [{ _: "_" }, ["odd"]],
  [{ "%": { exists: true } }, ["odd"]],
  [{ é: "e\u0301" }, ["odd"]],
  [{ "e\u0301": { exists: true } }, []],
  [{ é: "é" }, []],
  [JSON.parse('{ "__proto__": { "exists": true } }'), []],
  [{ toString: { exists: true } }, []],
  [{ constructor: { exists: true } } as Filter, []],
  [{ s: "'; drop table text; --" }, []],
  [{ s: "%" }, []],
  [{ s: { in: ["*", "%", "_"] } }, []],
  [{ n: 1e308 }, ["big"]],
  [{ n: 5e-324 }, ["small"]],
];

const wrong: Readonly<Record<string, unknown>> = {
  "a string": canary,
  "a list": [{ n: 1 }],
  "null for a filter": null,
  "null for a condition": { n: null },
  "a list for a condition": { n: [canary] },
  "a function": { n: () => canary },
  "a bigint": { n: 1n },
  NaN: { n: Number.NaN },
  infinity: { n: { lt: Number.POSITIVE_INFINITY } },
  "no condition": { n: {} },
  "an unknown operator": { n: { like: canary } },
  "an operator with a dollar": { n: { $eq: canary } },
  "a string for in": { n: { in: canary } },
  "a list inside in": { n: { in: [[canary]] } },
  "null inside in": { n: { in: [null] } },
  "a boolean bound": { n: { gt: true } },
  "a string for exists": { n: { exists: "true" } },
  "a number for exists": { n: { exists: 1 } },
  "a number for contains": { n: { contains: 1 } },
  "a list for contains": { n: { contains: [canary] } },
  "a list for eq": { n: { eq: [canary] } },
  "an object for eq": { n: { eq: { n: canary } } },
  "an object for and": { and: { n: 1 } },
  "a scalar inside and": { and: [canary] },
  "a list for not": { not: [{ n: 1 }] },
  "a string for or": { or: canary },
  "NUL in a value": { n: `${canary}\0` },
  "a lone surrogate in a value": { n: { in: [`${canary}\ud800`] } },
  "NUL in a key": { "\0": 1 },
  "a lone surrogate in contains": { n: { contains: "\ud800" } },
  "1,001 conditions": { or: Array.from({ length: 1001 }, () => ({ n: 1 })) },
  "1,001 values": { n: { in: Array.from({ length: 1001 }, (_, i) => i) } },
  "17 levels": Array.from({ length: 17 }).reduce<unknown>((filter) => ({ not: filter }), { n: 1 }),
};

export const filters = group("filters", [
  test("conditions hold exactly where they should", async ({ open }) => {
    const ledger = await open();
    await fill(ledger);
    for (const [filter, ids] of expected) {
      const found = (await everyPage(ledger, "text", { index: "byTime", filter })).map(({ id }) => id);
      assert.deepEqual(found, ids, JSON.stringify(filter));
    }
  }),

  test("a thousand conditions, a thousand values and sixteen levels are allowed", async ({ open }) => {
    const ledger = await open();
    await fill(ledger);
    const deep = Array.from({ length: 16 }).reduce<Filter>((filter) => ({ not: filter }), { n: 1 });
    const wide = { or: Array.from({ length: 999 }, (_, i) => ({ n: i + 1 })) };
    const many = { n: { in: Array.from({ length: 1000 }, (_, i) => i + 1) } };
    for (const [filter, ids] of [
      [deep, ["one"]],
      [wide, ["one", "two"]],
      [many, ["one", "two"]],
    ] as const) {
      const found = (await everyPage(ledger, "text", { index: "byTime", filter })).map(({ id }) => id);
      assert.deepEqual(found, ids);
    }
  }),

  test("what does not follow the grammar is refused", async ({ open }) => {
    const ledger = await open();
    await fill(ledger);
    await each(wrong, async (filter) => {
      await rejects("invalid_filter", () =>
        ledger.read([alice], [find("text", { filter: filter as never })]),
      );
    });
  }),

  test("a filter of a wrong type is a TypeError", async ({ open }) => {
    const ledger = await open();
    for (const filter of [canary, [], { n: null }, { n: { in: canary } }, { and: {} }] as never[]) {
      const error = await rejects("invalid_filter", () => ledger.read([alice], [find("text", { filter })]));
      assert.ok(error instanceof FluxTypeError);
    }
  }),

  test("a kind without metadata has no filters", async ({ open }) => {
    const ledger = await open();
    for (const kind of ["fact", "block", "value", "conduit", "trace"] as const)
      await rejects("invalid_filter", () => ledger.read([alice], [find(kind, { filter: { n: 1 } })]));
  }),

  test("every kind with metadata has them", async ({ open }) => {
    const ledger = await open();
    const metadata = { n: 1 };
    const records = [
      named("m", message("", { metadata })),
      insert("message", message("").value),
      insert("episode", { ...bareRecords.episode, metadata }),
      insert("episode", bareRecords.episode),
      insert("text", { ...bareRecords.text, metadata }),
      insert("text", bareRecords.text),
      insert("grain", { ...bareRecords.grain, ownerId: "m", metadata }),
      insert("grain", { ...bareRecords.grain, ownerId: "m" }),
    ];
    await ledger.append(alice, { operation: "o", records });
    for (const kind of ["message", "episode", "text", "grain"] as const) {
      assert.equal((await everyPage(ledger, kind, { filter: { n: 1 } })).length, 1);
      assert.equal((await everyPage(ledger, kind, { filter: { n: { exists: false } } })).length, 1);
    }
  }),

  test("a filter comes before the limit, in pages of every size and both directions", async ({ open }) => {
    const ledger = await open();
    const records = Array.from({ length: 60 }, (_, i) =>
      named(`t${i}`, note("", { statedAt: i, metadata: { third: i % 3 === 0 } })),
    );
    await ledger.append(alice, { operation: "o", records });
    const expected = Array.from({ length: 20 }, (_, i) => `t${3 * i}`);
    for (const limit of [1, 7, 19, 20, 21]) {
      for (const reverse of [false, true]) {
        const options = { index: "byTime", filter: { third: true }, limit, reverse };
        const found = (await everyPage(ledger, "text", options)).map(({ id }) => id);
        assert.deepEqual(found, reverse ? expected.toReversed() : expected);
        const [page] = await ledger.read([alice], [find("text", options)]);
        assert.equal(page.items.length, Math.min(limit, 20));
        assert.equal(page.cursor === undefined, limit >= 20);
      }
    }
    const options = { index: "byTime", filter: { third: true }, range: { gte: 10, lt: 20 } };
    const found = (await everyPage(ledger, "text", options)).map(({ id }) => id);
    assert.deepEqual(found, ["t12", "t15", "t18"]);
  }),

  test("random filters agree with a second reading of the grammar", async ({ open }) => {
    const ledger = await open();
    const choices = new Choices(17);
    const stored = new Map<string, Metadata | undefined>();
    for (let i = 0; i < 120; i++) stored.set(`t${String(i).padStart(3, "0")}`, randomMetadata(choices));
    const records = [...stored].map(([id, metadata]) => named(id, note("", { metadata })));
    await ledger.append(alice, { operation: "o", records });
    for (let round = 0; round < 250; round++) {
      const filter = randomFilter(choices, 3);
      const found = (await everyPage(ledger, "text", { filter, limit: 50 })).map(({ id }) => id);
      const expected = [...stored].filter(([, metadata]) => holds(filter, metadata ?? {})).map(([id]) => id);
      assert.deepEqual(found, expected, JSON.stringify(filter));
    }
  }),
]);
