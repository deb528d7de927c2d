import { knownPlaces, notNames, organisationWords } from "../../text/name-words.ts";
import { userSubject } from "../claim.ts";
import {
  breedOf,
  isBreed,
  isPetPlural,
  petNouns,
  type Relation,
  relationAdjectives,
  relationOf,
  relationOfWords,
  spokenOf,
} from "./kin.ts";
import { conditions } from "./openings.ts";
import { readVerb } from "./verb-forms.ts";
import { isCapital, type Word, wordSet } from "./words.ts";

/** Of whom or what a clause speaks. */
export interface Subject {
  /** `user`, a name as written, or "user's sister" for somebody without a name. */
  readonly text: string;
  readonly kind: "user" | "person" | "pet" | "name" | "attribute" | "several";
  readonly gender?: "female" | "male";
  /** That the subject is introduced by: "my sister Ines", "my dog Rex". */
  readonly known?: Introduction;
  /** Of an attribute: "team size" of "our team size". The text is then whose it is. */
  readonly attribute?: string;
  /** "The deadline", of which nobody says whose it is. */
  readonly impersonal?: boolean;
}

/** Somebody who is named on the way: "with my sister Ines". Offsets are those of the sentence. */
export interface Mention {
  readonly subject: Subject;
  readonly start: number;
  readonly end: number;
}

/** How somebody with a name was introduced. */
export interface Introduction {
  readonly of: string;
  /** "sister", or what kind of animal. */
  readonly noun: string;
  readonly name: string | undefined;
  readonly pet: boolean;
  /** Somebody who has died. Default no. */
  readonly former?: true;
}

export interface SubjectReading {
  readonly subjects: readonly Subject[];
  /** The word after the subject. */
  readonly next: number;
  /** The name stands beside, and a comma after it: "my sister, Ines,". */
  readonly beside?: boolean;
}

const bare =
  /^(?:wife|husband|hubby|daughter|son|sister|brother|girlfriend|boyfriend|fianc[eé]e?|boss|roommate|flatmate)$/;
const notAfterBare =
  /^(?:and|or|of|in|to|for|with|from|at|on|who|that|material|figure|duties|issues|problems)$/;

/** Somebody who is known already, and need not be introduced again. */
export function withoutIntroduction({ known: _, ...subject }: Subject): Subject {
  return subject;
}

export const user: Subject = { text: userSubject, kind: "user" };
const article = /^(?:the|this)$/;
const unowned = /^(?:budget|deadline|rent|salary|height|weight|age|address|birthday|email|postcode)$/;

/** The subject that begins with a word; "Alice and I" has two. `known` gives whom "she" means. */
export function readSubject(
  words: readonly Word[],
  at: number,
  known: (pronoun: string) => Subject | undefined,
): SubjectReading | undefined {
  const first = readOne(words, at, known);
  if (first === undefined) return undefined;
  const joint = words[first.next];
  if (joint?.lower !== "and" || joint.gap !== " " || words[first.next + 1]?.gap !== " ") return first;
  if (words[first.next + 1]?.lower === "they") return first;
  const one = first.subjects[0];
  // "My sister Leïla and her husband Tom".
  const theirs =
    one !== undefined &&
    /^(?:person|name)$/.test(one.kind) &&
    /^(?:her|his)$/.test(words[first.next + 1]?.lower ?? "")
      ? readOwned(words, first.next + 2, withoutIntroduction(one))
      : undefined;
  const second = theirs ?? readOne(words, first.next + 1, known);
  // "My budget and I" is nothing; "the cat and the dog" neither.
  if (second === undefined || one?.kind === "attribute" || second.subjects[0]?.kind === "attribute")
    return first;
  return { subjects: [...first.subjects, ...second.subjects], next: second.next };
}

function readOne(
  words: readonly Word[],
  at: number,
  known: (pronoun: string) => Subject | undefined,
): SubjectReading | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  if (word.lower === "i" || word.lower === "we") return { subjects: [user], next: at + 1 };
  // "Me and my wife".
  if (word.lower === "me")
    return words[at + 1]?.lower === "and" ? { subjects: [user], next: at + 1 } : undefined;
  if (word.lower === "my" || word.lower === "our") return readOwned(words, at + 1, user);
  if (/^(?:she|he|it|they)$/.test(word.lower)) {
    const [verb, whose] = words.slice(at + 1, at + 3).map(({ lower }) => lower);
    const introduces = /^(?:'s|is)$/.test(verb ?? "") && /^(?:my|our)$/.test(whose ?? "");
    const called = /^(?:called|named)$/.test(whose ?? "") && /^(?:'s|is)$/.test(verb ?? "");
    const key = introduces ? `${word.lower} is my` : called ? `${word.lower} name` : word.lower;
    const meant = known(word.lower === "it" ? word.lower : key);
    return meant === undefined ? undefined : { subjects: [meant], next: at + 1 };
  }
  if (word.lower === "her" || word.lower === "his" || word.lower === "its") {
    const meant = known(words[at + 1]?.lower === "name" ? `${word.lower} name` : word.lower);
    return meant === undefined ? undefined : readOwned(words, at + 1, meant);
  }
  // "The kids" are one's own.
  if (word.lower === "the" && /^(?:kids|twins|wife|missus|husband|in-laws)$/.test(words[at + 1]?.lower ?? ""))
    return readOwned(words, at + 1, user);
  if (article.test(word.lower)) return readAttribute(words, at + 1, user, true);
  // "Budget is $500".
  if (
    (at === 0 || word.gap === ", ") &&
    /^(?:is|was|'s)$/.test(words[at + 1]?.lower ?? "") &&
    unowned.test(word.lower)
  )
    return {
      subjects: [{ ...user, kind: "attribute", attribute: word.lower, impersonal: true }],
      next: at + 1,
    };
  const parent = relationOf(word.lower);
  if (/^(?:grand)?(?:mother|father)$/.test(parent?.noun ?? "") && isCapital(word))
    return readOwned(words, at, user);
  // "Kids are Finn and Lola".
  if (
    (at === 0 || word.gap === ", ") &&
    /^(?:kids|twins|parents|in-laws|flatmates|roommates|housemates|children)$/.test(word.lower) &&
    /^(?:are|have|were)$/.test(words[at + 1]?.lower ?? "") &&
    words[at + 1]?.gap === " "
  )
    return readOwned(words, at, user);
  // "Wife works nights", "daughter's wedding is in June": with a verb at once.
  if (at === 0 && bare.test(word.lower) && words[1]?.gap !== " " && words[1]?.lower !== "'s")
    return undefined;
  if (at === 0 && bare.test(word.lower) && !isCapital(words[1]) && !notAfterBare.test(words[1]?.lower ?? ""))
    return readOwned(words, at, user);
  // "Winter's my favourite season".
  if (
    at === 0 &&
    /^(?:'s|is)$/.test(words[1]?.lower ?? "") &&
    words[2]?.lower === "my" &&
    /^(?:all-time|favou?rite|fave)$/.test(words[3]?.lower ?? "") &&
    (words[5] === undefined || words[5].gap !== " ") &&
    !/^(?:this|that|it|what|here|there|which)$/.test(word.lower)
  )
    return { subjects: [{ text: word.text, kind: "name" }], next: 1 };
  const titled =
    /^(?:dr|mr|mrs|ms|prof)$/.test(word.lower) && isCapital(word) && /^\.? $/.test(words[at + 1]?.gap ?? "");
  const end =
    titled && nameEnd(words, at + 1, 2) > at + 1 ? nameEnd(words, at + 1, 2) : nameEnd(words, at, 3);
  // "Having", "Painting": a verb at the beginning of a sentence.
  if (end === at || (at === 0 && /ing$/.test(word.lower))) return undefined;
  const text = written(words, at, end);
  const subject: Subject = { text, kind: "name" };
  if (words[end]?.lower === "'s") {
    const owned = readOwned(words, end + 1, subject);
    if (owned !== undefined) return owned;
  }
  // "Chloe from work", "Mehmet from accounting".
  const aside = words[end]?.lower === "from" && teams.test(words[end + 1]?.lower ?? "") ? 2 : 0;
  return beside(words, end, text) ?? { subjects: [subject], next: end + aside };
}

/** "Julia, my sister, plays": who somebody is, beside the name. */
function beside(words: readonly Word[], at: number, name: string): SubjectReading | undefined {
  // "Ron, that's my husband, has".
  const that = words[at]?.lower === "that" && /^(?:'s|is)$/.test(words[at + 1]?.lower ?? "") ? 2 : 0;
  if (words[at + that]?.lower !== "my" || words[at]?.gap !== ", ") return undefined;
  let noun = at + that + 1;
  while (noun < at + that + 3 && relationAdjectives.has(words[noun]?.lower ?? "")) noun++;
  const relation = relationOf(words[noun]?.lower ?? "");
  if (relation === undefined || relation.plural === true || !words[noun + 1]?.gap.startsWith(","))
    return undefined;
  const gender = relation.gender === undefined ? {} : { gender: relation.gender };
  const known: Introduction = { of: user.text, noun: relation.noun, name, pet: false };
  return { subjects: [{ text: name, kind: "person", ...gender, known }], next: noun + 1, beside: true };
}

/** After "my": a relative, a pet or an attribute, with the name that follows and what that owns in turn. */
function readOwned(words: readonly Word[], from: number, owner: Subject): SubjectReading | undefined {
  let at = from;
  // "Our eldest, Tomas, starts school".
  const next = words[from + 1];
  if (
    /^(?:eldest|oldest|youngest|firstborn)$/.test(words[from]?.lower ?? "") &&
    (/^,/.test(next?.gap ?? "") || (isCapital(next) && next?.gap === " "))
  )
    return readRelative(words, from + 1, owner, { noun: "child" });
  // "Her little boy Sami" is a son.
  const small = relationOf(`${words[from]?.lower ?? ""}-${words[from + 1]?.lower ?? ""}`);
  if (small !== undefined && words[from + 1]?.gap === " " && words[from]?.lower === "little")
    return readRelative(words, from + 2, owner, small);
  // "Best friend" is one word more than a friend.
  const isOne = (i: number): boolean =>
    words[i + 1]?.gap === " " &&
    relationOf(`${words[i]?.lower ?? ""}-${words[i + 1]?.lower ?? ""}`) !== undefined;
  while (at < from + 2 && relationAdjectives.has(words[at]?.lower ?? "") && !isOne(at) && leadsOn(words, at))
    at++;
  const aged = /^\d{1,2}-(?:year|month)-old$/.test(words[at]?.lower ?? "") ? 1 : 0;
  const noun = words[at + aged];
  const following = words.slice(at + aged, at + aged + 3);
  const joined = following.findIndex(({ gap }, i) => i > 0 && gap !== " ");
  const spoken = relationOfWords(following.slice(0, joined < 0 ? 3 : joined).map(({ lower }) => lower));
  const relation = spoken?.relation;
  // "Best friends", "old friends" name nobody; "my former boss" is no boss any more.
  const former = words.slice(from, at).some(({ lower }) => /^(?:former|late|estranged|old)$/.test(lower));
  // "My late husband was a beekeeper": he is none of theirs today.
  if (relation !== undefined && words.slice(from, at).some(({ lower }) => lower === "late")) {
    const reading = readRelative(words, at + aged + (spoken?.length ?? 1), owner, relation);
    return {
      ...reading,
      subjects: reading.subjects.map(({ known, ...subject }) =>
        known === undefined ? subject : { ...subject, known: { ...known, former: true } },
      ),
    };
  }
  // "My dentist appointment".
  if (relation !== undefined && /^(?:appointment|bill|fee|visit)s?$/.test(words[at + aged + 1]?.lower ?? ""))
    return readAttribute(words, from, owner, false);
  if (relation !== undefined && noun !== undefined)
    return former && relation.noun !== "friend"
      ? undefined
      : readRelative(words, at + aged + (spoken?.length ?? 1), owner, relation);
  // "My husbands name".
  const careless = relationOf(noun?.lower.replace(/s$/, "") ?? "");
  if (careless !== undefined && careless.plural !== true && words[at + aged + 1]?.lower === "name")
    return {
      subjects: [
        {
          text: `${owner.text}'s ${spokenOf(careless.noun)}`,
          kind: "attribute",
          attribute: "name",
        },
      ],
      next: at + aged + 2,
    };
  if (isPetPlural(words[from]?.lower ?? ""))
    return { subjects: [{ text: `${owner.text}'s ${words[from]?.lower}`, kind: "several" }], next: from + 1 };
  const pet = petAt(words, from);
  if (pet !== undefined) return readPet(words, pet, owner);
  return readAttribute(words, from, owner, false);
}

/** Whether an adjective has its noun after it: a "twin Aoife" is a twin, a "twin sister" a sister. */
function leadsOn(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  return next?.gap === " " && (relationOf(words[at]?.lower ?? "") === undefined || !isCapital(next));
}

function readRelative(
  words: readonly Word[],
  after: number,
  owner: Subject,
  relation: Relation,
): SubjectReading {
  const unnamed = `${owner.text}'s ${spokenOf(relation.noun)}`;
  if (relation.plural) return { subjects: [{ text: unnamed, kind: "several" }], next: after };
  // "My boss at work".
  const aside =
    /^(?:at|from)$/.test(words[after]?.lower ?? "") && circles.test(words[after + 1]?.lower ?? "") ? 2 : 0;
  const named = nameAfter(words, after + aside);
  const gender = relation.gender === undefined ? {} : { gender: relation.gender };
  const known: Introduction = { of: owner.text, noun: relation.noun, name: named?.text, pet: false };
  const subject: Subject = { text: named?.text ?? unnamed, kind: "person", ...gender, known };
  const next = named?.next ?? after + aside;
  if (words[next]?.lower === "'s") {
    const owned = readOwned(words, next + 1, subject);
    const [what] = owned?.subjects ?? [];
    // "My daughter Lina's school" introduces Lina.
    if (owned !== undefined && named !== undefined && what?.kind === "attribute")
      return { ...owned, subjects: [{ ...what, known }] };
    if (owned !== undefined) return owned;
  }
  return { subjects: [subject], next, beside: words[after + aside]?.gap === ", " && named !== undefined };
}

const teams =
  /^(?:work|college|school|uni|university|church|home|accounting|marketing|sales|finance|hr|legal|support|engineering|design|it|ops|operations|purchasing|logistics|procurement|payroll|downstairs|upstairs|yoga|choir)$/;
const circles = /^(?:work|college|school|uni|university|church|home)$/;

/** Where the noun of "golden retriever" or "dog" stands, up to two words after "my". */
function petAt(words: readonly Word[], from: number): number | undefined {
  for (let at = from; at < from + 3; at++) {
    const word = words[at];
    if (word === undefined || (at > from && word.gap !== " ")) return undefined;
    // "My Snake Plant" is no snake.
    if (petNouns.has(word.lower) || isBreed(words[at - 1]?.text ?? "", word.text))
      return isCapital(word) && isCapital(words[at + 1]) && words[at + 1]?.gap === " " ? undefined : at;
    if (isPetPlural(word.lower) || !/^\p{L}/u.test(word.text)) return undefined;
  }
  return undefined;
}

function readPet(words: readonly Word[], at: number, owner: Subject): SubjectReading | undefined {
  const noun = words[at]?.lower ?? "";
  // "My horse riding lessons", "my cat's food".
  const named = nameAfter(words, at + 1);
  const kind = breedOf(words[at - 1]?.gap === "" ? "" : (words[at - 1]?.text ?? ""), words[at]?.text ?? noun);
  const known: Introduction = {
    of: owner.text,
    noun: kind === words[at]?.text ? noun : kind,
    name: named?.text,
    pet: true,
  };
  const subject: Subject = { text: named?.text ?? `${owner.text}'s ${noun}`, kind: "pet", known };
  const next = named?.next ?? at + 1;
  if (words[next]?.lower === "'s" && words[next + 1]?.lower === "name")
    return { subjects: [{ ...subject, kind: "attribute", attribute: "name" }], next: next + 2 };
  return { subjects: [subject], next };
}

/** "Ines" of "my sister Ines", "Ines" of "my sister, Ines,". */
function nameAfter(words: readonly Word[], at: number): { text: string; next: number } | undefined {
  const word = words[at];
  // "My wife (Carmen, also a teacher)".
  const within = word?.gap === " (";
  if (word === undefined || (!within && !/^,? $/.test(word.gap))) return undefined;
  const title =
    /^(?:dr|mr|mrs|ms|prof|professor)$/.test(word.lower) &&
    isCapital(word) &&
    /^\.? $/.test(words[at + 1]?.gap ?? "")
      ? 1
      : 0;
  // "My colleague Jan": after such a noun, no month.
  const month =
    isCapital(word) && word.gap === " " && /^(?:jan|april|may|june|august)$/.test(word.lower) ? 1 : 0;
  const small = title === 0 && isSmallName(words, at) ? 1 : 0;
  const end =
    title === 1 ? nameEnd(words, at + 1, 1) : Math.max(nameEnd(words, at, 2), at + month, at + small);
  if (end === at + title) return undefined;
  if (word.gap === ", " && !/^\s*,/.test(words[end]?.gap ?? ",")) return undefined;
  if (within && !/^(?:\)|,|\s\d)/.test(words[end]?.gap ?? "")) return undefined;
  return { text: written(words, at, end), next: end };
}

const namesakes =
  /^(?:sister|sis|brother|bro|husband|hubby|wife|girlfriend|gf|boyfriend|bf|fianc[eé]e?|cousin|son|daughter|niece|nephew|aunt|uncle|roommate|flatmate|housemate|colleague|coworker|bestie|dog|puppy|cat|kitten|hamster|rabbit)$/;
const besideKin =
  /^(?:tongue|company|city|school|band|act|bear|code|food|litter|walker|bed|tree|sitter|toy|box|door|park|treats?|collar|leash|groomer|show|breed|hair|fur|harness|group|apart|alone|both|\p{L}+(?:ing|ed|ly|ful|ous))$/u;

/** "My roommate lucia just got a kitten": a name, where nothing is written with a capital and a verb follows. */
function isSmallName(words: readonly Word[], at: number): boolean {
  const [noun, word, next, after] = words.slice(at - 1, at + 3);
  if (word === undefined || next === undefined || word.gap !== " " || next.gap !== " ") return false;
  if (!namesakes.test(noun?.lower ?? "") || !/^\p{Ll}{3,12}$/u.test(word.text)) return false;
  if (notNames.has(word.lower) || besideKin.test(word.lower) || readVerb(word.lower).length > 0) return false;
  if (relationOf(word.lower) !== undefined || petNouns.has(word.lower) || notAttributes.has(word.lower))
    return false;
  const adverb = /^(?:just|also|always|never|still|really|now)$/.test(next.lower);
  const verb = adverb ? after : next;
  return (
    words.every((other) => !isCapital(other) || other.text === "I") &&
    (/^(?:is|'s|was|has|had|can|will|does|doesn|did)$/.test(verb?.lower ?? "") ||
      readVerb(verb?.lower ?? "").some(({ form }) => form === "third" || form === "past"))
  );
}

const lowerNoun = /^\p{Ll}[\p{L}-]*$/u;
const notAttributes =
  wordSet(`and or but to for of in on at with who that which is are was were has have had will can just also always never still
  now really own old first last next same only other best most whole entire 's 've 'll 'd 're 'm not dear god goodness
  way one two three four five six seven eight nine ten eleven twelve a an the called named getting going it this they you
  we he she i me used put gave took made let kept asked suggested recommended bought sold died broke left thinks
  prescribed started increased decreased rose dropped went changed moved grew became fell got jumped remains stays stayed
  needs wants loves likes hates works lives lived worked goes came comes says said told tells costs cost starts started
  ends ended turned turns shifted switched migrated slipped doubled expires expired reads runs ran wakes does doesn did
  should would could might may must shall since because if when so than then from by into about today tomorrow yesterday
  tonight recently currently actually usually`);

/** "Team size" of "our team size is": up to three plain nouns before a verb of being or changing, and for what they are. */
function readAttribute(
  words: readonly Word[],
  from: number,
  owner: Subject,
  impersonal: boolean,
): SubjectReading | undefined {
  // "The Atlas deadline" is that of Atlas.
  const start = impersonal ? nameEnd(words, from, 2) : from;
  // "My sister's having a baby" is no having of hers.
  const doing = words[from]?.lower ?? "";
  if (words[from - 1]?.lower === "'s" && conditions.has(doing)) return undefined;
  if (
    words[from - 1]?.lower === "'s" &&
    readVerb(doing).some(({ form }) => form === "ing") &&
    doing !== "meeting"
  )
    return undefined;
  let end = start;
  while (
    end < start + 4 &&
    isNoun(words[end], end === from, words[end + 1]) &&
    !/^(?:here|there)$/.test(words[end]?.lower ?? "")
  )
    end++;
  if (end === start) return undefined;
  // "My date of birth".
  if (words[start]?.lower === "date" && words[end]?.lower === "of" && words[end + 1]?.lower === "birth")
    end += 2;
  const attribute = written(words, start, end);
  if (start > from)
    return { subjects: [{ text: written(words, from, start), kind: "attribute", attribute }], next: end };
  const passing =
    /^(?:at the moment|right now|these days|so far|of all time|of all|in the world|in the whole|ever|growing up|here|there)(?= |$)/.exec(
      words
        .slice(end, end + 4)
        .map(({ lower }) => lower)
        .join(" "),
    )?.[0];
  const joint = words[end]?.lower;
  if (passing === undefined && (joint === "for" || joint === "of") && words[end]?.gap === " ") {
    const the = /^(?:the|our|my)$/.test(words[end + 1]?.lower ?? "") ? 1 : 0;
    const name = nameEnd(words, end + 1 + the, 3);
    if (name > end + 1 + the) {
      const text = written(words, end + 1 + the, name);
      // "The deadline for the Heron project".
      const noun =
        the === 1 &&
        /^(?:project|launch|release|account|team|contract|migration)$/.test(words[name]?.lower ?? "")
          ? 1
          : 0;
      return { subjects: [{ text, kind: "attribute", attribute }], next: name + noun };
    }
    // "The deadline for my thesis".
    if (impersonal && !/^(?:our|my)$/.test(words[end + 1]?.lower ?? "")) return undefined;
    // "My budget for groceries" is mine.
    if (the === 0) {
      let skipped = end + (/^an?$/.test(words[end + 1]?.lower ?? "") ? 2 : 1);
      const noun = skipped;
      while (skipped < end + 4 && isNoun(words[skipped], skipped === noun)) skipped++;
      return joint === "of" || skipped === noun
        ? undefined
        : { subjects: [{ text: owner.text, kind: "attribute", attribute }], next: skipped };
    }
    // "My budget for the laptop" is mine.
    if (/\bbudget$/.test(attribute) && !impersonal) {
      let skipped = end + 2;
      while (skipped < end + 5 && isNoun(words[skipped], skipped === end + 2)) skipped++;
      if (skipped > end + 2)
        return { subjects: [{ text: owner.text, kind: "attribute", attribute }], next: skipped };
    }
    let noun = end + 2;
    while (noun < end + 5 && isNoun(words[noun], noun === end + 2)) noun++;
    if (noun === end + 2) return undefined;
    const text = `user's ${written(words, end + 2, noun).toLowerCase()}`;
    return { subjects: [{ text, kind: "attribute", attribute }], next: noun };
  }
  // "My goal this year is".
  const when =
    /^(?:this|next)$/.test(joint ?? "") &&
    /^(?:year|month|week|season|summer|winter|semester|term)$/.test(words[end + 1]?.lower ?? "");
  return {
    subjects: [{ text: owner.text, kind: "attribute", attribute, impersonal }],
    next: end + (when ? 2 : (passing?.split(" ").length ?? 0)),
  };
}

function isNoun(word: Word | undefined, first: boolean, next?: Word): boolean {
  // "My last name".
  if (first && /^(?:first|last)$/.test(word?.lower ?? "") && next?.lower === "name") return true;
  if (word === undefined || (!first && word.gap !== " ") || word.gap.trim() !== "") return false;
  return (lowerNoun.test(word.text) || /^\p{Lu}{2,4}$/u.test(word.text)) && !notAttributes.has(word.lower);
}

/** Where a name that begins with a word ends; the word itself when none does. */
function nameEnd(words: readonly Word[], at: number, most: number): number {
  let end = at;
  while (end < at + most) {
    const word = words[end];
    if (word === undefined || (end > at && word.gap !== " ") || !isName(word)) break;
    end++;
  }
  const place = end === at + 1 && knownPlaces.has(words[at]?.lower ?? "");
  return place ? at : end;
}

function isName(word: Word): boolean {
  return (
    isCapital(word) && !notNames.has(word.lower) && word.text.length > 1 && !organisationWords.has(word.lower)
  );
}

/** The words from one to before another, as they stand. */
function written(words: readonly Word[], from: number, to: number): string {
  return words
    .slice(from, to)
    .map(({ gap, text }, i) => (i === 0 ? text : gap + text))
    .join("");
}
