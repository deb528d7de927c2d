import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { find } from "../read.ts";
import { awkwardNames, contents } from "./byte-order.ts";
import { alice, bob, everyPage, rejects } from "./expectations.ts";
import { apply } from "./plans.ts";
import { block, message, named, note, past } from "./samples.ts";
import { Choices } from "./seeded-randomness.ts";
import { group, test } from "./suite.ts";

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
