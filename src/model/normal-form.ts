/**
 * A text in a Unicode normal form, in time that grows with its length. Normalising sorts the marks on a letter, by insertion:
 * 160,000 of them on one letter take a minute. So a run of marks is broken after 30 by a combining grapheme joiner, as the
 * stream-safe text format of Unicode does (UAX #15, section 13); no writing has as many on a letter.
 */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return (manyMarks.test(text) ? text.replace(eachManyMarks, "$&\u034f") : text).normalize(form);
}

// The half-width voicing marks of kana are letters, but normalise to marks.
const manyMarks = /(?:(?!\u034f)[\p{M}\uff9e\uff9f]){30}(?!\u034f)/u;
const eachManyMarks = new RegExp(manyMarks, "gu");
