import { expect, it } from "vitest";
import type { RecallMemory } from "./recall-memory.ts";
import { recallReport, recallTable } from "./recall-report.ts";
import { runRecall } from "./recall-run.ts";
import type { Question, RecallSet, Turn } from "./recall-set.ts";

const signal = new AbortController().signal;

/** Answers with turns that are named in the question, and keeps account of its calls. */
function scripted(confidence: (question: string) => number = () => 1) {
  const calls: string[] = [];
  const memory: RecallMemory = {
    embedder: "scripted",
    add: async (user, turns) => {
      calls.push(`${user} add ${turns.map(({ id }) => id).join(",")}`);
    },
    recall: async (user, question, { k, now }) => {
      calls.push(`${user} ask ${question} k=${k} now=${now}`);
      return { turns: question.split(" "), confidence: confidence(question) };
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return { memory, calls };
}

function turn(id: string, session: string, saidAt?: number): Turn {
  return { id, session, speaker: "Ann", text: id, saidAt };
}

function question(text: string, evidence: readonly string[], more: Partial<Question> = {}): Question {
  return { id: text, category: "plain", text, evidence, ...more };
}

function setOf(unit: RecallSet["unit"], turns: readonly Turn[], questions: readonly Question[]): RecallSet {
  return { name: "little", unit, corpora: [{ id: "c", turns, questions }] };
}

it("stores sessions in order and asks afterwards, on the day of the question or of the last turn", async () => {
  const { memory, calls } = scripted();
  const turns = [turn("1", "s", 10), turn("2", "s", 30), turn("3", "t", 20)];
  const questions = [question("1", ["1"]), question("2", ["2"], { askedAt: 99 })];
  await runRecall(setOf("turn", turns, questions), memory, signal);
  expect(calls).toEqual(["c add 1,2", "c add 3", "c ask 1 k=20 now=30", "c ask 2 k=20 now=99"]);
});

it("asks before a session begins, once, when only what came earlier is stored", async () => {
  const { memory, calls } = scripted();
  const long = Array.from({ length: 150 }, (_, i) => turn(`b${i}`, "b"));
  const questions = [question("a", ["a"], { before: "b" })];
  await runRecall(setOf("session", [turn("a", "a"), ...long], questions), memory, signal);
  expect(calls).toHaveLength(4);
  expect(calls[0]).toBe("c add a");
  expect(calls[1]).toBe("c ask a k=100 now=undefined");
  expect(calls[2]?.split(",")).toHaveLength(100);
  expect(calls[3]?.split(",")).toHaveLength(50);
});

it("counts sessions in the order in which their turns were found", async () => {
  const { memory } = scripted();
  const turns = [turn("1", "s"), turn("2", "t"), turn("3", "t"), turn("4", "u")];
  const byTurn = await runRecall(setOf("turn", turns, [question("2 3 1", ["1", "4"])]), memory, signal);
  expect(byTurn.outcomes[0]?.scores).toMatchObject({ r5: 0.5, mrr: 1 / 3, session_r1: 0, session_r5: 0.5 });
  const bySession = await runRecall(setOf("session", turns, [question("2 3 1", ["s"])]), memory, signal);
  expect(bySession.outcomes[0]?.scores).toMatchObject({ r5: 1, mrr: 0.5, session_r1: 0, session_r5: 1 });
});

it("reports what has no answer apart, with how well confidence tells it", async () => {
  const { memory } = scripted((text) => Number(text.split(" ")[0]) / 10);
  const turns = ["1", "2", "3", "4", "9"].map((id) => turn(id, "s"));
  const questions = [
    question("9", ["9"]),
    question("3 1", ["1", "2"], { category: "hard" }),
    question("4", []),
    question("2", [], { category: "abstention" }),
    question("4", [], { category: "abstention" }),
    question("1", ["1"], { category: "adversarial" }),
  ];
  const report = recallReport(
    "FILE",
    memory.embedder,
    await runRecall(setOf("turn", turns, questions), memory, signal),
  );
  expect(Object.keys(report.categories)).toEqual(["ALL", "hard", "plain", "abstention", "adversarial"]);
  // One with all its evidence, one with half of it at the second place; the one without evidence does not count.
  expect(report.categories.ALL).toEqual({
    n: 2,
    r5: 75,
    r10: 75,
    r20: 75,
    all5: 50,
    all10: 50,
    all20: 50,
    mrr: 75,
    ndcg10: 69.34,
    session_r1: 100,
    session_r5: 100,
    session_r10: 100,
  });
  expect(report.categories.plain).toMatchObject({ n: 1, r5: 100 });
  // 0.9 is above 0.2 and 0.4, 0.3 above 0.2 alone.
  expect(report.categories.abstention).toEqual({ n: 2, auroc: 75 });
  expect(report.categories.adversarial).toMatchObject({ n: 1, r5: 100, auroc: 100 });
  expect(report).toMatchObject({ file: "FILE", embedder: "scripted" });
  expect(Object.keys(report)).toEqual(["file", "embedder", "categories", "add_ms", "recall_ms"]);
  expect(report.recall_ms.p95).toBeGreaterThanOrEqual(report.recall_ms.p50);

  const [header = "", all = ""] = recallTable(report).split("\n");
  expect(header.trim().split(/\s+/)).toEqual([
    "category",
    ...Object.keys(report.categories.ALL ?? {}),
    "auroc",
  ]);
  expect(all.trim().split(/\s+/).slice(0, 4)).toEqual(["ALL", "2", "75.0", "75.0"]);
});

it("stops when told to", async () => {
  const { memory } = scripted();
  const set = setOf("turn", [turn("1", "s")], [question("1", ["1"])]);
  await expect(runRecall(set, memory, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
