import { sayTheSame } from "../recall/near-duplicates.ts";
import { normaliseText } from "./content-key.ts";
import type { FoundStatement, ShownText } from "./extract-prompt.ts";
import type { Readings } from "./extract-reading.ts";

/** A statement that a text states. */
export interface CheckedStatement<T> {
  readonly text: string;
  readonly source: T;
}

/** UTF-16 units. A statement is a sentence. */
const longest = 400;
/** Statements of one text: one for every so many units of it, and some for short ones. */
const unitsPerStatement = 60;
const leastAllowed = 5;

/**
 * Of what a model says that texts state, what they may be taken to state. Rather one too few: the text itself is kept. Dropped is
 *
 * - what is no sentence, or says no more than the text itself or another statement of it;
 * - what has a number or a name that its text does not have, or no word in common with it;
 * - what has words that are in another of the texts instead, so that a statement goes when its text is erased;
 * - what its text says of a relative or a colleague, if it does not name them.
 */
export function checkStatements<T extends ShownText>(
  found: readonly FoundStatement[],
  texts: readonly T[],
  readings: Readings,
): readonly CheckedStatement<T>[] {
  const kept = texts.map((): string[] => []);
  const statements: CheckedStatement<T>[] = [];
  for (const { text: written, from } of found) {
    const text = written.replace(/\s+/gu, " ").trim();
    if (text === "" || text.length > longest || !/[\p{L}\p{N}]/u.test(text)) continue;
    // One that says not where it is from is from the one text that states it.
    const places = from >= 1 && from <= texts.length ? [from - 1] : [...texts.keys()];
    const stating = places.filter((place) => readings.states(place, text));
    const [place] = stating;
    const source = place === undefined ? undefined : texts[place];
    const said = place === undefined ? undefined : kept[place];
    if (stating.length !== 1 || source === undefined || said === undefined) continue;
    if (said.length >= Math.max(leastAllowed, source.text.length / unitsPerStatement)) continue;
    if ([source.text, ...said].some((other) => isSame(text, other))) continue;
    said.push(text);
    statements.push({ text, source });
  }
  return statements;
}

function isSame(a: string, b: string): boolean {
  return normaliseText(a) === normaliseText(b) || sayTheSame(a, b);
}
