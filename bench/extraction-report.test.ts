import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { extractByRules } from "../src/facts/rules/extract.ts";
import { familyOf } from "./extraction-families.ts";
import { extractionReport, extractionTable, readLabels } from "./extraction-report.ts";

const saidAt = "2024-05-15T12:00:00Z";

test("a report counts by family, and says what was missed and what was wrong", () => {
  const texts = readLabels([
    { text: "a", saidAt, claims: [{ subject: "user", predicate: "likes", object: "tea" }] },
    { text: "b", saidAt, claims: [{ subject: "user", predicate: "lives_in", object: "Rome" }] },
    { text: "c", saidAt, claims: [], optional: [{ subject: "user", predicate: "drinks", object: "tea" }] },
  ]);
  const report = extractionReport(texts, ({ text }) =>
    text === "b" ? [] : [{ subject: "user", predicate: "likes", object: "tea" }],
  );
  expect(report.all).toMatchObject({ right: 1, found: 2, labelled: 2 });
  expect(Object.keys(report.families)).toEqual(["places", "taste"]);
  expect(report.families.taste).toMatchObject({ right: 1, found: 2, labelled: 1 });
  expect(report.empty).toEqual({ texts: 1, found: 1 });
  expect(report.errors).toEqual([
    "b",
    "  missed: user | lives_in | Rome",
    "c",
    "  wrong:  user | likes | tea",
  ]);
  const lines = extractionTable(report).split("\n");
  expect(lines.at(-3)).toMatch(/^all +1 +2 +2 +50\.0 \(9\.5–90\.5\)/);
  expect(lines.at(-1)).toBe("3 texts; 1 of 1 without a claim gave one");
});

test("labels of another form are refused", () => {
  expect(() => readLabels([{ text: "a", saidAt: "yesterday", claims: [] }])).toThrow();
  expect(() => readLabels([{ text: "a", saidAt, claims: [{ subject: "user" }] }])).toThrow();
});

test("every predicate is of one family", () => {
  expect(familyOf("residesIn")).toBe("places");
  expect(familyOf("favourite_band")).toBe("taste");
  expect(familyOf("has_sister")).toBe("relations");
  expect(familyOf("has_pet")).toBe("things");
  expect(familyOf("team_size")).toBe("attributes");
});

test("on the labelled sentences of the repository the rules keep what they reach", async () => {
  const file = join(import.meta.dirname, "facts-dev.json");
  const texts = readLabels(JSON.parse(await readFile(file, "utf8")));
  const { all, empty } = extractionReport(texts, ({ text, saidAt: at, speaker }) =>
    extractByRules(text, { saidAt: Date.parse(at), ...(speaker === undefined ? {} : { speaker }) }),
  );
  expect(texts.length).toBeGreaterThanOrEqual(150);
  expect(empty.texts).toBeGreaterThan(texts.length / 4);
  expect(all.precision?.share).toBeGreaterThan(0.99);
  // The last portions have much that no rule could know.
  expect(all.recall?.share).toBeGreaterThan(0.8);
});
