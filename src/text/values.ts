import { monthPattern, readMonth } from "./time/words.ts";

export type ValueKind = "money" | "percent" | "score" | "version" | "time" | "date" | "weekday" | "number";

/** A figure or a date in a text: what changes when what is told of changes. */
export interface Value {
  readonly kind: ValueKind;
  /** Equal for the same value in another spelling: "$1,200" and "1200 dollars", "three" and "3", "5 April" and "April 5th". */
  readonly value: string;
  /** Offsets in UTF-16 units, half-open. */
  readonly start: number;
  readonly end: number;
}

const numberWords =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const amount = String.raw`\d[\d,]*(?:\.\d+)?`;
const month = `(?:${monthPattern})`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;

/** In their order: what is read as a date is not read as a number. */
const patterns: readonly (readonly [ValueKind, string])[] = [
  [
    "date",
    String.raw`\b${month}\.? ${day}(?:,? \d{4})?\b|\b${day} (?:of )?${month}(?:,? \d{4})?\b|\b\d{4}-\d\d-\d\d\b`,
  ],
  [
    "money",
    String.raw`[$€£¥]\s?${amount}(?:[km]\b)?|\b${amount}k?\s?(?:dollars|bucks|euros?|pounds sterling|usd|eur|gbp|chf)\b`,
  ],
  ["percent", String.raw`\b${amount}\s?(?:%|percent\b|per cent\b)`],
  ["time", String.raw`\b\d{1,2}(?::\d\d)?\s?[ap]\.?m\b\.?|\b\d{1,2}:\d\d\b`],
  ["weekday", String.raw`\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b`],
  ["version", String.raw`\bv\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+\b`],
  ["score", String.raw`\b\d+\s?\/\s?\d+\b|\b\d+ out of \d+\b`],
  [
    "number",
    String.raw`(?<![\w.])${amount}(?:\s?[-–]\s?\d+)?(?:k\b)?(?:(?=[a-zµ]{1,3}\b)|\b)|\b(?:${numberWords.join("|")})\b`,
  ],
];
const pattern = new RegExp(patterns.map(([, source]) => `(${source})`).join("|"), "gi");

/** What every value has one of. */
const figure = /\d/;
const word = new RegExp(
  String.raw`\b(?:${numberWords.join("|")}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b`,
  "i",
);

/** Whether a text may hold a value: of most texts this is known sooner than which. */
export function mayHoldValues(text: string): boolean {
  return figure.test(text) || word.test(text);
}

/** Finds figures and dates in a text, in order: money, percentages, scores, versions, times, days and plain numbers. English and figures. */
export function findValues(text: string): Value[] {
  if (!mayHoldValues(text)) return [];
  return Array.from(text.matchAll(pattern), (match) => {
    const [written, ...groups] = match;
    const kind = patterns[groups.findIndex((group) => group !== undefined)]?.[0] ?? "number";
    return { kind, value: normalForm(kind, written), start: match.index, end: match.index + written.length };
  });
}

function normalForm(kind: ValueKind, written: string): string {
  const text = written.toLowerCase();
  if (kind === "date") return dateForm(text);
  if (kind === "weekday") return text.replace(/s$/, "");
  if (kind === "score") return text.replace(" out of ", "/").replaceAll(/\s/g, "");
  if (kind === "version") return text.replace(/^v/, "");
  if (kind === "time") return text.replaceAll(/[\s.]/g, "").replace(/^(\d{1,2})([ap]m)$/, "$1:00$2");
  const word = numberWords.indexOf(text);
  if (word >= 0) return String(word);
  const digits = text.replaceAll(/[,\s]/g, "").replace("–", "-");
  if (kind === "number") return digits.replace(/^([\d.]+)k$/, thousand);
  const plain = digits.replace(/(?:%|percent|dollars|bucks|euros?|poundssterling|usd|eur|gbp|chf)$/, "");
  return plain.replace(/^[$€£¥]/, "").replace(/^([\d.]+)k$/, thousand);
}

function thousand(_all: string, figure: string): string {
  return String(Number(figure) * 1000);
}

/** Month and day; the year is seldom said, and a date without it means the same. */
function dateForm(text: string): string {
  const [, isoMonth, isoDay] = /^\d{4}-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (isoMonth !== undefined) return `${Number(isoMonth)}-${Number(isoDay)}`;
  const name = /[a-z]{3,}/.exec(text.replaceAll(/\b(\d+)(?:st|nd|rd|th)\b/g, "$1"))?.[0] ?? "";
  return `${readMonth(name) ?? name}-${Number(/\d{1,2}/.exec(text)?.[0])}`;
}
