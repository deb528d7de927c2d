import assert from "node:assert/strict";
import { partitionKey } from "../../model/partition.ts";
import { find } from "../read.ts";
import { awkwardNames, characters, contents, inBytes } from "./byte-order.ts";
import { alice, bob, everyPage, rejects } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { block, fact, message, named, note, past } from "./samples.ts";
import { Choices } from "./seeded-randomness.ts";
import { group, test } from "./suite.ts";

export const order = group("order", [
  test("ids are ordered by their bytes, characters beyond U+FFFF behind U+E000 to U+FFFF", async ({
    open,
  }) => {
    const ledger = await open();
    const names = awkwardNames();
    await ledger.append(alice, { operation: "o", records: names.map((name) => named(name, block(name))) });
    const expected = names.toSorted(inBytes);
    const found = (options: object) =>
      everyPage(ledger, "block", options).then((records) => records.map(({ id }) => id));
    assert.deepEqual(await found({ limit: 37 }), expected);
    assert.deepEqual(await found({ limit: 37, reverse: true }), expected.toReversed());
    assert.deepEqual(await found({ index: "byName", prefix: [null], limit: 41 }), expected);
    for (const [from, to] of [
      ["é", "\u{10000}"],
      ["\ue000", "\uffff"],
      ["\uffff", "\u{10ffff}"],
    ] as const) {
      const within = expected.filter((name) => inBytes(name, from) >= 0 && inBytes(name, to) < 0);
      assert.deepEqual(await found({ range: { gte: from, lt: to } }), within);
      assert.deepEqual(
        await found({ index: "byName", prefix: [null], range: { gte: from, lt: to } }),
        within,
      );
    }
  }),

  test("a hundred messages of one millisecond keep their order, whatever batches they came in", async ({
    open,
  }) => {
    const clock = new ManualClock();
    const ledger = await open({ clock });
    let next = 0;
    for (const size of [1, 1, 30, 1, 17, 50]) {
      const records = Array.from({ length: size }, () => message(String(next++)));
      await ledger.append(alice, { operation: `o${next}`, records });
    }
    const expected = Array.from({ length: 100 }, (_, i) => String(i));
    for (const index of ["bySession", "byTime"]) {
      const prefix = index === "bySession" ? ["session"] : [past];
      for (const limit of [1, 7, 100, 1000]) {
        assert.deepEqual(await contents(ledger, { index, prefix, limit }), expected);
        assert.deepEqual(
          await contents(ledger, { index, prefix, limit, reverse: true }),
          expected.toReversed(),
        );
      }
    }
  }),

  test("the order of writes is that of their acknowledgements", async ({ open }) => {
    const ledger = await open();
    let last = 0;
    for (let i = 0; i < 20; i++) {
      const { seq } = await ledger.append(alice, { operation: `o${i}`, records: [note("n"), note("m")] });
      assert.ok(seq > last);
      last = seq;
    }
  }),

  test("ranges bound the column behind the prefix, on either side, with and without the bound itself", async ({
    open,
  }) => {
    const ledger = await open();
    const times = [-8.64e15, -5, -1, 0, 1, 1, 2, 5, 8.64e15];
    await ledger.append(alice, {
      operation: "o",
      records: times.map((saidAt) => message(String(saidAt), { saidAt })),
    });
    const bounds = ["gt", "gte", "lt", "lte"] as const;
    const holds = {
      gt: (a: number, b: number) => a > b,
      gte: (a: number, b: number) => a >= b,
      lt: (a: number, b: number) => a < b,
      lte: (a: number, b: number) => a <= b,
    };
    const ranges = bounds.flatMap((bound) => times.map((time) => ({ [bound]: time })));
    const both = ranges.flatMap((one) => ranges.map((other) => ({ ...one, ...other })));
    for (const range of new Choices(3).shuffled(both).slice(0, 60)) {
      const expected = times.filter((time) =>
        Object.entries(range).every(([bound, limit]) => holds[bound as "gt"](time, limit as number)),
      );
      assert.deepEqual(await contents(ledger, { index: "byTime", range }), expected.map(String));
      const reverse = await contents(ledger, { index: "byTime", range, reverse: true, limit: 2 });
      assert.deepEqual(reverse, expected.map(String).toReversed());
    }
  }),

  test("ranges of strings, of sequence numbers, and behind two columns", async ({ open }) => {
    const ledger = await open();
    const records = ["a", "b", "c"].flatMap((subject) =>
      ["p", "q", "r"].flatMap((predicate) => [
        named(`${subject}${predicate}1`, fact("x", { subjectKey: subject, predicate })),
        named(
          `${subject}${predicate}2`,
          fact("y", { subjectKey: subject, predicate, status: "retired", retiredAt: 1 }),
        ),
      ]),
    );
    await ledger.append(alice, { operation: "o", records });
    const found = async (options: object) => (await everyPage(ledger, "fact", options)).map(({ id }) => id);
    assert.deepEqual(await found({ index: "bySubject", prefix: ["current", "b"], range: { gt: "p" } }), [
      "bq1",
      "br1",
    ]);
    assert.deepEqual(await found({ index: "bySubject", prefix: ["current"], range: { lt: "b" } }), [
      "ap1",
      "aq1",
      "ar1",
    ]);
    assert.deepEqual(
      await found({ index: "bySubject", prefix: ["retired", "c", "r"], range: { lte: "place" } }),
      ["cr2"],
    );
    assert.deepEqual(
      await found({
        index: "bySubject",
        prefix: ["retired", "c", "r", "place"],
        range: { gte: 18, lte: 18 },
      }),
      ["cr2"],
    );
    assert.deepEqual(
      await found({ index: "byStatus", prefix: ["retired"], range: { gt: 2, lte: 6 }, reverse: true }),
      ["ar2", "aq2"],
    );
    assert.deepEqual(await found({ range: { gte: "bp1", lt: "bp3" } }), ["bp1", "bp2"]);
    assert.deepEqual(await found({ prefix: ["bp1"] }), ["bp1"]);
  }),

  test("null in a prefix asks for records without that label, and for no others", async ({ open }) => {
    const ledger = await open();
    const records = [
      named("none", note("")),
      named("a", note("", { sessionId: "a" })),
      named("space", note("", { sessionId: " " })),
      named("null", note("", { sessionId: "null" })),
    ];
    await ledger.append(alice, { operation: "o", records });
    const found = async (options: object) => (await everyPage(ledger, "text", options)).map(({ id }) => id);
    assert.deepEqual(await found({ index: "bySession", prefix: [null] }), ["none"]);
    assert.deepEqual(await found({ index: "bySession", prefix: ["null"] }), ["null"]);
    // Absence comes before every id.
    assert.deepEqual(await found({ index: "bySession", limit: 1 }), ["none", "space", "a", "null"]);
    assert.deepEqual(await found({ index: "bySession", range: { gt: null as never } }), [
      "space",
      "a",
      "null",
    ]);
    await rejects("invalid_argument", () =>
      ledger.read([alice], [find("message", { index: "bySession", prefix: [null] })]),
    );
  }),

  test("a record that moves within an index is found where it is, once", async ({ open }) => {
    const ledger = await open();
    const records = [1, 2, 3].map((statedAt) =>
      named(`t${statedAt}`, note("", { statedAt, contentKey: "k" })),
    );
    await ledger.append(alice, { operation: "o", records });
    const mutations = [
      { type: "patch", kind: "text", id: "t1", value: { statedAt: 9 } },
      { type: "patch", kind: "text", id: "t2", value: {}, removed: ["contentKey"] },
      { type: "patch", kind: "text", id: "t3", value: { contentKey: "l" } },
    ];
    await ledger.update(alice, { operation: "p", plan: apply, input: { mutations } as never });
    const found = async (options: object) => (await everyPage(ledger, "text", options)).map(({ id }) => id);
    assert.deepEqual(await found({ index: "byTime" }), ["t2", "t3", "t1"]);
    assert.deepEqual(await found({ index: "byContent", prefix: ["k"] }), ["t1"]);
    assert.deepEqual(await found({ index: "byContent", prefix: [null] }), ["t2"]);
    assert.deepEqual(await found({ index: "byContent", range: { gte: "l" } }), ["t3"]);
  }),

  test("partitions are listed in one order, page by page, each once", async ({ open }) => {
    const ledger = await open();
    const all = [
      ...characters.map((userId) => ({ namespace: "n", userId })),
      { namespace: "n", userId: null },
      alice,
      bob,
    ];
    for (const user of all) await ledger.append(user, { operation: "o", records: [] });
    for (const limit of [1, 5, 1000]) {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await ledger.partitions({ limit, after });
        assert.ok(page.partitions.length <= limit);
        found.push(...page.partitions.map(partitionKey));
        after = page.cursor;
      } while (after !== undefined);
      assert.deepEqual(found, all.map(partitionKey).sort(inBytes));
    }
  }),

  test("an unknown index, prefix or range is refused", async ({ open }) => {
    const ledger = await open();
    const wrong: readonly object[] = [
      { index: "byNothing" },
      { index: "toString" },
      { index: "byTime", prefix: ["a string"] },
      { index: "byTime", prefix: [0.5] },
      { index: "byTime", prefix: [past, 1, "id", "more"] },
      { index: "byTime", prefix: [null] },
      { index: "bySession", prefix: [1] },
      { range: { after: "a" } },
      { index: "byTime", range: { gt: "a string" } },
      { index: "byTime", prefix: [past, 1, "id"], range: { gt: "a" } },
    ];
    for (const options of wrong) {
      await rejects(
        "invalid_argument",
        () => ledger.read([alice], [find("message", options)]),
        JSON.stringify(options),
      );
    }
  }),
]);
