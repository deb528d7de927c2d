import { expect, test } from "vitest";
import { firstOfEach } from "./near-duplicates.ts";

const demote = (...texts: string[]) => firstOfEach(texts, texts.length, (text) => text);

test("texts that say the same go behind the others, in their order", () => {
  expect(demote("Yes!", "No.", "yes", "Maybe", "YES")).toEqual(["Yes!", "No.", "yes", "Maybe", "YES"]);
  expect(demote("Yes, do.", "yes  do", "Yes, do.", "No")).toEqual(["Yes, do.", "yes  do", "No", "Yes, do."]);
});

test("one word of twenty may differ, a number or a name of five is another statement", () => {
  const words = Array.from({ length: 20 }, (_, i) => `word${String.fromCharCode(97 + i)}`);
  const other = [...words.slice(1), "else"].join(" ");
  expect(demote(words.join(" "), other, "x")).toEqual([words.join(" "), "x", other]);
  const statements = ["I moved to Porto in May", "I moved to Lisbon in May", "I moved to Porto in June"];
  expect(demote(...statements)).toEqual(statements);
});

test("in texts of any length a changed number, name or denial is another statement", () => {
  const story = "When we spoke about the house by the lake last week I told you that";
  const statements = [
    `${story} the rent is 900 and that Anna likes it`,
    `${story} the rent is 950 and that Anna likes it`,
    `${story} the rent is 900 and that Petra likes it`,
    `${story} the rent isn't 900 and that Anna likes it`,
  ];
  expect(demote(...statements, "x")).toEqual([...statements, "x"]);
  const [first = ""] = statements;
  const again = first.replace("lake", "sea");
  expect(demote(first, again, "x")).toEqual([first, "x", again]);
});

test("nothing is lost, whatever the texts are", () => {
  const texts = ["", "", "👍", "👍", "我们", "我们", "\ud800", "a".repeat(10_000), "a".repeat(10_000)];
  expect(demote(...texts).sort()).toEqual(texts.sort());
  expect(demote("👍", "👎", "👍")).toEqual(["👍", "👎", "👍"]);
});

test("as many as asked for, and no text is looked at beyond them", () => {
  const looked: string[] = [];
  const read = (text: string): string => {
    looked.push(text);
    return text;
  };
  expect(firstOfEach(["yes", "Yes", "no", "maybe"], 2, read)).toEqual(["yes", "no"]);
  expect(looked).toEqual(["yes", "Yes", "no"]);
  expect(firstOfEach(["yes", "Yes", "YES"], 2, read)).toEqual(["yes", "Yes"]);
});
