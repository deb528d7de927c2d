import { notNames } from "../../text/name-words.ts";
import type { Piece } from "./objects.ts";

/** A name that is given without a verb of which the speaker is the subject. */
export interface OwnName {
  readonly predicate: "name" | "nickname" | "email" | "phone";
  readonly name: Piece;
  readonly reason: string;
}

const name = String.raw`(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,2})`;
const greeting = String.raw`^(?:(?:hi|hey|hello|good (?:morning|evening|afternoon)|ok|okay|yes|yeah|please|just|oh|actually|btw|and|but|well|thanks|sure|also)[,.!\s]+(?:(?:there|all|everyone|everybody|team|folks)[,.!\s]+)?)*`;
const end = String.raw`(?=\s*(?:$|[.,!;)]|instead\b|for short\b|from now on\b|please\b|everyone\b|if\b|but\b|and my\b|and i\b|btw\b|by the way\b))`;

const forms: readonly {
  readonly pattern: RegExp;
  readonly predicate: OwnName["predicate"];
  readonly reason: string;
}[] = [
  {
    pattern: new RegExp(`${greeting}(?:you (?:can|may|could) (?:just )?)?call me ${name}${end}`, "iu"),
    predicate: "nickname",
    reason: "call me",
  },
  {
    pattern: new RegExp(
      `(?:^|[,;]\\s+(?:but |and )?|\\bbut )(?:(?:my )?(?:friends|family|colleagues)|everyone|everybody|people|they all|most people) calls? me ${name}${end}`,
      "iu",
    ),
    predicate: "nickname",
    reason: "call me",
  },
  {
    pattern: new RegExp(
      `${greeting}(?:this is|it['’]s) ${name}(?: (?:speaking|here|from)\\b|, your\\b)`,
      "iu",
    ),
    predicate: "name",
    reason: "this is",
  },
  {
    pattern: new RegExp(`${greeting}${name} (?:here|speaking|this side)(?=\\s*(?:$|[.,!;-]))`, "iu"),
    predicate: "name",
    reason: "here",
  },
  {
    pattern: new RegExp(`${greeting}(?:the )?name['’]s ${name}${end}`, "iu"),
    predicate: "name",
    reason: "my name is",
  },
];

/** A pattern with the flag u. */
export const emailAddress = String.raw`[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,100}\.\p{L}{2,10}`;
/** A pattern with the flag u. */
export const phoneNumber = String.raw`\+?\(?\d[\d\s().\-]{5,18}\d`;

const reached = new RegExp(
  String.raw`\b(?:reach|email|e-mail|contact|text|call|ring|phone|message|whatsapp|write to|write) me (?:at|on|under)\s+(?:(${emailAddress})|(${phoneNumber}))`,
  "iu",
);

/** Reads "call me Ben", "this is Priya speaking", "Tom here". */
export function readIntroduction(sentence: string): OwnName | undefined {
  for (const { pattern, predicate, reason } of forms) {
    const match = pattern.exec(sentence);
    const written = match?.[1];
    if (match === null || written === undefined) continue;
    // Written without regard to case above, for "Call me".
    const text = /^\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*/u.exec(written)?.[0];
    const first = text?.split(/\s/)[0]?.toLowerCase() ?? "";
    if (
      text === undefined ||
      notNames.has(first) ||
      /^(?:crazy|when|back|later|anytime|if|a|an|the|same|looky|lookie|right|over|up|down|out|newbie|student|developer|everyone|nothing|still|vegetarian|vegan|beginner|mom|dad|teacher|nurse|engineer|first|long|longtime|long-time|ditto|likewise|especially|around|been|living|stuck|raining|snowing)$/i.test(
        first,
      )
    )
      continue;
    return { predicate, reason, name: { text, at: match.index + match[0].lastIndexOf(written) } };
  }
  const address = reached.exec(sentence);
  const text = address?.[1] ?? address?.[2];
  if (address === null || text === undefined) return undefined;
  const predicate = address[1] === undefined ? "phone" : "email";
  return { predicate, reason: "reach me at", name: { text, at: address.index + address[0].indexOf(text) } };
}
