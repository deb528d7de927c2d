import { describe, expect, test } from "vitest";
import { maxKeyBytes } from "../model/fact.ts";
import { utf8Length } from "../model/unicode.ts";
import { combinedConfidence } from "./authority.ts";
import { canonicalKey, canonicalPredicate } from "./canonical.ts";
import { cardinalityOf } from "./cardinality.ts";

describe("a canonical predicate", () => {
  test.each([
    ["Name_Is", "name"],
    ["name-is", "name"],
    ["nameIs", "name"],
    ["name is", "name"],
    ["preferredURL", "preferred_url"],
    ["HTTPServer", "httpserver"],
    ["  lives\tin  ", "lives_in"],
    ["resides in", "lives_in"],
    ["has kids", "has_child"],
    ["has manager", "has_boss"],
    ["homeIs", "lives_in"],
    ["employedBy", "works_at"],
    ["favourite colour", "favorite_colour"],
    ["score2Points", "score2_points"],
    ["über–mag", "über_mag"],
    ["__", ""],
    ["mag", "mag"],
    // Of a bus, and a record.
    ["drives", "drives"],
    ["broke", "broke"],
  ])("of %j is %j", (text, expected) => {
    expect(canonicalPredicate(text)).toBe(expected);
    expect(canonicalPredicate(canonicalPredicate(text))).toBe(expected);
  });
});

describe("a canonical key", () => {
  test("is the same whatever the case, width, form and white space, and keeps articles and accents", () => {
    for (const text of ["The Café", " the  CAFE\u0301 ", "ｔｈｅ café", "The\nCafé"])
      expect(canonicalKey(text)).toBe("the café");
    expect(canonicalKey("Cafe")).not.toBe(canonicalKey("Café"));
    expect(canonicalKey(" \t ")).toBe("");
  });

  test("of a long text has at most as many bytes as an index takes, and tells it from its neighbours", () => {
    for (const letter of ["x", "é", "語", "🎉"]) {
      const long = letter.repeat(1000);
      const key = canonicalKey(long);
      expect(utf8Length(key)).toBeLessThanOrEqual(maxKeyBytes);
      expect(key.isWellFormed()).toBe(true);
      expect([canonicalKey(long.toUpperCase()), canonicalKey(key)]).toEqual([key, key]);
      expect(canonicalKey(`${long}.`)).not.toBe(key);
      const whole = letter.repeat(Math.floor(maxKeyBytes / utf8Length(letter)));
      expect(canonicalKey(whole)).toBe(whole);
    }
  });

  test("is an id, whatever the text", () => {
    expect(canonicalKey("a\0b\ud800")).toBe("a\ufffdb\ufffd");
  });
});

test("predicates have one object or many, as a hint says, the predicate does, or else many", () => {
  const one = ["lives_in", "works_at", "name", "age", "birthday", "favorite_colour", "married_to"];
  const many = ["likes", "dislikes", "has_pet", "has_child", "knows", "visited", "owns", "what_nobody_knows"];
  expect(one.map((predicate) => cardinalityOf(predicate))).toEqual(one.map(() => "one"));
  expect(many.map((predicate) => cardinalityOf(predicate))).toEqual(many.map(() => "many"));
  expect([cardinalityOf("lives_in", "many"), cardinalityOf("likes", "one")]).toEqual(["many", "one"]);
});

test("confidences are combined as the chance that not all are wrong, in any order", () => {
  expect(combinedConfidence([0.5, 0.5])).toBe(0.75);
  expect(combinedConfidence([0.9, 0.3, 0.7])).toBe(combinedConfidence([0.7, 0.9, 0.3]));
  expect([combinedConfidence([0, 0]), combinedConfidence([1, 0.2])]).toEqual([0, 1]);
});
