import { describe, expect, test } from "vitest";
import { factVersion, insertVersions } from "../../test/support/fact-versions.ts";
import { onEveryStore } from "../../test/support/flux-stores.ts";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { inMemoryStore, openMemory } from "../../test/support/open-memory.ts";
import { canonicalKey } from "../facts/canonical.ts";
import type { FactQuery, Facts } from "../facts/facts.ts";
import type { FactVersion, WorldTime } from "../model/fact.ts";
import { partition } from "../model/partition.ts";
import { insert } from "../store/batch.ts";
import { Choices } from "../store/contract/seeded-randomness.ts";

const alice = partition({ userId: "alice" });
const on = (at: number): WorldTime => ({ at, precision: "day" });

async function pagesOf(facts: Facts, query: FactQuery): Promise<string[][]> {
  const pages: string[][] = [];
  for (let { after } = query; ; ) {
    const { items, cursor } = await facts.query({ ...query, after });
    pages.push(items.map(({ object }) => object));
    if (cursor === undefined) return pages;
    after = cursor;
  }
}

async function objects(facts: Facts, query: FactQuery = {}): Promise<string[]> {
  return (await pagesOf(facts, query)).flat();
}

/** What a query should find, by its definition. */
function naively(versions: readonly FactVersion[], query: FactQuery, now: number): string[] {
  const { asOf, knownAt, history, subject, predicate, object, affirmed, minConfidence = 0 } = query;
  const at = history === true ? undefined : (asOf ?? knownAt ?? now);
  const found = versions.filter((version) => {
    const { validFrom, validUntil, recordedFrom, retiredAt, status } = version;
    const believed =
      knownAt === undefined
        ? status === "current"
        : recordedFrom <= knownAt && !(retiredAt !== undefined && retiredAt <= knownAt);
    const holds =
      at === undefined ||
      (!(validFrom !== undefined && validFrom.at > at) && !(validUntil !== undefined && validUntil.at <= at));
    return (
      believed &&
      holds &&
      (subject === undefined || canonicalKey(subject) === version.subjectKey) &&
      (predicate === undefined || predicate === version.predicate) &&
      (object === undefined || canonicalKey(object) === version.objectKey) &&
      (affirmed === undefined || affirmed === version.affirmed) &&
      (query.sessionId === undefined || query.sessionId === version.sessionId) &&
      (query.agentId === undefined || query.agentId === version.agentId) &&
      version.confidence >= minConfidence
    );
  });
  const inOrder = query.order === "oldest" ? found : found.toReversed();
  return inOrder.map(({ reason = "" }) => reason);
}

onEveryStore((store) => {
  test("queries find what their definition says, whatever the times and the conditions", async () => {
    await using one = await openMemory(store);
    const choose = new Choices(5);
    const now = one.clock.now();
    const someTime = (): number => now - 100 + choose.below(200);
    const names = ["Ann", "ANN", "Bob", "user"];
    const predicates = ["likes", "lives_in", "knows"];
    const versions = Array.from({ length: 200 }, (_, i): FactVersion => {
      const retired = choose.chance(40);
      const recordedFrom = now - 100 + Math.floor(i / 2);
      const from = choose.chance(70) ? on(someTime()) : undefined;
      const until = choose.chance(40) ? on((from?.at ?? now) + 1 + choose.below(60)) : undefined;
      return factVersion([choose.of(names), choose.of(predicates), choose.of(["Porto", "Tokyo", "Ann"])], {
        ...{
          reason: String(i),
          recordedFrom,
          confidence: choose.below(11) / 10,
          affirmed: choose.chance(80),
        },
        ...(from === undefined ? {} : { validFrom: from }),
        ...(until === undefined ? {} : { validUntil: until }),
        ...(retired
          ? choose.of([
              { status: "retired", retiredAt: recordedFrom + choose.below(50), retiredReason: "replaced" },
              { status: "contested", retiredAt: recordedFrom + choose.below(50), retiredReason: "contested" },
              { status: "contested", retiredAt: recordedFrom, retiredReason: "contested" },
            ])
          : {}),
        ...(choose.chance(50) ? { sessionId: choose.of(["s", "t"]) } : {}),
        ...(choose.chance(50) ? { agentId: choose.of(["a", "b"]) } : {}),
      });
    });
    await insertVersions(one.ledger, alice, "all", versions);
    for (let i = 0; i < 60; i++) {
      const query: FactQuery = {
        ...(choose.chance(40) ? { subject: choose.of(names) } : {}),
        ...(choose.chance(40) ? { predicate: choose.of(predicates) } : {}),
        ...(choose.chance(30) ? { object: choose.of(["porto ", "TOKYO", "ann"]) } : {}),
        ...(choose.chance(60) ? { knownAt: someTime() } : {}),
        ...(choose.chance(30) ? { history: true } : choose.chance(60) ? { asOf: someTime() } : {}),
        ...(choose.chance(20) ? { affirmed: choose.chance(50) } : {}),
        ...(choose.chance(20) ? { minConfidence: choose.below(11) / 10 } : {}),
        ...(choose.chance(20) ? { sessionId: "s" } : {}),
        ...(choose.chance(20) ? { agentId: "b" } : {}),
        ...(choose.chance(50) ? { order: "oldest" } : {}),
      };
      const expected = naively(versions, query, now);
      const { items } = await one.memory.facts.query({ ...query, limit: 1000 });
      expect({ query, found: items.map(({ reason }) => reason) }).toEqual({ query, found: expected });
      if (i % 10 > 0) continue;
      expect(await one.memory.facts.count(withoutOrder(query))).toBe(expected.length);
      const paged: (string | undefined)[] = [];
      for (let after: string | undefined; ; ) {
        const page = await one.memory.facts.list({ ...query, limit: 7, after });
        paged.push(...page.items.map(({ reason }) => reason));
        after = page.cursor;
        if (after === undefined) break;
      }
      expect(paged).toEqual(expected);
    }
  });

  test("names are hostile: each is found by itself alone, in queries and in pages", async () => {
    await using one = await openMemory(store);
    const names = [
      ...hostileTexts.filter(
        (text) => text.length < 100 && text.trim() !== "" && !/[\0\ud800-\udfff]/.test(text),
      ),
      ...[
        "%",
        "*",
        "_",
        "a%",
        "a_",
        "ab",
        "'; drop table fact; --",
        '"',
        "\\",
        "北京",
        "👩‍👩‍👧",
        "مرحبا",
        "é",
      ],
      ...["x".repeat(512), `${"x".repeat(511)}y`, "[]", "null", "a*b", "current", "retired"],
    ];
    const distinct = [...new Map(names.map((name) => [canonicalKey(name), name])).values()];
    await insertVersions(
      one.ledger,
      alice,
      "names",
      distinct.map((name) => factVersion([name, "is", `of ${name}`], { reason: canonicalKey(name) })),
    );
    for (const name of distinct) {
      const found = await one.memory.facts.query({ subject: name, limit: 2 });
      expect(found.items.map(({ reason }) => reason)).toEqual([canonicalKey(name)]);
      expect((await one.memory.facts.query({ object: `OF ${name}` })).items).toHaveLength(1);
    }
    expect(await objects(one.memory.facts, { limit: 5 })).toEqual(
      distinct.map((name) => `of ${name}`).toReversed(),
    );
    expect(await objects(one.flux.for({ userId: "alic_" }).facts)).toEqual([]);
  });

  test("pages have every fact that is not changed once, while others are written and change", async () => {
    await using one = await openMemory(store);
    const first = Array.from({ length: 20 }, (_, i) => factVersion(["user", "likes", `old ${i}`]));
    const ids = await insertVersions(one.ledger, alice, "first", first);
    const { items, cursor } = await one.memory.facts.query({ limit: 8 });
    expect(items.map(({ object }) => object)).toEqual(
      first
        .slice(12)
        .map(({ object }) => object)
        .toReversed(),
    );
    await insertVersions(one.ledger, alice, "more", [factVersion(["user", "likes", "new"])]);
    await one.ledger.erase(alice, { refs: [{ kind: "fact", id: ids[11] ?? "" }], operation: "erase" });
    const rest = await objects(one.memory.facts, { limit: 8, after: cursor });
    expect(rest).toEqual(
      first
        .slice(0, 11)
        .map(({ object }) => object)
        .toReversed(),
    );
    expect((await one.memory.facts.query({ limit: 1 })).items[0]?.object).toBe("new");
  });

  test("with a record time all pages are of one moment", async () => {
    await using one = await openMemory(store);
    const now = one.clock.now();
    const all = Array.from({ length: 12 }, (_, i) =>
      factVersion(["user", "likes", `thing ${i}`], {
        recordedFrom: now - 10,
        ...(i % 2 === 0 ? { status: "retired", retiredAt: now + 5, retiredReason: "replaced" } : {}),
      }),
    );
    await insertVersions(one.ledger, alice, "all", all);
    const then = await objects(one.memory.facts, { knownAt: now, limit: 5 });
    expect(then).toEqual(all.map(({ object }) => object).toReversed());
    expect(await objects(one.memory.facts, { knownAt: now + 5 })).toHaveLength(6);
  });

  test("a fact is read by its id and by that of each version, its history from the first", async () => {
    await using one = await openMemory(store);
    const now = one.clock.now();
    const retired = { status: "retired", retiredReason: "replaced" } as const;
    const text = insert(
      "text",
      { form: "note", content: "I am 41.", provenance: "user_stated", statedAt: now },
      { id: "said" },
    );
    await one.ledger.append(alice, { operation: "text", records: [text] });
    const source = { kind: "text", id: "said", start: 0, end: 8 };
    const versions = [
      factVersion(["user", "age", "40"], {
        factId: "age",
        ...retired,
        retiredAt: now - 5,
        recordedFrom: now - 9,
      }),
      factVersion(["user", "age", "41"], {
        ...{ factId: "age", recordedFrom: now - 5, mentions: 2, reason: "corrected" },
        evidence: [3, 1, 2].map((saidAt) => ({ saidAt, provenance: "user_stated", confidence: 1 })),
      }),
    ];
    const { ids } = await one.ledger.append(alice, {
      operation: "versions",
      records: versions.map((version, i) => insert("fact", version, i === 1 ? { sources: [source] } : {})),
    });
    const [first, second] = ids as [string, string];
    expect(await one.memory.facts.get("age")).toEqual({
      ...{ id: second, factId: "age", subject: "user", predicate: "age", object: "41", affirmed: true },
      ...{ confidence: 1, provenance: "user_stated", recordedFrom: now - 5, reason: "corrected" },
      ...{ sources: [{ ...source, role: "source" }], mentions: 2, firstSaidAt: 1, lastSaidAt: 3 },
    });
    expect(await one.memory.facts.get(first)).toMatchObject({ object: "40", recordedUntil: now - 5 });
    for (const id of ["age", first, second]) {
      const history = await one.memory.facts.history(id);
      expect(history.map(({ object }) => object)).toEqual(["40", "41"]);
      expect(history[0]).toMatchObject({ retiredReason: "replaced", supersededBy: second });
    }
    expect(await one.memory.facts.get("nothing")).toBeUndefined();
    expect(await one.memory.facts.history("nothing")).toEqual([]);
    expect(await one.flux.for({ userId: "bob" }).facts.get("age")).toBeUndefined();
  });

  test("a fact is erased with all of its versions, and nothing else", async () => {
    await using one = await openMemory(store);
    const retired = { status: "retired", retiredReason: "replaced", retiredAt: 1 } as const;
    const [old] = await insertVersions(one.ledger, alice, "all", [
      factVersion(["user", "age", "40"], { factId: "age", ...retired }),
      factVersion(["user", "age", "41"], { factId: "age" }),
      factVersion(["user", "likes", "tea"]),
    ]);
    const receipt = await one.memory.facts.delete(old ?? "", { operation: "away" });
    expect(receipt.counts).toMatchObject({ fact: 2 });
    expect(await one.memory.facts.history("age")).toEqual([]);
    expect(await objects(one.memory.facts, { history: true, knownAt: one.clock.now() })).toEqual(["tea"]);
    expect((await one.memory.facts.delete(old ?? "", { operation: "away" })).id).toBe(receipt.id);
    await expect(one.memory.facts.delete("age")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a query", () => {
  test("is refused where it says nothing, or two things at once", async () => {
    await using one = await openMemory(inMemoryStore);
    const { facts } = one.memory;
    const wrong: readonly [FactQuery, string][] = [
      [{ history: true, asOf: 5 }, "invalid_argument"],
      [{ subject: "  " }, "invalid_argument"],
      [{ object: 5 as never }, "invalid_argument"],
      [{ asOf: new Date() as never }, "invalid_argument"],
      [{ limit: 0 }, "invalid_argument"],
      [{ minConfidence: 2 }, "invalid_argument"],
      [{ order: "best" as never }, "invalid_argument"],
      [{ sessionId: "" }, "invalid_id"],
      [{ after: "nonsense" }, "invalid_cursor"],
      [{ topK: 5 } as never, "invalid_argument"],
    ];
    for (const [query, code] of wrong) await expect(facts.query(query)).rejects.toMatchObject({ code });
    await insertVersions(one.ledger, alice, "two", [
      factVersion(["user", "likes", "tea"]),
      factVersion(["user", "likes", "milk"]),
    ]);
    const { cursor } = await facts.query({ limit: 1 });
    await expect(facts.query({ limit: 1, subject: "user", after: cursor })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
    await expect(facts.query({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });
});

function withoutOrder({ order: _order, ...query }: FactQuery): FactQuery {
  return query;
}
