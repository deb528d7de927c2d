import { describe, expect, test } from "vitest";
import { PoolBuilder } from "./pool.ts";
import { sampleGrain, sampleNow, samplePool } from "./sample-memory.ts";
import { byScore, explain, scorePool, withSignal } from "./score.ts";
import { defaultWeights } from "./weights.ts";

const ids = (scored: {
  readonly ranking: readonly { readonly candidate: { readonly grain: { readonly id: string } } }[];
}) => scored.ranking.map(({ candidate }) => candidate.grain.id);

describe("scorePool", () => {
  test("an entry of mean length with every word of the query has 1 for its words", () => {
    const { query, pool } = samplePool("red bicycle", [{ text: "red bicycle" }, { text: "green tree" }]);
    const [best] = scorePool(query, pool).ranking;
    expect(best?.candidate.grain.id).toBe("g1");
    expect(best?.score).toBeCloseTo(1, 10);
  });

  test("words that no entry holds do not weaken the others", () => {
    const said = [{ text: "red bicycle" }, { text: "green tree" }];
    const { query, pool } = samplePool("red bicycle zeppelin", said);
    expect(scorePool(query, pool).ranking[0]?.score).toBeCloseTo(1, 10);
  });

  test("a rare word says more than a frequent one", () => {
    const { query, pool } = samplePool("tea tonight", [
      { text: "tea please" },
      { text: "tea again" },
      { text: "dance tonight" },
    ]);
    expect(ids(scorePool(query, pool))).toEqual(["g3", "g2", "g1"]);
  });

  test("the signals of a candidate add up to its score", () => {
    const { query, pool } = samplePool("Which tree did Ann paint in May 2023?", [
      { text: "painting is fun", author: "Ann", sessionId: "s" },
      {
        text: "do you paint a tree",
        author: "Bob",
        sessionId: "s",
        provenance: "ai_stated",
        importance: 0.9,
      },
    ]);
    const scored = scorePool(query, pool);
    for (const candidate of scored.ranking) {
      const signals = explain(scored, candidate);
      expect(signals.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(candidate.score, 10);
      expect(signals.map(({ score }) => score)).toEqual(
        signals.map(({ score }) => score).sort((a, b) => b - a),
      );
    }
    const ann = scored.ranking.find(({ candidate }) => candidate.grain.author === "Ann");
    expect(ann && explain(scored, ann).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["words", "neighbours", "session", "speaker", "date"]),
    );
  });

  test("of a question named to somebody, what he said comes first", () => {
    const { query, pool } = samplePool("What does Ann like?", [
      { text: "I like tea", author: "Ann Lee" },
      { text: "I like tea", author: "Bob" },
    ]);
    const scored = scorePool(query, pool);
    expect([...scored.authors]).toEqual(["Ann Lee"]);
    expect(ids(scored)).toEqual(["g1", "g2"]);
  });

  test("roles are nobody's names", () => {
    const { query, pool } = samplePool("What did the user like?", [{ text: "I like tea", author: "user" }]);
    expect(scorePool(query, pool).authors.size).toBe(0);
  });

  test.each([
    ["dormant", { status: "dormant" }, defaultWeights.dormant],
    ["archived", { status: "archived" }, defaultWeights.archived],
    ["quarantined", { status: "quarantined" }, defaultWeights.quarantined],
    ["said by an assistant", { provenance: "ai_stated" }, defaultWeights.assistant],
    ["important", { importance: 1 }, 1 + defaultWeights.importance],
    ["unimportant", { importance: 0 }, 1 - defaultWeights.importance],
    ["pinned", { pinned: true }, defaultWeights.pinned],
  ] as const)("%s: the whole score has its factor", (_, more, factor) => {
    const { query, pool } = samplePool("tea", [{ text: "tea" }, { text: "tea", ...more }]);
    const scores = new Map(
      scorePool(query, pool).ranking.map(({ candidate, score }) => [candidate.grain.id, score]),
    );
    expect((scores.get("g2") ?? 0) / (scores.get("g1") ?? 1)).toBeCloseTo(factor, 10);
  });

  test("what was said near the time asked about comes before the rest", () => {
    const day = 24 * 3_600_000;
    const { query, pool } = samplePool("tea yesterday", [
      { text: "tea", saidAt: sampleNow - 2 * day },
      { text: "tea", saidAt: sampleNow - day },
      { text: "tea", saidAt: sampleNow - 90 * day },
    ]);
    const scored = scorePool(query, pool);
    expect(ids(scored)).toEqual(["g2", "g1", "g3"]);
    expect(scored.signals.get("date")?.[2]).toBe(0);
  });

  test("ties go to what is newer, then to the lesser id", () => {
    const of = (id: string, seq: number, score: number) => ({
      ...{ row: 0, score, added: [] },
      candidate: { grain: sampleGrain(id, { seq }), counts: [], length: 0, similarity: 0, arms: new Map() },
    });
    const list = [of("b", 1, 1), of("a", 1, 1), of("c", 2, 1), of("d", 1, 2)];
    expect(ids({ ranking: list.sort(byScore) })).toEqual(["d", "c", "a", "b"]);
  });

  test("scores of further arms are added at their weights", () => {
    const { query, pool } = samplePool("tea", [{ text: "tea" }, { text: "coffee" }]);
    const [, coffee] = pool.candidates;
    if (coffee === undefined) throw new Error("there is one candidate");
    coffee.arms = new Map([["graph", 0.5]]);
    const scored = scorePool(query, pool, [{ id: "graph", weight: 4 }]);
    expect(scored.ranking[0]).toMatchObject({ score: 2, candidate: { grain: { id: "g2" } } });
  });

  test("a signal that comes later has the standing of the others", () => {
    const { query, pool } = samplePool("tea", [{ text: "tea", provenance: "ai_stated" }]);
    const scored = scorePool(query, pool);
    const [first] = scored.ranking;
    if (first === undefined) throw new Error("nothing was found");
    const later = withSignal(first, { name: "phrase", score: 1 }, defaultWeights);
    expect(later.score - first.score).toBeCloseTo(defaultWeights.assistant, 10);
    expect(explain(scored, later).map(({ name }) => name)).toContain("phrase");
  });

  test("the best alone are those of all", () => {
    const said = Array.from({ length: 60 }, (_, i) => ({
      text: ["tea", "black tea", "milk"][i % 3] ?? "",
      seq: i % 7,
    }));
    const { query, pool } = samplePool("black tea", said);
    const all = scorePool(query, pool);
    for (const most of [1, 25, 60, 100]) {
      const { ranking } = scorePool(query, pool, [], defaultWeights, most);
      expect(ranking).toEqual(all.ranking.slice(0, most));
    }
  });

  test("nothing found and nothing asked are no problem", () => {
    const { query, pool } = samplePool("", [{ text: "tea" }]);
    expect(scorePool(query, pool).ranking[0]?.score).toBe(0);
    expect(scorePool(query, new PoolBuilder().build()).ranking).toEqual([]);
  });
});
