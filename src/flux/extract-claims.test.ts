import { describe, expect, it } from "vitest";
import { hostileTexts } from "../../test/support/hostile-texts.ts";
import { createAnalyser } from "../text/analyser.ts";
import { checkClaims } from "./extract-claims.ts";
import type { FoundClaim, ShownFact } from "./extract-prompt.ts";
import { Readings } from "./extract-reading.ts";

const analyser = createAnalyser();
/** A Monday. */
const at = Date.UTC(2023, 4, 8, 12);

const plain = {
  ...{ from: 1, change: "ADD", ref: 0, subject: "user", affirmed: true, when: "", until: "", confidence: 1 },
  ...{ cardinality: "one", predicate: "likes", object: "tea" },
} as const satisfies FoundClaim;

interface Said {
  readonly text: string;
  readonly speaker?: string;
  readonly subject?: string;
  readonly provenance?: "user_stated" | "ai_stated";
  readonly zone?: string;
}

function check(
  said: string | readonly (string | Said)[],
  claims: readonly Partial<FoundClaim>[],
  known: readonly ShownFact[] = [],
) {
  const texts = [said].flat().map((one) => ({
    ...{ speaker: "the user", subject: "user", provenance: "user_stated" as const, saidAt: at },
    ...(typeof one === "string" ? { text: one } : one),
  }));
  const readings = new Readings(texts, known, analyser);
  const found = claims.map((claim) => ({ ...plain, ...claim }));
  return checkClaims(found, texts, { known, from: ["user_stated"], readings }).map(({ claim }) => claim);
}

function fact(predicate: string, object: string, subject = "user"): ShownFact {
  return { subject, predicate, object, affirmed: true, factId: `f-${object}` };
}

describe("what a claim may be taken from", () => {
  it("is the text's own when all of its words stand there, with the sentence that has them", () => {
    const text = "Long day. I live in Porto now, by the river. And you?";
    const [claim] = check(text, [{ predicate: "lives_in", object: "Porto", confidence: 1 }]);
    expect(claim).toMatchObject({
      ...{ subject: "user", predicate: "lives_in", object: "Porto", affirmed: true },
      ...{ provenance: "user_stated", confidence: 0.9, saidAt: at, reason: "model_add" },
    });
    expect(text.slice(claim?.span.start, claim?.span.end)).toBe("I live in Porto now, by the river.");
    expect(claim).not.toHaveProperty("validFrom");
  });

  it("is one at a time where the model says so of a predicate that is not known", () => {
    const one = { cardinality: "one", object: "tea" } as const;
    expect(check("I like tea.", [{ ...one, predicate: "likes" }])[0]).not.toHaveProperty("cardinality");
    expect(check("I like tea.", [{ ...one, predicate: "morning_drink" }])).toMatchObject([
      { cardinality: "one" },
    ]);
    expect(
      check("I like tea.", [{ ...one, predicate: "morning_drink", cardinality: "many" }])[0],
    ).not.toHaveProperty("cardinality");
  });

  it.each<[string, Partial<FoundClaim>, "user_stated" | "ai_inferred" | undefined]>([
    // About whom.
    ["My sister is vegan.", { predicate: "diet", object: "vegan" }, undefined],
    ["My sister is vegan.", { subject: "user's sister", predicate: "diet", object: "vegan" }, "user_stated"],
    ["My sister Ines is vegan.", { subject: "Ines", predicate: "diet", object: "vegan" }, "user_stated"],
    ["My sister Ines is vegan.", { predicate: "has_sister", object: "Ines" }, "user_stated"],
    ["Ines lives in Porto.", { predicate: "lives_in", object: "Porto" }, undefined],
    ["Ines lives in Porto.", { subject: "Ines", predicate: "lives_in", object: "Porto" }, "user_stated"],
    ["Ines called. I live in Porto.", { subject: "Ines", predicate: "lives_in", object: "Porto" }, undefined],
    ["I live in Porto.", { subject: "Marta", predicate: "lives_in", object: "Porto" }, undefined],
    ["The project ends in May.", { subject: "project", predicate: "ends_in", object: "May" }, "user_stated"],
    ["Ich wohne in Köln.", { predicate: "lives_in", object: "Köln" }, "user_stated"],
    ["我住在上海", { predicate: "lives_in", object: "上海" }, "user_stated"],
    // What.
    ["I have two cats.", { predicate: "has_pet", object: "4 cats" }, undefined],
    ["I have two cats.", { predicate: "has_pet", object: "cats Tom and Jerry" }, undefined],
    ["I have two cats.", { predicate: "plays", object: "tennis" }, undefined],
    ["I work with teapots.", { predicate: "works_with", object: "antique teapots" }, "ai_inferred"],
    // Whether it is said at all.
    ["Do I live in Porto?", { predicate: "lives_in", object: "Porto" }, undefined],
    ["I do not eat meat.", { predicate: "eats", object: "meat" }, undefined],
    ["I don't eat meat.", { predicate: "eats", object: "meat" }, undefined],
    ["I don't eat meat.", { predicate: "eats", object: "meat", affirmed: false }, "user_stated"],
    ["I hate fish.", { predicate: "likes", object: "fish", affirmed: false }, "ai_inferred"],
    ["No, it is in Porto that I live.", { predicate: "lives_in", object: "Porto" }, "user_stated"],
    ["If I lived in Porto I would surf.", { predicate: "lives_in", object: "Porto" }, "ai_inferred"],
    ["Since May I live in Porto.", { predicate: "lives_in", object: "Porto" }, "user_stated"],
    ["I may move to Porto.", { predicate: "lives_in", object: "Porto" }, "ai_inferred"],
    // What is no claim.
    ["I like tea.", { object: "" }, undefined],
    ["I like tea.", { predicate: "_" }, undefined],
    ["I like tea.", { subject: " " }, undefined],
    ["I like tea.", { object: `tea ${"very ".repeat(100)}much` }, undefined],
  ])("%s -> %j: %s", (said, claim, provenance) => {
    const [checked] = check(said, [claim]);
    expect(checked?.provenance).toBe(provenance);
    if (provenance === "ai_inferred") expect(checked?.confidence).toBeLessThanOrEqual(0.4);
  });

  it("is nothing that an assistant says, unless that is allowed", () => {
    const said = [{ text: "You like tea.", provenance: "ai_stated", speaker: "the assistant" } as const];
    expect(check(said, [{}])).toEqual([]);
  });

  it("is of the speaker's name where there is one, whatever the model calls them", () => {
    const said = [{ text: "I like tea.", speaker: "Caroline", subject: "Caroline" }];
    for (const subject of ["user", "the user", "Caroline", "caroline", "I"])
      expect(check(said, [{ subject }])).toMatchObject([{ subject: "Caroline" }]);
    expect(check("I like tea.", [{ subject: "The user" }])).toMatchObject([{ subject: "user" }]);
  });

  it("has nothing from another of the texts, nor from a fact that was shown", () => {
    const texts = ["I grow tomatoes on the roof.", "I keep bees."];
    expect(check(texts, [{ from: 2, predicate: "keeps", object: "bees near tomatoes" }])).toEqual([]);
    expect(check("I keep bees.", [{ object: "bees near tomatoes" }], [fact("grows", "tomatoes")])).toEqual(
      [],
    );
    expect(
      check("I keep bees.", [{ predicate: "keeps", object: "bees" }], [fact("keeps", "hens")]),
    ).toHaveLength(1);
  });

  it("is bounded in number, and once", () => {
    const sorts = Array.from({ length: 50 }, (_, i) => ({ object: `tea ${"x".repeat(i + 1)}` }));
    expect(check("I like tea.", sorts)).toHaveLength(8);
    expect(check("I like tea.", [{}, {}, {}])).toHaveLength(1);
    expect(check(["I like tea.", "I like figs."], [{ from: 0 }, { from: 3 }, { from: -1 }])).toEqual([]);
  });

  it("comes to an end for any text", () => {
    for (const text of hostileTexts) {
      for (const change of ["ADD", "UPDATE", "END", "RETRACT", "NOOP"] as const)
        check(text, [{ change, ref: 1, subject: text, predicate: text, object: text }], [fact(text, text)]);
    }
    expect(check("", [{}])).toEqual([]);
  });
});

describe("times of claims", () => {
  it.each<[string, Partial<FoundClaim>, object]>([
    [
      "I have lived in Porto since last week.",
      { when: "since last week" },
      { validFrom: { at: Date.UTC(2023, 4, 1), precision: "week" } },
    ],
    [
      "I moved to Porto yesterday.",
      { when: "yesterday" },
      { validFrom: { at: Date.UTC(2023, 4, 7), precision: "day" } },
    ],
    ["I moved to Porto yesterday.", { when: "2023-05-07" }, { validFrom: { at: Date.UTC(2023, 4, 7) } }],
    ["I lived in Porto from 2015 to 2018.", { when: "2015", until: "2018" }, {}],
    ["I live in Porto.", { when: "yesterday" }, {}],
    ["I live in Porto.", { when: "since last week", until: "2018" }, {}],
    ["I moved to Porto yesterday.", { when: "in March 2021" }, {}],
    ["I moved to Porto yesterday.", { when: "some day" }, {}],
  ])("%s with %j", (text, when, times) => {
    const [claim] = check(text, [{ predicate: "lives_in", object: "Porto", ...when }]);
    expect(claim).toMatchObject(times);
    if (!("validFrom" in times))
      expect(claim?.validFrom?.words ?? text).toSatisfy((words: string) => text.includes(words));
    if (Object.keys(times).length === 0 && !/\d/.test(text)) expect(claim).not.toHaveProperty("validFrom");
  });

  it("end what is said to have been so until then", () => {
    const [claim] = check("I lived in Porto until 2018.", [
      { predicate: "lives_in", object: "Porto", until: "until 2018" },
    ]);
    expect(claim).toMatchObject({ change: "end", validUntil: { at: Date.UTC(2018, 0), precision: "year" } });
  });

  it("are those of the text's own zone", () => {
    const said = [{ text: "I moved to Porto yesterday.", zone: "Asia/Tokyo" }];
    const [claim] = check(said, [{ predicate: "lives_in", object: "Porto", when: "yesterday" }]);
    expect(claim?.validFrom).toMatchObject({ at: Date.UTC(2023, 4, 6, 15), zone: "Asia/Tokyo" });
  });
});

describe("what is decided about a fact", () => {
  const rome = fact("lives_in", "Rome");
  const sushi = fact("likes", "sushi");

  it("is an update where it says the same of the same, and ends what was known", () => {
    const update = { change: "UPDATE", ref: 1, predicate: "livesIn", object: "Porto" } as const;
    const own = { subject: "user", predicate: "livesIn", object: "Porto", provenance: "user_stated" };
    expect(check("I moved to Porto.", [update], [rome])).toMatchObject([{ ...own, reason: "model_update" }]);
    const many = { change: "UPDATE", ref: 1, object: "ramen", cardinality: "many" } as const;
    expect(check("I like ramen more now.", [many], [sushi])).toMatchObject([
      { ...sushi, change: "end" },
      { predicate: "likes", object: "ramen" },
    ]);
  });

  it("is something new where the number is that of a fact about something else", () => {
    const wrong = { change: "UPDATE", ref: 1, predicate: "lives_in", object: "Porto" } as const;
    const own = { predicate: "lives_in", object: "Porto" };
    expect(check("I moved to Porto.", [wrong], [sushi])).toMatchObject([own]);
    const other = { change: "UPDATE", ref: 1, subject: "Ines", object: "ramen" } as const;
    expect(check("Ines likes ramen.", [other], [sushi])).toMatchObject([
      { subject: "Ines", object: "ramen" },
    ]);
  });

  it.each(["I would like ramen.", "Ramen?", "She has noodles."])("is no update by a guess: %s", (text) => {
    expect(check(text, [{ change: "UPDATE", ref: 1, object: "ramen" }], [sushi])).toEqual([]);
  });

  it.each<[string, ShownFact, boolean]>([
    ["I no longer like sushi.", sushi, true],
    ["I don't like sushi.", sushi, true],
    ["I stopped eating sushi.", sushi, true],
    ["I don't live there any more.", rome, true],
    ["I like sushi.", sushi, false],
    ["Sushi is made of rice.", sushi, false],
    ["I stopped smoking.", sushi, false],
    ["Do I not like sushi?", sushi, false],
  ])("is an end where the text has words for it: %s %j: %s", (text, known, ended) => {
    const claims = check(text, [{ change: "END", ref: 1 }], [known]);
    expect(claims).toHaveLength(ended ? 1 : 0);
    if (ended) expect(claims).toMatchObject([{ ...known, change: "end", provenance: "user_stated" }]);
  });

  it("has the time at which it ended, if the text names one", () => {
    const [claim] = check(
      "I stopped liking sushi yesterday.",
      [{ change: "END", ref: 1, when: "yesterday" }],
      [sushi],
    );
    expect(claim).toMatchObject({ change: "end", validUntil: { at: Date.UTC(2023, 4, 7) } });
    expect(claim).not.toHaveProperty("validFrom");
  });

  it("is a retraction where the text denies it", () => {
    expect(check("I never lived in Rome.", [{ change: "RETRACT", ref: 1 }], [rome])).toMatchObject([
      { ...rome, change: "retract" },
    ]);
    expect(check("I live in Rome.", [{ change: "RETRACT", ref: 1 }], [rome])).toEqual([]);
  });

  it("names a fact that was shown, or is none; an update of none is something new", () => {
    for (const ref of [0, 2, -1])
      for (const change of ["END", "RETRACT", "NOOP"] as const)
        expect(check("I no longer like sushi.", [{ change, ref }], [sushi])).toEqual([]);
    expect(check("I like ramen.", [{ change: "UPDATE", ref: 7, object: "ramen" }], [sushi])).toMatchObject([
      { object: "ramen" },
    ]);
  });

  it("is at most the same again where nothing is new", () => {
    expect(check("As I said, I like sushi.", [{ change: "NOOP", ref: 1 }], [sushi])).toMatchObject([
      { subject: "user", predicate: "likes", object: "sushi" },
    ]);
    expect(check("Lunch was fine.", [{ change: "NOOP", ref: 1 }], [sushi])).toEqual([]);
  });
});
