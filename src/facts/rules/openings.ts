import { isOccupation } from "./occupations.ts";
import { readVerb, verbOfIng } from "./verb-forms.ts";
import { readVerbPhrase, type VerbPhrase } from "./verb-phrase.ts";
import { isCapital, type Word, wordSet } from "./words.ts";

/** What somebody is, without an article: "allergic to nuts", "born in Porto". */
export const conditions =
  wordSet(`born raised based married engaged divorced widowed single allergic intolerant lactose gluten vegan vegetarian
  pescatarian diabetic asthmatic celiac coeliac dyslexic autistic diagnosed fluent obsessed afraid scared terrified retired
  left-handed right-handed promoted laid fired hired`);
/** Signs of the zodiac. */
const signs = wordSet("aries taurus gemini leo virgo libra scorpio sagittarius capricorn aquarius pisces");
// Of these, the state has begun at some time.
export const happened = wordSet("born raised promoted laid fired hired diagnosed");

const leads =
  wordSet(`hi hey hello sir madam team all folks ok okay so well yes yeah yep nope no oh btw fyi update also and just finally recently currently still now
  actually really absolutely officially honestly tbh ngl personally sadly luckily unfortunately been always never proudly happily newly`);
// "I" is left out before these in a note: "love hiking".
const plain = wordSet("love hate prefer dislike loathe");
// "Left" and "found" begin other things as well.
const others = wordSet("left found set put cut read let made kept hired based born raised fired");
const ongoing =
  wordSet(`living working studying learning training moving planning saving staying switching dating teaching playing
  reading going flying heading travelling traveling trying volunteering renting commuting interning starting getting hosting
  thinking hoping looking applying preparing prepping buying selling building writing driving taking doing running leaving
  visiting celebrating organising organizing expecting adopting raising recovering joining attending launching relocating
  retiring seeing having marrying running coaching practising practicing rehearsing revising renovating redoing`);
// "Living in Berlin is expensive" says nothing of anybody.
const saysMore =
  /^(?:is|are|was|were|'s|isn|has|have|had|can|will|would|could|should|might|must|sounds|seems|feels|makes|takes|means|requires|looks|helps|gets|does|do|did)$/;
// "Born in the USA is a song": all before the verb is what it speaks of.
const states = /^(?:is|are|was|were|sounds|means)$/;
const joins =
  /^(?:and|but|or|since|because|when|while|as|after|before|until|if|where|who|whose|which|that|what|whatever|how|i|my|we|our)$/;
const somebodyElse = /^(?:he|she|they|it|this|that|his|her|their)$/;
// "As a large language model, I …" is what somebody has copied.
const machine = /^(?:ai|llm|bot|chatbot)$|\b(?:ai|language|llm) (?:model|assistant|chatbot|bot)\b/;

interface Opening {
  readonly phrase: VerbPhrase;
  readonly at: number;
  /** The word before which it ends. Default where the next clause begins. */
  readonly until?: number;
}

/** The verb with which a sentence begins that leaves out "I": "just moved to Leeds", "allergic to nuts", "not a fan of jazz". */
export function readOpening(words: readonly Word[]): Opening | undefined {
  const beside = readBeside(words);
  if (beside !== undefined) return beside;
  let at = 0;
  while (
    at < 4 &&
    leads.has(words[at]?.lower ?? "") &&
    !/^(?:been|never)$/.test(words[at]?.lower ?? "") &&
    !(words[at]?.lower === "no" && words[at + 1]?.gap === " ")
  )
    at++;
  const word = words[at]?.lower;
  if (word === undefined || (at > 0 && /[—:;]/.test(words[at]?.gap ?? ""))) return undefined;
  // "Born in Kenya, she …"; but "stopped using Notion, it got slow" and "planning to propose, she has no idea" say both.
  const subject = words.find(
    ({ lower, gap }, i) => i > at && /,/.test(gap) && somebodyElse.test(lower),
  )?.lower;
  const aims = /^(?:planning|trying|hoping|thinking|looking|dating)$/.test(word);
  const finite = /ed$|^(?:got|went|quit|did|was|took|bought|sold)$/.test(word) && !conditions.has(word);
  if (subject !== undefined && !aims && !(finite && /^(?:it|this|that)$/.test(subject))) return undefined;
  // "Myself Rakesh Nair, working as …".
  if (word === "myself" && isCapital(words[at + 1])) return be(at, false, "holds");
  const without = readWithout(words, at);
  if (without !== undefined) return without;
  if (isHere(words, at)) return be(at, false, "holds");
  const not = word === "not" ? 1 : 0;
  if (isFan(words, at + not)) return be(at + not, not === 1, "holds");
  if (not === 1) return conditions.has(words[at + 1]?.lower ?? "") ? be(at + 1, true, "holds") : undefined;
  if (/^(?:mum|mom|mama|dad|mother|father|parent)$/.test(word) && words[at + 1]?.lower === "of")
    return be(at, false, "holds");
  // "Still on the lisinopril".
  if (word === "on" && words[at - 1]?.lower === "still") return be(at, false, "holds");
  // "52 years old and terrified of heights", "34F".
  if (
    /^\d\d$/.test(word) &&
    /^(?:years?|yrs?|yo)$/.test(words[at + 1]?.lower ?? "") &&
    /^(?:old|[^\p{L}]|yo)/u.test(words[at + 1]?.lower === "yo" ? "yo" : (words[at + 2]?.lower ?? ""))
  )
    return be(at, false, "holds");
  if (conditions.has(word))
    return isTitle(words.slice(at + 1)) ? undefined : be(at, false, happened.has(word) ? "was" : "holds");
  if (word === "originally" && words[at + 1]?.lower === "from") return be(at, false, "holds");
  if (word === "from" && words[words.length - 1]?.lower === "originally") return be(at, false, "holds");
  // "Currently in Bali for the month", "off to Glastonbury tomorrow".
  const next = words[at + 1]?.lower ?? "";
  if (/^(?:currently|still|now)$/.test(words[at - 1]?.lower ?? "") && /^(?:in|at|on|based)$/.test(word))
    return be(at, false, "holds");
  if (word === "off" && next === "to") return be(at, false, "holds");
  // "Work at Tesco", "drive a Volvo", "have two kids": a note, as nobody orders this.
  if (stated(word, words, at)) {
    const phrase = readVerbPhrase(words, at, false, true);
    return phrase === undefined ? undefined : { at, phrase };
  }
  const following = words.slice(at + 1);
  if (ongoing.has(word)) {
    // "Starting tomorrow, I …".
    if (word === "starting" && following.some(({ lower, gap }) => /,/.test(gap) && /^(?:i|we)$/.test(lower)))
      return undefined;
    if (beforeWhatFollows(following).some(({ lower }, i, all) => saysMore.test(lower) && !isWhose(all, i)))
      return undefined;
    return { at, phrase: doing(words, at) };
  }
  const forms = readVerb(word).map(({ form }) => form);
  const quit = word === "quit" && /^(?:my|\p{L}+ing)$/u.test(words[at + 1]?.lower ?? "");
  // "Still live in Leeds".
  const lasting = at > 0 && /^(?:still|usually|mostly|currently)$/.test(words[at - 1]?.lower ?? "");
  // "Left Accenture in February".
  const left = word === "left" && isCapital(words[at + 1]);
  const past =
    left ||
    (forms.includes("past") && !forms.includes("base") && !others.has(word)) ||
    quit ||
    (lasting && forms.includes("base"));
  const cannot = word === "can" && words[at + 1]?.lower === "n't";
  if (!past && !cannot && !plain.has(word) && word !== "been" && word !== "never") return undefined;
  if (
    word === "never" &&
    !/^(?:been|liked|loved|owned|learned|learnt|tried|smoked|eaten|played)$/.test(words[at + 1]?.lower ?? "")
  )
    return undefined;
  // "Been living in Oslo since May": have been.
  const phrase = readVerbPhrase(words, at, false, true);
  if (phrase === undefined) return undefined;
  if (word !== "been" && word !== "never") return { at, phrase };
  // "Never liked olives": have never liked.
  const lemma = readVerb(phrase.lemma).find(({ form }) => form === "participle" || form === "past")?.lemma;
  return { at, phrase: { ...phrase, perfect: true, ...(lemma === undefined ? {} : { lemma, mode: "was" }) } };
}

/** Whether a verb in its base form tells of the speaker rather than orders something: "work at Tesco", "have two kids". */
function stated(word: string, words: readonly Word[], at: number): boolean {
  const [next, after] = words.slice(at + 1, at + 3).map(({ lower }) => lower);
  switch (word) {
    case "work":
      return /^(?:at|as|nights|full|part)$/.test(next ?? "") || (next === "for" && isCapital(words[at + 2]));
    case "live":
      return /^(?:in|near|with|alone)$/.test(next ?? "") && !/^(?:the|this|that|a|peace)$/.test(after ?? "");
    case "have":
      return /^(?:two|three|four|five|\d)$/.test(next ?? "") && words[at + 2]?.gap === " ";
    case "want":
    case "wanna":
      return word === "wanna" || next === "to";
    default:
      return false;
  }
}

/** "As a nurse, I …", "as someone who lives in Texas, …": what somebody says of themselves before the rest. */
function readBeside(words: readonly Word[]): Opening | undefined {
  const [first, second, third] = words.slice(0, 3).map(({ lower }) => lower);
  const end = words.findIndex(({ gap, lower }, i) => i > 1 && (gap.includes(",") || lower === "i"));
  if (end >= 0 && !/^(?:i|i'm|my|we|our|and|what|how|is|are|can|could)$/.test(words[end]?.lower ?? ""))
    return undefined;
  const said = words
    .slice(2, end < 0 ? undefined : end)
    .map(({ lower }) => lower)
    .join(" ");
  if ((first === "as" || first === "being") && /^an?$/.test(second ?? ""))
    return machine.test(said) ? undefined : { ...be(1, false, "holds"), until: end < 0 ? words.length : end };
  if (first !== "as" || second !== "someone") return undefined;
  if (third === "with") return { at: 2, phrase: { ...be(2, false, "holds").phrase, lemma: "have", next: 3 } };
  const phrase = third === "who" ? readVerbPhrase(words, 3, true) : undefined;
  return phrase === undefined ? undefined : { at: 2, phrase };
}

/** "'s" of "my aunt's in Pune", not of "it's". */
function isWhose(words: readonly Word[], at: number): boolean {
  return words[at]?.lower === "'s" && /^(?:in|place|house|flat)$/.test(words[at + 1]?.lower ?? "");
}

/** The words up to a comma or to what is said of something else: "reading Dune and it's long". */
function beforeWhatFollows(following: readonly Word[]): readonly Word[] {
  const end = following.findIndex(
    ({ lower, gap }, i) =>
      i > 0 &&
      (/[,;:—]/.test(gap) ||
        /^(?:till|until|while|since|when)$/.test(lower) ||
        (/^(?:and|but|so|because)$/.test(lower) &&
          /^(?:i|it|we|my|our|it's|its|the)$/.test(following[i + 1]?.lower ?? ""))),
  );
  return following.slice(0, end < 0 ? undefined : end);
}

/** Whether a verb says something of all that stands before it. */
function isTitle(following: readonly Word[]): boolean {
  const end = following.findIndex(({ lower, gap }) => gap !== " " || joins.test(lower));
  return following.slice(0, end < 0 ? undefined : end).some(({ lower }) => states.test(lower));
}

/** "No longer vegetarian", "no pets", "no more dairy for me". */
function readWithout(
  words: readonly Word[],
  at: number,
): { readonly phrase: VerbPhrase; readonly at: number } | undefined {
  const [word, next, third] = words.slice(at, at + 3).map(({ lower }) => lower);
  if (word !== "no" || next === undefined) return undefined;
  if (next === "longer") {
    if (conditions.has(third ?? ""))
      return { at, phrase: { ...be(at + 2, false, "holds").phrase, mode: "ended" } };
    const phrase = readVerb(third ?? "").length > 0 ? readVerbPhrase(words, at, false, true) : undefined;
    return phrase === undefined ? undefined : { at, phrase };
  }
  const forMe = words.slice(at + 2, at + 7).findIndex(({ lower }) => lower === "for");
  if (next === "more" && forMe > 0 && words[at + forMe + 3]?.lower === "me")
    return {
      at,
      phrase: { ...be(at, true, "holds").phrase, lemma: "have", able: true, next: at + 2 },
    };
  return hasNone(words, at) ? { at, phrase: having(at) } : undefined;
}

/** "No pets": that somebody has none. */
export function hasNone(words: readonly Word[], at: number): boolean {
  const after = words[at + 2];
  return (
    words[at]?.lower === "no" &&
    /^(?:pets|kids|children|siblings|brothers|sisters)$/.test(words[at + 1]?.lower ?? "") &&
    (after === undefined || /[,;:.!—]/.test(after.gap) || /^(?:and|or|but|so)$/.test(after.lower))
  );
}

/** "Have" where a word is left out. */
export function having(at: number): VerbPhrase {
  return { ...be(at, false, "holds").phrase, lemma: "have" };
}

/** "Typical scorpio here", "nurse here": what somebody says they are. */
function isHere(words: readonly Word[], at: number): boolean {
  const here = words.slice(at, at + 5).findIndex(({ lower }) => lower === "here");
  const noun = words[at + here - 1]?.lower ?? "";
  return (
    here > 0 &&
    words.slice(at + 1, at + here + 1).every(({ gap }) => gap === " ") &&
    (signs.has(noun) || isOccupation(noun))
  );
}

/** "Big fan of", "a fan of", "not a fan of". */
function isFan(words: readonly Word[], at: number): boolean {
  const from = /^an?$/.test(words[at]?.lower ?? "") ? at + 1 : at;
  const noun = words.slice(from, from + 4).findIndex(({ lower }) => lower === "fan");
  const after = words[from + noun + 1];
  // "Big Liverpool fan".
  const plain =
    /^(?:big|huge|massive)$/.test(words[from]?.lower ?? "") &&
    noun > 1 &&
    (after === undefined || after.gap !== " ");
  return noun >= 0 && (after?.lower === "of" || plain);
}

/** "Am living" where a word is left out: the word at `at` and what is done. */
export function doing(words: readonly Word[], at: number): VerbPhrase {
  const lemma = verbOfIng(words[at]?.lower ?? "");
  return { ...be(at, false, "holds").phrase, lemma, form: "ing", progressive: true, next: at + 1 };
}

/** "Am" where a word is left out: the rest begins with the word at `at`. */
export function be(at: number, negated: boolean, mode: "holds" | "was"): { phrase: VerbPhrase; at: number } {
  const phrase: VerbPhrase = {
    ...{
      lemma: "be",
      form: "base",
      mode,
      negated,
      perfect: false,
      progressive: false,
      able: false,
      begun: false,
    },
    ...{ habitual: false, confidence: 1, next: at, at },
  };
  return { phrase, at };
}
