import { sayTheSame } from "../recall/near-duplicates.ts";
import { wordsOf } from "../recall/query.ts";
import type { Analyser } from "../text/analyser.ts";
import { kin } from "../text/name-words.ts";
import { findNames } from "../text/names.ts";
import { splitSentences } from "../text/sentences.ts";
import { findDates } from "../text/time/find-dates.ts";
import { tokensOf } from "../text/tokens-of.ts";
import { normaliseText } from "./content-key.ts";
import type { FoundStatement, ShownText } from "./extract-prompt.ts";

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
  analyser: Analyser,
): readonly CheckedStatement<T>[] {
  const readings = texts.map((text) => new Reading(text, analyser));
  const kept = readings.map((): string[] => []);
  const statements: CheckedStatement<T>[] = [];
  for (const { text: written, from } of found) {
    const text = written.replace(/\s+/gu, " ").trim();
    if (text === "" || text.length > longest || !/[\p{L}\p{N}]/u.test(text)) continue;
    // One that says not where it is from is from the one text that states it.
    const places = from >= 1 && from <= texts.length ? [from - 1] : [...texts.keys()];
    const stating = places.filter((place) => states(readings, place, text));
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

function states(readings: readonly Reading[], place: number, statement: string): boolean {
  const reading = readings[place];
  if (reading?.states(statement) !== true) return false;
  const foreign = reading.termsOf(statement).filter((term) => !reading.has(term));
  return !readings.some((other, i) => i !== place && foreign.some((term) => other.has(term)));
}

/** What a text says, as far as it is compared with a statement. */
class Reading {
  readonly #analyser: Analyser;
  readonly #words: ReadonlySet<string>;
  readonly #terms: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<string>;
  readonly #sentences: readonly Sentence[];

  constructor({ text, speaker, saidAt }: ShownText, analyser: Analyser) {
    this.#analyser = analyser;
    const dates = findDates(text, { at: saidAt }).flatMap(({ start, end }) => [start, end - 1]);
    const days = [saidAt, ...dates].map(dayWords).join(" ");
    this.#words = wordsOf(`${text} ${speaker} ${days}`);
    this.#terms = new Set(this.termsOf(`${text} ${speaker} ${days}`));
    this.#numbers = numbersOf(`${text} ${days}`);
    this.#sentences = splitSentences(text).map((sentence) => this.#read(sentence.text));
  }

  /** Whether nothing in a statement says that it is not from this text. */
  states(statement: string): boolean {
    for (const number of numbersOf(statement)) if (!this.#numbers.has(number)) return false;
    for (const { text } of findNames(statement))
      for (const word of wordsOf(text))
        if (!(this.#words.has(word) || shared.has(word) || articles.has(word))) return false;
    const common = this.termsOf(statement).filter((term) => this.#terms.has(term));
    return common.length > 0 && !this.#saidOfOthers(statement, common);
  }

  has(term: string): boolean {
    return this.#terms.has(term);
  }

  /** Terms with a meaning of their own; "the user says" is in any statement. */
  termsOf(text: string): string[] {
    return tokensOf(this.#analyser, text).flatMap(({ term }) =>
      term === "" || shared.has(term) ? [] : [term],
    );
  }

  #read(sentence: string): Sentence {
    const words = [...wordsOf(sentence)];
    const relatives = words.filter(isKin).flatMap((word) => [word, singular(word)]);
    const called = findNames(sentence)
      .filter((name) => isCalled(sentence, name))
      .flatMap(({ text }) => [...wordsOf(text)]);
    return {
      others: [...relatives, ...called],
      clauses: sentence.split(clauseBreak).map((clause) => ({
        ofSpeaker: [...wordsOf(clause)].some((word) => firstPerson.has(word)),
        terms: new Set(this.termsOf(clause)),
      })),
    };
  }

  /** "My sister is vegan" does not state "The user is vegan". */
  #saidOfOthers(statement: string, common: readonly string[]): boolean {
    const words = wordsOf(statement);
    const saying = this.#sentences
      .map(({ others, clauses }) => ({
        others,
        clauses: clauses.filter(({ terms }) => common.some((term) => terms.has(term))),
      }))
      .filter(({ clauses }) => clauses.length > 0);
    return (
      saying.length > 0 &&
      saying.every(
        ({ others, clauses }) =>
          others.length > 0 &&
          !others.some((word) => words.has(word)) &&
          !clauses.some(({ ofSpeaker }) => ofSpeaker),
      )
    );
  }
}

/** Whether a name is that of a relative: "my sister Ines", "Ines, my sister". */
function isCalled(
  sentence: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const [, before = ""] = /(\p{L}+)[\s,:(]+$/u.exec(sentence.slice(Math.max(0, start - 40), start)) ?? [];
  const [, after = ""] = /^[\s,(]+(?:my|our)\s+(\p{L}+)/iu.exec(sentence.slice(end, end + 40)) ?? [];
  return [before, after].some((word) => isKin(word.toLowerCase()));
}

interface Sentence {
  /** Words for relatives and others whom it speaks of, and their names; none where it speaks of none. */
  readonly others: readonly string[];
  readonly clauses: readonly { readonly ofSpeaker: boolean; readonly terms: ReadonlySet<string> }[];
}

/** As the subject: "my" is also said of others. */
const firstPerson: ReadonlySet<string> = new Set(["i", "im", "ive", "we", "weve"]);

const clauseBreak = /[,;:()–—]|\b(?:and|but|while|whereas|though|because|so)\b/iu;

/** Words with which a statement speaks of those who speak, in the languages that are written most. Folded, and as stems. */
const shared: ReadonlySet<string> = new Set(
  `user users assistant assist somebody someone person peopl document doc say said state mention
  nutzer nutzerin benutzer benutzerin assistent assistentin utilisateur utilisatrice usuario usuaria utente gebruiker
  utilizador asistente assistente пользователь ассистент 用户 助手 ユーザー 사용자`.split(/\s+/),
);

/** What may stand before a noun at the beginning of a sentence, and then looks like a part of a name. */
const articles: ReadonlySet<string> = new Set(
  "the a an der die das den dem des ein eine le la les l un une el los las una il lo gli i o os as um uma de het een".split(
    " ",
  ),
);

function isKin(word: string): boolean {
  return kin.has(word) || kin.has(singular(word));
}

function singular(word: string): string {
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

const counts = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Runs of digits without leading zeros, and small numbers in words. "One" is more than a number. */
function numbersOf(text: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  for (const word of wordsOf(text)) {
    for (const [digits] of word.matchAll(/\d+/g)) numbers.add(digits.replace(/^0+(?=\d)/, ""));
    const count = counts.indexOf(word);
    if (count > 1) numbers.add(String(count));
  }
  return numbers;
}

const day = new Intl.DateTimeFormat("en", {
  ...{ weekday: "long", year: "numeric", month: "long", day: "numeric", timeZone: "UTC" },
});
const numericMonth = new Intl.DateTimeFormat("en", { month: "numeric", timeZone: "UTC" });

/** A day as it may be written, in English and in figures. */
function dayWords(at: number): string {
  return `${day.format(at)} ${numericMonth.format(at)}`;
}
