import { describe, expect, test } from "vitest";
import { HashEmbedder } from "../embed/hash-embedder.ts";
import type { Ledger } from "../store/ledger.ts";
import { sqliteLedger } from "../store/sqlite/ledger.ts";
import type { RecallArm } from "./arm.ts";
import { recall } from "./recall.ts";
import { type Said, sampleGrain, sampleMemory, sampleNow } from "./sample-memory.ts";

const trip: readonly Said[] = [
  { text: "Where did you go last month?", author: "Bob", sessionId: "s1" },
  { text: "To Porto, with my sister Anna.", author: "Caroline", sessionId: "s1" },
  { text: "I paint landscapes on Sundays.", author: "Caroline", sessionId: "s2" },
  { text: "My brother is allergic to peanuts.", author: "Bob", sessionId: "s2" },
  { text: "Painting is not for me.", author: "Bob", sessionId: "s2" },
];

const texts = (result: { readonly hits: readonly { readonly text: string }[] }) =>
  result.hits.map(({ text }) => text);

describe("recall", () => {
  test("finds by stemmed words, and says why", async () => {
    await using memory = await sampleMemory(trip);
    const { hits, degraded, confidence, candidates, seq } = await recall(memory, "What does Caroline paint?");
    const [best] = hits;
    expect(best).toMatchObject({
      id: "g3",
      owner: { kind: "text", id: "t3" },
      text: "I paint landscapes on Sundays.",
      author: "Caroline",
      sessionId: "s2",
      status: "active",
      provenance: "user_stated",
    });
    expect(best?.signals.map(({ name }) => name)).toEqual(expect.arrayContaining(["words", "speaker"]));
    const sum = best?.signals.reduce((total, { score }) => total + score, 0);
    expect(sum).toBeCloseTo(best?.score ?? 0, 10);
    expect(degraded).toBeUndefined();
    expect(confidence).toBeGreaterThan(0.5);
    expect(candidates).toBe(5);
    expect(seq).toBeGreaterThan(0);
  });

  test("an answer beside the question in its session is found", async () => {
    await using memory = await sampleMemory(trip);
    expect(texts(await recall(memory, "Where did they go last month?", { k: 2 }))).toContain(
      "To Porto, with my sister Anna.",
    );
  });

  test("makes at most three round trips", async () => {
    await using memory = await sampleMemory(trip, new HashEmbedder());
    let trips = 0;
    const ledger: Pick<Ledger, "read"> = {
      read: (...args) => {
        trips += 1;
        return memory.ledger.read(...args);
      },
    };
    const result = await recall({ ...memory, ledger }, 'Who said "paint" yesterday?');
    expect(result.hits.length).toBeGreaterThan(0);
    expect(trips).toBe(3);
  });

  test("an empty partition has no hits and no confidence", async () => {
    await using memory = await sampleMemory([]);
    expect(await recall(memory, "anything")).toMatchObject({
      hits: [],
      confidence: 0,
      seq: 0,
      candidates: 0,
    });
  });

  test("a failing embedder leaves words, and the result says so", async () => {
    const embedder = new HashEmbedder();
    await using memory = await sampleMemory(trip, embedder);
    const broken = {
      id: embedder.id,
      dimensions: embedder.dimensions,
      embed: async () => Promise.reject(new Error("secret")),
    };
    const { hits, degraded } = await recall({ ...memory, embedder: broken }, "What does Caroline paint?");
    expect(hits[0]?.id).toBe("g3");
    expect(degraded).toEqual([
      {
        ...{ code: "embedder_failed", reason: "The embedder could not embed the query" },
        cause: { code: "Error" },
      },
    ]);
  });

  test("another embedder than the one that made the vectors is not used", async () => {
    await using memory = await sampleMemory(trip, new HashEmbedder());
    const other = { ...new HashEmbedder(), id: "other", dimensions: 384, embed: async () => [] };
    const { degraded } = await recall({ ...memory, embedder: other }, "paint");
    expect(degraded?.map(({ code }) => code)).toEqual(["embedder_missing"]);
  });

  test("an embedder with vectors of the wrong length is a failing one", async () => {
    const { id, dimensions } = new HashEmbedder();
    await using memory = await sampleMemory(trip, new HashEmbedder());
    const wrong = { id, dimensions, embed: async () => [new Float32Array(3)] };
    const { hits, degraded } = await recall({ ...memory, embedder: wrong }, "paint");
    expect(hits.length).toBeGreaterThan(0);
    expect(degraded?.map(({ code }) => code)).toEqual(["embedder_failed"]);
  });

  test("a reranker decides between texts; one that fails is left out", async () => {
    await using memory = await sampleMemory(trip);
    const reranker = {
      id: "peanuts first",
      rerank: async (_: string, list: readonly string[]) =>
        list.map((text) => (text.includes("peanuts") ? 9 : -3)),
    };
    const query = "What does Caroline paint?";
    const ranked = await recall({ ...memory, reranker: { ...reranker } }, "paint or peanuts");
    expect(ranked.hits[0]?.text).toContain("peanuts");
    expect(ranked.hits[0]?.signals.map(({ name }) => name)).toContain("rerank");
    for (const rerank of [
      async () => Promise.reject(new Error("down")),
      async () => [1],
      async () => undefined as never,
      async (_: string, list: readonly string[]) => list.map(() => Number.NaN),
    ]) {
      const { hits, degraded } = await recall({ ...memory, reranker: { id: "broken", rerank } }, query);
      expect(hits[0]?.id).toBe("g3");
      expect(degraded?.map(({ code }) => code)).toEqual(["reranker_failed"]);
    }
  });

  test("a further arm adds what it finds, from the best of the others on", async () => {
    await using memory = await sampleMemory(trip);
    const grain = sampleGrain("g4", { seq: 9, ownerId: "t4" });
    const arm: RecallArm = {
      id: "graph",
      weight: 3,
      find: async ({ seeds }) => (seeds[0]?.grain.id === "g3" ? [{ grain, score: 1 }] : []),
    };
    const { hits } = await recall({ ...memory, arms: [arm] }, "What does Caroline paint?");
    expect(hits[0]).toMatchObject({ id: "g4", text: "My brother is allergic to peanuts." });
    expect(hits[0]?.signals[0]).toEqual({ name: "graph", score: 3 });
    const hidden = await recall({ ...memory, arms: [arm] }, "What does Caroline paint?", {
      where: { sessionIds: ["s2"] },
    });
    expect(hidden.hits.find(({ id }) => id === "g4")?.signals.map(({ name }) => name)).not.toContain("graph");
    const broken = { ...arm, find: () => Promise.reject(new Error("down")) };
    const result = await recall({ ...memory, arms: [broken] }, "What does Caroline paint?");
    expect(result.hits[0]?.id).toBe("g3");
    expect(result.degraded).toEqual([
      { code: "arm_failed", reason: "graph failed", cause: { code: "Error" } },
    ]);
    for (const nonsense of [undefined, [null], [{ grain }], [{ grain, score: Number.NaN }]]) {
      const wrong = { ...arm, find: async () => nonsense as never };
      const { hits: left, degraded } = await recall(
        { ...memory, arms: [wrong] },
        "What does Caroline paint?",
      );
      expect([left[0]?.id, degraded?.map(({ code }) => code)]).toEqual(["g3", ["arm_failed"]]);
    }
  });

  describe("a model that hangs", () => {
    const hang = () => new Promise<never>(() => undefined);
    const { id, dimensions } = new HashEmbedder();
    const models = {
      embedder: { embedder: { id, dimensions, embed: hang } },
      reranker: { reranker: { id: "slow", rerank: hang } },
      arm: { arms: [{ id: "graph", weight: 1, find: hang }] },
    };

    test.each(Object.entries(models))("is left out after the time-out: %s", async (name, model) => {
      await using memory = await sampleMemory(trip, new HashEmbedder());
      const wait = { timeout: 20 };
      const { hits, degraded } = await recall({ ...memory, ...model, wait }, "What does Caroline paint?");
      expect(hits[0]?.id).toBe("g3");
      expect(degraded).toMatchObject([
        { code: `${name}_failed`, cause: { code: "timeout", retryable: true } },
      ]);
    });

    test.each(Object.entries(models))(
      "keeps neither the signal nor a stop waiting: %s",
      async (name, model) => {
        await using memory = await sampleMemory(trip, new HashEmbedder());
        const reason = new Error("enough");
        const aborting = recall({ ...memory, ...model }, "paint", { signal: AbortSignal.timeout(20) });
        await expect(aborting).rejects.toMatchObject({ name: "TimeoutError" });
        const stop = new AbortController();
        const stopping = recall(
          { ...memory, ...model, wait: { timeout: 60_000, stop: stop.signal } },
          "paint",
        );
        setTimeout(() => stop.abort(reason), 20);
        const { hits, degraded } = await stopping;
        expect(hits.length).toBeGreaterThan(0);
        expect(degraded).toMatchObject([{ code: `${name}_failed`, cause: { code: "Error" } }]);
      },
    );
  });

  test("related words that throw or are none are left out, once said", async () => {
    await using memory = await sampleMemory(trip, new HashEmbedder());
    const { id, dimensions, embed } = memory.embedder as HashEmbedder;
    const whole = { id, dimensions, embed: embed.bind(memory.embedder) };
    for (const related of [
      () => {
        throw new Error("secret");
      },
      () => undefined,
      () => "words",
      () => [null],
      () => [{ word: 5, similarity: 1 }],
      () => [{ word: "art", similarity: Number.NaN }],
      async () => [],
    ]) {
      const embedder = { ...whole, related: related as never };
      const { hits, degraded } = await recall({ ...memory, embedder }, "Who paints landscapes?");
      expect(hits[0]?.id).toBe("g3");
      expect(degraded?.map(({ code }) => code)).toEqual(["embedder_failed"]);
      expect(JSON.stringify(degraded)).not.toContain("secret");
    }
  });

  test("an analyser that throws, or makes no terms, is an error with its cause", async () => {
    await using memory = await sampleMemory(trip, new HashEmbedder());
    const { id } = memory.analyser;
    const bug = new TypeError("of theirs");
    const throwing = () => {
      throw bug;
    };
    await expect(recall({ ...memory, analyser: { id, analyse: throwing } }, "paint")).rejects.toMatchObject({
      ...{ name: "FluxError", code: "invalid_argument", cause: bug },
    });
    for (const answer of [undefined, "paint", [null], [{ term: "paint" }]])
      await expect(
        recall({ ...memory, analyser: { id, analyse: () => answer as never } }, "paint"),
      ).rejects.toMatchObject({ name: "FluxTypeError", code: "invalid_argument" });
  });

  test("a token counter that throws or does not count is an error, not an empty result", async () => {
    await using memory = await sampleMemory(trip);
    const throwing = () => {
      throw new Error("broken");
    };
    for (const count of [
      () => Number.NaN,
      () => undefined,
      () => -1,
      () => Infinity,
      async () => 3,
      throwing,
    ]) {
      const tokenCounter = { id: "broken", exact: true, count: count as never };
      await expect(recall(memory, "paint", { maxTokens: 1000, tokenCounter })).rejects.toMatchObject({
        code: "invalid_argument",
      });
      expect((await recall(memory, "paint", { tokenCounter })).hits).not.toEqual([]);
    }
  });

  test("what is changed in the conditions during a recall does not count", async () => {
    await using memory = await sampleMemory(trip, new HashEmbedder());
    const sessionIds = ["s2"];
    const filter = { not: { topic: { in: ["work"] } } };
    const found = recall(memory, "Where did Caroline paint?", { where: { sessionIds, filter } });
    sessionIds[0] = "s1";
    filter.not.topic.in = 5 as never;
    const { hits } = await found;
    expect(new Set(hits.map(({ sessionId }) => sessionId))).toEqual(new Set(["s2"]));
  });

  test("conditions are checked before anything is asked", async () => {
    await using memory = await sampleMemory(trip);
    class Conditions {
      status = ["active"];
    }
    for (const where of [
      { status: ["actve"] },
      { ownerKinds: ["messages"] },
      { provenance: ["user-stated"] },
      { filter: { a: () => true } },
      new Conditions(),
    ])
      await expect(recall(memory, "", { where: where as never })).rejects.toMatchObject({
        code: "invalid_filter",
      });
    await expect(recall(memory, "", { where: { status: ["actve"] as never } })).rejects.toMatchObject({
      hint: "Known: active, dormant, quarantined, archived.",
    });
  });

  test("the time of a ledger that reads at once counts as reading", async () => {
    await using memory = await sampleMemory(trip);
    const ledger: Pick<Ledger, "read"> = {
      read(...args) {
        const until = performance.now() + 20;
        while (performance.now() < until);
        return memory.ledger.read(...args);
      },
    };
    const { timings } = await recall({ ...memory, ledger }, "paint");
    expect(timings.gather + timings.read).toBeGreaterThanOrEqual(39);
  });

  test("a time that the query names finds what was said then, without a word in common", async () => {
    const day = 24 * 3_600_000;
    await using memory = await sampleMemory([
      { text: "The boiler broke.", saidAt: sampleNow - day },
      { text: "Lovely weather.", saidAt: sampleNow - 200 * day },
    ]);
    expect(texts(await recall(memory, "What happened yesterday?"))).toEqual(["The boiler broke."]);
  });

  test("a quoted phrase counts as it is written", async () => {
    await using memory = await sampleMemory([
      { text: "The cat sat, the red hat on the mat." },
      { text: "A hat: the cat in the hat reads." },
      { text: "Hat and cat, a red cat hat." },
    ]);
    const { hits } = await recall(memory, 'Who wrote "The Cat in the Hat"?');
    expect(hits[0]?.id).toBe("g2");
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("phrase");
    expect(hits[1]?.signals.map(({ name }) => name)).not.toContain("phrase");
  });

  test("the same said ten times takes one place among the first", async () => {
    const yes = Array.from({ length: 10 }, (): Said => ({ text: "Yes, the garden!" }));
    await using memory = await sampleMemory([
      ...yes,
      { text: "The garden has roses and a very old apple tree." },
    ]);
    const { hits } = await recall(memory, "garden", { k: 2 });
    expect(texts({ hits })).toEqual(["Yes, the garden!", "The garden has roses and a very old apple tree."]);
    expect(hits[0]?.id).toBe("g10");
    expect((await recall(memory, "garden", { k: 20 })).hits).toHaveLength(11);
  });

  test("k, minScore and maxTokens bound the hits", async () => {
    await using memory = await sampleMemory(trip);
    expect((await recall(memory, "paint", { k: 1 })).hits).toHaveLength(1);
    expect((await recall(memory, "paint", { minScore: 50 })).hits).toEqual([]);
    expect((await recall(memory, "paint", { maxTokens: 1 })).hits).toEqual([]);
    expect((await recall(memory, "paint", { maxTokens: 100 })).hits.length).toBeGreaterThan(0);
  });

  test("what is archived is found last, and says so", async () => {
    await using memory = await sampleMemory([
      { text: "I paint with oil.", status: "archived" },
      { text: "I paint with oil and love it." },
    ]);
    const { hits } = await recall(memory, "paint oil");
    expect(hits.map(({ status }) => status)).toEqual(["active", "archived"]);
  });

  test("Chinese is found by its words", async () => {
    await using memory = await sampleMemory([
      { text: "我昨天和小明去了北京大学。" },
      { text: "我妹妹喜欢吃苹果。" },
      { text: "上海的天气很热。" },
    ]);
    expect((await recall(memory, "谁喜欢苹果？")).hits[0]?.id).toBe("g2");
    expect((await recall(memory, "北京大学")).hits[0]?.id).toBe("g1");
  });

  test("ranks alike on SQLite and in memory", async () => {
    const embedder = new HashEmbedder();
    const clock = { now: () => sampleNow };
    await using memory = await sampleMemory(trip, embedder);
    await using sqlite = await sampleMemory(trip, embedder, sqliteLedger({ path: ":memory:", clock }));
    for (const query of ["What does Caroline paint?", "Where did Bob go yesterday?", "peanuts", "sister"]) {
      const [one, other] = [await recall(memory, query), await recall(sqlite, query)];
      expect(one.hits.length).toBeGreaterThan(0);
      expect(other.hits).toEqual(one.hits);
      expect(other.confidence).toBe(one.confidence);
    }
  });

  test("an aborted signal ends it with its reason", async () => {
    await using memory = await sampleMemory(trip, new HashEmbedder());
    const reason = new Error("enough");
    await expect(recall(memory, "paint", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const { id, dimensions } = new HashEmbedder();
    const embedder = {
      id,
      dimensions,
      embed: async () => {
        controller.abort(reason);
        throw new Error("aborted");
      },
    };
    const { signal } = controller;
    await expect(recall({ ...memory, embedder }, "paint", { signal })).rejects.toBe(reason);
  });

  test("takes any text as a query", async () => {
    await using memory = await sampleMemory(trip, new HashEmbedder());
    for (const query of [
      ...[
        "",
        " ",
        "\0",
        "\ud800",
        "\ud800 \udc00x \udfff",
        "%",
        "*",
        "' OR 1=1 --",
        '"',
        '""""',
        "NEAR(a b)",
        "a AND",
      ],
      ...[
        "paint^2 -col:x",
        "👩‍👩‍👧‍👦",
        "مرحبا",
        "日本語",
        "x".repeat(100_000),
        "paint ".repeat(50_000),
        '"paint',
      ],
      Array.from({ length: 2000 }, (_, i) => `word${i}`).join(" "),
    ]) {
      const { hits } = await recall(memory, query);
      expect(hits.length).toBeLessThanOrEqual(10);
    }
  });

  test("a failing ledger is an error", async () => {
    await using memory = await sampleMemory(trip);
    const ledger = { read: () => Promise.reject(new Error("disk")) };
    await expect(recall({ ...memory, ledger }, "paint")).rejects.toThrow("disk");
  });

  test("refuses what is no query and no option", async () => {
    await using memory = await sampleMemory(trip);
    const code = { code: "invalid_argument" };
    await expect(recall(memory, 5 as never)).rejects.toMatchObject(code);
    for (const options of [
      ...[
        null,
        { k: 0 },
        { k: 101 },
        { k: 1.5 },
        { minScore: -1 },
        { minScore: Number.NaN },
        { maxTokens: 0 },
      ],
      ...[{ tokenCounter: {} }, { where: 1 }, { signal: {} }],
    ])
      await expect(recall(memory, "paint", options as never)).rejects.toMatchObject(code);
    await expect(recall(memory, "paint", { where: { filter: { a: {} } } })).rejects.toMatchObject({
      code: "invalid_filter",
    });
  });
});
