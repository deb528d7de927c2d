import fc from "fast-check";
import { expect, test } from "vitest";
import { claimsInWords, saidAt } from "./claims-in-words.ts";
import { extractByRules } from "./extract.ts";

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`);

test("one sentence gives several claims, each with its rule and the span of its words", () => {
  const text = "Hi! I'm Anna, I live in Porto and work as a nurse at São João.";
  expect(claimsInWords(text)).toEqual([
    "user name Anna",
    "user lives_in Porto",
    "user works_at São João",
    "user works_as nurse",
  ]);
  const spans = extractByRules(text, { saidAt }).map(({ span, reason }) => [
    text.slice(span.start, span.end),
    reason,
  ]);
  expect(spans).toEqual([
    ["I'm Anna", "I am"],
    ["I live in Porto", "lives in"],
    ["work as a nurse at São João", "works at"],
    ["work as a nurse at São João", "works as"],
  ]);
});

test("in other languages, too, the span is that of the words that say it", () => {
  const text = "Hallo! Ich wohne in Köln.";
  expect(extractByRules(text, { saidAt }).map(({ span }) => text.slice(span.start, span.end))).toEqual([
    "Ich wohne in Köln",
  ]);
});

test("claims carry when they were said, and no sources", () => {
  const [claim] = extractByRules("I live in Porto.", { saidAt });
  expect(claim).toEqual({
    ...{ subject: "user", predicate: "lives_in", object: "Porto", confidence: 0.9 },
    ...{ saidAt, reason: "lives in", span: { start: 0, end: 15 } },
  });
});

test.each([
  ["We adopted a kitten, her name is Mochi.", "user has_pet Mochi", "Mochi is_a kitten"],
  ["I have a sister. Her name is Ines.", "user has_sister Ines"],
  ["Malik isn't my brother, he's my cousin.", "user has_brother Malik (denied)", "user has_cousin Malik"],
  ["My flatmate's called Soraya and she's a chef.", "user has_roommate Soraya", "Soraya works_as chef"],
  ["The baby's called Otis.", "user has_child Otis"],
  ["The kids are Lila and Oskar.", "user has_child Lila", "user has_child Oskar"],
  ["She said it was cheap, so I bought a car.", "user owns car"],
])("who is meant by what was said before: %s", (text, ...claims) => {
  expect(claimsInWords(text)).toEqual(claims);
});

test("I is the speaker, also in what is the speaker's", () => {
  expect(
    claimsInWords("I live in Porto. My sister lives in Faro. I'm Caroline.", { speaker: "Caroline" }),
  ).toEqual(["Caroline lives_in Porto", "Caroline's sister lives_in Faro"]);
});

test.each([
  "Do I live in Rome?",
  "Where does Alice work?",
  "Can you tell Bob that I live in Rome?",
  "I live in Rome, right?",
  "If I lived in Tokyo, I'd eat ramen every day.",
  "I would move to Peru.",
  "I might get a dog.",
  "Maybe I live in a bubble.",
  "Imagine I work at NASA.",
  "Write a story in which I am a detective in London.",
  "Please add that I am a doctor.",
  "He said he lives in Rome.",
  "They say people in Naples love coffee.",
  "According to Tom, I work at Apple.",
  "Rumor has it that Anna moved to Milan.",
  "I dreamed that I was a pilot.",
  "I wish I had a dog.",
  "I'm not sure I like sushi.",
  "I don't know where I was born.",
  'She told me "I work at Google and I hate it".',
  "> I live in Rome",
  'const user = { name: "Bob", livesIn: "Paris" };',
  "`I live in Rome`",
  "```\nI live in Rome\n```",
  "1. I live in [city]",
  "You live in Rome.",
  "Translate this to French:\nI live in Rome.",
  "Thanks, I love that!",
  "Add examples to it, like dancing and running.",
  "- eggs\n- milk",
])("nothing is stated by %s", (text) => {
  expect(claimsInWords(text)).toEqual([]);
});

test("what is stated before a question counts", () => {
  expect(claimsInWords("I live in Porto, do you know a good dentist?")).toEqual(["user lives_in Porto"]);
  expect(claimsInWords("I'm allergic to nuts, can you change the recipe")).toEqual(["user allergic_to nuts"]);
});

test("what one thinks is less sure than what one knows", () => {
  const confidence = (text: string): number | undefined => extractByRules(text, { saidAt })[0]?.confidence;
  expect(confidence("I'm allergic to penicillin.")).toBe(0.9);
  expect(confidence("I think I'm allergic to penicillin.")).toBe(0.45);
  expect(confidence("I'm probably allergic to penicillin.")).toBe(0.45);
});

test("she is the only woman whom this sentence and the one before it name", () => {
  expect(claimsInWords("My sister Mei is a pilot. She lives in Osaka.")).toContain("Mei lives_in Osaka");
  expect(claimsInWords("My sister Mei and my aunt Rosa came. She lives in Osaka.")).not.toContain(
    "Mei lives_in Osaka",
  );
  expect(claimsInWords("Mei met Rosa. She lives in Osaka.")).toEqual([]);
  expect(claimsInWords("My sister Mei came. Fine. Good. She lives in Osaka.")).not.toContain(
    "Mei lives_in Osaka",
  );
});

test("who was named just before is spoken of after who", () => {
  expect(claimsInWords("Paul, who works at Nestlé, lives in Vevey.")).toEqual([
    "Paul works_at Nestlé",
    "Paul lives_in Vevey",
  ]);
});

test("corrections take the place of what was never so", () => {
  expect(claimsInWords("Actually, my name is Jon, not John.")).toEqual(["user name Jon (correct)"]);
  expect(claimsInWords("Sorry, I meant I work at Bayer, not BASF.")).toEqual([
    "user works_at Bayer (correct)",
  ]);
  expect(claimsInWords("I live in Graz. No wait, Linz.")).toEqual(["user lives_in Linz (correct)"]);
});

test("what has changed is not corrected", () => {
  expect(claimsInWords("I live in Porto now, not Oslo.")).toEqual(["user lives_in Porto"]);
  expect(claimsInWords("I moved to Porto, not Oslo.")).toEqual(["user lives_in Porto"]);
  expect(claimsInWords("Actually, I live in Porto.")).toEqual(["user lives_in Porto"]);
  expect(claimsInWords("I live in Porto, not Oslo.")).toEqual(["user lives_in Porto (correct)"]);
});

test("of what one has many of, nothing is corrected", () => {
  expect(claimsInWords("Actually, I like sushi.")).toEqual(["user likes sushi"]);
});

test("denials deny and what has ceased ends", () => {
  expect(claimsInWords("I don't live in Paris.")).toEqual(["user lives_in Paris (denied)"]);
  expect(claimsInWords("I don't live in Paris anymore.")).toEqual(["user lives_in Paris (end)"]);
  expect(claimsInWords("I no longer live in Paris.")).toEqual(["user lives_in Paris (end)"]);
  expect(claimsInWords("I used to live in Oslo but now I live in Bergen.")).toEqual([
    "user lives_in Oslo (end)",
    "user lives_in Bergen",
  ]);
});

test("dates are resolved from when it was said, and keep their words, precision and zone", () => {
  const [claim] = extractByRules("I quit my job at Initech yesterday.", { saidAt, zone: "Asia/Tokyo" });
  expect(claim?.validUntil).toEqual({
    ...{ at: Date.parse("2024-05-14T00:00:00+09:00"), precision: "day" },
    ...{ words: "yesterday", zone: "Asia/Tokyo" },
  });
  expect(claim?.validFrom).toBeUndefined();
});

test.each([
  ["I've been living in Austin since 2019.", "2019-01-01", undefined],
  ["I lived in Kyoto from 2015 to 2018.", "2015-01-01", "2019-01-01"],
  ["I lived in Kyoto in 2015.", "2015-01-01", "2016-01-01"],
  ["I used to live in Oslo until 2020.", undefined, "2020-01-01"],
  ["I've lived in Rome for three years.", "2021-01-01", undefined],
  ["I visited Lisbon last summer.", "2023-06-01", undefined],
  ["I'm moving to Berlin in June.", "2024-06-01", undefined],
  ["Last year I moved to Denver.", "2023-01-01", undefined],
  ["I use Vim and aim to be done by May 30.", undefined, undefined],
  ["I live in Rome.", undefined, undefined],
])("%s holds from %s until %s", (text, from, until) => {
  const [claim] = extractByRules(text, { saidAt });
  expect(claim?.validFrom?.at).toBe(from === undefined ? undefined : day(from));
  expect(claim?.validUntil?.at).toBe(until === undefined ? undefined : day(until));
});

test("a date belongs to its own clause", () => {
  const claims = extractByRules("I was born in Quito and in 2019 I moved to Lima.", { saidAt });
  expect(claims.map(({ object, validFrom }) => [object, validFrom?.at])).toEqual([
    ["Quito", undefined],
    ["Lima", day("2019-01-01")],
  ]);
});

test("no interval is inverted, and every span lies in the text and says something", () => {
  const words = fc.constantFrom(
    ..."I we my sister Ines Alice lives live lived moved to from in Rome Porto since until 2019 2015 last year and but not n't never used work at Acme as a nurse have dog named Rex love sushi , . ? if said no longer 5 tests".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 25 }), (list) => {
      const text = list.join(" ");
      for (const { span, validFrom, validUntil, object } of extractByRules(text, { saidAt })) {
        expect(text.slice(span.start, span.end).trim()).not.toBe("");
        expect(span.end).toBeLessThanOrEqual(text.length);
        expect(object?.trim()).toBe(object);
        expect((validFrom?.at ?? 0) < (validUntil?.at ?? Number.POSITIVE_INFINITY)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test("a date is read in a zone that exists", () => {
  expect(() => extractByRules("I moved to Rome in 2019.", { saidAt, zone: "Nowhere/None" })).toThrow(
    "time zone",
  );
});
