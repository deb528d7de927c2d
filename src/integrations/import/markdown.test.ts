import { expect, test } from "vitest";
import { itemsOf, problemsOf, readAll } from "../../../test/support/import-source.ts";
import { readMarkdown } from "./markdown.ts";

const sections = async (text: string) =>
  itemsOf(await readAll(readMarkdown, text)).map((item) => [
    item.metadata?.heading,
    "text" in item ? item.text : undefined,
  ]);

test("each heading has its paragraphs, which begin with the headings above them", async () => {
  const text = "before\n\n# Trip #\nfirst\n\nsecond\n## Rome\nthird\n# Home\n### Garden\nfourth";
  expect(await sections(text)).toEqual([
    [undefined, "before"],
    ["Trip", "Trip\nfirst\n\nsecond"],
    ["Trip > Rome", "Trip > Rome\nthird"],
    ["Home > Garden", "Home > Garden\nfourth"],
  ]);
});

test.each([
  ["Jana Novak.md", "Likes tea.", "Jana Novak\nLikes tea."],
  ["Jana Novak.md", "## Likes\nTea.", "Jana Novak > Likes\nTea."],
  ["jana.md", "# Jana Novak\nLikes tea.", "Jana Novak\nLikes tea."],
  ["2026-03-14.md", "Rain.", "Rain."],
  ["2026-03-14 - Porto.md", "Rain.", "Porto\nRain."],
  ["standard input", "Rain.", "Rain."],
  ["a.md", "---\ntitle: Porto\n---\nRain.", "Porto\nRain."],
  ["a.md", "---\ntitle: Porto\n---\n# Weather\nRain.", "Porto > Weather\nRain."],
  ["a.md", "---\ntitle: Porto\n---\n# PORTO\nRain.", "PORTO\nRain."],
])(
  "what %s is called stands before its texts, unless its headings say it (%j)",
  async (name, text, expected) => {
    expect(itemsOf(await readAll(readMarkdown, text, name))).toMatchObject([{ text: expected }]);
  },
);

test("of long headings the beginning stands before the text", async () => {
  const [item] = itemsOf(await readAll(readMarkdown, `# ${"x".repeat(900)}\n## y\ntext`));
  expect(item).toMatchObject({ text: `${"x".repeat(300)}\ntext` });
});

test("underlined lines are headings, and rules are not", async () => {
  expect(await sections("Trip\n====\nfirst\n\n---\n\nRome\r\n----\r\nsecond\n\n- a\n- b")).toEqual([
    ["Trip", "Trip\nfirst\n\n---"],
    ["Trip > Rome", "Trip > Rome\nsecond\n\n- a\n- b"],
  ]);
});

test("a line that is too long for a heading is text", async () => {
  const line = `#${" ".repeat(300_000)}x`;
  const [[heading, text = ""] = []] = await sections(`${line}\n${" ".repeat(300_000)}\n`);
  expect([heading, String(text).slice(0, 2)]).toEqual([undefined, "# "]);
});

test("marks in a block of code are code, up to the marks that close it", async () => {
  expect(await sections("# A\n```sh\n# comment\n~~~\n```` \n# B\n~~~\n# x")).toEqual([
    ["A", "A\n```sh\n# comment\n~~~\n```` "],
    ["B", "B\n~~~\n# x"],
  ]);
});

test("front matter gives date, author, title and tags, and is no text", async () => {
  const found = await readAll(
    readMarkdown,
    "---\ntitle: Porto\ndate: 2025-03-09\nauthor: Ann\ntags: [travel, 5, food]\n---\n\nWe ate.\n---\nEnd",
    "2024-01-01.md",
  );
  expect(problemsOf(found)).toEqual([]);
  const metadata = { source: "2024-01-01.md", title: "Porto", tags: ["travel", "food"] };
  const said = { provenance: "external_source", statedAt: Date.UTC(2025, 2, 9), author: "Ann" };
  const text = "Porto > We ate.\nEnd";
  expect(itemsOf(found)).toEqual([{ text, ...said, metadata: { ...metadata, heading: "We ate." } }]);
});

test.each([
  ["that never ends", "---\ntitle: x\ntext", []],
  ["that is no YAML", "---\na: [\n---\ntext", [{ place: "front matter", problem: "is no YAML" }]],
  [
    "of many references",
    `---\na: &a [x]\nb: [*a, *a]\n---\ntext`,
    [{ place: "front matter", problem: "is no YAML" }],
  ],
])("front matter %s is text", async (_, text, problems) => {
  const found = await readAll(readMarkdown, text);
  expect(problemsOf(found)).toEqual(problems);
  const whole = itemsOf(found).map((item) => ("text" in item ? item.text : ""));
  expect(whole.join("\n")).toContain("text");
  expect(itemsOf(found).every((item) => !("statedAt" in item))).toBe(true);
});

test("a date that cannot be read is a problem; the day in the name of the file is used", async () => {
  const found = await readAll(readMarkdown, "---\ndate: last spring\n---\ntext", "2024-01-01.md");
  expect(problemsOf(found)).toEqual([{ place: "front matter", problem: "has a date that is not ISO 8601" }]);
  expect(itemsOf(found)).toMatchObject([{ statedAt: Date.UTC(2024, 0, 1) }]);
});

test("nothing, headings alone, and only front matter have no text", async () => {
  for (const text of ["", "# A\n## B", "---\ntitle: x\n---\n", "\n\n"])
    expect(await sections(text)).toEqual([]);
});
