import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Flux, type FluxMemory } from "../../src/index.ts";
import { readConversation, readQuestions } from "./conversation.ts";

const turns = readConversation();
const { asked_at, zone, questions } = readQuestions();

describe("the example conversation", () => {
  it("is told in order, session after session, over a year", () => {
    const times = turns.map(({ said_at }) => Date.parse(said_at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const sessions = turns.map(({ session_id }) => session_id);
    const changes = sessions.filter((session, i) => session !== sessions[i - 1]);
    expect(changes).toEqual([...new Set(sessions)]);
    expect((Math.max(...times) - Math.min(...times)) / 86_400_000).toBeGreaterThan(330);
  });

  it("is told with the offset of where it was said, summer time too", () => {
    for (const { said_at } of turns) {
      const offset = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
        .formatToParts(Date.parse(said_at))
        .find(({ type }) => type === "timeZoneName")?.value;
      expect(offset).toBe(`GMT${said_at.slice(-6)}`);
    }
  });

  it("says hardly anything twice", () => {
    expect(new Set(turns.map(({ content }) => content)).size).toBeGreaterThanOrEqual(turns.length - 2);
  });
});

describe("the questions about it", () => {
  let flux: Flux;
  let memory: FluxMemory;
  beforeAll(async () => {
    flux = await Flux.open("inmemory");
    memory = flux.for({ userId: "mara" });
    const items = turns.map(({ session_id: sessionId, said_at, ...turn }) => ({
      ...turn,
      sessionId,
      saidAt: Date.parse(said_at),
    }));
    await memory.storeBatch(items);
  });
  afterAll(() => flux.close());

  it.each(questions)("finds $about: $question", async (asked) => {
    const { hits, confidence } = await memory.recall(asked.question, {
      k: 3,
      askedAt: Date.parse(asked_at),
      zone,
    });
    const [best, ...others] = hits;
    if (asked.first !== undefined) expect(best?.text).toContain(asked.first);
    if (asked.before !== undefined)
      expect(others.map(({ text }) => text)).toContainEqual(expect.stringContaining(asked.before));
    if (asked.without_words === true) expect(best?.signals.map(({ name }) => name)).not.toContain("words");
    if (asked.confidence_below === undefined) expect(confidence).toBeGreaterThan(0.35);
    else expect(confidence).toBeLessThan(asked.confidence_below);
  });
});
