import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../../test/postgres/database.ts";
import { insert } from "../../batch.ts";
import { ManualClock } from "../../contract/manual-clock.ts";
import { randomFilter, randomMetadata } from "../../contract/random-filter.ts";
import { grain, named, note, past } from "../../contract/samples.ts";
import { Choices } from "../../contract/seeded-randomness.ts";
import type { Ledger } from "../../ledger.ts";
import { inMemoryLedger } from "../../memory/ledger.ts";
import { around, match, nearest } from "../../read.ts";
import type { GrainConditions, IndexEntry, Matches, Neighbours } from "../../search.ts";
import { sqliteLedger } from "../../sqlite/ledger.ts";
import { postgresLedger } from "../ledger.ts";

const url = inject("postgresUrl");
const clock = new ManualClock();
const dimensions = 16;
const users = ["ann", "bob"].map((userId) => ({ namespace: "n", userId }));
const ledgers: Record<string, Ledger> = {};
const databases: TestDatabase[] = [];

async function database(options: { restricted?: boolean } = {}): Promise<{ url: string; schema: string }> {
  const made = await freshDatabase(url, options);
  databases.push(made);
  return { url: made.url, schema: made.schema };
}

beforeAll(async () => {
  const restricted = await database({ restricted: true });
  Object.assign(ledgers, {
    memory: inMemoryLedger({ clock }),
    sqlite: sqliteLedger({ path: ":memory:", clock }),
    "with pgvector": postgresLedger({ ...(await database()), clock }),
    "without pgvector": postgresLedger({ ...restricted, clock }),
    "without pgvector, and without memory": postgresLedger({ ...restricted, clock, vectorMemory: 0 }),
  });
});

afterAll(async () => {
  for (const ledger of Object.values(ledgers)) await ledger.close();
  for (const made of databases) await made[Symbol.asyncDispose]();
});

const words = [
  ...["tea", "Tea", "milk", "\u0000", "\ud800", "%", "*", '"', "'", "\\", "AND", "NEAR(", "北京", "مرحبا"],
  ...["👩‍👩‍👧", "e\u0301", "é", "--", "1.5", "x".repeat(500), "a\u00a0b", "rare", "İ", "ﬁ"],
];
const choices = new Choices(7);

function randomTerms(most: number): string[] {
  // The first words are frequent.
  return Array.from(
    { length: choices.below(most) },
    () => words[choices.below(1 + choices.below(words.length))] ?? "",
  );
}

/**
 * Vectors of length 1 whose products have the same sum in any order and precision, so that what is equal is so everywhere:
 * four numbers of 1/2 or -1/2.
 */
function randomVector(): Float32Array {
  const vector = new Float32Array(dimensions);
  if (choices.chance(5)) return vector;
  const places = new Set<number>();
  while (places.size < 4) places.add(choices.below(dimensions));
  for (const place of places) vector[place] = choices.chance(50) ? 0.5 : -0.5;
  return vector;
}

function randomEntries([lexical, dense]: readonly number[]): IndexEntry[] {
  return [
    ...(choices.chance(90) ? [{ space: lexical as number, terms: randomTerms(30) }] : []),
    ...(choices.chance(90) ? [{ space: dense as number, vector: randomVector() }] : []),
  ];
}

function randomConditions(): GrainConditions {
  const from = past + choices.below(40);
  return {
    ...(choices.chance(30) ? { sessionIds: choices.some([null, "s1", "s2", "s3"], 50) } : {}),
    ...(choices.chance(20) ? { agentIds: choices.some([null, "a"], 60) } : {}),
    ...(choices.chance(20) ? { status: choices.some(["active", "dormant", "archived"] as const, 60) } : {}),
    ...(choices.chance(20) ? { from } : {}),
    ...(choices.chance(20) ? { until: from + 20 } : {}),
    ...(choices.chance(30) ? { filter: randomFilter(choices, 1) } : {}),
  };
}

async function inAll(work: (ledger: Ledger) => Promise<unknown>): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const [name, ledger] of Object.entries(ledgers)) results[name] = await work(ledger);
  return results;
}

/** What every ledger answers is what the one in memory does. */
async function agree(work: (ledger: Ledger) => Promise<unknown>): Promise<unknown> {
  const { memory, ...others } = await inAll(work);
  for (const [name, result] of Object.entries(others)) expect(result, name).toEqual(memory);
  return memory;
}

/** The candidates as `recall/` scores them. */
function rescored({ candidates, documents, averageLength, frequencies }: Matches): unknown {
  return candidates
    .map(({ grain, length, counts }) => {
      const score = counts.reduce((sum, count, i) => {
        const frequency = frequencies[i] as number;
        const rarity = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
        return sum + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / averageLength));
      }, 0);
      return { score: Math.round(score * 1e6) / 1e6, seq: grain.seq, grain, length, counts };
    })
    .sort((a, b) => b.score - a.score || b.seq - a.seq);
}

test("the same data and the same queries give the same results in every ledger", async () => {
  expect(await inAll(async (ledger) => (await ledger.capabilities()).vectors)).toEqual({
    memory: "in_process",
    sqlite: "in_process",
    "with pgvector": "pgvector",
    "without pgvector": "in_process",
    "without pgvector, and without memory": "in_process",
  });
  // The last two are one store.
  const { "without pgvector, and without memory": again, ...stores } = ledgers;
  const inStores = async (work: (ledger: Ledger) => Promise<unknown>) => {
    for (const ledger of Object.values(stores)) await work(ledger);
  };
  await agree((ledger) => ledger.spaces.declare({ kind: "lexical", maker: "l" }));
  await agree((ledger) => ledger.spaces.declare({ kind: "dense", maker: "d", dimensions }));
  const spaces = [1, 2];
  let names = 0;
  for (let round = 0; round < 6; round++) {
    for (const user of users) {
      const records = Array.from({ length: 40 }, () => {
        const id = `g${names++}`;
        const metadata = randomMetadata(choices);
        const content = {
          ...grain("text", id),
          ...(choices.chance(70) ? { sessionId: choices.of(["s1", "s2", "s3"]) } : {}),
          ...(choices.chance(50) ? { agentId: "a" } : {}),
          ...(metadata === undefined ? {} : { metadata }),
          ...(choices.chance(15) ? { expiresAt: clock.now() + choices.below(3) + 1 } : {}),
          status: choices.of(["active", "active", "dormant", "archived"] as const),
          saidAt: past + choices.below(50),
        };
        return [named(id, note("n")), insert("grain", content, { id, index: randomEntries(spaces) })];
      });
      const request = { operation: `o${names}`, records: records.flat(), spaces };
      await inStores((ledger) => ledger.append(user, request));
      const ids = Array.from({ length: 8 }, () => `g${choices.below(names)}`);
      const grains = [...new Set(ids)].map((grainId) => ({ grainId, entries: randomEntries(spaces) }));
      await inStores((ledger) => ledger.index(user, { grains, spaces }));
      const refs = Array.from({ length: 4 }, () => ({ kind: "text", id: `g${choices.below(names)}` }));
      const found = await Promise.all(
        refs.map(({ id }) => ledgers.memory?.read([user], [{ type: "get", kind: "text", id }])),
      );
      const there = refs.filter((_ref, i) => found[i]?.[0] !== undefined);
      if (there.length > 0)
        await inStores((ledger) => ledger.erase(user, { operation: `e${names}`, refs: there }));
    }
    clock.advance(1);
    for (let i = 0; i < 12; i++) {
      const user = choices.of(users);
      const where = choices.chance(30) ? {} : randomConditions();
      const terms = [...new Set(randomTerms(8).filter((word) => word !== "\ud800"))];
      await agree(async (ledger) => {
        const [found] = await ledger.read([user], [match({ space: 1, terms, where, limit: 1000 })]);
        const { candidates, ...statistics } = found;
        return [statistics, rescored(found)];
      });
      const limit = 1 + choices.below(20);
      const [best] = (await ledgers.memory?.read([user], [match({ space: 1, terms, where, limit })])) ?? [];
      const [same] =
        (await ledgers["with pgvector"]?.read([user], [match({ space: 1, terms, where, limit })])) ?? [];
      expect((same as Matches).candidates).toEqual((best as Matches).candidates);
      const vector = randomVector();
      const near = (await agree(async (ledger) => {
        const [found] = await ledger.read([user], [nearest({ space: 2, vector, where, limit: 1000 })]);
        return [...found].sort((a, b) => b.similarity - a.similarity || b.grain.seq - a.grain.seq);
      })) as Neighbours;
      const nearer = await inAll(async (ledger) => {
        const [found] = await ledger.read([user], [nearest({ space: 2, vector, where, limit })]);
        return found.map(({ similarity }) => similarity);
      });
      const similarities = near.slice(0, limit).map(({ similarity }) => similarity);
      for (const [name, found] of Object.entries(nearer)) expect(found, name).toEqual(similarities);
      await agree(async (ledger) => {
        const grains = near.slice(0, 5).map(({ grain }) => grain);
        const [next] = await ledger.read([user], [around({ grains, reach: 2 })]);
        return next.map(({ of, distance, grain }) => [of, distance, grain.id]).sort();
      });
    }
  }
}, 300_000);

test("similarities of vectors of length 1 differ by less than 0.00001", async () => {
  const user = { namespace: "n", userId: "carl" };
  const unit = (): Float32Array => {
    const vector = Float32Array.from({ length: dimensions }, () => choices.below(2001) - 1000);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
  const { "without pgvector, and without memory": again, ...stores } = ledgers;
  const records = Array.from({ length: 50 }, (_, i) => [
    named(`u${i}`, note("n")),
    insert("grain", grain("text", `u${i}`), { id: `u${i}`, index: [{ space: 2, vector: unit() }] }),
  ]);
  for (const ledger of Object.values(stores))
    await ledger.append(user, { operation: "units", records: records.flat(), spaces: [1, 2] });
  const vector = unit();
  const { memory, ...others } = await inAll(async (ledger) => {
    const [found] = await ledger.read([user], [nearest({ space: 2, vector, limit: 100 })]);
    return Object.fromEntries(found.map(({ grain, similarity }) => [grain.id, similarity]));
  });
  expect(Object.keys(memory as object)).toHaveLength(50);
  for (const [name, similarities] of Object.entries(others)) {
    for (const [id, similarity] of Object.entries(memory as Record<string, number>)) {
      const other = (similarities as Record<string, number>)[id] as number;
      expect(Math.abs(other - similarity), name).toBeLessThan(1e-5);
    }
  }
});
