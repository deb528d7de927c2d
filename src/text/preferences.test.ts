import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { findPreferences } from "./preferences.ts";

test.each<[string, string, number, string]>([
  ["I love spicy food.", "like", 1, "spicy food"],
  ["I really enjoy hiking in the mountains, but not in winter.", "like", 1, "hiking in the mountains"],
  ["I'm a big fan of jazz!", "like", 1, "jazz"],
  ["I prefer tea over coffee", "like", 1, "tea over coffee"],
  ["I've always loved turtles.", "like", 1, "turtles"],
  ["Honestly, I can't stand loud music.", "dislike", -1, "loud music"],
  ["I don't really like horror movies because they scare me.", "dislike", -1, "horror movies"],
  ["I’m not a fan of crowds", "dislike", -1, "crowds"],
  ["I have no interest in superhero movies.", "dislike", -1, "superhero movies"],
  ["My favourite book is Dune.", "favourite", 1, "Dune"],
  ["my all-time favorite pizza topping is basil", "favourite", 1, "basil"],
  ["I'm allergic to peanuts.", "allergy", -1, "peanuts"],
  ["I have a severe allergy to shellfish", "allergy", -1, "shellfish"],
  ["I'm lactose intolerant.", "allergy", -1, "lactose intolerant"],
  ["I don't eat meat.", "avoidance", -1, "meat"],
  ["I try to avoid gluten.", "avoidance", -1, "gluten"],
  ["I gave it thought and I never drink alcohol", "avoidance", -1, "alcohol"],
  ["I usually take the bus to work.", "habit", 0, "take the bus to work"],
  ["Every morning I run five kilometres.", "habit", 0, "run five kilometres"],
  ["I'm worried about my exam.", "worry", -1, "my exam"],
  ["I'm afraid of heights", "worry", -1, "heights"],
  ["I've always wanted to visit Japan.", "wish", 1, "visit Japan"],
  ["I'd love to learn the piano someday", "wish", 1, "learn the piano someday"],
  ["I wish I could draw", "wish", 1, "draw"],
])("%s", (text, kind, polarity, object) => {
  const [preference, ...more] = findPreferences(text);
  expect(more).toEqual([]);
  expect([preference?.kind, preference?.polarity, preference?.object.text]).toEqual([kind, polarity, object]);
});

test.each([
  "",
  "Do I like spicy food?",
  "She likes tea.",
  "You love horror movies.",
  "If I liked tea, I would say so.",
  "I wonder whether I love him enough",
  "I would like to know the time.",
  "I'd like to book a table.",
  "I used to love horror movies.",
  "I love that!",
  "I like how you did it",
  "I like your idea.",
  "I'd love to visit it sometime.",
  "I like to say that football is best",
  'He said "I hate mushrooms".',
  "My friend is allergic to nuts.",
  "It looks like rain.",
  "My name is Alice.",
  "I was worried about nothing",
  "I think so.",
  "Me gusta el café",
  "我喜欢咖啡",
])("no preference is invented: %s", (text) => {
  expect(findPreferences(text)).toEqual([]);
});

test("each sentence has its own", () => {
  const text = "I love tea. She hates it. I can't stand coffee! Do I like milk?";
  expect(findPreferences(text).map(({ text: own, start }) => [own, start])).toEqual([
    ["I love tea", 0],
    ["I can't stand coffee", 26],
  ]);
});

test("statements stand where they say, whatever the text", () => {
  const words = fc.array(
    fc.constantFrom(
      "I",
      "love",
      "don't",
      "my",
      "favourite",
      "is",
      "tea",
      ".",
      "?",
      "really",
      "hate",
      "every day",
      ",",
      "but",
      "\n",
      "\ud800",
      "’m",
      "allergic to",
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(words, (list) => {
      const text = list.join(" ");
      for (const { text: own, start, end, object } of findPreferences(text)) {
        expect(text.slice(start, end)).toBe(own);
        expect(text.slice(object.start, object.start + object.text.length)).toBe(object.text);
      }
    }),
    { numRuns: 500 },
  );
});

test.each(["I really ", "I love tea. ", "I ", "my favourite ", "I'm "])(
  "100,000 units of %j take linear time",
  (unit) => {
    expect(cpuTime(() => findPreferences(unit.repeat(100_000 / unit.length)))).toBeLessThan(5000);
  },
);
