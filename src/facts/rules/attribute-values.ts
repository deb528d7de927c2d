import { type Piece, thing, value } from "./objects.ts";
import type { Draft } from "./rule.ts";
import type { Subject } from "./subject.ts";
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

/** What is measured, also of "the …" without saying whose. */
export const measured =
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

/** What a text begins with that is a number, an amount or a date. */
export const amount =
  /^(?:now |currently |about |around |roughly |approximately |only |just |exactly |still |(?:set|fixed|planned|booked|confirmed|scheduled) (?:to|at|for|on) |on |at |due (?:on )?|up to |down to |the (?=\d))*(?:[$€£¥]\s?\d[\d.,]*\s?[kmb]?\b|\d[\d.,:/-]*(?:\s?(?:%|percent|k|m|am|pm|kg|lbs?|cm|mm|km|ms|gb|mb|tb|usd|eur|gbp))?|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred)\b|(?:the )?(?:end|beginning|start|middle) of \p{L}+|(?:early|mid|late)[- ]\p{L}+|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)\b|next (?:week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|tomorrow|noon|midnight|v?\d+\.\d)/iu;
// What is measured, whatever it is called.
const strong =
  /^(?:about |around |roughly )?(?:[$€£¥]\s?\d|\d[\d.,]*\s?(?:%|percent\b|kg\b|lbs?\b|km\b|usd\b|eur\b|gbp\b|dollars\b|euros\b|pounds\b|rupees\b|hours a\b|(?:a|per) (?:month|week|year|day)\b))/i;
const days =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days? (?:to|through|until|till|-|–) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i;
const colors =
  /^(?:sort of |kind of |kinda |dark |light |naturally |really )*((?:(?:dark|light) )?(?:green|blue|brown|hazel|gr[ae]y|amber|black|blond|blonde|red|ginger|auburn|white|silver|chestnut))\b(?!\p{L}| with envy)/iu;

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

/** The claim that an attribute has the value with which a text begins. */
export function state(subject: Subject, text: string, reason: string): readonly Draft[] {
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

/** The claim of a value as it is written. */
export function attributeOf(subject: Subject, attribute: string, object: string): Omit<Draft, "reason"> {
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
