import { knownPlaces, notNames } from "../../text/name-words.ts";
import { besideName } from "./beside-name.ts";
import { isIllness } from "./health.ts";
import {
  breedOf,
  eachOf,
  isPetPlural,
  petNouns,
  petOf,
  relationAdjectives,
  relationOf,
  spokenOf,
} from "./kin.ts";
import { nouns, person } from "./objects.ts";
import { type Draft, lasting, type Rule, type RuleContext, verbRule } from "./rule.ts";
import type { Introduction, Subject } from "./subject.ts";
import { readWords } from "./words.ts";

/** What the subject of a clause says by itself: "my sister Ines …" has a sister of that name. */
export function introduced(subject: Subject, sentence: string, end: number): readonly Draft[] {
  const { known } = subject;
  // "Because of my epilepsy".
  if (isOwnIllness(subject))
    return [
      {
        subject: subject.text,
        predicate: "has_condition",
        object: subject.attribute ?? "",
        timing: "none",
        reason: "my illness",
      },
    ];
  if (known === undefined) return [];
  const aged = besideName(sentence.slice(end), subject.text, false);
  if (known.name === undefined) return aged.filter(({ predicate }) => predicate === "age");
  if (known.former === true)
    return hasNamed({ ...known, name: known.name }, "my relative").map((draft) => ({
      ...draft,
      change: "end",
    }));
  // "We had to put our dog Biscuit down".
  if (known.pet && gone.test(sentence))
    return hasNamed({ ...known, name: known.name }, "my pet").map((draft) =>
      draft.predicate === "has_pet" ? { ...draft, change: "end" } : draft,
    );
  return [...hasNamed({ ...known, name: known.name }, known.pet ? "my pet" : "my relative"), ...aged];
}

/** Whether a subject is somebody's illness, which says that they have it. */
export function isOwnIllness({ kind, impersonal, known, attribute = "" }: Subject): boolean {
  return (
    kind === "attribute" &&
    impersonal !== true &&
    known === undefined &&
    isIllness(attribute) &&
    !/(?:anxiety|depression)$/i.test(attribute) &&
    attribute.split(" ").length <= 2
  );
}

const gone =
  /\b(?:died|passed (?:away|on)|put (?:(?:my|our|the|him|her|it) (?:\p{L}+ ){0,2})?(?:down|to sleep)|euthani[sz]ed|rehomed|rainbow bridge|(?:say|said) goodbye to (?:my|our)|lost (?:my|our) (?:\p{L}+ ){0,2}(?:cat|dog|rabbit|hamster|puppy|kitten|pet|horse))\b/iu;

/** That there is a relative or a pet of a name; of a pet, what kind of animal it is. */
function hasNamed(
  { of, noun, name, pet }: Introduction & { readonly name: string },
  reason: string,
): readonly Draft[] {
  const base = { timing: "none", reason } as const;
  return pet
    ? [
        { ...base, subject: of, predicate: "has_pet", object: name },
        { ...base, subject: name, predicate: "is_a", object: noun },
      ]
    : [{ ...base, subject: of, predicate: `has_${noun}`, object: name }];
}

/** Relatives and pets that somebody has, and what they are called. */
export const havingRules: readonly Rule[] = [
  { verbs: ["be"], read: named },
  { verbs: ["be"], read: severalNamed },
  { verbs: ["be"], read: breed },
  { verbs: ["die", "pass"], read: died },
  { verbs: ["quit", "leave", "resign", "retire"], read: leftUs },
  verbRule({
    ...{ name: "keeps", verbs: "keep", predicate: "has_pet", object: nouns, effect: lasting, timing: "none" },
    accepts: ({ text }) =>
      isPetPlural(text.toLowerCase()) ||
      /^(?:bees|chickens|hens|sheep|koi|quail|alpacas|tropical fish)$/i.test(text),
  }),
  {
    verbs: ["live"],
    read: (context) =>
      context.clause.phrase.mode === "holds" && /^\s+with\b/.test(context.whole)
        ? namesOf(context, context.whole.replace(/^\s+with\b(?:\s+my)?/, ""))
        : [],
  },
  { verbs: ["have", "adopt", "get", "buy", "rescue"], read: has },
];

/** "My boss is called Marta", "my best friend is Omar". */
function named({ clause, subject, rest, lowerCase, sentence }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (phrase.mode !== "holds" || phrase.negated || phrase.progressive) return [];
  const own = subject.attribute === "name";
  const known = subject.known ?? inSight(subject);
  // "We got a kitten. She's called Pixel."
  const unnamed =
    known === undefined &&
    /^(?:person|pet)$/.test(subject.kind) &&
    subject.kind !== "several" &&
    subject.text.includes("'s ") &&
    /^\s+(?:called|named)\b/i.test(rest);
  if ((known === undefined && !own && !unnamed) || known?.name !== undefined) return [];
  const lead = /^\s+(?:called|named)\b/i.exec(rest)?.[0].length ?? 0;
  // "My mom's Netflix" is hers.
  const bare = /^(?:wife|husband|hubby|daughter|son|girlfriend|boyfriend)['’]s$/i;
  const owned = sentence.slice(0, clause.restAt);
  if (lead === 0 && !own && /['’]s$/i.test(owned) && !bare.test(owned)) return [];
  // Without "called", a name and nothing else: "my sister is American" names nobody.
  const [name] = person(rest.slice(lead), { lowerCase: lowerCase && (lead > 0 || own) });
  if (name === undefined || (lead === 0 && faiths.test(name.text))) return [];
  if (
    lead === 0 &&
    !own &&
    !/^\s*(?:[.,!;]|$|(?:and|now|but|so|because|who|these days|since|at|from|in)\b)/.test(
      rest.slice(lead + name.at + name.text.length),
    )
  )
    return [];
  // "The dog is Max" may be of a story.
  if (
    known !== undefined &&
    subject.known === undefined &&
    (lead === 0 || /\bin (?:the|my|a) \p{L}+/iu.test(rest))
  )
    return [];
  if (known === undefined) return subject.text.includes("'s ") ? relativeNamed(subject.text, name.text) : [];
  return hasNamed({ ...known, name: name.text }, "is called");
}

// "My husband is Sikh" names nobody.
const faiths =
  /^(?:Sikh|Hindu|Muslim|Jewish|Catholic|Buddhist|Jain|Protestant|Quaker|Mormon|Lutheran|Anglican|Methodist|Baptist|Orthodox|Amish|Pagan)$/;

/** "The baby is called Otis": whose it is, nobody needs to say. */
function inSight({ impersonal, attribute = "", text }: Subject): Introduction | undefined {
  const pet = petNouns.has(attribute);
  return impersonal === true && (pet || /^(?:baby|kid|puppy|kitten)$/.test(attribute))
    ? { of: text, noun: pet ? attribute : "child", name: undefined, pet }
    : undefined;
}

/** "My kids are called Finn and Lola". */
function severalNamed({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const lead = /^\s+(?:called|named)\b/i.exec(rest)?.[0].length ?? 0;
  const { attribute = "", impersonal } = subject;
  // "The kids are Lila and Oskar".
  const ours = impersonal === true && (isPetPlural(attribute) || /^(?:children|boys|girls)$/.test(attribute));
  const [, of = "", noun = ""] = ours
    ? ["", subject.text, attribute]
    : (/^(.+)'s ([\p{L}_-]+)$/u.exec(subject.text) ?? []);
  if ((subject.kind !== "several" && !ours) || clause.phrase.mode !== "holds" || clause.phrase.negated)
    return [];
  // "My friends are American": without "called", only two names side by side.
  if (
    lead === 0 &&
    !/^\s+\p{Lu}\p{L}+(?:\s+\(\d+\)|\s+who['’]?s \d+)?(?:,|\s+(?:and|&)\s+\p{Lu})/u.test(rest)
  )
    return [];
  return eachNamed(of, noun, rest.slice(lead), "are called");
}

/** "My dog Cooper is a beagle". */
function breed({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (!/^(?:pet|name)$/.test(subject.kind) || phrase.mode !== "holds" || phrase.negated) return [];
  const match =
    /^\s+an?\s+(?:(?:\d+|\p{L}+)[- ](?:year|month)s?[- ]old )?((?:[\p{L}-]+ ){0,2}?([\p{L}-]+))(?=\s*(?:[.,!;]|$|and\b|who\b|but\b))/iu.exec(
      rest,
    );
  const [, object = "", noun = ""] = match ?? [];
  // Of people, these are no animals.
  const said =
    subject.kind === "name" &&
    /^(?:pig|rat|snake|donkey|goat|mouse|boxer|duck|pup|lab|bird|horse)$/i.test(noun);
  return petNouns.has(noun.toLowerCase()) && !said
    ? [{ subject: subject.text, predicate: "is_a", object, timing: "none", reason: "breed" }]
    : [];
}

/** "Our cat died": it is no pet of theirs any more. */
function died({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  const known = subject.known;
  if (known?.pet !== true || phrase.mode !== "was" || phrase.negated) return [];
  if (phrase.lemma === "pass" && !/^\s+away\b/.test(rest)) return [];
  return [
    {
      subject: known.of,
      predicate: "has_pet",
      object: known.name ?? known.noun,
      change: "end",
      timing: "state",
      reason: "died",
    },
  ];
}

/** "My assistant Corey quit": who works for somebody no more. */
function leftUs({ clause: { phrase }, subject, rest }: RuleContext): readonly Draft[] {
  const { known } = subject;
  const alone = /^\s*(?:$|[.,!;]|(?:on|in|last|this|and|so|yesterday|today|a few|two|without)\b)/i.test(rest);
  if (known?.name === undefined || !alone || phrase.mode !== "was" || phrase.negated) return [];
  if (
    !/^(?:assistant|nanny|cleaner|intern|apprentice|babysitter|part_timer|trainer|carer|childminder)$/.test(
      known.noun,
    )
  )
    return [];
  return [
    {
      ...{ subject: known.of, predicate: `has_${known.noun}`, object: known.name, change: "end" },
      ...{ timing: "state", reason: "left" },
    },
  ];
}

/** "My mother's name is Ruth": the subject is "user's mother". */
function relativeNamed(subject: string, name: string): readonly Draft[] {
  const [, of = "", noun = ""] = /^(.+)'s ([^']+)$/.exec(subject) ?? [];
  const pet = petNouns.has(noun);
  const kin = noun.replaceAll(/[ -]/g, "_");
  return of === "" || (!pet && relationOf(kin.replaceAll("_", "-")) === undefined)
    ? []
    : hasNamed({ of, noun: pet ? noun : kin, name, pet }, "is called");
}

/** "I have a brother named Luis", "we adopted a puppy called Biscuit", "I have a hamster". */
function has(context: RuleContext): readonly Draft[] {
  const { clause, subject, whole, lowerCase } = context;
  const { phrase } = clause;
  const having = phrase.lemma === "have";
  if (subject.kind === "attribute" || phrase.mode === "will" || phrase.able || phrase.progressive) return [];
  if (!having && (phrase.mode !== "was" || phrase.negated)) return [];
  const none = having ? withoutAny(context) : [];
  if (none.length > 0) {
    // "No kids and one spoiled whippet named Dot".
    const more = /^\s+no\s\S+\s+(?:and|but)(\s+(?:an?|one)\s.*)$/is.exec(whole)?.[1];
    return more === undefined ? none : [...none, ...has({ ...context, whole: more })];
  }
  const many = !phrase.negated && (!having || phrase.mode === "holds") ? namesOf(context, whole) : [];
  if (many.length > 0) {
    // "Two cats (Miso and Tofu) and a snake".
    const further = /\)\s+and(\s+an?\s.*)$/is.exec(whole)?.[1];
    return further === undefined ? many : [...many, ...has({ ...context, whole: further })];
  }
  // "An older sister and a younger brother".
  const both =
    /^(\s+(?:an?|one|two|three|four|five|six|seven|eight|\d+)\s[^.!?;]*?),?\s+and(\s+(?:an?|one)\s.*)$/is.exec(
      whole,
    );
  if (both !== null) {
    const [, first = "", second = ""] = both;
    const counted = !/^\s+(?:an?|one)\s/i.test(first);
    // "Three jobs and a baby".
    const animals = isPetPlural(first.trim().split(/\s+/).at(-1)?.toLowerCase() ?? "");
    if (!counted || animals) return [first, second].flatMap((part) => has({ ...context, whole: part }));
  }
  // Who is on the way is not there yet.
  if (/\bon the way\b/i.test(whole)) return [];
  const { words, noun, written, name, after } = readNoun(whole);
  const pet = petNouns.has(noun);
  const relation = relationOf(noun);
  if (!pet && (relation === undefined || relation.plural === true || !having)) return [];
  // "My dog Rufus" is introduced by that.
  if (/^\s+(?:my|our)\s/i.test(whole) && /^\s+\p{Lu}\p{Ll}/u.test(after)) return [];
  // "I have a doctor's appointment", "a dog park", "a friend who lives …" unnamed is nobody to be known.
  if (
    /^['’\p{L}]|^\s+(?:\p{Ll}+\b(?<!who|that|and|but|in|on|at|from|for|last|this|yesterday|today|now|so|since|which|with|because|too|named|called|a|recently|when|before|growing|as|until|back|without|for|over))/u.test(
      after,
    )
  )
    return [];
  const adjectives = words
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (!pet && !adjectives.every((word) => relationAdjectives.has(word) || /year-old/.test(word))) return [];
  if (
    pet &&
    /^(?:fish|mouse|rat|duck|rabbit|pig|goat|bird|boxer|lab)$/.test(noun) &&
    !/^(?:have|adopt|rescue)$/.test(phrase.lemma)
  )
    return [];
  if (
    pet &&
    adjectives.some((word) =>
      /^(?:few|couple|lot|photo|picture|hot|toy|stuffed|guard|bird|sea|water)$/.test(word),
    )
  )
    return [];
  const effect =
    phrase.mode === "was" && having && !phrase.perfect
      ? { change: "end" as const }
      : phrase.negated
        ? { affirmed: false as const }
        : phrase.mode === "ended"
          ? { change: "end" as const }
          : {};
  const base = {
    subject: subject.text,
    reason: pet ? "has a pet" : "has a relative",
    timing: having ? "none" : "state",
    ...effect,
  } as const;
  // "A puppy, a cockapoo called Waffle".
  const further = /^[^.!?]{0,40},\s+an?\s+[\p{L} -]{2,30}?\s+(?:called|named)\s+(.{1,40})$/isu.exec(
    after,
  )?.[1];
  const breed = breedOf(words, written);
  const beside = /^,\s+(\p{Lu}[\p{L}'’-]+)(?=\s*(?:[.,!;]|$))/u.exec(after)?.[1];
  const [called] =
    name === undefined && beside === undefined && further === undefined
      ? []
      : person(name ?? beside ?? further ?? "", { lowerCase });
  if (pet)
    return called === undefined
      ? [
          {
            ...base,
            predicate: "has_pet",
            object: breed,
          },
        ]
      : [
          { ...base, predicate: "has_pet", object: called.text },
          { subject: called.text, predicate: "is_a", object: breed, timing: "none", reason: base.reason },
        ];
  const kind = relation?.noun ?? noun;
  if (called !== undefined) return [{ ...base, predicate: `has_${kind}`, object: called.text }];
  // Friends, colleagues and doctors without a name are nobody in particular.
  return family.test(kind) && phrase.mode === "holds"
    ? [{ ...base, predicate: `has_${kind}`, object: `${subject.text}'s ${spokenOf(kind)}` }]
    : [];
}

/** "I have no siblings", "I don't have any kids". */
function withoutAny({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const [, any = "", noun = ""] =
    /^\s+(?:(no|any)\s+)?(\p{Ll}[\p{L}-]+)(?=\s*(?:[.,!;]|$|and\b|or\b|but\b|so\b|yet\b|at all\b))/iu.exec(
      whole,
    ) ?? [];
  const kin = noun === "siblings" ? "sibling" : relationOf(noun)?.plural === true ? eachOf(noun) : undefined;
  const pet = noun === "pets" || isPetPlural(noun);
  if (phrase.mode !== "holds" || phrase.able || (any === "no") === phrase.negated) return [];
  if ((kin === undefined || /^(?:friend|colleague)$/.test(kin)) && !pet) return [];
  const predicate = pet ? "has_pet" : `has_${kin}`;
  return [
    { subject: subject.text, predicate, object: noun, affirmed: false, timing: "none", reason: "has none" },
  ];
}

/** The noun of "a golden retriever named Max", with what stands before and after it. */
function readNoun(text: string): {
  words: string;
  noun: string;
  written: string;
  name: string | undefined;
  after: string;
} {
  const words = readWords(text).slice(0, 6);
  const nothing = { words: "", noun: "", written: "", name: undefined, after: "" };
  if (!/^(?:an?|one|another|my|our|the)$/.test(words[0]?.lower ?? "")) return nothing;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === undefined || word.gap !== " ") return nothing;
    const next = words[at + 1];
    const both = `${word.lower}-${next?.lower ?? ""}`;
    if (next?.gap === " " && relationOf(both) !== undefined) {
      const before = words.slice(1, at).map(({ text: own }) => own);
      return { words: before.join(" "), noun: both, written: both, ...calledAfter(text.slice(next.end)) };
    }
    // A "work colleague" is a colleague.
    const isPart = next?.gap === " " && relationOf(next.lower) !== undefined;
    if (isPart || (!petNouns.has(word.lower) && relationOf(word.lower) === undefined)) continue;
    // "A golden retriever puppy" is a golden retriever.
    const young =
      next?.gap === " " && /^(?:puppy|pup|kitten|dog|cat|mix|cross)$/.test(next.lower) ? next : word;
    const before = words.slice(1, at).map(({ text: own }) => own);
    return {
      ...{ words: before.join(" "), noun: word.lower },
      written:
        /^(?:cat|dog|mix|cross)$/.test(young.lower) && young !== word
          ? `${word.text} ${young.text}`
          : word.text,
      ...calledAfter(text.slice(young.end)),
    };
  }
  return nothing;
}

function calledAfter(after: string): { readonly name: string | undefined; readonly after: string } {
  const name =
    /^,?\s+(?:from \p{Lu}\p{L}+,? )?(?:named|called|whose name is|by the name of|(?:his |her |its )?name(?:['’]?s| is))\s+(.{1,40})/isu.exec(
      after,
    )?.[1];
  return { name, after };
}

/** "We have two cats, Miso and Tofu". */
function namesOf({ subject }: RuleContext, whole: string): readonly Draft[] {
  const match =
    several.exec(whole) ??
    /^\s+(two|three|four|five|six|\d{1,2}|twin|a couple of)\s+(?:[\p{L}-]+\s+){0,2}?(\p{L}+)(?:\s+(?:from|at|in|last|this)\s[^,.!?]{2,50})?,\s+(\p{Lu}.{2,60})$/isu.exec(
      whole,
    );
  const [, , noun = "", list = ""] = match ?? [];
  return /^\p{Lu}/u.test(list) ? eachNamed(subject.text, noun.toLowerCase(), list, "has several") : [];
}

const aName = String.raw`\p{Lu}[\p{L}'’-]+(?:\s*\(\d{1,2}\))?`;
const together = new RegExp(
  String.raw`\b(?:[Mm]y|[Oo]ur|[Tt]he(?=\s+(?:kids|children|twins|boys|girls),?\s))\s+(?:[\p{Ll}\d-]+\s+){0,2}(\p{Ll}+s|children),?\s+(${aName}(?:,\s+${aName}){0,4},?\s+(?:and|&)\s+(?:little\s+)?${aName})(?![\p{L}'’-]|\s+(?!is\b|was\b|has\b|as\b|always\b|sometimes\b)\p{Ll}+s\b)`,
  "gu",
);

interface Naming {
  readonly drafts: readonly Draft[];
  readonly start: number;
  readonly end: number;
}

/** "We homeschool our two boys, Eli and Jude": who several are, named beside. With offsets in the sentence. */
export function namedTogether(sentence: string): readonly Naming[] {
  if (!/ (?:and|&) /.test(sentence)) return [];
  return [...sentence.matchAll(together)].flatMap((match) => {
    const [whole, plural = "", list = ""] = match;
    if (/\b(?:if|imagine|suppose|wish|said|says|maybe)\b/i.test(sentence.slice(0, match.index))) return [];
    const drafts = eachNamed("user", plural, list, "named together");
    return drafts.length === 0 ? [] : [{ drafts, start: match.index, end: match.index + whole.length }];
  });
}

const before =
  /(?<![\p{L}'’] )\b(\p{Lu}\p{Ll}[\p{L}'’-]*), (?:my|our) ((?:[\p{Ll}\d-]+ ){0,3}?)(\p{Ll}[\p{L}-]+)(?=[.,!?;)]| who | and |$)|(?<=\p{Ll} )(\p{Lu}\p{Ll}[\p{L}'’-]*), (?:my|our) ((?:[\p{Ll}\d-]+ ){0,3}?)(\p{Ll}[\p{L}-]+)(?=[.,!?;)]| who | and |$)/gu;

/** "Back from the vet with Pepper, our spaniel": who that is, beside the name. */
export function namedBefore(sentence: string): readonly Naming[] {
  if (!/, (?:my|our) /.test(sentence)) return [];
  return [...sentence.matchAll(before)].flatMap((match) => {
    const [whole] = match;
    const [name = "", adjectives = "", noun = ""] = match[1] === undefined ? match.slice(4) : match.slice(1);
    const pet = petNouns.has(noun);
    const kin = relationOf(noun);
    if (notNames.has(name.toLowerCase()) || knownPlaces.has(name.toLowerCase())) return [];
    // "Thanks, my friend" speaks to somebody.
    if (!pet && (kin === undefined || kin.plural === true || kin.noun === "friend")) return [];
    if (
      !pet &&
      !adjectives
        .trim()
        .split(" ")
        .every((word) => word === "" || relationAdjectives.has(word))
    )
      return [];
    const introduction = {
      of: "user",
      noun: pet ? breedOf(adjectives, noun) : (kin?.noun ?? noun),
      name,
      pet,
    };
    const lost = pet && (gone.test(sentence) || /\blost\s+$/i.test(sentence.slice(0, match.index)));
    const drafts = hasNamed(introduction, pet ? "my pet" : "my relative").map((draft) =>
      lost && draft.predicate === "has_pet" ? { ...draft, change: "end" as const } : draft,
    );
    return [{ drafts, start: match.index, end: match.index + whole.length }];
  });
}

/** Those that a plural means, by a list of their names: "Miso and Tofu", "Samantha, Sara and Anita". */
function eachNamed(of: string, plural: string, list: string, reason: string): readonly Draft[] {
  const pet = petOf(plural) !== undefined;
  const noun = petOf(plural) ?? eachOf(plural);
  if (noun === undefined) return [];
  return list.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/).flatMap((part) => {
    const [name] = person(part.replace(/^\s*(?:little|baby|big|our|my)(?=\s)/, ""), { lowerCase: false });
    if (name === undefined) return [];
    const aged = besideName(part.slice(part.indexOf(name.text) + name.text.length), name.text, false);
    return [...hasNamed({ of, noun, name: name.text, pet }, reason), ...aged];
  });
}

const several =
  /^\s+(two|three|four|five|six|\d{1,2})\s+(?:[\p{L}-]+\s+){0,2}?(\p{L}+)\s*,?\s*(?:(?:named|called|:|-|–)\s+|\()([^()]{2,60})(?:\).*)?$/isu;

const family =
  /^(?:sister|brother|wife|husband|partner|girlfriend|boyfriend|fiance|son|daughter|child|cousin|niece|nephew|twin|twin_brother|twin_sister|half_brother|half_sister|stepson|stepdaughter|stepsister|stepbrother|roommate|grandson|granddaughter)$/;
