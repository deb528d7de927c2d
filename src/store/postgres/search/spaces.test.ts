import { expect, inject, onTestFinished, test } from "vitest";
import { ask, connect, eventually, freshSchema } from "../../../../test/postgres/database.ts";
import { insert } from "../../batch.ts";
import { alice, bob } from "../../contract/expectations.ts";
import { keep, matchTerms, names, nearestTo, withSpaces } from "../../contract/indexing.ts";
import { grain, named, note } from "../../contract/samples.ts";
import type { Ledger } from "../../ledger.ts";
import { postgresLedger } from "../ledger.ts";

const url = inject("postgresUrl");

function open(schema: string): Ledger {
  // Its connections bear the schema's name.
  const ledger = postgresLedger({ url: `${url}?application_name=${schema}`, schema });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** Waits until so many connections to the schema wait for a table, a row or what they agreed to take turns by. */
function waitForLocks(schema: string, count: number): Promise<void> {
  const text = `select 1 from pg_stat_activity where application_name = $1
    and wait_event_type = 'Lock' and wait_event <> 'object'`;
  return eventually(async () => (await ask(url, text, [schema])).length === count);
}

test("a space is declared once by many at once", async () => {
  const schema = freshSchema();
  const ledgers = Array.from({ length: 4 }, () => open(schema));
  const declared = ledgers.flatMap((ledger) =>
    ["a", "b"].map((maker) => ledger.spaces.declare({ kind: "lexical", maker })),
  );
  expect(new Set((await Promise.all(declared)).map(({ id }) => id)).size).toBe(2);
  const states = (await ledgers[0]?.spaces.list())?.map(({ state }) => state);
  expect(states).toEqual(["active", "building"]);
});

test("a space that is declared during a commit is not there before the commit, nor unknown to the next", async () => {
  const schema = freshSchema();
  const ledger = open(schema);
  const indexed = await withSpaces(ledger);
  await keep(indexed, { a: { text: "tea" } });
  // Stops the commit between its look at the spaces and its end.
  await using holder = await connect(url);
  await holder.query("begin");
  await holder.query(`lock table "${schema}".posting in exclusive mode`);
  const commit = keep(indexed, { b: { text: "tea" } });
  await waitForLocks(schema, 1);
  let made = false;
  const declare = open(schema)
    .spaces.declare({ kind: "lexical", maker: "next" })
    .then(() => {
      made = true;
    });
  await waitForLocks(schema, 2);
  expect(made).toBe(false);
  await holder.query("commit");
  await commit;
  await declare;
  await expect(keep(indexed, { c: { text: "tea" } })).rejects.toMatchObject({ code: "index_changed" });
  expect(names(await matchTerms(indexed, ["tea"]))).toEqual(["b", "a"]);
});

test("statistics are right after many have written, replaced and erased at once", async () => {
  const schema = freshSchema();
  const ledgers = Array.from({ length: 4 }, () => open(schema));
  const indexed = await withSpaces(ledgers[0] as Ledger);
  const spaces = [indexed.lexical, indexed.dense];
  await Promise.all(
    ledgers.map(async (ledger, n) => {
      for (let i = 0; i < 8; i++) {
        const id = `${n}-${i}`;
        const index = [
          { space: indexed.lexical, terms: ["tea", `n${n}`, "tea"] },
          { space: indexed.dense, vector: Float32Array.of(1, 0, 0) },
        ];
        const records = [named(id, note("t")), insert("grain", grain("text", id), { id, index })];
        await ledger.append(alice, { operation: id, records, spaces });
        const entries = [{ space: indexed.lexical, terms: ["milk"] }];
        if (i % 2 === 0) await ledger.index(alice, { grains: [{ grainId: id, entries }], spaces });
        if (i % 4 === 0) await ledger.erase(alice, { operation: `e${id}`, refs: [{ kind: "text", id }] });
      }
    }),
  );
  const found = await matchTerms(indexed, ["tea", "milk", "n1"]);
  // Of eight, two were replaced and erased, two more replaced.
  expect([found.documents, found.frequencies, found.averageLength]).toEqual([
    24,
    [16, 8, 4],
    (16 * 3 + 8) / 24,
  ]);
  const sizes = `select space, entries::int, terms::int, (select count(*)::int from "${schema}".posting) as postings
    from "${schema}".index_size order by space`;
  expect(await ask(url, sizes)).toEqual([
    { space: indexed.lexical, entries: 24, terms: 56, postings: 16 * 2 + 8 },
    { space: indexed.dense, entries: 24, terms: 0, postings: 40 },
  ]);
  await ledgers[0]?.erase(alice, { operation: "all", everything: true });
  expect(await ask(url, sizes)).toMatchObject([
    { entries: 0, terms: 0, postings: 0 },
    { entries: 0, terms: 0 },
  ]);
});

test("a space that is being dropped stays until it is empty, and dropping it again goes on", async () => {
  const schema = freshSchema();
  const ledger = open(schema);
  const indexed = await withSpaces(ledger);
  const sample = { a: { text: "tea", vector: [1, 0, 0] } };
  await keep(indexed, sample);
  await keep(indexed, sample, { user: bob });
  const next = await ledger.spaces.declare({ kind: "dense", maker: "next", dimensions: 3 });
  await ledger.spaces.activate(next.id);
  await using holder = await connect(url);
  await holder.query("begin");
  await holder.query(`lock table "${schema}".vector in exclusive mode`);
  const controller = new AbortController();
  const drop = ledger.spaces.drop(indexed.dense, { signal: controller.signal });
  await waitForLocks(schema, 1);
  controller.abort(new Error("enough"));
  await expect(drop).rejects.toThrow("enough");
  await holder.query("rollback");
  expect((await ledger.spaces.list()).map(({ id, state }) => [id, state])).toEqual([
    [indexed.lexical, "active"],
    [indexed.dense, "retired"],
    [next.id, "active"],
  ]);
  await ledger.spaces.drop(indexed.dense);
  expect((await ledger.spaces.list()).map(({ id }) => id)).toEqual([indexed.lexical, next.id]);
  expect(await nearestTo(indexed, [1, 0, 0])).toEqual([]);
  expect(await ask(url, `select 1 from "${schema}".vector`)).toEqual([]);
  expect(await ask(url, `select space from "${schema}".index_size group by space`)).toEqual([
    { space: indexed.lexical },
  ]);
});
