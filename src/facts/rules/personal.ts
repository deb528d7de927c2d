import { notNames } from "../../text/name-words.ts";
import { besideName, nations, notCalled, signs } from "./beside-name.ts";
import { ends } from "./ends.ts";
import { emailAddress, phoneNumber } from "./introductions.ts";
import { type Piece, person } from "./objects.ts";
import { isOccupation } from "./occupations.ts";
import { type Draft, now, past, type Rule, type RuleContext, verbRule } from "./rule.ts";
import { isLanguage } from "./skills.ts";
import type { Subject } from "./subject.ts";
import type { VerbPhrase } from "./verb-phrase.ts";

const count = String.raw`\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen`;
const aged = new RegExp(
  String.raw`^\s+(?:only |now |just |currently |already |about to |nearly |almost )?(${count})(?:\s*(?:-|\s)?\s*(?:years?|yrs?)(?:[- ]old|\s+of\s+age)?)?(?=\s*(?:[.,!;)]|$|and\b|now\b|years?\b|yo\b|but\b|so\b|with\b|living\b|working\b|btw\b|lol\b|today\b|this\b|last\b|in\b|on\b|yesterday\b|a\b))`,
  "iu",
);
const born =
  /^\s+born\s+(?:(?:on|in)\s+)?((?:the\s+)?(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:\s+\d{1,2}(?!\d)(?:st|nd|rd|th)?)?(?:,?\s+(?:19|20)\d\d)?|(?:19|20)\d\d(?:-\d\d-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4})/i;
const day =
  /^\s+(?:on\s+)?((?:the\s+)?(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?)(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?(?:,?\s+(?:19|20)\d\d)?|(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d\d)?|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?)/i;

/** Names, ages, birthdays, measures of the body, nationalities, addresses to be reached at. */
export const personalRules: readonly Rule[] = [
  { verbs: ["be"], read: ownName },
  { verbs: ["call", "go", "answer"], read: called },
  { verbs: ["be", "turn", "have"], read: age },
  { verbs: ["be", "turn"], read: birthday },
  { verbs: ["be", "change"], read: reachedAt },
  verbRule({
    ...{
      name: "orientation",
      verbs: "be",
      predicate: "sexual_orientation",
      effect: now,
      timing: "none",
      who: "user",
    },
    object: matched(
      new RegExp(String.raw`^\s+(?:an? )?(gay|bisexual|bi|lesbian|asexual|pansexual|queer)${ends}`, "iu"),
    ),
  }),
  verbRule({
    ...{
      name: "came out",
      verbs: "come",
      predicate: "sexual_orientation",
      effect: past,
      timing: "none",
      who: "user",
    },
    object: matched(
      new RegExp(String.raw`^\s+out as (gay|bisexual|bi|lesbian|asexual|pansexual|queer)${ends}`, "iu"),
    ),
  }),
  verbRule({
    ...{
      name: "nationality",
      verbs: "be become",
      predicate: "nationality",
      object: matched(nations),
      effect: (clause) => (clause.phrase.lemma === "become" ? past(clause) : now(clause)),
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "zodiac sign",
      verbs: "be",
      predicate: "zodiac_sign",
      object: matched(signs),
      effect: now,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "passport",
      verbs: "have hold get gain",
      predicate: "nationality",
      object: matched(
        /^\s+(?:(?:an?|my|both an?|dual)\s+)?(\p{Lu}\p{L}+) (?:passport|citizenship|nationality)\b/u,
      ),
      effect: (clause) => (/^(?:get|gain)$/.test(clause.phrase.lemma) ? past(clause) : now(clause)),
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "religion",
      verbs: "be",
      predicate: "religion",
      object: matched(
        new RegExp(
          String.raw`^\s+(?:an? )?(?:practi[sc]ing |devout |lapsed |born-again |proud )?(Buddhist|Muslim|Christian|Catholic|Hindu|Jewish|Jain|Sikh|Protestant|Quaker|Mormon|Lutheran|Anglican|Methodist|Baptist|[Aa]theist|[Aa]gnostic|[Pp]agan)${ends}`,
          "u",
        ),
      ),
      effect: now,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "handedness",
      verbs: "be",
      predicate: "handedness",
      object: matched(/^\s+(?:an? )?(left[- ]handed|right[- ]handed|ambidextrous|lefty|leftie|southpaw)\b/i),
      effect: now,
      timing: "none",
    },
  }),
  verbRule({
    ...{
      name: "weighs",
      verbs: "weigh",
      predicate: "weight",
      object: matched(
        /^\s+(?:about |around |roughly |now |like |approximately |just over |just under )?(\d{2,3}(?:[.,]\d)?\s?(?:kgs?|kilos?|kilograms?|lbs?|pounds|stone))\b/i,
      ),
      effect: now,
      timing: "none",
    },
  }),
  verbRule({
    ...{ name: "is of a weight", verbs: "be", predicate: "weight", effect: now, timing: "none", who: "user" },
    object: matched(
      /^\s+(?:(?:\d['′’]\s?\d{0,2}["″”]?|\d{3}\s?cm|[12][.,]\d\d\s?m)(?: tall)?(?: and|,) )?(?:about |around |roughly )?(\d{2,3}(?:[.,]\d)?\s?(?:kgs?|kilos?|lbs|pounds|stone))(?=\s*(?:[.,!;]|$|and\b|now\b|but\b|trying\b|at\b))/i,
    ),
  }),
  verbRule({
    ...{ name: "tall", verbs: "be", predicate: "height", effect: now, timing: "none" },
    object: matched(
      /^\s+(?:about |around |roughly )?(\d{3}\s?cm|\d[.,]\d{2}\s?m(?:eters?)?|[12][.,]\d{2}(?=\s+tall)|\d['′’]\s?\d{0,2}["″”]?|\d\s?(?:feet|foot|ft)(?:\s?\d{1,2}(?:\s?(?:inches|in))?)?)(?:\s+tall)?/i,
    ),
    when: ({ whole }) =>
      /tall\b|^\s+(?:1[3-9]|2[0-2])\d\s?cm\b|^\s+[12][.,]\d\d\s?m\b|^\s+\d(?:['′’]|\s?(?:foot|feet|ft)\b)/.test(
        whole,
      ),
  }),
];

/** Reads what the first group of a pattern takes. */
function matched(pattern: RegExp): (text: string) => readonly Piece[] {
  return (text) => {
    const [whole = "", word = ""] = pattern.exec(text) ?? [];
    return word === "" ? [] : [{ text: word.trim(), at: whole.indexOf(word) }];
  };
}

/** "My name is Alice Moreno", "I'm Tom". */
function ownName(context: RuleContext): readonly Draft[] {
  const { clause, subject, lowerCase, sentence } = context;
  const { phrase } = clause;
  if (phrase.mode === "ended" && phrase.lemma === "be") return formerName(clause, subject, lowerCase);
  if (phrase.mode !== "holds" || phrase.negated || phrase.progressive || phrase.perfect) return [];
  if (subject.kind !== "attribute" && !/^\s+(?:called\s+)?\p{Lu}/u.test(clause.rest)) return [];
  const { rest } = context;
  const base = { subject: subject.text, timing: "none", cardinality: "one" } as const;
  const attribute = subject.attribute?.toLowerCase() ?? "";
  const lead = /^\s+(?:actually |called |really |just |spelled |spelt )?/i.exec(rest)?.[0].length ?? 0;
  if (
    subject.kind === "attribute" &&
    /^(?:full |first |real |legal |last |middle )?(?:name|surname)$/.test(attribute)
  ) {
    if (subject.text.includes("'s ")) return [];
    const name = longName(rest.slice(lead)) ?? person(rest.slice(lead), { lowerCase })[0];
    const predicate = /^(?:last|middle)|surname/.test(attribute) ? attribute.replace(" ", "_") : "name";
    return name === undefined ? [] : [{ ...base, predicate, object: name.text, reason: "my name is" }];
  }
  if (subject.kind === "attribute" && attribute === "nickname") {
    const [name] = person(rest.slice(lead), { lowerCase });
    return name === undefined
      ? []
      : [
          {
            ...base,
            predicate: "nickname",
            object: name.text,
            cardinality: "many",
            reason: "my nickname is",
          },
        ];
  }
  if (subject.kind !== "user" || clause.subjects.length > 1 || lowerCase || phrase.next === phrase.at)
    return [];
  // "We are UMG" is a company.
  if (/^we\b/i.test(sentence.slice(clause.subjectAt))) return [];
  return iAm(rest.replace(/^\s+called(?=\s\p{Lu})/u, "")).flatMap((object) => [
    { ...base, predicate: "name", object, reason: "I am" } as const,
    ...besideName(
      sentence.slice(sentence.indexOf(object, clause.restAt) + object.length),
      subject.text,
      lowerCase,
    ),
  ]);
}

const several = /^\s*(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){3,5})(?![\p{L}'’-])/u;

/** "Ana Lucía Fernández Ortiz", where nothing but a name can stand. */
function longName(text: string): Piece | undefined {
  const name = several.exec(text)?.[1];
  return name === undefined || notNames.has(name.split(/\s/)[0]?.toLowerCase() ?? "")
    ? undefined
    : { text: name, at: text.indexOf(name) };
}

/** "I'm not Karen anymore", "used to be Helen Okafor". */
function formerName(
  clause: RuleContext["clause"],
  subject: RuleContext["subject"],
  lowerCase: boolean,
): readonly Draft[] {
  if (subject.kind !== "user" || clause.subjects.length > 1 || lowerCase || clause.phrase.negated) return [];
  return iAm(clause.rest.replace(/\s+any ?more\b.*$/is, ""))
    .filter((name) => name.includes(" ") || /\bany ?more\b/i.test(clause.rest))
    .map((object) => ({
      ...{ subject: subject.text, predicate: "name", object, cardinality: "one", change: "end" },
      ...{ timing: "state", reason: "was called" },
    }));
}

const afterName =
  /^(?:\s*$|\s*[.!;]|\s+(?:and|but|from|by the way|btw|here|now)\b|\s*,\s*(?:i\b|i['’]m|and\b|nice\b|a\b|an\b|the\b|not\b|from\b|your\b|\d|retired\b|\p{Ll}+ing\b|pleased\b|thanks\b|hi\b|new\b|living\b|working\b)|\s*\()/iu;

/** "I'm Anna": a name by its capital, after which the sentence or the clause ends. */
function iAm(rest: string): readonly string[] {
  const match = /^\s+((?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,2})/u.exec(
    rest,
  );
  const [whole = "", name = ""] = match ?? [];
  const first =
    name
      .replace(/^\p{L}+\.\s+/u, "")
      .split(/\s/)[0]
      ?.toLowerCase() ?? "";
  if (name === "" || notNames.has(first) || isLanguage(name) || isOccupation(name) || notCalled.test(name))
    return [];
  return afterName.test(rest.slice(whole.length)) ? [name] : [];
}

/** "My friends call me Lexi", "I go by Sam". */
function called(context: RuleContext): readonly Draft[] {
  const { clause, subject, lowerCase } = context;
  const { phrase } = clause;
  const by = /^(?:go|answer)$/.test(phrase.lemma) && subject.kind === "user";
  const others =
    phrase.lemma === "call" &&
    (subject.kind === "several" || subject.attribute !== undefined || /^user's/.test(subject.text));
  const since = phrase.lemma === "answer" && phrase.perfect;
  if ((!by && !others) || (phrase.mode !== "holds" && !since) || phrase.negated || phrase.progressive)
    return [];
  const { rest } = context;
  const lead = (
    by
      ? phrase.lemma === "go"
        ? /^\s+by\s+(?:my (?:middle|maiden|first|last) name,?\s+)?/i
        : /^\s+to\s+/i
      : /^\s+me\s+/i
  ).exec(rest)?.[0].length;
  const [name] = lead === undefined ? [] : person(rest.slice(lead), { lowerCase });
  return name === undefined ||
    /^(?:bike|bus|car|train|plane|foot|ferry|boat|taxi|tram|feel|ear|default|instinct|they|she|he)\b/i.test(
      name.text,
    )
    ? []
    : [
        {
          subject: "user",
          predicate: "nickname",
          object: name.text,
          timing: "none",
          reason: by ? "goes by" : "is called by others",
        },
      ];
}

// "A 29-year-old nurse".
const ofYears =
  /^\s+(?:an?\s+(?:\p{L}+ )?)?(\d{1,2})[- ]?(?:years?[- ]old|y\.?o\.?|yr[- ]?old|year[- ]old)(?=[\s.,!;]|$)|^\s+(?:(?:an?\s+)?(?=\d\d\s?[mf]\b)|an?\s+(?:[\p{L}-]+\s+){0,2}(?:widow(?:er)?|man|woman|lady|guy|girl|boy|pensioner|bachelor)\s+of\s+)(\d\d)(?:\s?[mf])?(?=[\s.,!;)]|$)/iu;
const twoDigits =
  /^\s+\p{L}*\s*(?:\d\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)\s*(?:[.,!;)]|$|(?:and|now|but|with|so|living|working|this year|btw|lol)\b)/iu;
const bareYears = new RegExp(
  String.raw`^\s+(?:only |now |just )?(?:${count})\s*(?:[.,!;)]|$|and\b|now\b)`,
  "iu",
);
const nowYears = new RegExp(String.raw`^\s+(?:${count})\s+now\b`, "iu");

function age({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (
    phrase.negated ||
    (phrase.perfect && phrase.lemma !== "turn") ||
    phrase.progressive ||
    /about to|nearly|almost/.test(whole.slice(0, 14))
  )
    return [];
  if (subject.kind === "attribute" && subject.attribute !== "age") return [];
  if (phrase.lemma === "have") return hasYears(subject, phrase, whole);
  if (phrase.lemma === "turn" ? phrase.mode !== "was" : phrase.mode !== "holds") return [];
  const match = phrase.lemma === "be" ? (ofYears.exec(whole) ?? aged.exec(whole)) : aged.exec(whole);
  const years = match?.[1] ?? match?.[2];
  // "I'm 5 minutes away", "we are three".
  if (years === undefined || match === null) return [];
  const said =
    /year|yr|\d\s?(?:yo|y\.o|[mf])\b|\bof \d\d|\byo\b/i.test(
      match[0] + whole.slice(match[0].length, match[0].length + 4),
    ) ||
    phrase.lemma === "turn" ||
    subject.attribute === "age";
  // A bare figure is an age only of people, and where nothing else is counted.
  const bare = subject.kind !== "attribute" && subject.kind !== "several";
  const alone =
    ((subject.kind === "person" || subject.kind === "pet" ? bareYears : twoDigits).test(whole) ||
      (subject.kind === "name" && nowYears.test(whole))) &&
    clause.phrase.lemma === "be";
  if (!said && !(bare && alone)) return [];
  if (clause.subjects.length > 1) return [];
  return [
    {
      subject: subject.text,
      predicate: "age",
      object: years,
      cardinality: "one",
      timing: phrase.lemma === "turn" ? "state" : "none",
      reason: "age",
    },
  ];
}

/** "My grandson has 8 years": of others, since one's own years may be those of a trade. */
function hasYears({ kind, text }: Subject, { mode }: VerbPhrase, whole: string): readonly Draft[] {
  const object = /^\s+(\d{1,2}) years(?: old)?(?=\s*(?:[.,!;]|$|and\b))/i.exec(whole)?.[1];
  return object === undefined || kind !== "person" || mode !== "holds"
    ? []
    : [{ subject: text, predicate: "age", object, cardinality: "one", timing: "none", reason: "has years" }];
}

function birthday({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (phrase.negated || phrase.progressive) return [];
  const own =
    subject.kind === "attribute" &&
    /^(?:birthday|bday|b-day|birthdate|birth date|date of birth|dob)$/i.test(subject.attribute ?? "");
  const turns =
    phrase.lemma === "turn" ? /^\s+(?:\d{1,3}|\p{L}+)(?=\s+on\s)/u.exec(whole)?.[0].length : undefined;
  if (phrase.lemma === "turn" && (turns === undefined || phrase.mode === "was")) return [];
  const match = own
    ? day.exec(whole)
    : turns !== undefined
      ? day.exec(whole.slice(turns))
      : subject.kind !== "attribute" && phrase.mode === "was"
        ? born.exec(whole)
        : null;
  const object = match?.[1]?.replace(/^the\s+/i, "").replace(/\.$/, "");
  return object === undefined
    ? []
    : [
        {
          subject: subject.text,
          predicate: "birthday",
          object,
          cardinality: "one",
          timing: "none",
          reason: own ? "birthday" : "born on",
        },
      ];
}

const email = new RegExp(String.raw`^\s+(${emailAddress})`, "u");
const phone = new RegExp(String.raw`^\s+(${phoneNumber})`, "u");

function reachedAt({ clause, subject, whole: written }: RuleContext): readonly Draft[] {
  const { phrase: verb } = clause;
  if (subject.kind !== "attribute" || verb.negated) return [];
  if (verb.lemma === "be" ? verb.mode !== "holds" : !verb.perfect && verb.mode !== "was") return [];
  const whole = verb.lemma === "be" ? written : written.replace(/^\s+to(?=\s)/, "");
  const attribute = subject.attribute?.toLowerCase() ?? "";
  const base = { subject: subject.text, timing: "none" } as const;
  const address = /^(?:new |work |personal )?e-?mail(?: address)?$/.test(attribute)
    ? email.exec(whole)?.[1]
    : undefined;
  const number = /^(?:new |work |cell |mobile )?(?:phone|number|phone number|cell|mobile)(?: number)?$/.test(
    attribute,
  )
    ? phone.exec(whole)?.[1]
    : undefined;
  const found = address ?? number;
  return found === undefined
    ? []
    : [
        {
          ...base,
          predicate: address === undefined ? "phone" : "email",
          object: found.trim().replace(/\.$/, ""),
          reason: "reached at",
        },
      ];
}
