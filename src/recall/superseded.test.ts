import { describe, expect, test } from "vitest";
import { recall } from "./recall.ts";
import { renderMemories } from "./render.ts";
import { type Said, sampleMemory } from "./sample-memory.ts";

/** Grains `g1`, `g2`, … in order; the first words fit the question, the later ones hardly. */
const budget: readonly Said[] = [
  { text: "My grocery budget is 500 dollars a month.", sessionId: "s1" },
  { text: "It went up, to 550 from now on.", sessionId: "s2" },
  { text: "Groceries have become expensive.", sessionId: "s1" },
  { text: "The weather was fine in the mountains.", sessionId: "s3" },
];
const question = "What was said about the grocery budget a month?";

async function memoryWith(marks: Readonly<Record<string, string>>, said = budget) {
  return sampleMemory(said.map((one, i) => ({ ...one, supersededBy: marks[`g${i + 1}`] })));
}

const shown = ({
  hits,
}: {
  readonly hits: readonly { readonly id: string; readonly supersededBy?: string }[];
}) => hits.map(({ id, supersededBy }) => (supersededBy === undefined ? id : `${id}→${supersededBy}`));

describe("a hit that was replaced", () => {
  test("stands right behind what replaced it, which is brought in from anywhere", async () => {
    await using memory = await memoryWith({ g1: "g2" });
    expect(shown(await recall(memory, question, { k: 2 }))).toEqual(["g2", "g1→g2"]);
    const { hits } = await recall(memory, question);
    expect(shown({ hits }).slice(0, 2)).toEqual(["g2", "g1→g2"]);
    expect(hits[0]?.signals.map(({ name }) => name)).toContain("replaces");
    expect(hits[0]?.signals.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(hits[0]?.score ?? 0, 10);
    expect(hits[0]?.score).toBe(hits[1]?.score);
  });

  test("is found without what replaced it only where there is no room for two", async () => {
    await using memory = await memoryWith({ g1: "g2" });
    expect(shown(await recall(memory, question, { k: 1 }))).toEqual(["g2"]);
  });

  test("leads along a chain to what stands now", async () => {
    await using memory = await memoryWith({ g1: "g4", g4: "g2" });
    const ids = shown(await recall(memory, question, { k: 3 }));
    expect(ids.slice(0, 2)).toEqual(["g2", "g1→g2"]);
    expect(ids).toHaveLength(3);
  });

  test("stays where it is, and says so, when hits are to be in the order of their scores", async () => {
    await using memory = await memoryWith({ g1: "g2" });
    const ids = shown(await recall(memory, question, { byScore: true }));
    expect(ids[0]).toBe("g1→g2");
  });

  test("is told to the reader of a prompt", async () => {
    await using memory = await memoryWith({ g1: "g2" });
    const prompt = renderMemories(await recall(memory, question, { k: 2 }));
    expect(prompt.match(/superseded="true"/g)).toHaveLength(1);
    expect(prompt).toMatch(/superseded="true">\nMy grocery budget is 500/);
  });
});

describe("a mark does not count", () => {
  test("when what it names is not there", async () => {
    await using memory = await memoryWith({ g1: "gone" });
    expect(shown(await recall(memory, question))[0]).toBe("g1");
  });

  test("when what it names was put away, or the conditions leave it out", async () => {
    await using memory = await memoryWith({ g1: "g2" });
    const there = await recall(memory, question, { where: { sessionIds: ["s1"] } });
    expect(shown(there)).toEqual(["g1", "g3"]);
    const aside = budget.map((one, i) => (i === 1 ? { ...one, status: "archived" as const } : one));
    await using other = await memoryWith({ g1: "g2" }, aside);
    expect(shown(await recall(other, question))[0]).toBe("g1");
  });

  test("when a chain comes back to where it began", async () => {
    await using memory = await memoryWith({ g1: "g2", g2: "g1" });
    expect(shown(await recall(memory, question))).toContain("g1");
    expect(shown(await recall(memory, question)).join()).not.toContain("→");
  });
});

test("a replacement makes no hit of the first k fall out that was replaced", async () => {
  const said: readonly Said[] = [
    { text: "The garden party is on Friday at noon.", sessionId: "a" },
    { text: "The garden is full of roses.", sessionId: "b" },
    { text: "A party needs music.", sessionId: "c" },
    { text: "We meet later than planned.", sessionId: "d" },
  ];
  await using memory = await memoryWith({}, said);
  const plain = shown(await recall(memory, "garden party", { k: 3 }));
  const last = plain.at(-1) ?? "";
  await using marked = await memoryWith({ [last]: "g4" }, said);
  expect(shown(await recall(marked, "garden party", { k: 3 }))).toEqual([plain[0], "g4", `${last}→g4`]);
});

test("marks cost a further read only where what they name was not found", async () => {
  await using memory = await memoryWith({ g1: "g2" });
  const count = async (from: typeof memory, query: string): Promise<number> => {
    let trips = 0;
    const ledger = {
      read: ((...args) => {
        trips += 1;
        return from.ledger.read(...args);
      }) as typeof from.ledger.read,
    };
    await recall({ ...from, ledger }, query);
    return trips;
  };
  expect(await count(memory, "What about the mountains?")).toBeLessThanOrEqual(3);
  expect(await count(memory, "500 dollars")).toBe(5);
});
