import { notNames } from "../../text/name-words.ts";
import { addressIn } from "./attribute-values.ts";
import type { Piece } from "./objects.ts";
import { isOccupation } from "./occupations.ts";

/** A name that is given without a verb of which the speaker is the subject. */
export interface OwnName {
  readonly predicate: "name" | "nickname" | "email" | "phone" | "address";
  readonly name: Piece;
  readonly reason: string;
}

const name = String.raw`(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,2})`;
const greeting = String.raw`^(?:(?:hi|hey|hello|good (?:morning|evening|afternoon)|ok|okay|yes|yeah|please|just|oh|actually|btw|and|but|well|thanks|sure|also)[,.!\s]+(?:(?:there|sir|madam|ma['’]am|all|everyone|everybody|team|folks)[,.!\s]+)?)*`;
// "Fatima Zahra El Idrissi".
const fullName = String.raw`(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,4})`;
const end = String.raw`(?=\s*(?:$|[.,!;)]|instead\b|for short\b|from now on\b|please\b|everyone\b|not\b|if\b|but\b|and my\b|and i\b|btw\b|by the way\b))`;

const forms: readonly {
  readonly pattern: RegExp;
  readonly predicate: OwnName["predicate"];
  readonly reason: string;
}[] = [
  {
    pattern: new RegExp(
      `^(?:i['’]?m|i am) (?:his|her|their|\\p{L}+['’]s) (?:son|daughter|wife|husband|partner|sister|brother|mother|father|assistant|carer|neighbou?r|colleague|manager|teacher), ${name}${end}`,
      "iu",
    ),
    predicate: "name",
    reason: "myself",
  },
  {
    pattern: new RegExp(`${greeting}(?:you (?:can|may|could) (?:just )?)?call me ${name}${end}`, "iu"),
    predicate: "nickname",
    reason: "call me",
  },
  {
    pattern: new RegExp(
      `\\bi (?:prefer|like) (?:to be called|being called|to go by|going by) ${name}${end}`,
      "iu",
    ),
    predicate: "nickname",
    reason: "call me",
  },
  {
    pattern: new RegExp(
      `(?:^|[,;]\\s+(?:but |and )?|\\bbut )(?:(?:my )?(?:friends|family|colleagues|mates|pals|buddies|teammates|coworkers|workmates|students|kids|classmates)|(?:everyone|everybody|people)(?: at (?:work|home|school))?|they all|most people) calls? me ${name}${end}`,
      "iu",
    ),
    predicate: "nickname",
    reason: "call me",
  },
  {
    pattern: new RegExp(
      `${greeting}(?:this is|it['’]?s) ${name}(?: (?:speaking|here|again|from)\\b|, your\\b)|^(?:hi|hello|hey|ok|okay|morning|good (?:morning|evening|afternoon))[ ,!.]+(?:(?:it['’]?s|it is) )${name}(?=\\s*(?:[.!]|$|, i\\b|, i['’]m\\b))`,
      "iu",
    ),
    predicate: "name",
    reason: "this is",
  },
  {
    pattern: new RegExp(
      `(?:${greeting}|^[\\p{L} ]{2,20},\\s+)${name} (?:here|speaking|this side)(?=\\s*(?:$|[.,!;-]|for the\\b|from (?:the\\b|\\p{Lu})))`,
      "iu",
    ),
    predicate: "name",
    reason: "here",
  },
  {
    pattern: new RegExp(
      `${greeting}(?:the |(?:my )?(?:full|real|legal|actual|proper|given) )?name(?:['’]s| is) (?:actually )?${fullName}${end}`,
      "iu",
    ),
    predicate: "name",
    reason: "my name is",
  },
  {
    pattern: new RegExp(`${greeting}(?:i['’]?m |i am )?myself ${name}${end}`, "iu"),
    predicate: "name",
    reason: "myself",
  },
  {
    pattern: new RegExp(
      `\\b(?:calls? me|i go by|i['’]m)\\b.{2,40}?\\b(?:it['’]s |that['’]s |which is |is )?short for ${name}${end}`,
      "iu",
    ),
    predicate: "name",
    reason: "short for",
  },
  {
    pattern: new RegExp(
      `^(?:(?:kind|best|warm|many|with) )*(?:regards|sincerely|best wishes|yours (?:sincerely|faithfully|truly))\\s*,\\s*(?:(?:Dr|Prof|Mr|Mrs|Ms)\\.? )?${name}(?=\\s*(?:$|[.,(\\n|]))`,
      "iu",
    ),
    predicate: "name",
    reason: "signature",
  },
  {
    pattern: new RegExp(`^(?:my |full )?name\\s*:\\s*${fullName}\\s*$`, "iu"),
    predicate: "name",
    reason: "form",
  },
];

/** A pattern with the flag u. */
export const emailAddress = String.raw`[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,100}\.\p{L}{2,10}`;
/** A pattern with the flag u. */
export const phoneNumber = String.raw`\+?\(?\d[\d\s().\-]{5,18}\d`;

const reached = new RegExp(
  String.raw`(?:^(?:my )?(?:new )?(?:phone|mobile|cell|tel|e-?mail|number|phone number)(?:,? (?:is best|everyone|all|folks))?\s*:\s*|\bmy (?:new )?(?:aussie |work |personal |own )?(?:number|mobile|cell|email)(?: for \p{Ll}+)?\s*(?::|as)?\s+|\b(?:reach|email|e-mail|contact|text|call|ring|phone|message|whatsapp|write to|write) me (?:at|on|under)\s+)(?:(${emailAddress})|(${phoneNumber}))`,
  "giu",
);

const alternative = new RegExp(
  String.raw`^,?\s+(?:or|and)(?: (?:on|at|by phone on))?\s+(?:(${emailAddress})|(${phoneNumber}))`,
  "u",
);

/** Reads "call me Ben", "this is Priya speaking", "Tom here", "Name: Tom". */
export function readIntroductions(sentence: string): readonly OwnName[] {
  const home = homeGiven(sentence);
  // "Before we start: please call me Lex".
  const before = /^[^.!?:;—]{3,40}(?:[:;—]|\s-)\s+/.exec(sentence)?.[0].length;
  const after = before === undefined ? [] : namesGiven(sentence.slice(before));
  const names = after.map(({ name: { text, at }, ...own }) => ({
    ...own,
    name: { text, at: at + (before ?? 0) },
  }));
  return [
    ...namesGiven(sentence),
    ...names,
    ...addressesGiven(sentence),
    ...(home === undefined ? [] : [home]),
  ];
}

function namesGiven(sentence: string): readonly OwnName[] {
  const found: OwnName[] = [];
  const calls = /call|go(?:ing)? by|short for/i.test(sentence);
  for (const { pattern, predicate, reason } of forms) {
    if (!calls && (reason === "call me" || reason === "short for")) continue;
    const match = pattern.exec(sentence);
    const written = match?.[1] ?? match?.[2];
    if (match === null || written === undefined) continue;
    // Written without regard to case above, for "Call me".
    const text = /^\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*/u.exec(written)?.[0];
    const first = text?.split(/\s/)[0]?.toLowerCase() ?? "";
    // Without regard to case, "Name: Input field" would be one.
    if (reason === "form" && text !== written) continue;
    if (
      text === undefined ||
      notNames.has(first) ||
      /['’]s$/.test(text) ||
      isOccupation(text) ||
      /^(?:crazy|when|back|later|anytime|if|a|an|the|same|looky|lookie|right|over|up|down|out|newbie|student|developer|everyone|nothing|still|vegetarian|vegan|beginner|mom|dad|teacher|nurse|engineer|first|long|longtime|long-time|ditto|likewise|especially|around|been|living|stuck|raining|snowing)$/i.test(
        first,
      )
    )
      continue;
    if (found.every((other) => other.predicate !== predicate))
      found.push({ predicate, reason, name: { text, at: match.index + match[0].lastIndexOf(written) } });
  }
  return found;
}

/** "New address from 1 May: 22 Canal Walk, Leeds". */
function homeGiven(sentence: string): OwnName | undefined {
  const lead =
    /^(?:(?:my|our) (?:new |home |postal )?address|(?:new|home|delivery|shipping|postal) address|address (?=for (?:the )?(?:delivery|shipping|parcel)))(?: ?(?:from|for|as of|since) [\p{L}\d ]{2,25})?\s*:\s*/iu.exec(
      sentence,
    )?.[0].length;
  const text = lead === undefined ? undefined : addressIn(sentence.slice(lead));
  return lead === undefined || text === undefined
    ? undefined
    : { predicate: "address", reason: "form", name: { text, at: sentence.indexOf(text, lead) } };
}

/** "Reach me at anna@example.org or on 07700 900417". */
function addressesGiven(sentence: string): readonly OwnName[] {
  if (!/[@\d]/.test(sentence)) return [];
  const found: OwnName[] = [];
  const given = [...sentence.matchAll(reached)].flatMap((match) => {
    const end = match.index + match[0].length;
    return [[match, 0] as const, [alternative.exec(sentence.slice(end)), end] as const];
  });
  for (const [match, from] of given) {
    const text = match?.[1] ?? match?.[2];
    if (match === null || text === undefined) continue;
    const predicate = match[1] === undefined ? "phone" : "email";
    const at = from + match.index + match[0].indexOf(text);
    found.push({ predicate, reason: "reach me at", name: { text, at } });
  }
  return found;
}
