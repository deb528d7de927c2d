import { canonicalPredicate } from "../canonical.ts";
import { isPetPlural, relationAdjectives, relationOf } from "./kin.ts";
import { type Piece, person, thing, things, value } from "./objects.ts";
import { complementOf, type Draft, now, type Rule, type RuleContext, verbRule } from "./rule.ts";
import type { Subject } from "./subject.ts";
import { favouriteKind } from "./tastes.ts";
import { wordSet } from "./words.ts";

// Of these a word says enough; of other nouns, only a number, an amount or a date does.
const named =
  wordSet(`car bike phone laptop computer camera job occupation profession major hometown company employer zodiac
  star-sign pronouns timezone language school university college title role birthplace religion dog cat pet
  bank doctor dentist lead ceo cto cfo coo captain editor ide shell browser nickname username gamertag handle login native`);
// Of these only a make or a name says what it is: "my car is red".
const models = wordSet(
  "lead ceo cto cfo coo captain car bike phone laptop computer camera dog cat pet company employer school university college bank",
);
const namedLast = wordSet(
  "sign type size zone color colour tongue language town name title position pronouns job company school",
);

// What is measured, also of "the …" without saying whose.
const measured =
  wordSet(`deadline budget salary rent price cost fee date target limit timeout port score weight height headcount
  size count quota rate total timeline version capacity threshold revenue income allowance coverage accuracy length duration
  mortgage loan balance goal launch release exam appointment interview wedding flight meeting party surgery presentation tuition
  wage age number time average percentage bonus stipend gpa grade rating pace bill subscription latency uptime bandwidth due
  take-home pay pension leave savings debt deposit share mileage pulse pressure defence defense viva speed term
  runway burn cholesterol overdraft attendance address anniversary graduation reunion shift shifts schedule hours shoot rehearsal checkup check-up operation scan
  viewing audition vat extension`);

const contacts = wordSet(
  "contact client owner sponsor host lead pm manager venue location supplier vendor customer",
);
const dated = wordSet("exam appointment interview wedding flight meeting party surgery presentation");
const daylike =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow|next|am|pm|\d{1,2}(?:st|nd|rd|th))|\d[:./-]\d/i;

// Nouns of the moment: "my day is 5", "my point is".
const passing =
  wordSet(`day question questions point guess problem issue concern thing things idea thought answer opinion mind way
  hope turn bad fault favorite favourite heart life head mood luck worry fear part reason take understanding plan
  advice suggestion response intention friend friends favorites week weekend morning night example code`);

const amount =
  /^(?:now |currently |about |around |roughly |approximately |only |just |exactly |still |(?:set|fixed|planned|booked|confirmed|scheduled) (?:to|at|for|on) |on |at |due (?:on )?|up to |down to |the (?=\d))*(?:[$€£¥]\s?\d[\d.,]*\s?[kmb]?\b|\d[\d.,:/-]*(?:\s?(?:%|percent|k|m|am|pm|kg|lbs?|cm|mm|km|ms|gb|mb|tb|usd|eur|gbp))?|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred)\b|(?:the )?(?:end|beginning|start|middle) of \p{L}+|(?:early|mid|late)[- ]\p{L}+|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)\b|next (?:week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|tomorrow|noon|midnight|v?\d+\.\d)/iu;
// What is measured, whatever it is called.
const strong =
  /^(?:about |around |roughly )?(?:[$€£¥]\s?\d|\d[\d.,]*\s?(?:%|percent\b|kg\b|lbs?\b|km\b|usd\b|eur\b|gbp\b|dollars\b|euros\b|pounds\b|rupees\b|hours a\b|(?:a|per) (?:month|week|year|day)\b))/i;
const days =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days? (?:to|through|until|till|-|–) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i;
const colors =
  /^(?:sort of |kind of |kinda |dark |light |naturally |really )*((?:(?:dark|light) )?(?:green|blue|brown|hazel|gr[ae]y|amber|black|blond|blonde|red|ginger|auburn|white|silver|chestnut))\b(?!\p{L}| with envy)/iu;
const preamble =
  /^\s+(?:(?:now|currently|about|around|roughly|approximately|only|just|exactly|still|(?:set|fixed|planned|booked|confirmed|scheduled) (?:to|at|for|on)|on|at|due(?: on)?|going to be|actually|down to|up to)\s+)*/i;

const predicates: Readonly<Record<string, string>> = {
  ...{
    job: "works_as",
    occupation: "works_as",
    profession: "works_as",
    major: "studies",
    company: "works_at",
  },
  ...{
    employer: "works_at",
    "mother tongue": "speaks",
    "native language": "speaks",
    "first language": "speaks",
  },
  ...{
    "home town": "hometown",
    native: "from",
    "native place": "from",
    "native town": "from",
    "native city": "from",
    "star sign": "zodiac_sign",
    "zodiac sign": "zodiac_sign",
    phone: "phone_model",
    birthplace: "born_in",
  },
};

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

/** The claim that an attribute has the value with which a text begins. */
function state(subject: Subject, text: string, reason: string): readonly Draft[] {
  const attribute = subject.attribute?.toLowerCase().replace(/^(?:new|current|actual) (?=\p{L})/u, "") ?? "";
  const words = attribute.split(/\s+/);
  const last = words.at(-1) ?? "";
  const first = words[0] ?? "";
  const coded =
    /^(?:[\p{L}-]+ ){0,2}(?:code|pin|password|passcode|number|extension|id|plate|username|handle)$|^(?:postcode|iban)$/iu.test(
      attribute,
    ) && /\d.*\d/.test(code(text)[0]?.text ?? "");
  if (
    (passing.has(last) && !coded) ||
    /^(?:favou?rite|main|biggest|only|best|first|worst|next|last)$/.test(first) ||
    readElsewhere.test(attribute) ||
    /^(?:exact|same|other|final answer|correct|total) /.test(attribute)
  )
    return [];
  // A meeting "at 3" is one of today.
  if (dated.has(last) && !daylike.test(text)) return [];
  // "My insta is @moth.draws".
  const handle = /^@[\p{L}\p{N}_.-]{2,40}(?<![.-])/u.exec(text)?.[0];
  if (handle !== undefined) return [{ ...attributeOf(subject, attribute, handle), reason }];
  const span = days.exec(text)?.[0];
  if (span !== undefined && measured.has(last)) return [{ ...attributeOf(subject, attribute, span), reason }];
  if (/^(?:eyes|hair)$/.test(attribute)) {
    const color = colors.exec(text)?.[1];
    return color === undefined ? [] : [{ ...attributeOf(subject, attribute, color), reason }];
  }
  const isAmount = amount.test(text);
  const street = last === "address" ? addressIn(text) : undefined;
  if (street !== undefined)
    return [
      {
        ...{ subject: subject.text, predicate: "address", object: street, reason },
        ...{ cardinality: "one", timing: "none" },
      },
    ];
  // "My job is tax accounting".
  if (
    /^(?:day )?job$/.test(attribute) &&
    /^\p{Ll}+ (?:accounting|consulting|engineering|nursing|teaching|marketing|design|law|support|sales|research|development|testing|management)(?=\s*(?:[.,!;]|$))/u.test(
      text,
    )
  )
    return [{ ...attributeOf(subject, "works_in", value(text)[0]?.text ?? ""), reason }];
  const [found] = coded ? code(text) : isAmount ? value(text) : thing(text);
  if (found === undefined || /^(?:early|mid|late|the|end|beginning|start|middle)$/i.test(found.text))
    return [];
  if (coded) return [{ ...attributeOf(subject, attribute, found.text), reason }];
  // "Orion's client contact is Petra Weiss".
  const who =
    isPossessive(subject.text) &&
    contacts.has(last) &&
    /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}$/u.test(found.text);
  if (who) return [{ ...attributeOf(subject, attribute, found.text), reason }];
  const quantity =
    measured.has(last) || isPossessive(subject.text) || (strong.test(text) && !named.has(last));
  const fits = isAmount
    ? quantity || coded || subject.text !== "user" || own.has(last)
    : (named.has(last) || namedLast.has(last) || predicates[attribute] !== undefined) &&
      found.text.split(/\s+/).length <= 4 &&
      (/\p{Lu}|^(?:19|20)\d\d\s/u.test(found.text) ||
        (!models.has(last) && /^[\p{L}\d_/]+$/u.test(found.text)) ||
        /^\p{L}+ \p{L}{0,2}\d+$/u.test(found.text)) &&
      !vagueValue.test(found.text) &&
      !/^\p{Ll}+ed$/u.test(found.text);
  if (!fits) return [];
  return [
    {
      ...{
        subject: subject.text,
        predicate: predicateOf(attribute),
        object: found.text.replace(/^(?:now|currently|about|around|on|at) /i, ""),
        reason,
      },
      ...{ cardinality: "one", timing: "none" },
    },
  ];
}

/** "hunter-green-42", "DE 129 273 398": up to what goes on. */
function code(text: string): readonly Piece[] {
  const found =
    /^[^\s,;]+(?:\s[\p{Lu}\d][\p{Lu}\d./-]*(?=[\s,.;]|$))*/u.exec(text)?.[0].replace(/[.!]+$/, "") ?? "";
  return found === "" ? [] : [{ text: found, at: 0 }];
}

function attributeOf(subject: Subject, attribute: string, object: string): Omit<Draft, "reason"> {
  return {
    ...{ subject: subject.text, predicate: predicateOf(attribute), object },
    ...{ cardinality: "one", timing: "none" },
  };
}

/** "7 Quay Street, Galway": up to the end of the sentence or what goes on in small letters. */
export function addressIn(text: string): string | undefined {
  const found =
    /^\s*(?:at\s+)?((?:(?:flat|apt|apartment|unit|no)\.?\s+)?\d+\p{L}?(?:[/-]\d+)?(?:,?\s+[\p{Lu}\d][\p{L}\p{M}\d'’.-]*|\s+(?:of|the|de|des|la|le|les|du|del|della|da|das|dos|do|am|an|der|den|von|van)(?=\s)){1,9})/iu.exec(
      text,
    )?.[1];
  const written =
    found === undefined
      ? undefined
      : /^.*?(?=,?\s+\p{Ll}(?!e\s|a\s|u\s|f\s|m\s|n\s|es\s|as\s|os\s|er\s|en\s|o\s)[\p{L}'’]*(?:\s|$)|$)/u.exec(
          found,
        )?.[0];
  return written === undefined || !/\d.*\p{Lu}\p{L}/u.test(written)
    ? undefined
    : written.replace(/[.\s]+$/, "");
}

const own = wordSet("tests followers subscribers employees members students clients customers users shoe");
// Of these, other rules read the value.
const readElsewhere =
  /^(?:(?:full |first |last |middle |real )?name|surname|nickname|age|birthday|birth date|date of birth|(?:new |work |personal )?e-?mail(?: address)?|(?:new |work |cell )?(?:phone )?number|(?:main |ultimate )?(?:goal|dream))$/;
const vagueValue =
  /^(?:name|birthday|taken|reset|expired|wrong|incorrect|invalid|locked|broken|dead|gone|great|good|bad|fine|okay|amazing|awesome|nice|new|old|slow|fast|hard|easy|tough|stressful|boring|fun|important|different|here|there|ready|done|better|worse|big|small|huge|full|sick|ill|cute|adorable|sweet|lovely|happy|sad|called|not|so|too|very|really|pretty|quite|always|working|doing|getting|going|making|driving|looking|being|supportive|understanding|helping|acting|cool|perfect|interesting|exciting|beautiful|super|still|about|all|mostly|like|just|probably|also|over|open|close|closed|near|far|next|in|on|at|out|up|down|off|away|back|to|from|with|without|under)\b/i;

function isPossessive(subject: string): boolean {
  return subject !== "user" && !subject.startsWith("user's");
}

function predicateOf(attribute: string): string {
  return predicates[attribute] ?? attribute.replaceAll(/[\s-]+/g, "_");
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
