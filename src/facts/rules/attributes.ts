import { canonicalPredicate } from "../canonical.ts";
import { amount, attributeOf, measured, state } from "./attribute-values.ts";
import { isPetPlural, relationAdjectives, relationOf } from "./kin.ts";
import { person, thing, things, value } from "./objects.ts";
import { complementOf, type Draft, now, type Rule, type RuleContext, verbRule } from "./rule.ts";
import type { Subject } from "./subject.ts";
import { favouriteKind } from "./tastes.ts";

const preamble =
  /^\s+(?:(?:now|currently|about|around|roughly|approximately|only|just|exactly|still|(?:set|fixed|planned|booked|confirmed|scheduled) (?:to|at|for|on)|on|at|due(?: on)?|going to be|actually|down to|up to)\s+)*/i;

/** Values that belong to a name and change: "my budget is $500", "the deadline was moved to June 10", "I have 5 tests". */
export const attributeRules: readonly Rule[] = [
  { verbs: ["be"], read: is },
  {
    verbs: [
      "be",
      "get",
      "change",
      "move",
      "increase",
      "decrease",
      "rise",
      "drop",
      "go",
      "raise",
      "extend",
      "postpone",
      "reschedule",
      "grow",
      "fall",
      "become",
      "come",
    ],
    read: changed,
  },
  {
    verbs: [
      "change",
      "move",
      "increase",
      "raise",
      "extend",
      "postpone",
      "reschedule",
      "cut",
      "set",
      "bump",
      "push",
      "put",
      "hike",
      "lower",
      "reduce",
      "rename",
      "update",
    ],
    read: changes,
  },
  { verbs: ["have", "own"], read: counted },
  { verbs: ["be"], read: parentOf },
  verbRule({
    ...{
      name: "leads a team",
      verbs: "lead manage run",
      after: /\s+an?\s+(?:\p{L}+\s+)?team\s+of\b/iu,
      predicate: "team_size",
    },
    ...{ object: value, effect: now, timing: "none", cardinality: "one" },
    accepts: ({ text }) =>
      /^(?:about |around )?(?:\d+|\p{L}+)(?: people| engineers| developers)?$/u.test(text) &&
      amount.test(text),
  }),
  { verbs: ["be", "use", "go"], read: pronouns },
  { verbs: [""], read: hobbies },
  { verbs: ["earn", "make"], read: earned },
  { verbs: ["have"], read: hasOf },
  { verbs: ["pay"], read: pays },
];

/** "We have a budget of 2,000 euros", "12k in savings". */
function hasOf({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  if (subject.kind === "attribute" || phrase.mode !== "holds" || phrase.negated || phrase.able) return [];
  const [lead = "", attribute = ""] =
    /^\s+(?:an?|my)\s+((?:[\p{Ll}-]+ )?(?:budget|deadline|target|limit|income|salary|mortgage|gpa|bmi|commute|allowance|overdraft|deposit))\s+of\s+/iu.exec(
      whole,
    ) ?? [];
  if (attribute !== "")
    return state({ text: subject.text, kind: "attribute", attribute }, whole.slice(lead.length), "has of");
  const [, saved] =
    /^\s+(?:about |around |roughly |only |nearly |almost )?([$€£]?\d[\d.,]*\s?k?(?: (?:euros|dollars|pounds|quid))?) in (?:my )?savings\b/i.exec(
      whole,
    ) ?? [];
  return saved === undefined ? [] : [{ ...attributeOf(subject, "savings", saved), reason: "has of" }];
}

/** "I pay 900 a month in rent", "we pay £1,250 rent". */
function pays({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  if (subject.kind === "attribute" || phrase.mode !== "holds" || phrase.negated || phrase.able) return [];
  const [, object] =
    /^\s+(?:about |around |roughly |only )?([$€£]?\d[\d.,]*\s?k?(?: (?:euros|dollars|pounds))?)(?: (?:a|per) month)? (?:(?:in|of|for) )?(?:my |the )?rent\b/i.exec(
      whole,
    ) ?? [];
  return object === undefined ? [] : [{ ...attributeOf(subject, "rent", object), reason: "pays" }];
}

const line =
  /(?:^|[,;]\s+)(?:my |our )?((?:\p{L}[\p{Ll}-]* ){0,2}(?:budget|fee|rent|salary|deadline|extension|rate|runway|burn|weight|height|income|mortgage|overdraft|allowance))(?:\s*[:=]\s*|\s+(?=[$€£]?\d))([^,;]{1,40}?)(?=[,;]|\.?\s*$)/giu;

/** "Budget: £300", "runway = 11 months, burn 95k": values that are noted down. With offsets in the sentence. */
export function noted(
  sentence: string,
): readonly { readonly drafts: readonly Draft[]; readonly start: number; readonly end: number }[] {
  if (!/\d/.test(sentence)) return [];
  return [...sentence.matchAll(line)].flatMap((match) => {
    const [whole, attribute = "", text = ""] = match;
    if (/\b(?:i|we|for|of|the|a|an|and|or|to|in|per|is|was|at|by)\b/i.test(attribute) || !amount.test(text))
      return [];
    const subject: Subject = { text: "user", kind: "attribute", attribute: attribute.toLowerCase() };
    // "£380 → £420".
    const [before = "", ...after] = text.split(/\s*(?:→|->)\s*/);
    const last = after.at(-1);
    const ended =
      last === undefined
        ? []
        : state(subject, before, "noted").map((draft) => ({ ...draft, change: "end" as const }));
    const drafts = [...ended, ...state(subject, last ?? before, "noted")];
    return [{ drafts, start: match.index, end: match.index + whole.length }];
  });
}

function is({ clause, subject, whole, sentence }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (subject.kind !== "attribute" || phrase.negated || phrase.progressive || phrase.perfect) return [];
  if (phrase.mode !== "holds" || phrase.able) return [];
  // "The wedding is in Mexico on 4 May".
  const where = /^\s+in \p{Lu}\p{L}+(?= on \S)/u.exec(whole)?.[0].length ?? 0;
  const lead = where + (preamble.exec(whole.slice(where))?.[0].length ?? 0);
  // "My team's KPIs": whose they are, unless a value follows.
  const short = /['’]s$/i.test(sentence.slice(0, clause.restAt));
  if (
    short &&
    !amount.test(whole.slice(lead)) &&
    !/^an?\s+(?:(?:19|20)\d\d\s|\p{Lu})/u.test(whole.slice(lead))
  )
    return [];
  // "My job is at a bank".
  if (
    /\b(?:at|on|in)\s+$/i.test(whole.slice(0, lead)) &&
    /\b(?:job|occupation|profession)$/i.test(subject.attribute ?? "")
  )
    return [];
  // "Our quiz team is called The Baby Quizzards".
  const called =
    /^called\s+(?:the\s+)?((?:\p{Lu}[\p{L}\d'’&-]*)(?:\s+(?:(?:of|the|and)\s+)?\p{Lu}[\p{L}\d'’&-]*){0,4})/iu.exec(
      whole.slice(lead),
    )?.[1];
  const known =
    /^(?:[\p{Ll}-]+ )?(?:team|band|company|startup|business|boat|shop|blog|podcast|channel|restaurant|bakery|charity|club|group|choir|farm|salon|studio)$/u;
  if (
    called !== undefined &&
    subject.impersonal !== true &&
    subject.text === "user" &&
    known.test(subject.attribute ?? "") &&
    /^\p{Lu}/u.test(called)
  )
    return [{ ...attributeOf(subject, subject.attribute ?? "", called), reason: "attribute called" }];
  return state(subject, whole.slice(lead), "attribute");
}

const towards =
  /^\s+(?:(?:recently|just|now|been|back|up|down|out|forward|further|slightly|again)\s+)*(?:(?:moved|pushed|changed|increased|raised|reduced|cut|extended|postponed|rescheduled|updated|set|bumped|lowered|shifted|decreased|delayed|brought)\s+)?(?:(?:up|down|back|out|forward)\s+)?(?:from\s+.{1,25}?\s+)?(?:to|until|till)\s+/i;

/** "The deadline was moved to July 1", "my rent went up to 950 euros". */
function changed({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (subject.kind !== "attribute" || phrase.negated || phrase.mode === "will" || phrase.mode === "ended")
    return [];
  const passive = phrase.lemma === "be" || phrase.lemma === "get";
  if (phrase.mode !== "was" && !(phrase.perfect || passive)) return [];
  const lead = towards.exec(whole);
  if (lead === null || (passive && !/(?:ed|set|cut|brought)\s/i.test(lead[0]))) return [];
  const text = whole.slice(lead[0].length);
  const kind = favouriteKind(subject.attribute ?? "");
  if (kind === "") return [...ended(subject, lead[0]), ...state(subject, text, "attribute changed")];
  return thing(text).map((object) => ({
    ...{ subject: subject.text, predicate: `favorite_${kind}`, object: object.text },
    ...{ cardinality: "one", timing: "state", reason: "attribute changed" },
  }));
}

/** "From 850" of "my rent went up from 850 to 990". */
function ended(subject: Subject, lead: string): readonly Draft[] {
  const before = /\bfrom\s+(.{1,25}?)\s+(?:to|until|till)\s*$/i.exec(lead)?.[1];
  return before === undefined || !amount.test(before)
    ? []
    : state(subject, before, "attribute changed").map((draft) => ({
        ...draft,
        change: "end",
        timing: "none",
      }));
}

/** "I changed the deadline to July 1", "we raised our budget to $700". */
function changes({ clause, subject, whole }: RuleContext): readonly Draft[] {
  // "My landlord raised my rent".
  const others =
    /^(?:person|name)$/.test(subject.kind) && /^\s+(?:up\s+)?(?:my|our|the (?=rent))\s?/i.test(whole);
  if ((subject.kind !== "user" && !others) || clause.phrase.mode !== "was" || clause.phrase.negated)
    return [];
  const match =
    /^(?:\s+(?:up|back|out))?\s+(?:the|my|our)\s+([\p{L}-]+(?: [\p{L}-]+){0,2}?)(?:\s+(?:for|of)\s+(?:the\s+)?(\p{Lu}[\p{L}\d-]*(?:\s+\p{Lu}[\p{L}\d-]*){0,2}))?\s+(?:back\s+|up\s+|down\s+)?(?:from\s+.{1,25}?\s+)?to\s+/iu.exec(
      whole,
    );
  const [lead = "", attribute = "", owner] = match ?? [];
  if (/^(?:last |first |full )?name$/i.test(attribute)) {
    const [name] = person(whole.slice(lead.length), { lowerCase: false });
    const predicate = attribute.startsWith("last") ? "last_name" : "name";
    return name === undefined
      ? []
      : [
          {
            subject: "user",
            predicate,
            object: name.text,
            cardinality: "one",
            timing: "state",
            reason: "attribute changed",
          },
        ];
  }
  if (/^(?:new |work )?e-?mail(?: address)?$/i.test(attribute)) {
    const address = /^[^\s@]{1,64}@[^\s@]{1,100}\.\p{L}{2,10}/u.exec(whole.slice(lead.length))?.[0];
    return address === undefined
      ? []
      : [
          {
            subject: "user",
            predicate: "email",
            object: address,
            cardinality: "one",
            timing: "none",
            reason: "attribute changed",
          },
        ];
  }
  if (attribute === "" || !measured.has(attribute.toLowerCase().split(" ").at(-1) ?? "")) return [];
  const what: Subject = { text: owner ?? "user", kind: "attribute", attribute };
  return [...ended(what, lead), ...state(what, whole.slice(lead.length), "attribute changed")];
}

const numbers = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty";
const counting = new RegExp(
  String.raw`^\s+(?:about |around |over |exactly |currently |now |only |like |at least )?(${numbers}|\d{1,3}(?:,\d{3})*|\d+)\s+((?:[\p{Ll}-]+\s+){0,2}?)(\p{Ll}[\p{L}-]*(?:s|children|people|fish))(?=\s*(?:[.!;):]|,(?!\s+\p{Lu})|$|and\b|in\b|but\b|so\b|now\b|on\b|at\b|total\b|failing\b|passing\b|for (?:the|my|this)\b|from\b|who\b))`,
  "u",
);
const uncounted =
  /^(?:minutes?|hours?|days?|weeks?|months?|years?|questions?|things?|ideas?|options?|reasons?|times|problems?|issues?|points?|meetings?|tips|ways|cents|bucks|dollars|euros|pounds|steps|words?|examples?|choices|goals?|concerns?|left|seconds|tasks?|errands|sets?|parts?|more|less|classes|pictures|photos|jobs?|emails?|messages?|notifications?|tabs|requests?|thoughts?|favorites|chances?|deadlines?|appointments?|interviews?|exams?|calls?|percent|miles|kilometers|degrees|lots|plus|others?|reps|series)$/;

const lastingly =
  /^(?:people|members|employees|engineers|developers|designers|students|pupils|tenants|patients|clients|customers|users|players|volunteers|staff|followers|subscribers|readers|fans|reviewers|pets|animals|goats|chickens|hens|cows|sheep|bees|hives|plants|houseplants|trees|cars|bikes|bicycles|motorcycles|boats|guitars|houses|apartments|rooms|bedrooms|bathrooms|floors|stores|shops|restaurants|offices|branches|locations|stepchildren|grandkids|nieces|nephews|cats|dogs|tattoos|degrees|books|records|tests|servers|credits|seats|desks|beds|monitors)$/;

/** "I have two sisters", "I have 5 tests in the suite". */
function counted({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (
    subject.kind === "attribute" ||
    phrase.mode !== "holds" ||
    phrase.negated ||
    phrase.able ||
    phrase.progressive
  )
    return [];
  const match = counting.exec(whole);
  const [, number = "", adjectives = "", noun = ""] = match ?? [];
  if (
    number === "" ||
    uncounted.test(noun) ||
    /^(?:more|different|main|of|other|new|upcoming|big|important|major|quick|small|great|good)\b/.test(
      adjectives,
    )
  )
    return [];
  const plain = adjectives
    .trim()
    .split(/\s+/)
    .every((word) => word === "" || relationAdjectives.has(word));
  const kin = plain ? relationOf(noun) : undefined;
  // What things one has two of for a day is no fact: kin, animals, people and what one keeps.
  if (kin === undefined && !isPetPlural(noun) && !lastingly.test(noun)) return [];
  const counted = kin?.noun ?? `${adjectives}${noun}`.trim().replaceAll(/[\s-]+/g, "_");
  // "Children" alone is a name for who they are, not for how many.
  const attribute = canonicalPredicate(counted) === counted ? counted : `number_of_${counted}`;
  return [
    {
      subject: subject.text,
      predicate: attribute,
      object: number,
      cardinality: "one",
      timing: "none",
      reason: "count",
    },
  ];
}

/** "I'm a mum of two", "married with three kids". */
function parentOf({ clause: { phrase }, subject, whole }: RuleContext): readonly Draft[] {
  const [, object = ""] = parenthood.exec(whole) ?? [];
  return object === "" || phrase.mode !== "holds" || phrase.negated || subject.kind === "attribute"
    ? []
    : [
        {
          ...{ subject: subject.text, predicate: "number_of_children", object, cardinality: "one" },
          ...{ timing: "none", reason: "parent of" },
        },
      ];
}

const parenthood = new RegExp(
  String.raw`^\s+(?:an?\s+)?(?:[\p{L}\d-]+\s+){0,3}?(?:(?:mums?|moms?|mother|mama|dad|father|parents?)\s+(?:of|to)\s+(?=(?:${numbers}|\d)\b)|married\s+with\s+(?=\S+\s+(?:kids|children)))(${numbers}|\d)\b`,
  "iu",
);

/** "My hobbies are fishing and woodworking". */
function hobbies(context: RuleContext): readonly Draft[] {
  const { clause, subject } = context;
  const text = complementOf(context);
  if (
    !/^(?:main |favou?rite |biggest )?(?:hobb(?:y|ies)|passions?|guilty pleasures?)$/i.test(
      subject.attribute ?? "",
    ) ||
    text === undefined
  )
    return [];
  if (clause.phrase.mode !== "holds" || clause.phrase.negated) return [];
  // "It's fun" says how it is.
  if (/^it/i.test(context.sentence.slice(clause.subjectAt))) return [];
  return things(text).map((object) => ({
    ...{ subject: subject.text, predicate: "likes", object: object.text, timing: "none", reason: "hobby" },
  }));
}

/** "My pronouns are they/them". */
function pronouns({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const object = /^\s+(?:by\s+)?((?:she|he|they|xe|ze)(?:\s?\/\s?\p{L}{2,5}){1,2})\b/iu.exec(whole)?.[1];
  const { lemma, mode, negated } = clause.phrase;
  const own = lemma === "be" ? subject.attribute === "pronouns" : subject.kind !== "attribute";
  if (object === undefined || !own || negated || mode !== "holds") return [];
  return [
    {
      subject: subject.text,
      predicate: "pronouns",
      object,
      cardinality: "one",
      timing: "none",
      reason: "attribute",
    },
  ];
}

/** "I earn $5,000 a month". */
function earned({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const { phrase } = clause;
  if (subject.kind === "attribute" || phrase.mode !== "holds" || phrase.negated || phrase.able) return [];
  const match =
    /^\s+(?:about |around |roughly |only |now )?([$€£]\s?\d[\d.,]*\s?k?(?:\s+(?:a|per|an)\s+(?:year|month|week|hour))|\d[\d.,]*\s?k?\s?(?:dollars|euros|pounds|rupees)\s+(?:a|per|an)\s+(?:year|month|week|hour)|\d[\d.,]*\s?k(?:\s+(?:a|per)\s+year)?(?=\s*(?:[.,;!]|$|before\b|after\b|net\b|gross\b|and\b|but\b|so\b))|\d[\d.,]*\s?(?:euros|dollars|pounds)(?=\s+(?:net|gross|before tax|after tax)))/i.exec(
      whole,
    );
  const found = match?.[1];
  return found === undefined
    ? []
    : [
        {
          subject: subject.text,
          predicate: "salary",
          object: found,
          cardinality: "one",
          timing: "none",
          reason: "earns",
        },
      ];
}
