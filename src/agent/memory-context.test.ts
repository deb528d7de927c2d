import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FactHit } from "../facts/facts.ts";
import type { MemoryBlock } from "../memory/blocks.ts";
import type { EpisodeMatch, SessionMessage } from "../memory/episodes.ts";
import { FluxError, FluxTypeError } from "../model/errors.ts";
import { buildContext, type ContextMemory } from "./memory-context.ts";
import type { MemoryEvent } from "./memory-event.ts";

const now = Date.UTC(2026, 2, 2);
const day = 24 * 3_600_000;

const block = (name: string, content: string): MemoryBlock => ({
  ...{ id: name, name, content, position: 0, pinned: false, maxBytes: 8192, updatedAt: now },
});
const fact = (id: string, object = id, more: Partial<FactHit> = {}): FactHit => ({
  ...{ id, factId: `of ${id}`, subject: "user", predicate: "likes", object, affirmed: true, confidence: 1 },
  ...{ provenance: "user_stated", recordedFrom: now, sources: [], mentions: 0 },
  ...{ firstSaidAt: now, lastSaidAt: now, score: 1, signals: [] },
  ...more,
});
const match = (id: string, score: number, more: Partial<EpisodeMatch["episode"]> = {}): EpisodeMatch => ({
  ...{ score, status: "active", provenance: "user_stated", signals: [], text: id },
  episode: { id, input: `about ${id}`, output: `noted ${id}`, occurredAt: now, recordedAt: now, ...more },
});
const message = (
  role: SessionMessage["role"],
  content: string,
  more: Partial<SessionMessage> = {},
): SessionMessage => ({
  ...{ role, content, recordId: content, saidAt: now },
  ...more,
});

interface Held {
  readonly blocks?: readonly MemoryBlock[];
  readonly facts?: readonly FactHit[];
  readonly episodes?: readonly EpisodeMatch[];
  readonly history?: readonly SessionMessage[];
}

function memoryOf(
  { blocks = [], facts = [], episodes = [], history = [] }: Held,
  more: Partial<ContextMemory> = {},
) {
  const asked: number[] = [];
  const memory: ContextMemory = {
    sessionId: "now",
    working: async () => blocks,
    recallFacts: async (_query, { limit = 0 } = {}) => facts.slice(0, limit),
    recallScored: async (_query, { limit = 0 } = {}) => {
      asked.push(limit);
      return episodes.slice(0, limit);
    },
    sessionMessages: async () => history,
    ...more,
  };
  return { memory, asked };
}

const ids = (text: string | undefined, known: readonly string[]): string[] =>
  known.filter((id) => new RegExp(`\\b${id}\\b`).test(text ?? ""));

describe("buildContext", () => {
  test("gives blocks, facts and episodes as one message of the user's, then the history as it was said", async () => {
    const toolCalls = [{ id: "c1", name: "look" }];
    const history = [
      message("user", "Hi <b>"),
      message("assistant", "", { toolCalls }),
      message("tool", "found", { toolCallId: "c1", name: "look" }),
      message("assistant", "Hello."),
    ];
    const { memory } = memoryOf({
      blocks: [block("persona", "Kind.")],
      facts: [fact("tea")],
      episodes: [match("dogs", 1)],
      history,
    });
    const { messages, used, cut, degraded } = await buildContext(memory, "What do I like?", { now });
    expect(messages[0]?.role).toBe("user");
    expect(messages[0]?.content).toMatch(
      /^<memory>\n.*data.*\n<blocks>.*Kind.*<facts>.*tea.*<episodes>.*dogs.*<\/memory>$/s,
    );
    expect(messages.slice(1)).toEqual([
      { role: "user", content: "Hi <b>" },
      { role: "assistant", content: "", toolCalls },
      { role: "tool", content: "found", toolCallId: "c1", name: "look" },
      { role: "assistant", content: "Hello." },
    ]);
    expect(used).toEqual({ tokens: expect.any(Number), blocks: 1, facts: 1, episodes: 1, messages: 4 });
    expect([cut, degraded]).toEqual([[], []]);
    expect(messages.some(({ content }) => content.includes("What do I like?"))).toBe(false);
  });

  test("an empty memory adds nothing", async () => {
    expect(await buildContext(memoryOf({}).memory, "Hi", { now })).toEqual({
      ...{ messages: [], cut: [], degraded: [] },
      used: { tokens: 0, blocks: 0, facts: 0, episodes: 0, messages: 0 },
    });
  });

  test("what was stored as a system's message is none of the history", async () => {
    const { memory } = memoryOf({ history: [message("system", "Obey."), message("user", "Hi")] });
    expect((await buildContext(memory, "x", { now })).messages).toEqual([{ role: "user", content: "Hi" }]);
  });

  test("episodes of the present session are left out, and others take their places", async () => {
    const present = Array.from({ length: 40 }, (_, i) => match(`present${i}`, 9, { sessionId: "now" }));
    const others = ["one", "two", "three", "four"].map((id, i) =>
      match(id, 1 - i / 10, { sessionId: "then" }),
    );
    const { memory, asked } = memoryOf({ episodes: [...present, ...others] });
    const { messages, used } = await buildContext(memory, "x", { now });
    expect(ids(messages[0]?.content, ["one", "two", "three", "four"])).toEqual(["one", "two", "three"]);
    expect(messages[0]?.content).not.toContain("present");
    expect(used.episodes).toBe(3);
    expect(asked).toEqual([9, 36, 100]);
  });

  test("limits are five facts and three episodes, or as told", async () => {
    const facts = Array.from({ length: 20 }, (_, i) => fact(`f${i}`));
    const episodes = Array.from({ length: 20 }, (_, i) => match(`e${i}`, 1 - i / 100));
    const { memory } = memoryOf({ facts, episodes });
    expect((await buildContext(memory, "x", { now })).used).toMatchObject({ facts: 5, episodes: 3 });
    const options = { now, facts: 0, episodes: 7, history: 0 };
    expect((await buildContext(memory, "x", options)).used).toMatchObject({
      facts: 0,
      episodes: 7,
      messages: 0,
    });
  });

  test("facts that are not believed any more are no part of it", async () => {
    const facts = [
      fact("old", "old", { recordedUntil: now }),
      fact("gone", "gone", { supersededBy: "x" }),
      fact("new"),
    ];
    const { messages } = await buildContext(memoryOf({ facts }).memory, "x", { now });
    expect(ids(messages[0]?.content, ["old", "gone", "new"])).toEqual(["new"]);
  });

  test("each half-life halves what a memory counts, and the future is not older than now", async () => {
    const episodes = [
      match("ancient", 1, { occurredAt: now - 100 * day }),
      match("recent", 0.3, { occurredAt: now - day }),
      match("future", 0.2, { occurredAt: now + 100 * day }),
    ];
    const { memory } = memoryOf({ episodes });
    const best = async (halfLifeDays: number | undefined, count: number) =>
      ids((await buildContext(memory, "x", { now, halfLifeDays, episodes: count })).messages[0]?.content, [
        ...["ancient", "recent", "future"],
      ]);
    expect(await best(undefined, 1)).toEqual(["ancient"]);
    expect(await best(30, 1)).toEqual(["recent"]);
    expect(await best(30, 2)).toEqual(["recent", "future"]);
    // 1 × 0.5^(100 / 40) is 0.18, and less than 0.2.
    expect(await best(40, 2)).toEqual(["recent", "future"]);
    expect(await best(60, 2)).toEqual(["ancient", "recent"]);
  });

  test("a fact is as old as when it was last said, whenever that was recorded", async () => {
    const facts = [
      fact("old", "old", { score: 1, lastSaidAt: now - 100 * day }),
      fact("new", "new", { score: 0.3, recordedFrom: now - 100 * day }),
    ];
    const { messages } = await buildContext(memoryOf({ facts }).memory, "x", {
      now,
      halfLifeDays: 30,
      facts: 1,
    });
    expect(ids(messages[0]?.content, ["old", "new"])).toEqual(["new"]);
    expect(messages[0]?.content).toContain('<fact author="user" time="2026-03-02T00:00Z">');
  });

  test("what is said nearly alike is there once, as it was said last", async () => {
    const words =
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen";
    const episodes = [
      match("a", 0.9, { input: `${words} earlier`, output: "", occurredAt: now - day }),
      match("b", 0.5, { input: `${words} later`, output: "", occurredAt: now }),
      match("other", 0.1),
    ];
    const facts = [fact("f1", "tea"), fact("f2", "tea"), fact("f3", "teas")];
    const { messages, used } = await buildContext(memoryOf({ episodes, facts }).memory, "x", { now });
    expect(ids(messages[0]?.content, ["earlier", "later", "other"])).toEqual(["later", "other"]);
    expect(used).toMatchObject({ facts: 2, episodes: 2 });
  });

  test("equal scores have one order, whatever order they come in", async () => {
    const episodes = ["a", "b", "c", "d", "e"].map((id) => match(id, 0.5));
    const results = [episodes, episodes.toReversed()].map((some) =>
      buildContext(memoryOf({ episodes: some }).memory, "x", { now }),
    );
    const [one, other] = await Promise.all(results);
    expect(one).toEqual(other);
  });
});

describe("buildContext with a budget", () => {
  const long = (word: string, count: number): string => `${word} `.repeat(count).trim();

  test("keeps blocks whole, whatever they take, and says what is left out", async () => {
    const { memory } = memoryOf({
      blocks: [block("persona", long("kind", 100))],
      facts: [fact("tea")],
      episodes: [match("dogs", 1)],
      history: [message("user", "Hi"), message("assistant", "Hello.")],
    });
    const { messages, used, cut } = await buildContext(memory, "x", { now, maxTokens: 10 });
    expect(messages).toHaveLength(1);
    expect(messages[0]?.content).toContain(long("kind", 100));
    expect(messages[0]?.content).toContain(
      "Left out for lack of room: 1 fact, 1 episode, 2 earlier messages of this conversation.",
    );
    expect(used).toMatchObject({ blocks: 1, facts: 0, episodes: 0, messages: 0 });
    expect(cut).toEqual([
      { part: "facts", id: "tea", how: "left_out" },
      { part: "episodes", id: "dogs", how: "left_out" },
      { part: "history", messages: 2, how: "left_out" },
    ]);
  });

  test("the first episode that does not fit is cut where that is worth it, and says so", async () => {
    const episodes = [
      match("dogs", 1, { input: long("dog", 400), output: long("bark", 400) }),
      match("cats", 0.5),
    ];
    const { messages, cut, used } = await buildContext(memoryOf({ episodes }).memory, "x", {
      now,
      maxTokens: 200,
    });
    expect(messages[0]?.content).toMatch(
      /\| dog dog.*… \[cut\]\n<\/said>.*\| bark bark.*… \[cut\]\n<\/said>/s,
    );
    expect(cut).toEqual([
      { part: "episodes", id: "cats", how: "left_out" },
      { part: "episodes", id: "dogs", how: "shortened" },
    ]);
    expect(used.tokens).toBeLessThanOrEqual(200);
    expect(used.tokens).toBeGreaterThan(150);
  });

  test("the history keeps its latest turns whole, and takes what recalled memories do not need", async () => {
    const history = Array.from({ length: 10 }, (_, i) => [
      message("user", `ask ${i} ${long("why", 20)}`),
      message("tool", `tool ${i}`),
      message("assistant", `answer ${i}`),
    ]).flat();
    const { memory } = memoryOf({ history });
    const { messages, cut, used } = await buildContext(memory, "x", { now, maxTokens: 250 });
    const [first, ...kept] = messages;
    expect(first?.content).toContain(`${30 - kept.length} earlier messages`);
    expect(kept.length).toBeGreaterThan(3);
    expect(kept.length % 3).toBe(0);
    expect(kept.at(0)?.content).toMatch(/^ask/);
    expect(kept.at(-1)?.content).toBe("answer 9");
    expect(cut).toEqual([{ part: "history", messages: 30 - kept.length, how: "left_out" }]);
    expect(used.tokens).toBeLessThanOrEqual(250);
  });

  test("a last turn that alone does not fit is cut, without what its tools did", async () => {
    const history = [
      message("user", long("why", 500)),
      message("assistant", "", { toolCalls: [{ id: "c" }] }),
      message("tool", long("data", 500)),
      message("assistant", "Because."),
    ];
    const { messages, cut } = await buildContext(memoryOf({ history }).memory, "x", { now, maxTokens: 300 });
    expect(messages.slice(1).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(messages[1]?.content).toMatch(/^why why.*… \[cut\]$/);
    expect(cut).toEqual([
      { part: "history", messages: 2, how: "left_out" },
      { part: "history", messages: 1, how: "shortened" },
    ]);
  });

  test("memories and history each have half of a budget that is too small for both", async () => {
    const episodes = Array.from({ length: 3 }, (_, i) =>
      match(`e${i}`, 1, { input: long(`word${i}`, 60), output: "" }),
    );
    const history = Array.from({ length: 20 }, (_, i) =>
      message(i % 2 === 0 ? "user" : "assistant", long("said", 20)),
    );
    const { used } = await buildContext(memoryOf({ episodes, history }).memory, "x", { now, maxTokens: 400 });
    expect(used.episodes).toBeGreaterThan(0);
    expect(used.messages).toBeGreaterThan(2);
  });

  test("no budget is ever exceeded but by blocks, and everything is either there or in the list of what is cut", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom("x", long("word", 200), "<&>".repeat(50)),
    );
    const sizes = fc.record({
      facts: fc.array(text, { maxLength: 5 }),
      episodes: fc.array(fc.tuple(text, text), { maxLength: 3 }),
      history: fc.array(fc.tuple(fc.constantFrom("user", "assistant", "tool"), text), { maxLength: 8 }),
      maxTokens: fc.integer({ min: 60, max: 600 }),
    });
    const quarter = { id: "quarter", exact: false, count: (some: string) => Math.ceil(some.length / 4) };
    await fc.assert(
      fc.asyncProperty(sizes, fc.constantFrom(undefined, quarter), async (held, tokenCounter) => {
        const { memory } = memoryOf({
          facts: held.facts.map((object, i) => fact(`f${i}`, object, { predicate: `p${i}` })),
          episodes: held.episodes.map(([input, output], i) =>
            match(`e${i}`, 1, { input: `${i} ${input}`, output }),
          ),
          history: held.history.map(([role, content]) => message(role, content)),
        });
        const options = { now, maxTokens: held.maxTokens, tokenCounter };
        const { used, cut } = await buildContext(memory, "x", options);
        expect(used.tokens).toBeLessThanOrEqual(held.maxTokens);
        const gone = (part: string): number =>
          cut.reduce(
            (sum, one) =>
              sum + (one.part !== part || one.how !== "left_out" ? 0 : "messages" in one ? one.messages : 1),
            0,
          );
        const whole = await buildContext(memory, "x", { now });
        expect(used.facts + gone("facts")).toBe(whole.used.facts);
        expect(used.episodes + gone("episodes")).toBe(whole.used.episodes);
        expect(used.messages + gone("history")).toBe(whole.used.messages);
        expect(await buildContext(memory, "x", options)).toMatchObject({ used, cut });
      }),
      { numRuns: 150 },
    );
  });
});

describe("buildContext of a memory that fails", () => {
  const down = (): Promise<never> =>
    Promise.reject(new FluxError("unavailable", "secret host", { retryable: true }));
  const never = (): Promise<never> => new Promise(() => undefined);

  test("uses what could be read, and says what is missing", async () => {
    const events: MemoryEvent[] = [];
    const { memory } = memoryOf(
      { blocks: [block("persona", "Kind.")], history: [message("user", "Hi")] },
      { recallFacts: down, recallScored: never },
    );
    const { messages, degraded } = await buildContext(memory, "x", {
      now,
      timeout: 20,
      onEvent: (event) => events.push(event),
    });
    expect(messages).toHaveLength(2);
    expect(degraded).toEqual([
      {
        ...{ part: "facts", code: "unavailable", reason: "Reading facts from the memory failed" },
        cause: { code: "unavailable", retryable: true },
      },
      {
        ...{ part: "episodes", code: "timeout", reason: "Reading episodes from the memory took too long" },
        cause: { code: "timeout", retryable: true },
      },
    ]);
    expect(events).toEqual([
      ...degraded.map((one) => ({ type: "memory_degraded", ...one })),
      { type: "memory_recall", blocks: 1, facts: 0, episodes: 0, messages: 1 },
    ]);
    expect(JSON.stringify([degraded, events])).not.toContain("secret");
  });

  test("reads all parts at the same time", async () => {
    let open = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const together = async (): Promise<readonly never[]> => {
      open += 1;
      if (open === 4) resolve();
      await promise;
      return [];
    };
    const { memory } = memoryOf(
      {},
      { working: together, recallFacts: together, recallScored: together, sessionMessages: together },
    );
    expect((await buildContext(memory, "x", { now })).degraded).toEqual([]);
  });

  test("passes on what a recall says of itself", async () => {
    const one = { code: "embedder_failed", reason: "The embedder failed" } as const;
    const { memory } = memoryOf(
      {},
      {
        recallScored: async (_query, options) => {
          options?.onDegraded?.([one]);
          return [];
        },
      },
    );
    expect((await buildContext(memory, "x", { now })).degraded).toEqual([{ part: "episodes", ...one }]);
  });

  test("even all of them down, and a listener that throws, leave the run an empty context", async () => {
    const { memory } = memoryOf(
      {},
      { working: down, recallFacts: down, recallScored: down, sessionMessages: down },
    );
    const onEvent = (): never => {
      throw new Error("listener");
    };
    const { messages, degraded } = await buildContext(memory, "x", { now, onEvent });
    expect(messages).toEqual([]);
    expect(degraded.map(({ part }) => part)).toEqual(["blocks", "facts", "episodes", "history"]);
  });

  test("mistakes of the program are errors, and an aborted run ends with its reason", async () => {
    const { memory } = memoryOf({});
    const wrong: [unknown, unknown, unknown][] = [
      [null, "x", {}],
      [{}, "x", {}],
      [memory, 5, {}],
      [memory, "x", null],
      ...[
        { limit: 5 },
        { facts: -1 },
        { episodes: 31 },
        { history: 1.5 },
        { maxTokens: 0 },
        { halfLifeDays: 0 },
      ].map((options): [unknown, unknown, unknown] => [memory, "x", options]),
      ...[
        { halfLifeDays: Number.NaN },
        { timeout: 0 },
        { now: Number.NaN },
        { tokenCounter: {} },
        { onEvent: 5 },
        { signal: 5 },
      ].map((options): [unknown, unknown, unknown] => [memory, "x", options]),
    ];
    for (const [one, prompt, options] of wrong)
      await expect(buildContext(one as never, prompt as never, options as never)).rejects.toMatchObject({
        code: "invalid_argument",
      });
    const blocks = [block("persona", "Kind.")];
    for (const count of [() => Number.NaN, () => -1, () => "many", () => Promise.resolve(1)])
      await expect(
        buildContext(memoryOf({ blocks }).memory, "x", { maxTokens: 5, tokenCounter: { count } as never }),
      ).rejects.toMatchObject({ code: "invalid_argument" });
    await expect(buildContext(memory, "x", { sessionId: "" })).rejects.toMatchObject({ code: "invalid_id" });
    await expect(buildContext(memory, "x", { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    const misused = memoryOf(
      {},
      { recallFacts: () => Promise.reject(new FluxTypeError("invalid_argument", "no query")) },
    );
    await expect(buildContext(misused.memory, "x")).rejects.toMatchObject({ code: "invalid_argument" });
  });
});
