import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseRecallSet, readRecallSet } from "./recall-set.ts";

const doc = { id: "1", session: "s1", date: "2024-03-15T09:30:00", speaker: "Ann", text: "Hi" };
const query = { id: "q1", corpus: "c", category: "plain", question: "Who said hi?", evidence: ["1"] };
const set = { name: "little", split: "dev", corpora: [{ id: "c", docs: [doc] }], queries: [query] };

describe("the common form", () => {
  it("gives each corpus its turns and questions", () => {
    const other = { id: "d", docs: [{ ...doc, caption: "a dog", date: null }] };
    const read = parseRecallSet({
      ...set,
      corpora: [...set.corpora, other],
      queries: [query, { ...query, id: "q2", corpus: "d", evidence: ["1", "1"] }],
    });
    expect(read).toEqual({
      name: "little",
      unit: "turn",
      corpora: [
        {
          id: "c",
          turns: [
            { id: "1", session: "s1", speaker: "Ann", text: "Hi", saidAt: Date.UTC(2024, 2, 15, 9, 30) },
          ],
          questions: [{ id: "q1", category: "plain", text: "Who said hi?", evidence: ["1"] }],
        },
        {
          id: "d",
          turns: [{ id: "1", session: "s1", speaker: "Ann", text: "Hi", caption: "a dog" }],
          questions: [{ id: "q2", category: "plain", text: "Who said hi?", evidence: ["1"] }],
        },
      ],
    });
  });

  it.each([
    ["2024-03-15", Date.UTC(2024, 2, 15)],
    ["2024-03-15T09:30:00", Date.UTC(2024, 2, 15, 9, 30)],
    ["2024-03-15T09:30:00+02:00", Date.UTC(2024, 2, 15, 7, 30)],
    ["March-15-2024", Date.UTC(2024, 2, 15)],
    ["December-1-2023", Date.UTC(2023, 11, 1)],
  ])("reads the date %s as UTC", (date, time) => {
    const read = parseRecallSet({ ...set, corpora: [{ id: "c", docs: [{ ...doc, date }] }] });
    expect(read.corpora[0]?.turns[0]?.saidAt).toBe(time);
  });

  it("refuses what it cannot measure", () => {
    expect(() => parseRecallSet({ ...set, queries: [{ ...query, evidence: ["2"] }] })).toThrow(
      "c, question q1: there is no turn 2",
    );
    expect(() =>
      parseRecallSet({ ...set, corpora: [{ id: "c", docs: [{ ...doc, date: "soon" }] }] }),
    ).toThrow("Not a date: soon");
    for (const wrong of [null, [], 7, "x", {}, { ...set, corpora: [{ id: "c" }] }])
      expect(() => parseRecallSet(wrong)).toThrow();
  });
});

it("reads RealMem's form: sessions, asked before one of them", () => {
  const { evidence: _turns, ...rest } = query;
  const later = { ...doc, id: "2", session: "s2", date: "2024-03-20" };
  const queries = [{ ...rest, evidence_sessions: ["s1"], before_session: "s2", date: "2024-03-20" }];
  const read = parseRecallSet({ ...set, corpora: [{ id: "c", docs: [doc, later] }], queries });
  expect(read.unit).toBe("session");
  expect(read.corpora[0]?.questions).toEqual([
    {
      id: "q1",
      category: "plain",
      text: "Who said hi?",
      askedAt: Date.UTC(2024, 2, 20),
      before: "s2",
      evidence: ["s1"],
    },
  ]);
  const astray = [{ ...rest, evidence_sessions: ["s1"], before_session: "s9" }];
  expect(() => parseRecallSet({ ...set, queries: astray })).toThrow("there is no session s9");
});

it("reads LongMemEval's form: a user for each question, sessions by date", () => {
  const turns = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
  ];
  const read = parseRecallSet({
    name: "haystacks",
    sessions: { late: { date: "2024-02-01T00:00:00", turns }, early: { date: "2024-01-01T00:00:00", turns } },
    queries: [
      {
        question_id: "q",
        question_type: "plain",
        question: "Who?",
        answer: "x",
        question_date: null,
        answer_session_ids: ["late"],
        haystack_session_ids: ["late", "early"],
      },
    ],
  });
  expect(read.unit).toBe("session");
  expect(read.corpora).toHaveLength(1);
  expect(read.corpora[0]?.turns.map(({ id, speaker }) => [id, speaker])).toEqual([
    ["early:0", "user"],
    ["early:1", "assistant"],
    ["late:0", "user"],
    ["late:1", "assistant"],
  ]);
  expect(read.corpora[0]?.questions[0]).toMatchObject({ category: "plain", evidence: ["late"] });
});

it("reads plain and compressed files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "flux-bench-test-"));
  try {
    const text = JSON.stringify(set);
    await writeFile(join(folder, "set.json"), text);
    await writeFile(join(folder, "set.json.gz"), gzipSync(text));
    const expected = parseRecallSet(set);
    expect(await readRecallSet(join(folder, "set.json"))).toEqual(expected);
    expect(await readRecallSet(join(folder, "set.json.gz"))).toEqual(expected);
  } finally {
    await rm(folder, { recursive: true });
  }
});
