import { describe, expect, test } from "vitest";
import { askedValues } from "./asked-value.ts";
import { recall } from "./recall.ts";
import { type Said, sampleMemory } from "./sample-memory.ts";

const day = 24 * 3_600_000;

/** Said a day after one another, so that `g1` is the oldest. */
function said(...texts: readonly (string | Said)[]): readonly Said[] {
  return texts.map((text, i) => {
    const more = typeof text === "string" ? { text } : text;
    return { saidAt: Date.UTC(2023, 0, 1) + i * day, sessionId: `s${i}`, ...more };
  });
}

async function order(question: string, texts: readonly Said[], options = {}): Promise<string> {
  await using memory = await sampleMemory(texts);
  const { hits } = await recall(memory, question, options);
  return hits.map(({ id }) => id).join(" ");
}

const budgets = said(
  "My monthly grocery budget is $500, and I keep to the budget for groceries.",
  "I spent the day in the garden, the budget of hours was used up.",
  "I raised the grocery budget to $550.",
);

describe("of two values of what is asked for, the newer one comes first", () => {
  test("when words alone find the older one better", async () => {
    expect(await order("What is my monthly grocery budget?", budgets, { byScore: true })).toMatch(/^g1/);
    expect(await order("What is my monthly grocery budget?", budgets)).toMatch(/^g3 g1/);
  });

  test("with numbers of the same unit, dates and percentages", async () => {
    const commits = said(
      "The main branch has 150 commits, and I like the main branch.",
      "The growth of commits in the main branch has now reached 165.",
    );
    expect(await order("How many commits does the main branch have?", commits)).toBe("g2 g1");
    const deadline = said(
      "The deadline of the sprint is April 1, and I hate every deadline.",
      "The sprint got a new deadline, April 5th.",
    );
    expect(await order("What is the deadline of the first sprint?", deadline)).toBe("g2 g1");
  });

  test("with the score of the older one, and a signal that says so", async () => {
    await using memory = await sampleMemory(budgets);
    const { hits } = await recall(memory, "What is my monthly grocery budget?");
    const [newer, older] = hits;
    expect(newer?.score).toBe(older?.score);
    expect(newer?.signals.map(({ name }) => name)).toContain("newer");
    expect(newer?.signals.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(newer?.score ?? 0, 10);
  });

  test("of three, the newest is the first", async () => {
    const weights = said(
      "My weight is 90 kg, that is my weight in the morning.",
      "My weight in the morning is down to 85 kg.",
      "My morning weight is now 82 kg.",
    );
    expect(await order("What is my weight in the morning?", weights)).toMatch(/^g3/);
  });
});

describe("the order of scores stays", () => {
  const asks = "What is my monthly grocery budget?";

  test("for questions about the past, and those that no value answers", async () => {
    expect(await order("What was my first monthly grocery budget?", budgets)).toMatch(/^g1/);
    expect(await order("Do I keep to my monthly grocery plan?", budgets)).toMatch(/^g1/);
    expect(askedValues("How many times have I changed the budget?").size).toBe(0);
    expect(askedValues("What was my latest score?").size).toBeGreaterThan(0);
  });

  test("for the same value said again, and for one of another kind", async () => {
    expect(
      await order(asks, said("My monthly grocery budget is $500.", "The grocery budget, $500, it is.")),
    ).toBe("g1 g2");
    expect(
      await order(asks, said("My monthly grocery budget is $500.", "My grocery budget is due on May 3.")),
    ).toBe("g1 g2");
  });

  test("for values of other things, and for one that is named as the former", async () => {
    expect(
      await order(asks, said("My monthly grocery budget is $500.", "My phone costs $550 a month.")),
    ).toMatch(/^g1/);
    expect(
      await order(asks, said("My monthly grocery budget is $500.", "The grocery budget went up from $450.")),
    ).toBe("g1 g2");
  });

  test("for what somebody else or an assistant said", async () => {
    const [first, , third] = budgets;
    if (first === undefined || third === undefined) throw new Error("There are three");
    expect(await order(asks, [first, { ...third, author: "Bob" }])).toBe("g1 g2");
    expect(await order(asks, [first, { ...third, provenance: "ai_stated" }])).toBe("g1 g2");
  });
});
