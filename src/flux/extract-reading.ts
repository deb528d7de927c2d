import { wordsOf } from "../recall/query.ts";
import type { Analyser } from "../text/analyser.ts";
import { kin } from "../text/name-words.ts";
import { findNames } from "../text/names.ts";
import { splitSentences } from "../text/sentences.ts";
import { type DateMention, findDates } from "../text/time/find-dates.ts";
import { wallAt } from "../text/time/zone.ts";
import { tokensOf } from "../text/tokens-of.ts";
import type { ShownFact, ShownText } from "./extract-prompt.ts";

/** The texts of one call, as what is said of one of them is compared with all. */
export class Readings {
  readonly texts: readonly Reading[];
  /** Terms of what facts are about, by fact. */
  readonly #known: readonly ReadonlySet<string>[];

  constructor(texts: readonly ShownText[], known: readonly ShownFact[], analyser: Analyser) {
    this.texts = texts.map((text) => new Reading(text, analyser));
    this.#known = known.map(
      ({ subject, object }) => new Set(termsOf(analyser, `${subject.replaceAll("_", " ")} ${object}`)),
    );
  }

  /**
   * Whether a text may be taken to state something, and nothing in that is from another of the texts or from a fact: it would
   * outlive the erasure of that one.
   *
   * @param own the part of it that says what it is about, where the rest are words of this package
   */
  states(place: number, statement: string, own = statement): boolean {
    const reading = this.texts[place];
    if (reading?.states(statement) !== true) return false;
    const foreign = reading.termsOf(own).filter((term) => !reading.has(term));
    return (
      !this.texts.some((other, i) => i !== place && foreign.some((term) => other.has(term))) &&
      !this.#known.some((terms) => foreign.some((term) => terms.has(term)))
    );
  }
}

/** What a text says, as far as it is compared with what a model says that it states. */
export class Reading {
  readonly #analyser: Analyser;
  readonly #words: ReadonlySet<string>;
  readonly #terms: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<string>;
  readonly sentences: readonly Sentence[];
  readonly dates: readonly DateMention[];

  constructor({ text, speaker, saidAt, zone = "UTC" }: ShownText, analyser: Analyser) {
    this.#analyser = analyser;
    this.dates = findDates(text, { at: saidAt, zone });
    const bounds = this.dates.flatMap(({ start, end }) => [start, end - 1]);
    const days = [saidAt, ...bounds].map((at) => dayWords(wallAt(at, zone))).join(" ");
    this.#words = wordsOf(`${text} ${speaker} ${days}`);
    this.#terms = new Set(this.termsOf(`${text} ${speaker} ${days}`));
    this.#numbers = numbersOf(`${text} ${days}`);
    this.sentences = splitSentences(text).map((sentence) => this.#read(sentence));
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
    return termsOf(this.#analyser, text);
  }

  #read({ text: sentence, start }: { readonly text: string; readonly start: number }): Sentence {
    const words = [...wordsOf(sentence)];
    const relatives = words.filter(isKin).flatMap((word) => [word, singular(word)]);
    const called = findNames(sentence)
      .filter((name) => isCalled(sentence, name))
      .flatMap(({ text }) => [...wordsOf(text)]);
    return {
      ...{ text: sentence, start },
      others: [...relatives, ...called],
      clauses: sentence.split(clauseBreak).map((clause) => {
        const said = [...wordsOf(clause)];
        return {
          text: clause,
          ofSpeaker: said.some((word) => firstPerson.has(word)),
          // A word that is a term alone is none beside others where it means little, as "may".
          terms: new Set([...this.termsOf(clause), ...said.flatMap((word) => this.termsOf(word))]),
        };
      }),
    };
  }

  /** "My sister is vegan" does not state "The user is vegan". */
  #saidOfOthers(statement: string, common: readonly string[]): boolean {
    const words = wordsOf(statement);
    const saying = this.sentences
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

function termsOf(analyser: Analyser, text: string): string[] {
  return tokensOf(analyser, text).flatMap(({ term }) => (term === "" || shared.has(term) ? [] : [term]));
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

export interface Sentence {
  readonly text: string;
  /** Where it begins in the text, in UTF-16 units. */
  readonly start: number;
  /** Words for relatives and others whom it speaks of, and their names; none where it speaks of none. */
  readonly others: readonly string[];
  readonly clauses: readonly {
    readonly text: string;
    readonly ofSpeaker: boolean;
    readonly terms: ReadonlySet<string>;
  }[];
}

/** As the subject: "my" is also said of others. */
const firstPerson: ReadonlySet<string> = new Set(["i", "im", "ive", "we", "weve"]);

const clauseBreak = /[,;:()–—，、；：（）]|\b(?:and|but|while|whereas|though|because|so)\b/iu;

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

/** A day of the wall as it may be written, in English and in figures. */
function dayWords(at: number): string {
  return `${day.format(at)} ${numericMonth.format(at)}`;
}
