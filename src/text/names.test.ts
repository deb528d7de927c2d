import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.ts";
import { findNames } from "./names.ts";

function show(text: string): string[] {
  return findNames(text).map((name) => (name.kind === "unknown" ? name.text : `${name.text}: ${name.kind}`));
}

test.each<[string, string[]]>([
  ["I met Alice Johnson in Berlin.", ["Alice Johnson: person", "Berlin: place"]],
  ["When did Caroline go to the LGBTQ group?", ["Caroline", "LGBTQ"]],
  ["My sister Anna works at Siemens", ["Anna: person", "Siemens: organisation"]],
  ["Dr. Smith called Mrs Jones", ["Smith: person", "Jones: person"]],
  [
    "Bob told me about Acme Corp and the University of Oxford",
    ["Bob: person", "Acme Corp: organisation", "University of Oxford: organisation"],
  ],
  ["Hey Mel! Thanks, Caroline!", ["Mel: person", "Caroline: person"]],
  ["Sarah's brother moved to Nashville", ["Sarah: person", "Nashville: place"]],
  ["We read J. K. Rowling and The Lord of the Rings", ["J. K. Rowling", "Lord of the Rings"]],
  ["Ludwig van Beethoven was born in Bonn", ["Ludwig van Beethoven", "Bonn: place"]],
  ["We walked along Hudson River and Fifth Avenue", ["Hudson River: place", "Fifth Avenue: place"]],
  ["I love New York", ["New York: place"]],
  ["Our dog is called Toby", ["Toby: person"]],
  ["Мы видели Анну Петрову в Москве", ["Анну Петрову", "Москве"]],
  ["Χθες είδα τον Γιώργο", ["Γιώργο"]],
  [
    "Ich habe gestern mit der Frau im Garten und der Katze die Blumen gesehen, sagt Angela Merkel",
    ["Angela Merkel"],
  ],
])("%s", (text, names) => {
  expect(show(text)).toEqual(names);
});

test.each([
  "",
  "i went home",
  "行きます。Mañana salimos.",
  "Yesterday we had a great time.",
  "Wow, that sounds Amazing! I'm happy. You've done it. They're here.",
  "On Monday in March I speak English and Spanish",
  "Dinner was great. Work is hard. Life goes on.",
  "I REALLY WANT TO GO HOME NOW",
  "How To Cook The Perfect Steak",
  "我昨天去了北京",
  "ذهبت إلى القاهرة",
  "ฉันชอบกรุงเทพ",
  "I saw it on TV. OK? LOL",
])("no name is invented: %s", (text) => {
  expect(show(text)).toEqual([]);
});

test("known names count at the beginning of a sentence", () => {
  expect(findNames("Nate, Pixie ate.", { known: ["Pixie"] }).map(({ text }) => text)).toEqual(["Pixie"]);
  expect(findNames("Pixie ate.")).toEqual([]);
});

test("names stand where they say, whatever the text", () => {
  const words = fc.array(
    fc.constantFrom(
      "Anna",
      "Dr.",
      "of",
      "the",
      "von",
      "Berlin",
      "’s",
      "'s",
      "Inc",
      ".",
      ",",
      "in",
      "NASA",
      "é",
      "\ud800",
      "Ω",
      "-",
      "\n",
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(words, fc.constantFrom(" ", ""), (list, gap) => {
      const text = list.join(gap);
      let end = 0;
      for (const name of findNames(text)) {
        expect(text.slice(name.start, name.end)).toBe(name.text);
        expect(name.start).toBeGreaterThanOrEqual(end);
        end = name.end;
      }
    }),
    { numRuns: 500 },
  );
});

test.each(["Anna ", "A", "A. ", "Dr. ", "of ", "A'"])("100,000 units of %j take linear time", (unit) => {
  expect(cpuTime(() => findNames(unit.repeat(100_000 / unit.length)))).toBeLessThan(5000);
});

test("a megabyte of white space before many words is read once", () => {
  expect(findNames(`${" ".repeat(1_000_000)}we saw Anna ${"and we said ".repeat(50_000)}`)).toMatchObject([
    { text: "Anna" },
  ]);
});
