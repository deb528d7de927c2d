import { expect, it } from "vitest";
import type { RecallSet } from "./recall-set.ts";
import { updateReport, updateTable } from "./update-report.ts";
import { runUpdates } from "./update-run.ts";
import { runSyntheticUpdates, syntheticCases, syntheticTable } from "./update-synthetic.ts";

const { signal } = new AbortController();

const set: RecallSet = {
  name: "little",
  unit: "turn",
  corpora: [
    {
      id: "c",
      turns: [
        {
          id: "1",
          session: "a",
          speaker: "user",
          text: "The rent of my flat is 900 euros, my flat is fine.",
          saidAt: 1,
        },
        {
          id: "2",
          session: "b",
          speaker: "user",
          text: "The rent of my flat was raised to 950 euros.",
          saidAt: 2,
        },
      ],
      questions: [
        {
          ...{
            id: "q",
            category: "knowledge_update",
            text: "What is the rent of my flat?",
            evidence: ["1", "2"],
          },
          update: { original: ["1"], updated: ["2"] },
        },
        { id: "p", category: "other", text: "Is my flat fine?", evidence: ["1"] },
      ],
    },
  ],
};

it("asks the questions about updates of a memory that knows of them and of one that does not", async () => {
  const outcomes = await runUpdates(set, { store: () => "inmemory", embedder: false, signal });
  expect(outcomes).toEqual([
    {
      id: "q",
      withUpdates: { newAboveOld: 1, newAt1: 1, both10: 1, stale: 0 },
      plain: { newAboveOld: 0, newAt1: 0, both10: 1, stale: 1 },
    },
  ]);
  const report = updateReport("little", "none", outcomes);
  expect(report.measures.newAboveOld).toMatchObject({
    withUpdates: { share: 100 },
    difference: { share: 100 },
  });
  expect(updateTable(report)).toMatch(/^newAboveOld +100\.0/m);
});

it("makes 1,000 updates of 40 attributes up", () => {
  const cases = syntheticCases();
  expect(cases).toHaveLength(1000);
  expect(new Set(cases.map(({ attribute }) => attribute)).size).toBe(40);
  expect(cases[0]).toMatchObject({ form: "changed", current: ["Hamburg"], closed: ["Porto"] });
});

it("compares what is known after an update with what is to be known", async () => {
  const cases = syntheticCases().filter(
    ({ attribute }) => attribute.subject === "user" && attribute.predicate === "lives_in",
  );
  const report = await runSyntheticUpdates(signal, cases.slice(0, 5));
  expect(report).toMatchObject({ cases: 5, right: 100, trueFactsClosed: 0, wrong: [] });
  const wrong = cases.slice(0, 1).map((one) => ({ ...one, current: ["Rome"], closed: [] }));
  const failed = await runSyntheticUpdates(signal, wrong);
  expect(failed).toMatchObject({ right: 0, wrong: [{ expected: "now rome; before nothing" }] });
  expect(syntheticTable(failed)).toContain("found    now hamburg; before porto");
});
