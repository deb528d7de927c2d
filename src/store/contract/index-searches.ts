import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { mostWalked } from "../leading-terms.ts";
import { around } from "../read.ts";
import type { GrainConditions } from "../search.ts";
import { alice, bob, each, rejects } from "./expectations.ts";
import { keep, matchTerms, names, nearestTo, type sample, withSpaces } from "./indexing.ts";
import { ManualClock } from "./manual-clock.ts";
import { grain, message, named, note, past } from "./samples.ts";
import { group, test } from "./suite.ts";

export const indexSearches = group("index, searches", [
  test("a match tells what it takes to score: the partition's statistics, and counts and length of each candidate", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    await keep(indexed, {
      a: { text: "tea tea milk" },
      b: { text: "tea" },
      c: { text: "sugar and spice and tea" },
    });
    await keep(indexed, { d: { text: "bread" } }, { user: bob });
    const found = await matchTerms(indexed, ["tea", "milk", "bread"]);
    assert.deepEqual([found.documents, found.averageLength, found.frequencies], [3, 3, [3, 1, 0]]);
    const candidates = found.candidates.map(({ grain, length, counts }) => [grain.id, length, counts]);
    assert.deepEqual(candidates, [
      ["a", 3, [2, 1, 0]],
      ["b", 1, [1, 0, 0]],
      ["c", 5, [1, 0, 0]],
    ]);
    assert.deepEqual(found.candidates[0]?.grain.ownerId, "a");
    const none = await matchTerms(indexed, ["tea"], { user: { namespace: "default", userId: "nobody" } });
    assert.deepEqual(none, { documents: 0, averageLength: 0, frequencies: [0], candidates: [] });
    assert.deepEqual((await matchTerms(indexed, [])).candidates, []);
  }),

  test("the rarer term weighs more, and of equal grains the newest comes first", async ({ open }) => {
    const indexed = await withSpaces(await open());
    await keep(indexed, { a: { text: "tea" }, b: { text: "tea" }, c: { text: "tea" }, d: { text: "milk" } });
    assert.deepEqual(names(await matchTerms(indexed, ["tea", "milk"])), ["d", "c", "b", "a"]);
    assert.deepEqual(names(await matchTerms(indexed, ["tea", "milk"], { limit: 2 })), ["d", "c"]);
  }),

  test("what others store changes nothing about who is found", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const text = (i: number): string => `tea ${"milk ".repeat(i % 4)}${"sugar ".repeat(i % 7)}w${i}`;
    await keep(
      indexed,
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`n${i}`, { text: text(i) }])),
      {
        operation: "mine",
      },
    );
    const search = async () => names(await matchTerms(indexed, ["milk", "sugar", "w7"], { limit: 10 }));
    const before = await search();
    assert.equal(before.length, 10);
    const others = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`o${i}`, { text: `sugar ${"bread ".repeat(50)}` }]),
    );
    await keep(indexed, others, { user: bob, operation: "theirs" });
    assert.deepEqual(await search(), before);
  }),

  test("terms that are nearly everywhere bring candidates where the rare ones bring too few", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    await ledger.append(alice, { operation: "owner", records: [named("owner", note("owner"))] });
    const count = mostWalked + 1000;
    for (let start = 0; start < count; start += 1000) {
      const records = Array.from({ length: 1000 }, (_, i) => {
        const terms = [...(start + i < 3 ? ["rare"] : ["common"]), "also", `w${(start + i) % 300}`];
        const kept = { ...grain("text", "owner"), agentId: `a${(start + i) % 4}` };
        return insert("grain", kept, {
          id: `g${start + i}`,
          index: [{ space: lexical, terms }],
        });
      });
      await ledger.append(alice, { operation: `${start}`, records, spaces: [lexical, dense] });
    }
    const found = await matchTerms(indexed, ["common", "rare", "also"], { limit: 200 });
    assert.deepEqual(found.frequencies, [count - 3, 3, count]);
    assert.equal(found.candidates.length, 200);
    assert.deepEqual(names(found).slice(0, 3), ["g2", "g1", "g0"]);
    // Of so many, few or most that meet a condition have the same order.
    for (const agents of [[1], [1, 2, 3]]) {
      const where = { agentIds: agents.map((agent) => `a${agent}`) };
      const some = names(await matchTerms(indexed, ["common", "rare"], { where, limit: 40 }));
      const meets = (name: string): boolean => agents.includes(Number(name.slice(1)) % 4);
      assert.deepEqual(some, names(found).filter(meets).slice(0, 40));
    }
    // Here the rare ones are enough: the others only count.
    const few = await matchTerms(indexed, ["w1", "common"], { limit: 20 });
    assert.equal(few.candidates.length, 20);
    for (const { counts } of few.candidates) assert.deepEqual(counts, [1, 1]);
  }, 120_000),

  test("terms are any text, compared as they are", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const terms = [
      ...[
        '"',
        "'",
        "*",
        "AND",
        "OR",
        "NOT",
        "NEAR(a",
        "(",
        ")",
        "a*",
        "^a",
        "a:b",
        "-a",
        "+a",
        "{a}",
        "%",
        "_",
        "\\",
      ],
      ...[
        "A",
        "a",
        "É",
        "é",
        "e\u0301",
        "北京",
        "مرحبا",
        "👩‍👩‍👧",
        "𝒳",
        "\u0000",
        "\ud800",
        "--",
        "/*",
        ";",
        "entry",
        "1.2_x",
      ],
      ...["x".repeat(10_000), "x".repeat(10_001), "a\u00a0b", "line\nbreak", "\u200b", "\ue041"],
    ];
    await keep(indexed, Object.fromEntries(terms.map((_term, i) => [`n${i}`, { text: "" }])), {
      operation: "empty",
    });
    const records = terms.flatMap((term, i) => [
      named(`t${i}`, note("t")),
      insert("grain", grain("text", `t${i}`), {
        id: `t${i}`,
        index: [{ space: indexed.lexical, terms: [term] }],
      }),
    ]);
    await indexed.ledger.append(alice, { operation: "o", records, spaces: [indexed.lexical, indexed.dense] });
    for (const [i, term] of terms.entries()) {
      const found = await matchTerms(indexed, [term]);
      // NUL and lone surrogates are both replaced, and are found by each other.
      const replaced = (text: string): boolean => text === "\u0000" || text === "\ud800";
      const same = terms.flatMap((other, j) =>
        (replaced(term) ? replaced(other) : i === j) ? [`t${j}`] : [],
      );
      assert.deepEqual(names(found).sort(), same.sort(), JSON.stringify(term.slice(0, 20)));
    }
  }),

  test("conditions hold before the limit, and lists of what is allowed say what else is", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    const vector = [1, 0, 0];
    const tea = (more: Parameters<typeof sample>[2]["grain"]) => ({ text: "tea", vector, grain: more ?? {} });
    await keep(indexed, {
      plain: tea({}),
      session: tea({ sessionId: "s" }),
      agent: tea({ agentId: "a" }),
      stated: tea({ provenance: "ai_stated" }),
      archived: tea({ status: "archived" }),
      early: tea({ saidAt: past - 1000 }),
      late: tea({ saidAt: past + 1000 }),
      tagged: tea({ metadata: { topic: "drinks", n: 3 } }),
    });
    const all = ["plain", "session", "agent", "stated", "archived", "early", "late", "tagged"];
    const but = (...left: string[]): string[] => all.filter((name) => !left.includes(name));
    const expected: Record<string, [GrainConditions, string[]]> = {
      nothing: [{}, all],
      "a session": [{ sessionIds: ["s"] }, ["session"]],
      "no session": [{ sessionIds: [null] }, but("session")],
      "two sessions": [{ sessionIds: [null, "s"] }, all],
      "no session at all": [{ sessionIds: [] }, []],
      agent: [{ agentIds: ["a"] }, ["agent"]],
      kind: [{ ownerKinds: ["message"] }, []],
      kinds: [{ ownerKinds: ["message", "text"] }, all],
      provenance: [{ provenance: ["ai_stated", "ai_inferred"] }, ["stated"]],
      status: [{ status: ["active"] }, but("archived")],
      from: [{ from: past }, but("early")],
      until: [{ until: past }, ["early"]],
      between: [{ from: past + 1, until: past + 1001 }, ["late"]],
      filter: [{ filter: { topic: "drinks", n: { gte: 3 } } }, ["tagged"]],
      both: [{ filter: { not: { topic: "drinks" } }, status: ["active"] }, but("tagged", "archived")],
    };
    await each(expected, async ([where, wanted]) => {
      for (const found of [
        await matchTerms(indexed, ["tea"], { where }),
        await nearestTo(indexed, vector, { where }),
      ])
        assert.deepEqual(names(found).sort(), [...wanted].sort());
    });
    const early = await matchTerms(indexed, ["tea"], { where: { until: past }, limit: 1 });
    assert.deepEqual([names(early), early.documents, early.frequencies], [["early"], 8, [8]]);
    assert.deepEqual(names(await nearestTo(indexed, vector, { where: { until: past }, limit: 1 })), [
      "early",
    ]);
  }),

  test("what meets conditions is found in the order that it has among all, however much of it there is", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    await keep(
      indexed,
      Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => {
          const kept = {
            provenance: i % 2 === 0 ? "user_stated" : "ai_stated",
            agentId: `a${i % 20}`,
          } as const;
          return [
            `n${i}`,
            {
              text: `tea ${"milk ".repeat(i % 7)}`,
              vector: [Math.cos(i % 9), Math.sin(i % 9), 0],
              grain: kept,
            },
          ];
        }),
      ),
    );
    for (const where of [{ provenance: ["user_stated"] }, { agentIds: ["a3"] }] as const) {
      const meets = (name: string): boolean =>
        "agentIds" in where ? Number(name.slice(1)) % 20 === 3 : Number(name.slice(1)) % 2 === 0;
      for (const search of [
        (options: object) => matchTerms(indexed, ["milk", "tea"], options),
        (options: object) => nearestTo(indexed, [0.6, 0.8, 0], options),
      ]) {
        const all = names(await search({ limit: 60 }));
        assert.equal(all.length, 60);
        const some = names(await search({ where, limit: 20 }));
        assert.deepEqual(some, all.filter(meets).slice(0, 20));
      }
    }
  }),

  test("the nearest vectors come by falling similarity, and of equal ones the newest first", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    await keep(indexed, {
      x: { vector: [1, 0, 0] },
      y: { vector: [0, 1, 0] },
      between: { vector: [0.6, 0.8, 0] },
      away: { vector: [-1, 0, 0] },
      zero: { vector: [0, 0, 0] },
      "x again": { vector: [1, 0, 0] },
      unseen: { text: "no vector" },
    });
    const found = await nearestTo(indexed, [1, 0, 0]);
    assert.deepEqual(names(found), ["x again", "x", "between", "zero", "y", "away"]);
    const similarities = found.map(({ similarity }) => Math.round(similarity * 1e5) / 1e5);
    assert.deepEqual(similarities, [1, 1, 0.6, 0, 0, -1]);
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0], { limit: 2 })), ["x again", "x"]);
    await keep(indexed, { later: { vector: [0.8, 0.6, 0] } });
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0], { limit: 3 })), ["x again", "x", "later"]);
    assert.deepEqual(await nearestTo(indexed, [1, 0, 0], { user: bob }), []);
  }),

  test("what has expired is not found, and takes nobody's place", async ({ open }) => {
    const clock = new ManualClock();
    const indexed = await withSpaces(await open({ clock }));
    const vector = [1, 0, 0];
    const expiresAt = clock.now() + 10;
    await keep(indexed, {
      kept: { text: "tea and milk", vector: [0.6, 0.8, 0] },
      gone: { text: "tea", vector, grain: { expiresAt } },
      too: { text: "tea", vector, grain: { expiresAt } },
    });
    assert.deepEqual(names(await matchTerms(indexed, ["tea"], { limit: 1 })), ["too"]);
    clock.advance(10);
    for (const limit of [1, 2, 100]) {
      assert.deepEqual(names(await matchTerms(indexed, ["tea"], { limit })), ["kept"]);
      assert.deepEqual(names(await nearestTo(indexed, vector, { limit })), ["kept"]);
    }
    await indexed.ledger.maintain();
    const { documents, frequencies } = await matchTerms(indexed, ["tea"]);
    assert.deepEqual([documents, frequencies], [1, [1]]);
  }),

  test("neighbours are those next in the session, of the same kind of owner", async ({ open }) => {
    const clock = new ManualClock();
    const { ledger } = await withSpaces(await open({ clock }));
    const turn = (id: string, sessionId: string, more = {}) => [
      named(id, message(id, { sessionId })),
      named(id, insert("grain", { ...grain("message", id), sessionId, ...more })),
    ];
    const expiresAt = clock.now() + 1;
    await ledger.append(alice, {
      operation: "1",
      records: [...turn("a", "s"), ...turn("x", "t"), ...turn("b", "s")],
    });
    const other = { ...grain("text", "n"), sessionId: "s" };
    const alone = grain("text", "n");
    const records = [
      named("n", note("n")),
      named("n", insert("grain", other)),
      named("alone", insert("grain", alone)),
    ];
    await ledger.append(alice, { operation: "2", records });
    await ledger.append(alice, { operation: "3", records: turn("gone", "s", { expiresAt }) });
    await ledger.append(alice, { operation: "4", records: [...turn("c", "s"), ...turn("d", "s")] });
    clock.advance(1);
    const [page] = await ledger.read([alice], [{ type: "find", kind: "grain" }]);
    const grains = page.items;
    const next = async (ids: readonly string[], reach: number) => {
      const asked = grains.filter(({ id }) => ids.includes(id));
      const [found] = await ledger.read([alice], [around({ grains: asked, reach })]);
      return found
        .map(({ of, distance, grain }) => `${of}${distance > 0 ? "+" : ""}${distance}=${grain.id}`)
        .sort();
    };
    assert.deepEqual(await next(["b"], 1), ["b+1=c", "b-1=a"]);
    assert.deepEqual(await next(["b"], 2), ["b+1=c", "b+2=d", "b-1=a"]);
    assert.deepEqual(await next(["a", "d"], 1), ["a+1=b", "d-1=c"]);
    assert.deepEqual(await next(["x", "alone", "n"], 8), []);
    assert.deepEqual(await next([], 1), []);
    const [elsewhere] = await ledger.read([bob], [around({ grains: [...grains], reach: 1 })]);
    assert.deepEqual(elsewhere, []);
  }),

  test("searches that make no sense are refused", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    const vector = Float32Array.of(1, 0, 0);
    const ops: Record<string, unknown> = {
      "no terms": { type: "match", space: lexical, limit: 1 },
      "an empty term": { type: "match", space: lexical, terms: [""], limit: 1 },
      "a term twice": { type: "match", space: lexical, terms: ["a", "a"], limit: 1 },
      "too many terms": {
        type: "match",
        space: lexical,
        terms: Array.from({ length: 257 }, (_, i) => `${i}`),
        limit: 1,
      },
      "no limit": { type: "match", space: lexical, terms: ["a"] },
      "a limit of 0": { type: "match", space: lexical, terms: ["a"], limit: 0 },
      "a high limit": { type: "nearest", space: dense, vector, limit: 1001 },
      "no space": { type: "nearest", vector, limit: 1 },
      "a list of numbers": { type: "nearest", space: dense, vector: [1, 0, 0], limit: 1 },
      "no reach": { type: "around", grains: [] },
      "a long reach": { type: "around", grains: [], reach: 9 },
      "no grains": { type: "around", reach: 1 },
    };
    await each(ops, async (op) => {
      await rejects("invalid_argument", () => ledger.read([alice], [op as never]));
    });
    await keep(indexed, { a: { vector: [1, 0, 0] } });
    for (const length of [1, 2, 4])
      await rejects("dimension_mismatch", () => nearestTo(indexed, Array(length).fill(length ** -0.5)));
    for (const numbers of [
      [2, 0, 0],
      [0.9, 0, 0],
      [3e38, 3e38, 3e38],
    ])
      await rejects("invalid_argument", () => nearestTo(indexed, numbers));
    const conditions: Record<string, unknown> = {
      "a misspelt condition": { sessionId: ["s"] },
      "one session": { sessionIds: "s" },
      "a time in words": { from: "yesterday" },
      "a date": { until: new Date() },
      "a wrong filter": { filter: { a: null } },
      "a list": [],
      "a misspelt status": { status: ["active", "actve"] },
      "a misspelt kind": { ownerKinds: ["messages"] },
      "a misspelt provenance": { provenance: ["user-stated"] },
      "no status": { status: [null] },
    };
    await each(conditions, async (where) => {
      await rejects("invalid_filter", () => matchTerms(indexed, ["a"], { where: where as never }));
    });
    await rejects("invalid_id", () => matchTerms(indexed, ["a"], { where: { sessionIds: [""] } }));
  }),
]);
