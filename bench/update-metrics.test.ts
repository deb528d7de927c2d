import { expect, it } from "vitest";
import { parseRecallSet } from "./recall-set.ts";
import { differenceOf, scoreUpdate, shareOf } from "./update-metrics.ts";

const update = { original: ["old"], updated: ["new", "newer"] };
const ranked = (...ids: readonly string[]) => ids.map((id) => ({ id, superseded: id === "said" }));

it("tells whether what holds now comes before what held then", () => {
  expect(scoreUpdate(ranked("new", "old"), update)).toEqual({
    newAboveOld: 1,
    newAt1: 1,
    both10: 1,
    stale: 0,
  });
  expect(scoreUpdate(ranked("old", "x", "newer"), update)).toEqual({
    ...{ newAboveOld: 0, newAt1: 0, both10: 1, stale: 1 },
  });
  expect(scoreUpdate(ranked("x"), update)).toEqual({ newAboveOld: 0, newAt1: 0, both10: 0, stale: 0 });
  expect(scoreUpdate(ranked("x", "new"), update).newAboveOld).toBe(1);
  const far = Array.from({ length: 10 }, (_, i) => `x${i}`);
  expect(scoreUpdate(ranked("new", ...far, "old"), update).both10).toBe(0);
});

it("does not call stale what says that it was replaced", () => {
  const said = { original: ["said"], updated: ["new"] };
  expect(scoreUpdate(ranked("said", "new"), said)).toMatchObject({ newAboveOld: 0, stale: 0 });
});

it("gives shares with intervals that hold for few and for extreme ones", () => {
  expect(shareOf([1, 0, 1, 0])).toEqual({ share: 50, low: 15, high: 85 });
  expect(shareOf(Array.from({ length: 50 }, () => 1))).toEqual({ share: 100, low: 92.9, high: 100 });
});

it("gives differences of the same questions with an interval that is always the same", () => {
  const own = Array.from({ length: 50 }, (_, i) => (i < 40 ? 1 : 0));
  const other = Array.from({ length: 50 }, (_, i) => (i < 21 ? 1 : 0));
  const difference = differenceOf(own, other);
  expect(difference).toEqual(differenceOf(own, other));
  expect(difference.share).toBe(38);
  expect(difference.low).toBeGreaterThan(20);
  expect(difference.high).toBeLessThan(56);
  expect(differenceOf(own, own)).toEqual({ share: 0, low: 0, high: 0 });
});

it("reads from a set which turns say what was and what is, without those that are named as both", () => {
  const doc = { session: "s", date: null, speaker: "user", text: "Hi" };
  const query = { corpus: "c", category: "knowledge_update", question: "?", evidence: ["1"] };
  const { corpora } = parseRecallSet({
    name: "little",
    corpora: [{ id: "c", docs: ["1", "2", "3"].map((id) => ({ ...doc, id })) }],
    queries: [
      { ...query, id: "a", evidence_roles: { original_info: ["1", "2"], updated_info: ["2", "3"] } },
      { ...query, id: "b", evidence_roles: { original_info: "1", updated_info: "1" } },
      { ...query, id: "c", evidence_roles: { first_event: "1" } },
    ],
  });
  expect(corpora[0]?.questions.map((one) => one.update)).toEqual([
    { original: ["1"], updated: ["3"] },
    undefined,
    undefined,
  ]);
});
