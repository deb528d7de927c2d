import { normalForm } from "../model/normal-form.ts";

/** A text in the form in which quoted phrases are looked for: case, width and white space do not count. */
function phraseForm(text: string): string {
  return normalForm(text, "NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

/** The share of the phrases that a text holds word for word, 0 to 1. */
export function phraseShare(phrases: readonly string[], text: string): number {
  if (phrases.length === 0) return 0;
  const form = phraseForm(text);
  return phrases.filter((phrase) => form.includes(phraseForm(phrase))).length / phrases.length;
}
