import assert from "node:assert/strict";
import { insert } from "../batch.ts";
import { mostWalked } from "../leading-terms.ts";
import { around } from "../read.ts";
import type { GrainConditions } from "../search.ts";
import { alice, bob, canary, each, rejects } from "./expectations.ts";
import { keep, matchTerms, names, nearestTo, sample, withSpaces } from "./indexing.ts";
import { ManualClock } from "./manual-clock.ts";
import { grain, message, named, note, past } from "./samples.ts";
import { durableTest, group, test } from "./suite.ts";

export const grainIndex = group("index", [
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
        return insert("grain", grain("text", "owner"), {
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

  test("entries are committed with their grain or not at all, and are no part of the payload", async ({
    open,
  }) => {
    const indexed = await withSpaces(await open());
    await keep(indexed, { a: { text: "tea", vector: [1, 0, 0] } }, { operation: "o" });
    await rejects("already_exists", () => keep(indexed, { b: { text: "tea" }, a: { text: "milk" } }));
    const { documents, frequencies } = await matchTerms(indexed, ["tea", "milk"]);
    assert.deepEqual([documents, frequencies], [1, [1, 0]]);
    const again = await keep(indexed, { a: { text: "other words" } }, { operation: "o" });
    assert.equal(again.replayed, true);
    assert.deepEqual((await matchTerms(indexed, ["tea", "other"])).frequencies, [1, 0]);
  }),

  test("entries can be added, and replaced, for grains that are there", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    await keep(indexed, { a: { text: "tea tea" }, b: { text: "tea", vector: [0, 1, 0] } });
    const spaces = [lexical, dense];
    const entries = [
      { space: lexical, terms: ["milk"] },
      { space: dense, vector: Float32Array.of(1, 0, 0) },
    ];
    const grains = [
      { grainId: "a", entries },
      { grainId: "b", entries: [{ space: dense, vector: Float32Array.of(0, 0, 1) }] },
      { grainId: "nobody", entries },
    ];
    const seq = (await ledger.partitions()).partitions.length;
    for (let times = 0; times < 2; times++) {
      assert.equal(await ledger.index(alice, { grains, spaces }), 2);
      const found = await matchTerms(indexed, ["tea", "milk"]);
      assert.deepEqual([found.documents, found.averageLength, found.frequencies], [2, 1, [1, 1]]);
      assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0])), ["a", "b"]);
      assert.deepEqual(names(await nearestTo(indexed, [0, 0, 1], { limit: 1 })), ["b"]);
    }
    assert.equal((await ledger.partitions()).partitions.length, seq);
    assert.equal(await ledger.index(bob, { grains, spaces }), 0);
  }),

  test("a commit that does not know all spaces is refused, and nothing of it stays", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    const second = await ledger.spaces.declare({ kind: "dense", maker: "two", dimensions: 2 });
    assert.equal(second.state, "building");
    const error = await rejects("index_changed", () => keep(indexed, { a: { text: canary } }));
    assert.equal(error.retryable, true);
    assert.deepEqual(await ledger.read([alice], [{ type: "get", kind: "text", id: "a" }]), [undefined]);
    const grains = [{ grainId: "a", entries: [] }];
    await rejects("index_changed", () => ledger.index(alice, { grains, spaces: [lexical] }));
    const records = sample(indexed, "a", { text: "tea" });
    await ledger.append(alice, { operation: "o", records, spaces: [second.id, dense, lexical] });
    // What comes with no entries need not know of spaces.
    await ledger.append(alice, { operation: "n", records: [named("n", note("n"))] });
    await ledger.spaces.activate(second.id);
    await keepIn(ledger, [lexical, second.id], second.id);
    await rejects("index_changed", () => keep(indexed, { b: { text: "tea" } }));
  }),

  test("entries that make no sense are refused", async ({ open }) => {
    const indexed = await withSpaces(await open());
    const { ledger, lexical, dense } = indexed;
    const spaces = [lexical, dense];
    const wrong: Record<string, [string, unknown, unknown?]> = {
      "a vector of other dimensions": [
        "dimension_mismatch",
        [{ space: dense, vector: Float32Array.of(1, 0) }],
      ],
      "a vector for terms": ["invalid_argument", [{ space: lexical, vector: Float32Array.of(1, 0, 0) }]],
      "terms for a vector": ["invalid_argument", [{ space: dense, terms: ["a"] }]],
      "not a number": ["invalid_argument", [{ space: dense, vector: Float32Array.of(Number.NaN, 0, 0) }]],
      "an infinite number": ["invalid_argument", [{ space: dense, vector: Float32Array.of(1 / 0, 0, 0) }]],
      "an array": ["invalid_argument", [{ space: dense, vector: [1, 0, 0] }]],
      "an empty vector": ["invalid_argument", [{ space: dense, vector: new Float32Array(0) }]],
      "a long vector": ["invalid_argument", [{ space: dense, vector: Float32Array.of(1, 1, 0) }]],
      "a short vector": ["invalid_argument", [{ space: dense, vector: Float32Array.of(0.99, 0, 0) }]],
      "an empty term": ["invalid_argument", [{ space: lexical, terms: [""] }]],
      "a term that is no text": ["invalid_argument", [{ space: lexical, terms: [1] }]],
      "one text": ["invalid_argument", [{ space: lexical, terms: "tea" }]],
      "too many terms": ["too_large", [{ space: lexical, terms: Array(65_537).fill("a") }]],
      "an unknown space": ["invalid_argument", [{ space: 99, terms: ["a"] }]],
      "the same space twice": ["invalid_argument", Array(2).fill({ space: lexical, terms: ["a"] })],
      nothing: ["invalid_argument", [null]],
      "no list": ["invalid_argument", "tea"],
      "no spaces": ["invalid_argument", [{ space: lexical, terms: ["a"] }], null],
    };
    await each(wrong, async ([code, index, known]) => {
      const records = [
        named("t", note("t")),
        insert("grain", grain("text", "t"), { id: "t", index: index as never }),
      ];
      const request = { operation: "o", records, spaces: known === null ? undefined : spaces };
      await rejects(code as never, () => ledger.append(alice, request as never));
    });
    const index = [{ space: lexical, terms: ["a"] }];
    await rejects("invalid_argument", () =>
      ledger.append(alice, { operation: "o", records: [{ ...note("t"), index }] as never, spaces }),
    );
    assert.equal((await matchTerms(indexed, ["a"])).documents, 0);
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

  test("spaces are made once, one of a kind is active, and ids are not used again", async ({ open }) => {
    const ledger = await open();
    const first = await ledger.spaces.declare({ kind: "dense", maker: "a", dimensions: 2 });
    assert.deepEqual(first, { id: first.id, kind: "dense", maker: "a", dimensions: 2, state: "active" });
    assert.deepEqual(await ledger.spaces.declare({ kind: "dense", maker: "a", dimensions: 2 }), first);
    const lexical = await ledger.spaces.declare({ kind: "lexical", maker: "a" });
    assert.deepEqual([lexical.state, lexical.dimensions], ["active", 0]);
    const second = await ledger.spaces.declare({ kind: "dense", maker: "b", dimensions: 3 });
    assert.equal(second.state, "building");
    assert.equal((await ledger.spaces.activate(second.id)).state, "active");
    const states = (await ledger.spaces.list()).map(({ id, state }) => [id, state]);
    assert.deepEqual(states, [
      [first.id, "retired"],
      [lexical.id, "active"],
      [second.id, "active"],
    ]);
    await rejects("invalid_argument", () => ledger.spaces.drop(second.id));
    await ledger.spaces.drop(first.id);
    await ledger.spaces.drop(first.id);
    await rejects("not_found", () => ledger.spaces.activate(first.id));
    const third = await ledger.spaces.declare({ kind: "dense", maker: "a", dimensions: 2 });
    assert.ok(third.id > second.id);
    const wrong: Record<string, unknown> = {
      kind: { kind: "sparse", maker: "a" },
      "no dimensions": { kind: "dense", maker: "c" },
      "many dimensions": { kind: "dense", maker: "c", dimensions: 16_001 },
      "lexical dimensions": { kind: "lexical", maker: "c", dimensions: 3 },
      "half a dimension": { kind: "dense", maker: "c", dimensions: 1.5 },
    };
    await each(wrong, async (space) => {
      await rejects("invalid_argument", () => ledger.spaces.declare(space as never));
    });
    await rejects("invalid_id", () => ledger.spaces.declare({ kind: "lexical", maker: "" }));
    for (const id of [0, 1.5, "1"])
      await rejects("invalid_argument", () => ledger.spaces.activate(id as never));
  }),

  test("a space can be built although its kind has none, and is searched once it is active", async ({
    open,
  }) => {
    const ledger = await open();
    const wanted = { kind: "dense", maker: "a", dimensions: 3, state: "building" } as const;
    const built = await ledger.spaces.declare(wanted);
    assert.deepEqual(built, { ...wanted, id: built.id });
    assert.deepEqual(await ledger.spaces.list(), [built]);
    // Whoever declares it again, in whatever way, has the one that is there.
    assert.deepEqual(await ledger.spaces.declare({ ...wanted, state: undefined }), built);
    const second = await ledger.spaces.declare({ ...wanted, maker: "b" });
    assert.equal(second.state, "building");
    assert.equal((await ledger.spaces.activate(built.id)).state, "active");
    assert.equal((await ledger.spaces.declare(wanted)).state, "active");
    for (const state of ["active", "retired", "", null, true])
      await rejects("invalid_argument", () => ledger.spaces.declare({ ...wanted, state } as never));
  }),

  test("a space that is dropped is empty for good, and the others keep what they hold", async ({ open }) => {
    const ledger = await open();
    const indexed = await withSpaces(ledger);
    await keep(indexed, { a: { text: "tea", vector: [1, 0, 0] } });
    const second = await ledger.spaces.declare({ kind: "lexical", maker: "letters" });
    const spaces = [indexed.lexical, indexed.dense, second.id];
    const grains = [{ grainId: "a", entries: [{ space: second.id, terms: ["t", "e", "a"] }] }];
    await ledger.index(alice, { grains, spaces });
    assert.deepEqual((await matchTerms(indexed, ["tea", "t"])).frequencies, [1, 0]);
    assert.deepEqual(
      (await matchTerms({ ...indexed, lexical: second.id }, ["tea", "t"])).frequencies,
      [0, 1],
    );
    await ledger.spaces.activate(second.id);
    await ledger.spaces.drop(indexed.lexical);
    assert.equal((await matchTerms(indexed, ["tea"])).documents, 0);
    assert.deepEqual(names(await matchTerms({ ...indexed, lexical: second.id }, ["t"])), ["a"]);
    assert.deepEqual(names(await nearestTo(indexed, [1, 0, 0])), ["a"]);
  }),

  durableTest("the index outlives the ledger", async ({ place, reopen }) => {
    const store = await place();
    const before = await withSpaces(await reopen(store));
    await keep(before, { a: { text: "tea", vector: [1, 0, 0] } });
    await before.ledger.close();
    const after = await withSpaces(await reopen(store));
    assert.deepEqual([after.lexical, after.dense], [before.lexical, before.dense]);
    assert.deepEqual(names(await matchTerms(after, ["tea"])), ["a"]);
    assert.deepEqual(names(await nearestTo(after, [1, 0, 0])), ["a"]);
  }),

  durableTest(
    "what one ledger adds, replaces and erases, another one on the same store sees",
    async ({ place, reopen }) => {
      const store = await place();
      const one = await withSpaces(await reopen(store));
      const other = { ...one, ledger: await reopen(store) };
      await keep(one, { a: { text: "tea", vector: [1, 0, 0] }, b: { text: "tea", vector: [0, 1, 0] } });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["a", "b"]);
      await keep(one, { c: { text: "tea", vector: [0.8, 0.6, 0] } });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["a", "c", "b"]);
      const grains = [{ grainId: "b", entries: [{ space: one.dense, vector: Float32Array.of(1, 0, 0) }] }];
      await one.ledger.index(alice, { grains, spaces: [one.lexical, one.dense] });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0], { limit: 2 })).sort(), ["a", "b"]);
      await one.ledger.erase(alice, { operation: "e", refs: [{ kind: "text", id: "a" }] });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["b", "c"]);
      assert.deepEqual(names(await matchTerms(other, ["tea"])), ["c", "b"]);
      await one.ledger.erase(alice, { operation: "all", everything: true });
      assert.deepEqual(await nearestTo(other, [1, 0, 0]), []);
      await keep(one, { d: { text: "tea", vector: [0, 0, 1] } });
      assert.deepEqual(names(await nearestTo(other, [1, 0, 0])), ["d"]);
    },
  ),
]);

async function keepIn(
  ledger: Parameters<typeof withSpaces>[0],
  spaces: readonly number[],
  dense: number,
): Promise<void> {
  const index = [{ space: dense, vector: Float32Array.of(1, 0) }];
  const records = [named("k", note("k")), insert("grain", grain("text", "k"), { id: "k", index })];
  await ledger.append(alice, { operation: "k", records, spaces });
}
