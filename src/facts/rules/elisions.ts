import { isOccupation } from "./occupations.ts";
import { be, conditions, doing, happened, hasNone, having, readOpening } from "./openings.ts";
import { type Mention, type Subject, user } from "./subject.ts";
import { readVerb, verbOfIng } from "./verb-forms.ts";
import { readVerbPhrase, type VerbPhrase } from "./verb-phrase.ts";
import { isCapital, type Word } from "./words.ts";

/** A statement as it is found, before its words are cut out. */
export interface Found {
  readonly subjects: readonly Subject[];
  readonly phrase: VerbPhrase;
  /** The first word of the subject; that of the verb where the subject is left out. */
  readonly at: number;
  readonly confidence: number;
  /** The word before which the clause ends. Default where the next one begins. */
  readonly until?: number | undefined;
  real: boolean;
}

/** Where the next statement is looked for, and how sure what it says is. */
export interface Scan {
  readonly words: readonly Word[];
  readonly found: Found[];
  readonly mentions: Mention[];
  /** The subject that was read last, whether a verb followed or not. */
  last?: Mention;
  /** By a word after which nothing need be so, or by a report of what others say. */
  blocked: "unreal" | "report" | undefined;
  confidence: number;
  /** Whether nobody else is spoken of, so that a subject may be left out. */
  readonly alone: boolean;
}

/** "And work as a nurse": the subject is that of the clause before, and so is the form of the verb. */
export function elided(scan: Scan, at: number): number | undefined {
  const { words, found } = scan;
  const last = found.at(-1);
  const word = words[at];
  const joint = words[at - 1]?.lower ?? "";
  if (last === undefined || !last.real || word === undefined || isCapital(word)) return undefined;
  if (!/^(?:and|but|then|while)$/.test(joint) && !/,/.test(word.gap)) return undefined;
  if (last.subjects[0]?.kind === "attribute") return undefined;
  // "Vegan, no pets".
  if (last.subjects[0]?.kind === "user" && hasNone(words, at)) {
    found.push({ ...last, phrase: having(at), at });
    return at + 1;
  }
  const meanwhile = alongside(words, at, last, joint);
  if (meanwhile !== undefined) {
    found.push({ ...last, phrase: meanwhile, at });
    return meanwhile.next;
  }
  // "Born and raised in Detroit" is one thing.
  if (word.lower === "raised" && words[at - 2]?.lower === "born") return undefined;
  const settled = /^(?:living|renting|working|studying)$/.test(words[at + 1]?.lower ?? "");
  if (/^(?:now|currently)$/.test(word.lower) && settled) {
    found.push({ ...last, phrase: doing(words, at + 1), at });
    return at + 2;
  }
  // "I've lived in Leeds for years, originally from Hull".
  if (word.lower === "originally" && words[at + 1]?.lower === "from") {
    found.push({ ...last, phrase: be(at, false, "holds").phrase, at });
    return at + 1;
  }
  if (/^(?:now|currently)$/.test(word.lower) && words[at + 1]?.lower === "in") {
    found.push({ ...last, phrase: be(at, false, "holds").phrase, at });
    return at + 1;
  }
  // "I weigh 60 kilos, vegetarian, …".
  const aside =
    last.subjects[0]?.kind === "user" &&
    last.phrase.lemma !== "be" &&
    /^(?:vegan|vegetarian|pescatarian|diabetic|asthmatic|celiac|coeliac|single|married|divorced)$/.test(
      word.lower,
    ) &&
    /,/.test(word.gap) &&
    (words[at + 1] === undefined || /,/.test(words[at + 1]?.gap ?? ""));
  if (aside) {
    found.push({ ...last, phrase: be(at, false, "holds").phrase, at });
    return at + 1;
  }
  if (isComplement(words, at, last.phrase)) {
    found.push({
      ...last,
      phrase: {
        ...last.phrase,
        ...(happened.has(word.lower) ? { mode: "was" } : {}),
        ...(word.lower === "more" ? { negated: false } : {}),
        next: at,
        at,
      },
      at,
    });
    return at + 1;
  }
  // ", like grilling" gives an example.
  if (
    (word.lower === "like" && joint !== "and" && joint !== "but") ||
    (word.lower === "just" && words[at + 1]?.lower === "like")
  )
    return undefined;
  const { phrase } = last;
  const adverb =
    /^(?:also|now|still|currently|recently|then|just|never|no|do|does|don't|really|always|usually)$/.test(
      word.lower,
    ) || /^(?:would|'d) (?:like|love) to$|^can n't (?:stand|eat|have)$/.test(wordsAt(words, at, 3));
  if (!adverb && !agrees(words, at, phrase)) return undefined;
  const singular =
    phrase.form === "third" || (last.subjects[0]?.kind !== "user" && last.subjects.length === 1);
  const read = readVerbPhrase(words, at, singular, true);
  if (read === undefined || (read.lemma !== "be" && !knows(words[read.at]?.lower ?? ""))) return undefined;
  const progressive = phrase.progressive && /ing$/.test(words[read.at]?.lower ?? "");
  const mode = phrase.mode === "will" ? "will" : progressive ? phrase.mode : read.mode;
  const form = progressive ? "ing" : read.form;
  const lemma = progressive ? verbOfIng(words[read.at]?.lower ?? "") : read.lemma;
  found.push({
    subjects: last.subjects,
    // "I usually get up at six and meditate".
    phrase: {
      ...read,
      ...{ lemma, mode, form },
      progressive: progressive || read.progressive,
      habitual: read.habitual || (phrase.habitual && mode === "holds" && phrase.mode === "holds"),
    },
    at,
    confidence: scan.confidence * read.confidence,
    real: true,
  });
  return read.next;
}

const lastingly = /^(?:living|working|studying|training|learning|interning|volunteering|doing)$/;

/** "Born in Fresno, living in Portland", "studying law while working at a bank": what somebody does besides. */
function alongside(words: readonly Word[], at: number, last: Found, joint: string): VerbPhrase | undefined {
  const word = words[at];
  if (word === undefined || !lastingly.test(word.lower) || last.phrase.mode === "will") return undefined;
  if (!/^(?:in|at|as|for|on|near|with|towards|\p{L}+)$/u.test(words[at + 1]?.lower ?? "")) return undefined;
  if (
    word.lower === "doing" &&
    !/^(?:mba|phd|btech|llm|llb|m\.?sc|b\.?sc|my|an?)$/.test(words[at + 1]?.lower ?? "")
  )
    return undefined;
  // "I met people, working in …" speaks of them.
  const own =
    joint === "while" ||
    joint === "but" ||
    (joint === "and" && last.phrase.progressive) ||
    /^(?:be|grow|move|graduate)$/.test(last.phrase.lemma);
  if (!own) return undefined;
  return doing(words, at);
}

/** "Quick context: solo founder, based in Tallinn": a note that says what somebody is after a comma. */
export function noted({ words, found, alone, last }: Scan, at: number): number | undefined {
  const word = words[at];
  if (!alone || found.length > 0 || last !== undefined || word === undefined || at === 0 || at > 12)
    return undefined;
  if (
    !/[,:]/.test(word.gap) ||
    words.slice(1, at).some(isCapital) ||
    words.slice(0, at).some(({ lower }) => others.test(lower))
  )
    return undefined;
  const opening = noteOpens.test(word.lower) ? readOpening(words.slice(at)) : undefined;
  if (opening === undefined) return undefined;
  const phrase = { ...opening.phrase, at: opening.phrase.at + at, next: opening.phrase.next + at };
  found.push({ subjects: [user], phrase, at: opening.at + at, confidence: 1, real: true });
  return phrase.next;
}

const noteOpens =
  /^(?:based|living|working|studying|doing|originally|married|divorced|vegan|vegetarian|just|recently|currently|now|allergic|retired|moved|graduated)$/;
const others =
  /^(?:he|she|they|his|her|their|who|my|our|your|you|it|is|are|was|were|has|have|if|for|write|character|story|about|a|an|the)$/;

/** "I'm a widow living in Hobart": what stands beside what somebody is, without a comma. */
export function within(scan: Scan, at: number): number | undefined {
  const { words, found } = scan;
  const last = found.at(-1);
  const word = words[at];
  if (
    last === undefined ||
    !last.real ||
    word === undefined ||
    !/^(?:living|working|studying)$/.test(word.lower)
  )
    return undefined;
  const { lemma, negated, mode, next } = last.phrase;
  if (lemma !== "be" || negated || mode !== "holds" || last.subjects[0]?.kind === "attribute")
    return undefined;
  if (!/^an?$/.test(words[next]?.lower ?? "") || at - next < 2 || at - next > 7) return undefined;
  const between = words.slice(next, at);
  // "A mother of two living in Hobart", "a widower of 83".
  if (
    between.some(
      ({ lower }, i) =>
        /^(?:about|for|with|to|from|like|than)$/.test(lower) ||
        (lower === "of" && !/^(?:two|three|four|five|\d+)$/.test(between[i + 1]?.lower ?? "")),
    )
  )
    return undefined;
  found.push({ ...last, phrase: doing(words, at), at });
  return at + 1;
}

/** "And allergic to nuts": a further thing that somebody is. */
function isComplement(words: readonly Word[], at: number, phrase: VerbPhrase): boolean {
  // "Not into football, more of a tennis person".
  if (phrase.lemma === "be" && /^more of an?$/.test(wordsAt(words, at, 3))) return true;
  if (phrase.lemma !== "be" || phrase.negated) return false;
  const joined = words[at - 1]?.lower === "and";
  const between = words.slice(phrase.next, at - (joined ? 1 : 0));
  // "Declan is in Perth, an electrician".
  if (/^an?$/.test(words[at]?.lower ?? "") && /^,/.test(words[at]?.gap ?? "") && isJob(words, at + 1))
    return true;
  // "I'm 23, 160 cm", "I'm Brazilian, 23 years old", "I'm 41, type 1 diabetic".
  if (/^,/.test(words[at]?.gap ?? "") || joined) {
    const [first = "", second = ""] = words.slice(at, at + 2).map(({ lower }) => lower);
    if (/^\d\d$/.test(first) && /^(?:years?|yo)$/.test(second)) return true;
    // "I'm a retired nurse, 67, living in Devon", not "on May 10, 12 and 15", nor "my friend Carla, 58,".
    const plain =
      between.length > 0 && between.length <= 4 && between.every((word) => /^\p{Ll}/u.test(word.text));
    if (!joined && /^\d\d$/.test(first) && plain && /^[,.]/.test(words[at + 1]?.gap ?? ".")) return true;
    if (first === "type" && /^[12]$/.test(second)) return true;
  }
  if (/^(?:an?)$/.test(words[at]?.lower ?? ""))
    return (
      joined &&
      between.length <= 2 &&
      !/^(?:with|at|in|on|to|from|by|like|about|for)$/.test(between[0]?.lower ?? "")
    );
  const word = words[at]?.lower ?? "";
  // "I'm 29, from Rosario".
  if (word === "from" && /,/.test(words[at]?.gap ?? "") && isCapital(words[at + 1]) && between.length <= 3)
    return true;
  // "On a diet and off alcohol".
  if (joined && word === "off") return true;
  if (between.length > 5) return false;
  return conditions.has(word) || (word === "originally" && words[at + 1]?.lower === "from");
}

/** Whether up to four words name an occupation, and the clause or what leads on ends there. */
function isJob(words: readonly Word[], at: number): boolean {
  const end = words.findIndex(
    ({ gap, lower }, i) => i > at && (gap !== " " || /^(?:at|for|in|with|from|by|who|and|on)$/.test(lower)),
  );
  const noun = words.slice(at, end < 0 ? undefined : end);
  return noun.length <= 4 && isOccupation(noun.map(({ lower }) => lower).join(" "));
}

function wordsAt(words: readonly Word[], at: number, length: number): string {
  return words
    .slice(at, at + length)
    .map(({ lower }) => lower)
    .join(" ");
}

function agrees(words: readonly Word[], at: number, phrase: VerbPhrase): boolean {
  const word = words[at]?.lower ?? "";
  if (/^(?:am|is|are|have|has|'m|'ve|don't|do|does|was|were)$/.test(word)) return true;
  const forms = readVerb(word).map(({ form }) => form);
  // "He's turning 60 and collects radios".
  if (phrase.progressive && phrase.mode === "holds" && phrase.form === "ing" && forms.includes("third"))
    return true;
  if (phrase.progressive) return forms.includes("ing") || (forms.includes("base") && phrase.form === "base");
  if (phrase.mode === "will") return forms.includes("base");
  // "I moved to Berlin and work at Acme": what is so since.
  if (phrase.mode === "was" || phrase.mode === "ended")
    return (
      forms.includes("past") ||
      /^(?:live|work|study|teach|speak|rent|rents|lives|works|studies|teaches|speaks|plays|loves|likes|owns|has)$/.test(
        word,
      )
    );
  if (phrase.lemma === "be")
    return forms.some((form) => form === "base" || form === "third" || form === "past");
  return forms.includes(phrase.form === "third" ? "third" : "base") || forms.includes("past");
}

function knows(word: string): boolean {
  return readVerb(word).length > 0;
}
