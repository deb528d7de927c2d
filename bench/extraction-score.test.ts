import { expect, test } from "vitest";
import { figures, foldedWords, type ScoredClaim, scoreText } from "./extraction-score.ts";

const claim = (
  subject: string,
  predicate: string,
  object?: string,
  rest: Partial<ScoredClaim> = {},
): ScoredClaim => ({
  ...{ subject, predicate, object },
  ...rest,
});
const same = (a: ScoredClaim, b: ScoredClaim): boolean => scoreText([a], [b]).right.length === 1;

test("each label is used once", () => {
  const tea = claim("user", "likes", "tea");
  const score = scoreText([tea, claim("user", "likes", "rum")], [tea, tea]);
  expect(score.right).toEqual([tea]);
  expect(score.wrong).toEqual([tea]);
  expect(score.missed).toEqual([claim("user", "likes", "rum")]);
});

test("objects and subjects are compared by their folded words without articles", () => {
  expect(foldedWords("The São-Paulo café, please!")).toBe("sao-paulo cafe please");
  expect(foldedWords("C++ and $1,200.50")).toBe("c++ and $1 200.50");
  expect(same(claim("user", "owns", "a Red car"), claim("User", "owns", "red Car."))).toBe(true);
  expect(same(claim("user", "owns", "red car"), claim("user", "owns", "car"))).toBe(false);
});

test("predicates are compared in their canonical spelling", () => {
  expect(same(claim("user", "resides in", "Rome"), claim("user", "lives_in", "Rome"))).toBe(true);
  expect(same(claim("user", "favouriteColor", "red"), claim("user", "favorite_color", "red"))).toBe(true);
  expect(same(claim("user", "children", "two"), claim("user", "number_of_children", "two"))).toBe(true);
  expect(same(claim("user", "has_mom", "Ruth"), claim("user", "has_mother", "Ruth"))).toBe(true);
  expect(same(claim("user's mum", "lives_in", "Ulm"), claim("user's mother", "lives_in", "Ulm"))).toBe(true);
  expect(same(claim("user", "lives_in", "Rome"), claim("user", "born_in", "Rome"))).toBe(false);
});

test("what says the same in other words is the same", () => {
  const end = { change: "end" } as const;
  const not = { affirmed: false } as const;
  expect(same(claim("user", "moved_from", "Rome"), claim("user", "lives_in", "Rome", end))).toBe(true);
  expect(same(claim("user", "diet", "pork", not), claim("user", "eats", "pork", not))).toBe(true);
  expect(same(claim("user", "diet", "vegan"), claim("user", "eats", "vegan"))).toBe(false);
  expect(same(claim("user", "has_hens", "14"), claim("user", "number_of_hens", "14"))).toBe(true);
  expect(same(claim("user", "has_kids", "3"), claim("user", "number_of_children", "3"))).toBe(true);
});

test("a label in a wider word takes a closer one, and not the other way round", () => {
  const [partner, wife] = [claim("user", "has_partner", "Ana"), claim("user", "has_wife", "Ana")];
  expect([same(partner, wife), same(wife, partner)]).toEqual([true, false]);
});

test("what is accepted says a missed label in another wording, or something else", () => {
  const reworded = (label: ScoredClaim, found: ScoredClaim): number =>
    scoreText([label], [found], [found]).reworded.length;
  const owns = claim("user", "commutes_by", "old Octavia");
  expect(reworded(owns, claim("user", "owns", "old Octavia"))).toBe(1);
  expect(reworded(owns, claim("user", "commutes_by", "Octavia"))).toBe(1);
  expect(reworded(owns, claim("user", "owns", "Octavia"))).toBe(0);
  expect(reworded(owns, claim("user", "owns", "old Octavia", { affirmed: false }))).toBe(0);
  expect(reworded(owns, claim("Ann", "owns", "old Octavia"))).toBe(0);
  // One accepted claim is another wording of one label.
  const found = claim("user", "owns", "tea");
  const labels = [claim("user", "likes", "tea"), claim("user", "drinks", "tea")];
  expect(scoreText(labels, [found], [found])).toMatchObject({ missed: labels, reworded: [labels[0]] });
});

test("what holds, is denied and has ended are three states", () => {
  const eats = (rest: Partial<ScoredClaim>): ScoredClaim => claim("user", "eats", "meat", rest);
  expect(same(eats({}), eats({ change: "correct" }))).toBe(true);
  expect(same(eats({ affirmed: false }), eats({ change: "retract" }))).toBe(true);
  expect(same(eats({}), eats({ affirmed: false }))).toBe(false);
  expect(same(eats({}), eats({ change: "end" }))).toBe(false);
});

test("to dislike is not to like", () => {
  const dislikes = claim("user", "dislikes", "tea");
  expect(same(dislikes, claim("user", "likes", "tea", { affirmed: false }))).toBe(true);
  expect(same(dislikes, claim("user", "likes", "tea"))).toBe(false);
  expect(same(claim("user", "dislikes", "tea", { affirmed: false }), claim("user", "likes", "tea"))).toBe(
    true,
  );
});

test("a label without an object takes any", () => {
  const end = { change: "end" } as const;
  expect(same(claim("user", "smokes", undefined, end), claim("user", "smokes", "cigars", end))).toBe(true);
  expect(same(claim("user", "smokes", "cigars", end), claim("user", "smokes", undefined, end))).toBe(false);
});

test("precision is of what was found, recall of the labels", () => {
  const { precision, recall, f1 } = figures(6, { accepted: 0, found: 8, labelled: 12 });
  expect(precision?.share).toBe(0.75);
  expect(recall?.share).toBe(0.5);
  expect(f1?.share).toBeCloseTo(0.6, 12);
  expect(figures(0, { accepted: 0, found: 0, labelled: 5 }).precision).toBeUndefined();
});

test("what is right though nobody asks for it counts for precision, and not for recall", () => {
  const [asked, otherwise] = [
    claim("user", "diet", "vegan"),
    claim("user", "eats", "meat", { affirmed: false }),
  ];
  const { right, accepted, missed, wrong } = scoreText(
    [asked],
    [otherwise, claim("user", "likes", "tea")],
    [otherwise],
  );
  expect([right.length, accepted.length, missed.length, wrong.length]).toEqual([0, 1, 1, 1]);
  const { precision, recall } = figures(0, { accepted: 1, found: 2, labelled: 1 });
  expect([precision?.share, recall?.share]).toEqual([0.5, 0]);
});
