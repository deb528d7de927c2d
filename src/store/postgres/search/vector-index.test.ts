import { expect, inject, onTestFinished, test } from "vitest";
import { ask, freshSchema } from "../../../../test/postgres/database.ts";
import { insert } from "../../batch.ts";
import { alice, bob } from "../../contract/expectations.ts";
import { grain, named, note, past } from "../../contract/samples.ts";
import { Choices } from "../../contract/seeded-randomness.ts";
import type { Ledger } from "../../ledger.ts";
import { nearest } from "../../read.ts";
import { postgresLedger } from "../ledger.ts";

const url = inject("postgresUrl");
const choices = new Choices(3);

function open(schema: string): Ledger {
  const ledger = postgresLedger({ url, schema });
  onTestFinished(() => ledger.close());
  return ledger;
}

function unit(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => choices.below(2001) - 1000);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

async function fill(
  ledger: Ledger,
  space: number,
  count: number,
  dimensions: number,
  user = alice,
): Promise<void> {
  const records = Array.from({ length: count }, (_, i) => [
    named(`${i}`, note("n")),
    insert(
      "grain",
      { ...grain("text", `${i}`), saidAt: past + i },
      { id: `${i}`, index: [{ space, vector: unit(dimensions) }] },
    ),
  ]);
  await ledger.append(user, { operation: "fill", records: records.flat(), spaces: [space] });
}

/** Has searches and maintenance take the partitions of a store for large ones. */
async function pretendLarge(schema: string): Promise<void> {
  await ask(url, `update "${schema}".index_size set entries = entries + 10000`);
}

async function indexes(schema: string): Promise<unknown> {
  return ask(
    url,
    `select c.relname as name, a.amname as method, i.indisvalid as valid
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where c.relnamespace = $1::regnamespace and c.relname like 'vector_near%'`,
    [`"${schema}"`],
  );
}

async function uses(schema: string): Promise<number> {
  // Statistics are told when a session ends, or a second later.
  const [row] = await ask<{ uses: string }>(
    url,
    `select coalesce(sum(idx_scan), 0) as uses from pg_stat_all_indexes where schemaname = $1 and indexrelname like 'vector_near%'`,
    [schema],
  );
  return Number(row?.uses);
}

const valid = (space: number) => ({ name: `vector_near_${space}`, method: "hnsw", valid: true });

for (const dimensions of [8, 2001]) {
  test(`large partitions are searched along an index that maintenance makes: ${dimensions} dimensions`, async () => {
    const schema = freshSchema();
    const ledger = open(schema);
    const { id: space } = await ledger.spaces.declare({ kind: "dense", maker: "m", dimensions });
    await fill(ledger, space, 120, dimensions);
    await fill(ledger, space, 30, dimensions, bob);
    const find = async (from: Ledger, vector: Float32Array, more = {}, user = alice) => {
      const [found] = await from.read([user], [nearest({ space, vector, limit: 20, ...more })]);
      return found.map(({ grain, similarity }) => [grain.id, similarity.toFixed(5)]);
    };
    const queries = Array.from({ length: 8 }, () => unit(dimensions));
    const few = { where: { from: past + 100, until: past + 110 } };
    const exact = [];
    for (const query of queries)
      exact.push([
        await find(ledger, query),
        await find(ledger, query, few),
        await find(ledger, query, {}, bob),
      ]);

    await ledger.maintain();
    expect(await indexes(schema)).toEqual([]);
    await pretendLarge(schema);
    await ledger.maintain();
    expect(await indexes(schema)).toEqual([valid(space)]);
    const searcher = postgresLedger({ url, schema });
    for (const [i, query] of queries.entries()) {
      const found = [
        await find(searcher, query),
        await find(searcher, query, few),
        await find(searcher, query, {}, bob),
      ];
      expect(found).toEqual(exact[i]);
      expect(found.map(({ length }) => length)).toEqual([20, 10, 20]);
    }
    await searcher.close();
    await expect.poll(() => uses(schema)).toBeGreaterThanOrEqual(8);

    // What is written, replaced and erased afterwards is found, or not.
    const vector = queries[0] as Float32Array;
    await ledger.index(alice, { grains: [{ grainId: "7", entries: [{ space, vector }] }], spaces: [space] });
    expect((await find(ledger, vector))[0]?.[0]).toBe("7");
    await ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "7" }] });
    expect((await find(ledger, vector)).map(([id]) => id)).not.toContain("7");
    const { id: next } = await ledger.spaces.declare({ kind: "dense", maker: "next", dimensions });
    await ledger.spaces.activate(next);
    await ledger.spaces.drop(space);
    expect(await indexes(schema)).toEqual([]);
  });
}

test("an index that was not finished is made anew, and of several who maintain one makes it", async () => {
  const schema = freshSchema();
  const ledger = open(schema);
  const { id: space } = await ledger.spaces.declare({ kind: "dense", maker: "m", dimensions: 4 });
  await fill(ledger, space, 20, 4);
  await pretendLarge(schema);
  await ledger.maintain();
  await ask(
    url,
    `update pg_index set indisvalid = false where indexrelid = '"${schema}".vector_near_${space}'::regclass`,
  );
  const query = unit(4);
  const search = async () =>
    (await ledger.read([alice], [nearest({ space, vector: query, limit: 5 })]))[0].length;
  expect(await search()).toBe(5);
  const all = [ledger, open(schema), open(schema)];
  await Promise.all(all.map((one) => one.maintain()));
  expect(await indexes(schema)).toEqual([valid(space)]);
  expect(await search()).toBe(5);
});

test("vectors of more dimensions than an index takes are searched exactly", async () => {
  const schema = freshSchema();
  const ledger = open(schema);
  const dimensions = 4001;
  const { id: space } = await ledger.spaces.declare({ kind: "dense", maker: "m", dimensions });
  await fill(ledger, space, 3, dimensions);
  await pretendLarge(schema);
  await ledger.maintain();
  expect(await indexes(schema)).toEqual([]);
  const [found] = await ledger.read([alice], [nearest({ space, vector: unit(dimensions), limit: 5 })]);
  expect(found).toHaveLength(3);
});
