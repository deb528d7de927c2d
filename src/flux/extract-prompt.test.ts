import { describe, expect, it } from "vitest";
import { readJson } from "../language/read-json.ts";
import { findingsSchema, showTexts } from "./extract-prompt.ts";

const claim = {
  ...{ from: 1, change: "ADD", ref: 0, subject: "user", predicate: "likes", object: "tea" },
  ...{ affirmed: true, when: "", until: "", confidence: 1, cardinality: "many" },
};

function claimsOf(...claims: readonly unknown[]) {
  return readJson(JSON.stringify({ claims }), findingsSchema)?.claims;
}

describe("what a model writes", () => {
  it("is read as it was asked for", () => {
    const whole = {
      ...claim,
      change: "UPDATE",
      ref: 2,
      when: "since May",
      confidence: 0.5,
      cardinality: "one",
    };
    expect(claimsOf(whole)).toEqual([whole]);
  });

  it.each<[object, object]>([
    [
      { subject: "user", predicate: "likes", object: "tea" },
      { ...claim, from: 0 },
    ],
    [
      { ...claim, from: "2", ref: "3", change: " noop " },
      { ...claim, from: 2, ref: 3, change: "NOOP" },
    ],
    [{ ...claim, change: "REPLACE", ref: 1.5, confidence: "high", cardinality: "single" }, claim],
    [
      { ...claim, confidence: "0.25", affirmed: "false" },
      { ...claim, confidence: 0.25, affirmed: false },
    ],
    [{ ...claim, when: null, until: 5, confidence: 7, affirmed: null }, claim],
    [
      { ...claim, object: 42 },
      { ...claim, object: "42" },
    ],
    [
      { ...claim, object: null },
      { ...claim, object: "" },
    ],
  ])("is read where it is otherwise: %j", (written, read) => {
    expect(claimsOf(written)).toEqual([read]);
  });

  it("is left out where it is no claim, and no answer where nothing is", () => {
    expect(claimsOf({ subject: "user" }, claim, "I like tea", null, { ...claim, object: ["tea"] })).toEqual([
      claim,
    ]);
    expect(claimsOf({ subject: "user" })).toBeUndefined();
    expect(readJson('{"facts": [{"subject": "user"}]}', findingsSchema)).toBeUndefined();
    expect(readJson('{"claims": [], "statements": []}', findingsSchema)).toEqual({
      statements: [],
      claims: [],
    });
    expect(claimsOf(...Array(100).fill(claim))).toHaveLength(60);
  });
});

it("days of texts are those of their zone", () => {
  const saidAt = Date.UTC(2024, 4, 7, 20);
  const shown = showTexts(
    [
      { speaker: "the user", saidAt, text: "a" },
      { speaker: "the user", saidAt, zone: "Asia/Tokyo", text: "b" },
    ],
    [],
  );
  expect(JSON.parse(shown)).toMatchObject({
    texts: [{ date: "2024-05-07" }, { date: "2024-05-08" }],
    facts: [],
  });
});
