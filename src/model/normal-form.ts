/**
 * A text in a Unicode normal form, in time that grows with its length. Normalising sorts the marks on a letter, by insertion:
 * 160,000 of them on one letter take a minute. So a run of more than 30 marks is broken after each 30 by a combining grapheme joiner, as
 * the stream-safe text format of Unicode does (UAX #15, section 13); no writing has as many on a letter.
 */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return text.replace(manyMarks, (run) => run.replace(thirty, "$&\u034f")).normalize(form);
}

// The half-width voicing marks of kana are letters, but normalise to marks. Looked at are runs from their beginning alone.
const mark = String.raw`[[\p{M}\uff9e\uff9f]--\u034f]`;
const manyMarks = new RegExp(`${mark}(?<!${mark}{2})${mark}{30,}`, "gv");
const thirty = /.{30}(?=.)/gsu;
