import { notNames } from "../../text/name-words.ts";
import { ends } from "./ends.ts";
import { petNouns, relationOf } from "./kin.ts";
import { nouns, occupation, organisation, place } from "./objects.ts";
import { isOccupation } from "./occupations.ts";
import { conditions } from "./openings.ts";
import type { Draft } from "./rule.ts";
import { readVerb } from "./verb-forms.ts";

/** What nation somebody is of, from the space before it. */
export const nations = new RegExp(
  String.raw`^\s+(?:originally |proudly |half |part |an? (?:proud )?)?(American|British|English|Scottish|Welsh|Irish|Canadian|Australian|French|German|Italian|Spanish|Portuguese|Dutch|Belgian|Swiss|Austrian|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Russian|Ukrainian|Swedish|Norwegian|Danish|Finnish|Icelandic|Indian|Pakistani|Bangladeshi|Nepali|Sri Lankan|Chinese|Japanese|Korean|Taiwanese|Vietnamese|Thai|Filipino|Indonesian|Malaysian|Singaporean|Mexican|Brazilian|Argentinian|Chilean|Peruvian|Colombian|Venezuelan|Cuban|Jamaican|Egyptian|Moroccan|Tunisian|Algerian|Nigerian|Kenyan|Ghanaian|Ethiopian|South African|Senegalese|Israeli|Lebanese|Syrian|Iranian|Iraqi|Afghan|Croatian|Serbian|Slovenian|Estonian|Latvian|Lithuanian|Albanian|Kiwi|New Zealander)(?:\s+(?:citizens?|nationals?))?${ends}`,
  "iu",
);
/** A sign of the zodiac. */
export const signs = new RegExp(
  String.raw`^\s+(?:an?\s+)?(?:typical |total |classic |true |proud |such a )?(aries|taurus|gemini|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)${ends}`,
  "iu",
);

/** Words with a capital that say what somebody is rather than what they are called. */
export const notCalled =
  /^(?:(?:\p{L}+(?:ian|ish|ese|ean|can|ist|est)|Jewish|Muslim|Christian|Catholic|Hindu|Buddhist|Vegan|Team|Spiderman|Batman|Ironman|Here|Just|Still|OK|LGBTQ\S*|Gen|Pro|German|Dutch|Swiss|French|Greek|Black|White|Asian|Deaf|Autistic|ADHD|Type|Gemini|Aries|Taurus|Leo|Virgo|Libra|Scorpio|Sagittarius|Capricorn|Aquarius|Pisces|Cancer|Single|Married|Sorry|Fine|Good|Sure|Glad|Happy)\b)/u;

/** What a line says that begins with a name: "Bev Harrington, 71, nurse from Toowoomba", "hi im zoe im 18". */
export interface OwnLine {
  readonly drafts: readonly Draft[];
  readonly start: number;
  readonly end: number;
}

const ago = `(?:i['’]?m |im |i am |aged? |who['’]?s |who is |she['’]s |he['’]s |now )?`;
const age = new RegExp(
  String.raw`^(?:\s+(?=\d\d\b|who['’]?s \d|(?:i['’]m|im|i am) \d)|\s*(?:,|\()\s*(?:and\s+)?)${ago}(\d{1,2})(?=\s*(?:[,)(.;!]|$|[mf]\b|(?:years?|yrs?|yo|y\/o|and|from|now|but|living|based|working|i|im|i['’]m)(?![\p{L}])))(?:\s*(?:years?[- ]old|yrs? old|yo\b|y\/o|[mf]\b))?\)?`,
  "iu",
);
const pronouns = /^\s*(?:,|\()\s*((?:she|he|they|xe|ze)(?:\s?\/\s?\p{L}{2,5}){1,2})\)?/iu;
const former = /^\s*,\s*not\s+(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,2})\s+any ?more\b/u;
const origin = /^\s*,?\s*(?:(?:and|an?|who['’]?s|i['’]?m|im)\s+)?(?:originally\s+)?from\b/i;
const home = /^\s*,?\s*(?:(?:and|who['’]?s|i['’]?m|im)\s+)?(?:currently\s+|now\s+)?(?:living|based)\s+in\b/i;
const trade = /^\s*(?:,|\()\s*(?:(?:and|also|im|i['’]m|i am)\s+)*/i;

/**
 * Reads what stands beside a name, one thing after the other, up to what is none of it: "52, they/them, QA lead at Acme, based in
 * Montréal". The text begins after the name.
 */
export function besideName(text: string, subject: string, lowerCase: boolean): readonly Draft[] {
  const base = { subject, timing: "none", reason: "beside the name" } as const;
  const found: Draft[] = [];
  let rest = text.replace(/^\s+(?:btw|by the way|again)(?=\s*,)/i, "");
  for (let i = 0; i < 6; i++) {
    const read =
      single(age, rest, { ...base, predicate: "age", cardinality: "one" }) ??
      single(pronouns, rest, { ...base, predicate: "pronouns", cardinality: "one" }) ??
      single(former, rest, {
        ...base,
        predicate: "name",
        change: "end",
        timing: "state",
        reason: "was called",
      }) ??
      placed(origin, rest, { ...base, predicate: "from" }, lowerCase) ??
      placed(home, rest, { ...base, predicate: "lives_in" }, lowerCase) ??
      nation(rest, base) ??
      worked(rest, base, lowerCase);
    if (read === undefined) break;
    found.push(...read.drafts);
    rest = rest.slice(read.length);
  }
  return found;
}

interface Beside {
  readonly drafts: readonly Draft[];
  /** How much of the text they take. */
  readonly length: number;
}

function single(pattern: RegExp, text: string, draft: Omit<Draft, "object">): Beside | undefined {
  const [whole = "", object] = pattern.exec(text) ?? [];
  return object === undefined ? undefined : { drafts: [{ ...draft, object }], length: whole.length };
}

function placed(
  pattern: RegExp,
  text: string,
  draft: Omit<Draft, "object">,
  lowerCase: boolean,
): Beside | undefined {
  const lead = pattern.exec(text)?.[0].length;
  const [where] = lead === undefined ? [] : place(text.slice(lead), { lowerCase });
  return lead === undefined || where === undefined
    ? undefined
    : { drafts: [{ ...draft, object: where.text }], length: lead + where.at + where.text.length };
}

function nation(text: string, base: Omit<Draft, "predicate">): Beside | undefined {
  const lead = trade.exec(text)?.[0].length;
  const match = lead === undefined ? null : nations.exec(` ${text.slice(lead)}`);
  return lead === undefined || match?.[1] === undefined
    ? undefined
    : {
        drafts: [{ ...base, predicate: "nationality", object: match[1] }],
        length: lead + match[0].length - 1,
      };
}

/** "A nurse at São João", "retired firefighter from Tucson", "staff engineer on the payments team at Acme". */
function worked(text: string, base: Omit<Draft, "predicate">, lowerCase: boolean): Beside | undefined {
  const lead = trade.exec(text)?.[0].length;
  if (lead === undefined) return undefined;
  const beside = text.slice(lead);
  const [work] = /^an?\s/i.test(beside)
    ? occupation(beside)
    : nouns(beside.replace(/[,.(].*$/s, ""))
        .slice(0, 1)
        .filter((piece) => isOccupation(piece.text));
  if (work === undefined) return undefined;
  let end = work.at + work.text.length;
  const team =
    /^\s+(?:on|in) the [\p{L} -]{2,25} (?:team|department|group)\b/iu.exec(beside.slice(end))?.[0].length ??
    0;
  const at = /^\s+(?:at|for)\b/i.exec(beside.slice(end + team))?.[0].length;
  const [company] = at === undefined ? [] : organisation(beside.slice(end + team + at), { lowerCase });
  if (at !== undefined && company !== undefined) end += team + at + company.at + company.text.length;
  const where = /^\s+(?:(?:based|living)\s+)?in\b/i.exec(beside.slice(end))?.[0].length;
  const from = /^\s+from\b/i.exec(beside.slice(end))?.[0].length;
  const to = where ?? from;
  const [town] = to === undefined ? [] : place(beside.slice(end + to), { lowerCase });
  if (to !== undefined && town !== undefined) end += to + town.at + town.text.length;
  return {
    drafts: [
      { ...base, predicate: "works_as", object: work.text },
      ...(company === undefined ? [] : [{ ...base, predicate: "works_at", object: company.text }]),
      ...(town === undefined
        ? []
        : [{ ...base, predicate: where === undefined ? "from" : "lives_in", object: town.text }]),
    ],
    length: lead + end,
  };
}

const greeting =
  /^\s*(?:(?:(?:also )?for the record|yo|sup|hi+|he+y+|hello+|hiya|ok|okay|so|well|fine|(?:a )?quick intro|(?:a )?serious intro|good (?:morning|evening|afternoon)|g['’]day|morning)[,.!: ]+(?:(?:there|all|everyone|team|folks|again)[,.! ]+)?)*/iu;
const saying = /^(?:i['’]?m|i am|this is|it['’]?s|my name is|name['’]?s)\s+/i;
const called = /^(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,2}|\p{Ll}{3,12})(?![\p{L}'’-])(?: here\b)?/u;

/** Reads a line about oneself that begins with a name, where something else follows that only a person has. */
export function readOwnLine(sentence: string, lowerCase: boolean): OwnLine | undefined {
  const greeted = greeting.exec(sentence)?.[0].length ?? 0;
  const said = saying.exec(sentence.slice(greeted))?.[0].length ?? 0;
  const [whole = "", name = ""] = called.exec(sentence.slice(greeted + said)) ?? [];
  if (!isCalled(name, lowerCase)) return undefined;
  const after = sentence.slice(greeted + said + whole.length);
  if (said === 0 && somebodyElse.test(after)) return undefined;
  const drafts = besideName(after, "user", lowerCase);
  const telling = drafts.some(({ predicate }) => /^(?:age|pronouns)$/.test(predicate));
  // Without "I'm", a trade alone may be that of somebody else.
  const again =
    said > 0 && /^(?:it|this)/i.test(sentence.slice(greeted)) && /^ (?:again|here)\b/i.test(after);
  if (!telling && !again && (said === 0 || drafts.length === 0 || !/^\p{Lu}/u.test(name))) return undefined;
  const own: Draft = {
    ...{ subject: "user", predicate: "name", object: name, cardinality: "one" },
    ...{ timing: "none", reason: "own line" },
  };
  return { drafts: [own, ...drafts], start: 0, end: sentence.length };
}

// "Anna, 29, loves my cookies".
const somebodyElse =
  /^[^.;:]{0,40}(?:,|\)|\d)\s+(?:is|was|has|had|\p{Ll}{3,}(?<!s)s|who(?:['’]?s)?|(?:and )?(?:he|she|his|her|they))(?![\p{L}’'/-])/u;

function isCalled(name: string, lowerCase: boolean): boolean {
  const first = name.split(/[\s'’]/)[0]?.toLowerCase() ?? "";
  if (
    name === "" ||
    /['’]\p{L}$/u.test(name) ||
    /ing$/.test(first) ||
    name.split(/\s/).some((word) => notNames.has(word.toLowerCase())) ||
    notNames.has(first) ||
    isOccupation(name.toLowerCase()) ||
    relationOf(first) !== undefined
  )
    return false;
  if (/^\p{Lu}/u.test(name)) return !notCalled.test(name) && /^\p{Lu}\S*(?:\s\p{Lu}\S*)*$/u.test(name);
  return (
    lowerCase &&
    !name.includes(" ") &&
    !conditions.has(first) &&
    !petNouns.has(first) &&
    readVerb(first).length === 0 &&
    nations.exec(` ${first}`) === null &&
    !adjectives.test(first)
  );
}

const adjectives =
  /^(?:\p{L}+(?:ing|ed|ful|ous|ish|less)|tired|sick|new|back|sad|bored|broke|broken|done|late|lost|free|good|fine|great|okay|vegan|female|male|nonbinary|straight|gay|trans|queer|short|tall|fat|thin|young|old|alone|home|here|ready|busy|about|almost|around|like|only|nearly|turning|currently|yours|curious|stuck|hungry|drunk|high|sober|pregnant|single|married|blind|deaf|also|total|budget|size|version|option|section|chapter|page|step|day|week|night|type|level|class|grade|team|room|unit|number|age|weight|height|update|correction|reminder|note|goal|plan|deadline)$/u;
