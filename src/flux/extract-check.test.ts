import { describe, expect, it } from "vitest";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { createAnalyser } from "../text/analyser.ts";
import { checkStatements } from "./extract-check.ts";
import { Readings } from "./extract-reading.ts";

const analyser = createAnalyser();
const at = Date.UTC(2023, 4, 8, 12);

function keeps(
  said: string | readonly string[],
  statement: string,
  { from = 1, speaker = "the user" } = {},
): boolean {
  const texts = [said].flat().map((text) => ({ speaker, saidAt: at, text }));
  return checkStatements([{ text: statement, from }], texts, new Readings(texts, [], analyser)).length === 1;
}

describe("whose statement it is", () => {
  it.each([
    ["My sister is vegan.", "The user is vegan.", false],
    ["My sister is vegan.", "The user's sister is vegan.", true],
    ["My sisters are vegan.", "The user's sister is vegan.", true],
    ["My sister Ines is vegan.", "Ines is vegan.", true],
    ["My sister Ines is vegan.", "The user is vegan.", false],
    ["Then Ines, my sister, became vegan.", "Ines became vegan.", true],
    ["My boss has moved to Kyoto.", "The user moved to Kyoto.", false],
    ["My sister, who lives in Porto, is vegan.", "The user lives in Porto.", false],
    ["My sister is vegan, I think.", "The user is vegan.", false],
    ["My sister is vegan, and I am vegan, too.", "The user is vegan.", true],
    ["My sister is vegan. I am vegan as well.", "The user is vegan.", true],
    ["My sister and I are vegan.", "The user is vegan.", true],
    [
      "My sister Ines is vegan, and since March I have been living in Porto.",
      "The user lives in Porto.",
      true,
    ],
    ["I told my sister that I moved to Porto.", "The user moved to Porto.", true],
    ["I am vegan.", "The user is vegan.", true],
  ])("%s -> %s: %s", (said, statement, expected) => {
    expect(keeps(said, statement)).toBe(expected);
  });
});

describe("what is not said", () => {
  it.each([
    ["a number", "I have two cats.", "The user has three cats."],
    ["another year", "I moved in 2019.", "The user moved in 2018."],
    ["a name", "I moved there with Tom.", "The user moved there with Jim."],
    ["a place", "I moved to Porto.", "The user moved to Lisbon."],
    ["anything at all", "I moved to Porto.", "The user enjoys sailing."],
    ["a day that is not meant", "I arrived yesterday.", "The user arrived on 6 June 2023."],
    ["nothing", "I moved to Porto.", "…"],
    ["the same", "I moved to Porto.", "i moved to  porto"],
  ])("is left out: %s", (_name, said, statement) => {
    expect(keeps(said, statement)).toBe(false);
  });

  it.each([
    ["I have 2 cats.", "The user has two cats."],
    ["I have two cats.", "The user has 2 cats."],
    ["I arrived yesterday.", "The user arrived on Sunday, 7 May 2023."],
    ["I arrived today.", "The user arrived on 2023-05-08."],
    ["Born in Zagreb, I stayed.", "The user was born in Zagreb."],
    ["O meu gato chama-se Félix.", "O gato do utilizador chama-se Félix."],
    ["Ich wohne in Köln.", "Der Benutzer wohnt in Köln."],
    ["Я живу в Минске", "Пользователь живёт в Минске."],
    ["我每天都喝绿茶", "用户每天喝绿茶。"],
  ])("does not take in what is said in other words: %s", (said, statement) => {
    expect(keeps(said, statement)).toBe(true);
  });

  it("is not a word of the speaker's name", () => {
    expect(keeps("I moved to Porto.", "Caroline moved to Porto.", { speaker: "Caroline Wu" })).toBe(true);
  });
});

describe("from which text it is", () => {
  const said = ["I grow tomatoes.", "I keep bees.", "I grow tomatoes, too."];

  it.each([
    [1, "The user grows tomatoes.", true],
    [2, "The user grows tomatoes.", false],
    [1, "The user grows tomatoes for the bees.", false],
    [0, "The user keeps bees.", true],
    // Two texts state it, and nobody says which one is meant.
    [0, "The user grows tomatoes.", false],
    [99, "The user keeps bees.", true],
  ])("%i: %s: %s", (from, statement, expected) => {
    expect(keeps(said, statement, { from })).toBe(expected);
  });
});

it("any text may be a statement or what it is from", () => {
  for (const text of hostileTexts) {
    expect(() => keeps(text, "The user lives in Porto.")).not.toThrow();
    expect(() => keeps(["I live in Porto.", text], text)).not.toThrow();
  }
});
