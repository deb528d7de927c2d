import { describe, expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { createAnalyser } from "../text/analyser.ts";
import { readForUpdates, setsRight, termsOfUpdate, textUpdate } from "./text-updates.ts";

const analyser = createAnalyser();

/** Why the second text replaces the first one. */
function update(older: string, newer: string, adjacent = false): string | undefined {
  const [before, after] = [older, newer].map((text) => readForUpdates(text, analyser));
  if (before === undefined || after === undefined) throw new Error("There are two");
  return textUpdate(after, before, () => 1, { adjacent })?.reason;
}

describe("a text replaces an older one", () => {
  test.each([
    ["My rent is 900 euros.", "My rent is 950 euros."],
    ["We have 12 hens.", "We have 14 hens."],
    ["My weekly target is 1,200 words.", "My weekly word target has been adjusted to 1,350 words."],
    ["The grocery budget is $500 a month.", "We raised the grocery budget to $550 a month."],
    [
      "The repository has 150 commits in main.",
      "The commits in main of the repository have now reached 165.",
    ],
    ["I agreed on a budget of $400 for the gifts.", "The budget for gifts went up from $400 to $450."],
    ["The inspection of the flat is on March 23.", "The inspection of the flat was moved to March 25."],
    ["The meeting with Greg is at 3 PM.", "The meeting with Greg is at 4 PM."],
    ["My accuracy in area problems is 90%.", "My accuracy in area problems has improved to 95%."],
    ["I use Flask 2.3.1 for the service.", "I use Flask 3.0.2 for the service."],
    ["I am three months pregnant.", "I am four months pregnant."],
  ])("when the same thing has another value: %s %s", (older, newer) => {
    expect(update(older, newer)).toBe("changed_value");
  });

  test.each([
    ["I eat meat.", "I don't eat meat any more.", "denied"],
    ["I drink coffee.", "I no longer drink coffee.", "denied"],
    ["I don't eat fish.", "I eat fish again.", "affirmed_again"],
    ["My dentist is Dr Amsel.", "My dentist is now Dr Drossel.", "renamed"],
  ])("when a statement is turned: %s %s", (older, newer, reason) => {
    expect(update(older, newer)).toBe(reason);
  });

  test("when it sets right what was said just before", () => {
    expect(update("The train leaves at 6:40.", "Sorry, at 7:10.", true)).toBe("corrected");
    expect(update("The train leaves at 6:40.", "Sorry, at 7:10.")).toBeUndefined();
    expect(update("It leaves at 6:40 and arrives at 9:15.", "No, at 7:10.", true)).toBeUndefined();
    expect(setsRight({ text: "Correction: it is Thursday." })).toBe(true);
  });

  test("and the place where it says so is told", () => {
    const newer = readForUpdates("Hello there. My rent is 950 euros.", analyser);
    const older = readForUpdates("My rent is 900 euros.", analyser);
    expect(textUpdate(newer, older, () => 1)).toEqual({ reason: "changed_value", at: 24 });
  });
});

describe("a text stands beside an older one", () => {
  test.each([
    ["when it says the same value again", "My rent is 900 euros.", "My rent is €900, as ever."],
    ["when something happened once more", "I ran 5 km on Monday.", "I ran 8 km on Tuesday."],
    ["when the same was bought again", "I bought 3 apples.", "I bought 5 apples."],
    ["when it is about another thing", "My rent is 900 euros.", "My bike costs 700 euros."],
    ["when it is about another person", "Anna has 3 children.", "Ben and Mia have 4 cats."],
    ["when it counts other things", "We have 12 hens.", "We have 2 dogs."],
    ["when it asks", "My rent is 900 euros.", "Is a rent of 950 euros too much?"],
    ["when it also states the older value", "We have 12 hens.", "We have 12 hens and 14 hens are too many."],
    ["when a day is one of several", "I visited Rome on May 3.", "I visited Rome on June 5."],
    ["when it denies the past", "I go to the gym.", "I didn't go to the gym today."],
    ["when it denies something else", "I eat meat.", "I don't drink wine."],
    ["when it names a further one", "My friend is Anna.", "My friend is Petra."],
    ["when versions are of other things", "I use Flask 2.3.1.", "I use Redis 7.2.4."],
    ["when it is code", "The port is 5000.", "```\nconst port = 6000;\n```"],
    ["when there is nothing in it", "", "ok"],
  ])("%s", (_when, older, newer) => {
    expect(update(older, newer)).toBeUndefined();
  });
});

test("only what may replace something is looked up", () => {
  const terms = (text: string): readonly string[] => termsOfUpdate(readForUpdates(text, analyser));
  expect(terms("My rent is 950 euros.")).toContain("rent");
  expect(terms("I no longer drink coffee.")).toContain("coffe");
  expect(
    terms(
      "What a day! I was so tired that I went to bed at once. We talked for hours, and then some more hours.",
    ),
  ).toEqual([]);
});

test("texts that were made to take long do not", () => {
  const parts = ["a", "1,", "A b ", "I no, ", "not ", "from 1 to 2 ", "x. ", "was 5% ", "\ud800"];
  const time = cpuTime(() => {
    for (const part of parts) {
      const read = readForUpdates(part.repeat(20_000), analyser);
      expect(textUpdate(read, read, () => 1)).toBeUndefined();
      expect(termsOfUpdate(read).length).toBeLessThan(1000);
    }
  });
  expect(time).toBeLessThan(5000);
});
