import { knownPlaces, notNames } from "../../text/name-words.ts";
import { userSubject } from "../claim.ts";
import { relationOf, spokenOf } from "./kin.ts";
import type { Draft } from "./rule.ts";
import { type Subject, withoutIntroduction } from "./subject.ts";
import type { Word } from "./words.ts";

/** The people of whom a sentence speaks, for "she" in the one after it. */
interface Company {
  readonly people: Map<string, Subject>;
  /** What "it" may be: "my budget". */
  attribute?: Subject;
  /** "My parents", for "they". */
  readonly several: Map<string, Subject>;
  /** Whether somebody else was spoken of, by name or not: what leaves out its subject may be said of them. */
  others?: boolean;
  /** Words that may be names. */
  readonly names: readonly string[];
}

function nobody(): Company {
  return { people: new Map(), several: new Map(), names: [] };
}

/** Those of whom a text speaks, sentence by sentence: whom "she" means, and who else could be meant. */
export class Acquaintances {
  /** How many words the sentence before has. */
  #words = 0;
  #before: Company = nobody();
  #now: Company = nobody();
  /** Whether the sentence speaks of a change. */
  changes = false;

  /** Whether the sentence before speaks of nobody else. */
  get none(): boolean {
    return this.#before.others !== true && this.#before.people.size === 0 && this.#before.names.length === 0;
  }

  /** Whether the sentence speaks of somebody else, by name or not. */
  set others(others: boolean) {
    this.#now.others = others;
  }

  /** Begins the next sentence. */
  begin(words: readonly Word[]): void {
    // "My roommate snores. Like, industrially. Her name is …": a word or two between speak of nobody else.
    const aside = this.#now.people.size === 0 && this.#now.names.length === 0 && this.#words <= 3;
    if (!aside) this.#before = this.#now;
    this.#words = aside ? Number.POSITIVE_INFINITY : words.length;
    const names = words
      .filter((word, i) => i > 0 && isStranger(word) && !isElsewhere(words[i - 1]))
      .map((word) => word.text);
    this.#now = { ...nobody(), names };
  }

  /** Keeps of the words of the sentence that may be names only those that still may. */
  keep(may: (name: string) => boolean): void {
    this.#now = { ...this.#now, names: this.#now.names.filter(may) };
  }

  /** Whom "she" means: the only one of this sentence and the one before it that it can; "it" the value that was spoken of last. */
  meant(pronoun: string): Subject | undefined {
    // "My number changed, it's … now": of what has changed alone, since all kinds of things are "it".
    if (pronoun === "it") return this.changes ? (this.#now.attribute ?? this.#before.attribute) : undefined;
    if (pronoun === "they") {
      const [group, ...more] = [...new Map([...this.#before.several, ...this.#now.several]).values()];
      return more.length === 0 ? group : undefined;
    }
    // "Orion's client is Petra, and its number is 5".
    const owner = this.#now.attribute?.text ?? "user";
    if (pronoun === "its" && /^\p{Lu}[^']*$/u.test(owner)) return { text: owner, kind: "name" };
    const gender = pronoun.startsWith("its") ? undefined : /^(?:he|his)\b/.test(pronoun) ? "male" : "female";
    const people = new Map([...this.#before.people, ...this.#now.people]);
    const fitting = [...people.values()].filter((subject) =>
      gender === undefined
        ? subject.kind === "pet"
        : subject.gender === undefined || subject.gender === gender,
    );
    // Whose name it is has had none.
    const unnamed = pronoun.endsWith(" name") ? fitting.filter(({ text }) => text.includes("'s ")) : [];
    const [only, ...others] = unnamed.length === 1 ? unnamed : fitting;
    // "Even Bram hates it. He's my stepson."
    if (only === undefined && pronoun.endsWith(" is my")) {
      const [name, ...more] = [...new Set([...this.#before.names, ...this.#now.names])];
      return name === undefined || more.length > 0 ? undefined : { text: name, kind: "name" };
    }
    if (only === undefined || others.length > 0) return undefined;
    if (gender === undefined || only.gender === gender) return withoutIntroduction(only);
    // "Her name is Mochi" is that of somebody who has had none.
    if (pronoun.endsWith(" name") && only.text.includes("'s ")) return withoutIntroduction(only);
    const known = [...people.keys()].join(" ").split(/[\s']+/);
    const strangers = [...this.#before.names, ...this.#now.names].some((name) => !known.includes(name));
    return strangers ? undefined : withoutIntroduction(only);
  }

  /** Takes in whom the sentence speaks of, for the pronouns after. */
  introduce(subject: Subject): void {
    if (subject.kind === "attribute") this.#now.attribute = withoutIntroduction(subject);
    // "My mum's birthday is on Friday and she loves orchids".
    const [, kin = ""] =
      subject.kind === "attribute" && subject.attribute !== "name"
        ? (/'s ([\p{L} -]+)$/u.exec(subject.text) ?? [])
        : [];
    const relation = relationOf(kin.replaceAll(/[ _]/g, "-"));
    if (relation !== undefined && relation.plural !== true)
      this.#now.people.set(subject.text, {
        ...{ text: subject.text, kind: "person" },
        ...(relation.gender === undefined ? {} : { gender: relation.gender }),
      });
    if (subject.kind === "several" && subject.text.includes("'s "))
      this.#now.several.set(subject.text, subject);
    if (
      subject.kind === "person" ||
      subject.kind === "pet" ||
      (subject.kind === "name" && !subject.text.includes("'s"))
    )
      this.#now.people.set(subject.text, subject);
  }

  /** "I have a brother named Luis": whom the next sentence may call "he". */
  meet({ subject, predicate, object, affirmed, change }: Draft): void {
    const noun = /^has_(.+)$/.exec(predicate)?.[1];
    if (noun === undefined || object === undefined || affirmed === false || change === "end") return;
    const relation = relationOf(noun);
    if (noun !== "pet" && relation === undefined) return;
    const gender = relation?.gender === undefined ? {} : { gender: relation.gender };
    // "We have a kitten": "her name" is that of the kitten.
    if (!/^\p{Lu}/u.test(object)) {
      const text = noun === "pet" ? `${subject}'s ${object}` : object;
      this.#now.people.set(text, { text, kind: noun === "pet" ? "pet" : "person", ...gender });
      return;
    }
    this.#now.people.delete(`${userSubject}'s ${spokenOf(noun)}`);
    // "My cat is called Toast": there are not two of them.
    if (noun === "pet")
      for (const [text, { kind }] of this.#now.people)
        if (kind === "pet" && text.startsWith(`${subject}'s `)) this.#now.people.delete(text);
    this.#now.people.set(object, { text: object, kind: noun === "pet" ? "pet" : "person", ...gender });
  }
}

/** Whether what follows a word is where somebody is, or whom somebody else is to: "at Acme", "her boyfriend Rui". */
function isElsewhere(before: Word | undefined): boolean {
  const word = before?.lower ?? "";
  return /^(?:at|in|near)$/.test(word) || relationOf(word) !== undefined || /^(?:boy|girl)$/.test(word);
}

function isStranger(word: Word): boolean {
  return (
    /^\p{Lu}\p{Ll}/u.test(word.text) &&
    !notNames.has(word.lower) &&
    !knownPlaces.has(word.lower) &&
    !/\bmy\s\p{L}+\s$/u.test(word.gap)
  );
}
