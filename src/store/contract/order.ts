import assert from "node:assert/strict";
import { partitionKey } from "../../model/partition.ts";
import { insert } from "../batch.ts";
import type { Ledger } from "../ledger.ts";
import { find } from "../read.ts";
import { alice, bob, everyPage, rejects } from "./expectations.ts";
import { ManualClock } from "./manual-clock.ts";
import { apply } from "./plans.ts";
import { block, fact, message, named, note, past } from "./samples.ts";
import { Choices } from "./seeded-randomness.ts";
import { group, test } from "./suite.ts";

/** The order of UTF-8 bytes, by the bytes. */
function inBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const characters = [
  ...[
    "\u0001",
    "!",
    "0",
    "9",
    "A",
    "Z",
    "_",
    "a",
    "z",
    "~",
    "\u007f",
    "\u0080",
    "é",
    "ÿ",
    "ß",
    "İ",
    "߿",
    "ࠀ",
  ],
  ...["鍵", "힣", "\ue000", "豈", "\ufffd", "\uffff", "\u{10000}", "👍", "\u{2ffff}", "\u{10ffff}"],
];

function awkwardNames(): string[] {
  const names = characters.flatMap((one) => [one, `${one}a`, ...characters.map((other) => one + other)]);
  return new Choices(5).shuffled([...new Set(names)]);
}

async function contents(ledger: Ledger, options: Parameters<typeof find>[1]): Promise<string[]> {
  return (await everyPage(ledger, "message", options)).map(({ content }) => content);
}

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
        named(`${subject}${predicate}1`, fact("x", { subject, predicate })),
        named(`${subject}${predicate}2`, fact("y", { subject, predicate, status: "retired", retiredAt: 1 })),
      ]),
    );
    await ledger.append(alice, { operation: "o", records });
    const found = async (options: object) => (await everyPage(ledger, "fact", options)).map(({ id }) => id);
    assert.deepEqual(await found({ index: "bySubject", prefix: ["b"], range: { gt: "p" } }), [
      "bq1",
      "bq2",
      "br1",
      "br2",
    ]);
    assert.deepEqual(await found({ index: "bySubject", range: { lt: "b" } }), [
      "ap1",
      "ap2",
      "aq1",
      "aq2",
      "ar1",
      "ar2",
    ]);
    assert.deepEqual(await found({ index: "bySubject", prefix: ["c", "r"], range: { lte: "current" } }), [
      "cr1",
    ]);
    assert.deepEqual(
      await found({ index: "bySubject", prefix: ["c", "r", "retired"], range: { gte: 18, lte: 18 } }),
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

export const cursors = group("cursors", [
  test("pages of every size make up the whole, and only the last has no cursor", async ({ open }) => {
    const ledger = await open();
    const records = Array.from({ length: 23 }, (_, i) => message(String(i), { saidAt: i % 3 }));
    await ledger.append(alice, { operation: "o", records });
    for (const index of ["byId", "byTime", "bySession", "byAgent"]) {
      for (const reverse of [false, true]) {
        const [whole] = await ledger.read([alice], [find("message", { index, reverse, limit: 1000 })]);
        assert.equal(whole.cursor, undefined);
        for (const limit of [1, 2, 22, 23, 24]) {
          const items: unknown[] = [];
          let after: string | undefined;
          do {
            const [page] = await ledger.read([alice], [find("message", { index, reverse, limit, after })]);
            items.push(...page.items);
            assert.equal(page.cursor === undefined, items.length === 23);
            assert.ok(page.items.length === limit || page.cursor === undefined);
            after = page.cursor;
          } while (after !== undefined);
          assert.deepEqual(items, whole.items);
        }
      }
    }
  }),

  test("while records come and go, each that stays is found exactly once", async ({ open }) => {
    const ledger = await open();
    const name = (i: number) => `b${String(i).padStart(3, "0")}`;
    const initial = Array.from({ length: 60 }, (_, i) => 5 * i);
    await ledger.append(alice, {
      operation: "o",
      records: initial.map((i) => named(name(i), block(name(i)))),
    });
    const removed = new Set<string>();
    const found: string[] = [];
    const choices = new Choices(11);
    let after: string | undefined;
    let round = 0;
    do {
      const [page] = await ledger.read(
        [alice],
        [find("block", { index: "byName", prefix: [null], limit: 7, after })],
      );
      found.push(...page.items.map(({ id }) => id));
      after = page.cursor;
      round += 1;
      // One before and one behind the place, and the record that the cursor names.
      const added = Array.from({ length: 4 }, () => choices.below(60) * 5 + 1 + choices.below(4));
      const taken = [...choices.some(initial.map(name), 5), page.items.at(-1)?.id as string];
      const gone = [...new Set(taken)].filter((id) => !removed.has(id));
      for (const id of gone) removed.add(id);
      const mutations = [
        ...gone.map((id) => ({ type: "remove", kind: "block", id })),
        ...[...new Set(added)].map((i) => ({
          type: "insert",
          kind: "block",
          value: { name: `${name(i)} ${round}`, content: "", position: 0 },
        })),
      ];
      await ledger.update(alice, { operation: `p${round}`, plan: apply, input: { mutations } as never });
    } while (after !== undefined);
    const kept = initial.map(name).filter((id) => !removed.has(id));
    assert.deepEqual(
      found.filter((id) => kept.includes(id)),
      kept,
    );
    assert.equal(new Set(found).size, found.length);
  }),

  test("messages that come while a session is paged are found at its end", async ({ open }) => {
    const ledger = await open();
    const records = Array.from({ length: 10 }, (_, i) => message(String(i)));
    await ledger.append(alice, { operation: "o", records });
    const options = { index: "bySession", prefix: ["session"], limit: 4 };
    const [page] = await ledger.read([alice], [find("message", options)]);
    await ledger.append(alice, { operation: "p", records: [message("10"), message("11")] });
    const rest = await contents(ledger, { ...options, after: page.cursor });
    assert.deepEqual(rest, ["4", "5", "6", "7", "8", "9", "10", "11"]);
  }),

  test("a cursor that was made for another query, made up or altered is refused", async ({ open }) => {
    const ledger = await open();
    const records = Array.from({ length: 5 }, (_, i) => message(String(i)));
    await ledger.append(alice, { operation: "o", records: [...records, note("1"), note("2")] });
    const cursorOf = async (options: Parameters<typeof find>[1]): Promise<string> => {
      const [{ cursor }] = await ledger.read([alice], [find("message", { limit: 1, ...options })]);
      return cursor ?? assert.fail("there is one page only");
    };
    const byTime = await cursorOf({ index: "byTime" });
    const foreign = [
      await cursorOf({}),
      await cursorOf({ index: "byTime", reverse: true }),
      await cursorOf({ index: "byTime", prefix: [past] }),
      await cursorOf({ index: "bySession", prefix: ["session"] }),
      await ledger.changes.head(),
    ];
    const forged = [
      "",
      "x",
      "0",
      "null",
      "{}",
      "W10",
      btoa("[]"),
      btoa('["a"]'),
      "🔑",
      "%00",
      byTime.slice(1),
      `${byTime}A`,
      byTime.toUpperCase(),
    ];
    const [place] = JSON.parse(atob(byTime.replaceAll("-", "+").replaceAll("_", "/"))) as [unknown];
    const altered = [
      [place],
      [place, 1],
      [place, "1", 1, "id"],
      [place, 1.5, 1, "id"],
      [place, null, 1, "id"],
      [place, 1, 1, 1],
      [place, [1], 1, "id"],
    ];
    for (const after of [...foreign, ...forged, ...altered.map((values) => btoa(JSON.stringify(values)))]) {
      await rejects(
        "invalid_cursor",
        () => ledger.read([alice], [find("message", { index: "byTime", after })]),
        after,
      );
    }
    await rejects("invalid_cursor", () =>
      ledger.read([alice], [find("text", { index: "byTime", after: byTime })]),
    );
    await rejects("invalid_cursor", () => ledger.partitions({ after: byTime }));
    await rejects("invalid_cursor", () => ledger.jobs.list(alice, { queue: "q", after: byTime }));
    assert.equal((await contents(ledger, { index: "byTime", after: byTime })).length, 4);
  }),

  test("another partition's cursor shows nothing of it", async ({ open }) => {
    const ledger = await open();
    for (const user of [alice, bob]) {
      const records = Array.from({ length: 4 }, (_, i) => message(`${user.userId} ${i}`));
      await ledger.append(user, { operation: "o", records });
    }
    const options = { index: "byTime", limit: 2 };
    const [{ cursor }] = await ledger.read([bob], [find("message", options)]);
    for (const content of await contents(ledger, { ...options, after: cursor }))
      assert.match(content, /^alice/);
  }),

  test("a cursor is no secret way to ids with every character", async ({ open }) => {
    const ledger = await open();
    const names = awkwardNames().slice(0, 60);
    await ledger.append(alice, { operation: "o", records: names.map((name) => named(name, block(name))) });
    assert.equal((await everyPage(ledger, "block", { index: "byName", limit: 1 })).length, names.length);
  }),

  test("limits are whole numbers from 1 to 1,000; the default is 100", async ({ open }) => {
    const ledger = await open();
    await ledger.append(alice, {
      operation: "o",
      records: Array.from({ length: 1001 }, () => insert("text", note("").value)),
    });
    for (const limit of [0, -1, 1001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "10"]) {
      await rejects("invalid_argument", () =>
        ledger.read([alice], [find("text", { limit: limit as never })]),
      );
      await rejects("invalid_argument", () => ledger.partitions({ limit: limit as never }));
      await rejects("invalid_argument", () => ledger.changes.read({ limit: limit as never }));
      await rejects("invalid_argument", () => ledger.jobs.list(alice, { queue: "q", limit: limit as never }));
    }
    const [standard, most] = await ledger.read([alice], [find("text"), find("text", { limit: 1000 })]);
    assert.deepEqual([standard.items.length, most.items.length], [100, 1000]);
    assert.ok(standard.cursor !== undefined && most.cursor !== undefined);
  }),

  test("a job list has pages", async ({ open }) => {
    const ledger = await open();
    const jobs = Array.from({ length: 7 }, (_, i) => ({ queue: "q", payload: i }));
    await ledger.append(alice, { operation: "o", records: [], jobs: [...jobs, { queue: "other" }] });
    const found: unknown[] = [];
    let after: string | undefined;
    do {
      const page = await ledger.jobs.list(alice, {
        queue: "q",
        limit: 3,
        ...(after === undefined ? {} : { after }),
      });
      found.push(...page.jobs.map(({ payload }) => payload));
      after = page.cursor;
    } while (after !== undefined);
    assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6]);
  }),
]);
