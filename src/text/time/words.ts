const integers: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ eleven: 11, twelve: 12, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50 },
};

/** How many of something: digits, small number words, and the vague "a couple", "a few" and "several". */
export const countPattern = `(?:a couple(?: of)?|a few|several|few|half an?|an?(?: and a half)?|\\d{1,4}(?:\\.5)?|${Object.keys(integers).join("|")})(?: and a half)?`;

/**
 * The lowest and the highest count that words stand for. "A couple" is taken at its word; "a few" is two to four and
 * "several" three to seven, as people in surveys use them.
 */
export function readCount(words: string): { readonly low: number; readonly high: number } | undefined {
  const text = words.toLowerCase().replace(/\s+/g, " ");
  const exactly = (count: number): { low: number; high: number } => ({ low: count, high: count });
  if (text.startsWith("half")) return exactly(0.5);
  if (text.startsWith("a couple")) return exactly(2);
  if (/few$/.test(text)) return { low: 2, high: 4 };
  if (text === "several") return { low: 3, high: 7 };
  const more = text.endsWith(" and a half") ? 0.5 : 0;
  const number = text.replace(/ and a half$/, "");
  if (number === "a" || number === "an") return exactly(1 + more);
  const count = integers[number] ?? Number(number);
  return Number.isFinite(count) ? exactly(count + more) : undefined;
}

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export const weekdayPattern =
  "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)";

/** 1 for Monday to 7 for Sunday. */
export function readWeekday(name: string): number | undefined {
  const index = weekdays.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? undefined : index + 1;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A stop belongs to a short form only: that after "June" ends the sentence. */
export const monthPattern =
  "(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\\b|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\b\\.?)";

/** From 1. */
export function readMonth(name: string): number | undefined {
  const index = months.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? undefined : index + 1;
}

const ordinals = ["first", "second", "third", "fourth"];

/** "first", "1st" and "1" to "fourth", "4th" and "4". */
export function readOrdinal(word: string): number | undefined {
  const index = ordinals.indexOf(word.toLowerCase());
  const value = index < 0 ? Number.parseInt(word, 10) : index + 1;
  return value >= 1 && value <= 4 ? value : undefined;
}

/** Two digits of a year: up to 40 of this century. */
export function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year <= 40 ? 2000 + year : 1900 + year;
}
