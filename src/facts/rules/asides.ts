import { knownPlaces } from "../../text/name-words.ts";
import { nounsInTurn } from "./lists.ts";
import { occupation, organisation, type Piece } from "./objects.ts";
import type { Draft } from "./rule.ts";
import { isLanguage, isTool } from "./skills.ts";

/** What a sentence says of its speaker beside what its clauses say. Offsets are those of the sentence, half-open. */
export interface Aside {
  readonly draft: Draft;
  readonly start: number;
  readonly end: number;
}

interface Form {
  readonly name: string;
  readonly predicate: string;
  /** One of these stands in every sentence that has the form. */
  readonly hints: readonly string[];
  /** What leads to the object, or with a group the object itself. */
  readonly pattern: RegExp;
  readonly read: (text: string, lowerCase: boolean) => readonly Piece[];
  readonly change?: "end";
  /** What the sentence must speak of besides. */
  readonly beside?: RegExp;
}

const whole = (text: string): readonly Piece[] => [{ text: text.trim(), at: text.search(/\S|$/) }];
const language = (text: string): readonly Piece[] => whole(text).filter((piece) => isLanguage(piece.text));
const tool = (text: string): readonly Piece[] => whole(text).filter((piece) => isTool(piece.text));
const trade = (text: string): readonly Piece[] =>
  occupation(text.replace(/(?<=\p{Ll})\s+(?:I|i|we)\s.*$/su, ""));
const employer = (text: string, lowerCase: boolean): readonly Piece[] =>
  organisation(text.replace(/[,.;!?].*$/s, ""), { lowerCase }).filter(
    ({ text: name }) => (lowerCase || /^\p{Lu}/u.test(name)) && !knownPlaces.has(name.toLowerCase()),
  );

const forms: readonly Form[] = [
  {
    // "In my job as a paralegal I …".
    ...{ hints: [" as a"], name: "my job as", predicate: "works_as", read: trade },
    pattern: /\bmy (?:current |new |day )?(?:job|role|work|position)(?=\s+as\s+an?\s)\s+as/i,
  },
  {
    // "My boss at Acme".
    ...{
      hints: [
        "job",
        "role",
        "boss",
        "manage",
        "team",
        "lead",
        "colleague",
        "worker",
        "superv",
        "shift",
        "intern",
        "appren",
        "desk",
        "contract",
      ],
      name: "my boss at",
      predicate: "works_at",
      read: employer,
    },
    pattern:
      /\b[Mm]y (?:\p{Ll}+ )?(?:job|role|boss|manager|team(?: lead| leader)?|colleagues?|co-?workers?|line manager|supervisor|shifts?|internship|apprenticeship|desk|contract) (?:at|with)(?=\s+(?:the\s+)?\p{Lu})/u,
  },
  {
    // "I moved here for a job at Dell".
    ...{ hints: ["for a"], name: "for a job at", predicate: "works_at", read: employer },
    pattern: /\bfor an? (?:new |great |\p{Ll}+ )?(?:job|position|role|post|internship) (?:at|with)(?=\s)/u,
    beside: /\b(?:moved|came|relocated|here|left)\b/i,
  },
  {
    // "German is my mother tongue", "urdu is my first language tho".
    ...{ hints: ["language", "tongue"], name: "mother tongue", predicate: "speaks", read: language },
    pattern:
      /(?:^|[.,;:!)]\s+|\band\s+|\bbut\s+)(\p{L}+)(?='s\s+my|\s+(?:is|was)\s+my)(?:['’]s| is| was) my (?:first|native|mother|second|third|home|main|best) (?:language|tongue)\b/iu,
  },
  {
    // "My Hindi is better than my English".
    ...{ hints: [" is ", "s "], name: "my language", predicate: "speaks", read: language },
    pattern:
      /\bmy (?:spoken |written )?(\p{L}{4,}) (?:is|['’]s) (?!(?:bad|terrible|awful|poor|non-?existent|very bad|not|zero|rubbish|a bit bad|too|so bad|class|teacher|exam|homework|test|lesson|essay|book)\b)/u,
  },
  {
    // "My paper on soil salinity got accepted in Geoderma".
    ...{
      hints: ["accepted", "published", " out"],
      name: "got published",
      predicate: "published",
      read: (text) => whole(text.replace(/\s(?:with|at|by|in)\s.*$/is, "")),
    },
    pattern:
      /\b[Mm]y ((?:first |second |new |debut |latest |\p{Ll}+ )?(?:paper|article|book|novel|story|short story|poem|essay|chapter|picture book|memoir|album)(?: (?:on|about) (?:\p{Ll}+ ?){1,4}?)?(?: with \p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)?)\s*(?:(?:just |finally )?(?:got|was|has been|is|['’]s been|been)\s+(?:just |finally |now )?(?:accepted(?! (?:at|for) review)|published|out)|came out)\b/u,
  },
  {
    // "Heroku → Fly.io".
    ...{ hints: ["→", "⇒"], name: "from one to another", predicate: "uses", read: tool, change: "end" },
    pattern: /(?:^|\s)([\p{L}\d.+#]+(?: \d+)?)\s*(?:→|⇒)\s*[\p{L}\d]/u,
  },
  {
    ...{
      hints: ["→", "⇒"],
      name: "from one to another",
      predicate: "uses",
      read: (text) => tool(text.replace(/[.,;]+$/, "")),
    },
    pattern: /(?:→|⇒)\s*([\p{L}\d.+#]+(?: \d+)?)/u,
  },
  {
    // "Everything is in Obsidian now".
    ...{ hints: ["verything", "ll my", "ll our"], name: "everything is in", predicate: "uses", read: tool },
    pattern:
      /\b(?:everything(?:['’]s| is)|all (?:my|our) (?:notes|stuff|files|tasks|work) (?:is|are)) (?:now )?(?:in|on) (?:the )?([\p{L}\d.+#]+(?: \p{Lu}[\p{L}]+)?)(?= now\b| these days\b|\s*[.,!;]|$)/iu,
  },
  {
    // "Our whole department moved to Teams", "our team uses Linear and Figma".
    ...{ hints: ["uses", " to ", " on ", " in "], name: "ours use", predicate: "uses" },
    read: (text, lowerCase) => nounsInTurn((found) => isTool(found))(text, { lowerCase }),
    pattern:
      /\b(?:my|our) (?:whole |entire )?(?:team|company|office|department|studio|lab|school|shop|family) (?:just |recently |mostly |now |all )?(?:uses|moved (?:over )?to|switched (?:over )?to|migrated to|runs on|is on|works in)\b/i,
  },
  {
    // "My laptop runs Fedora", "a Thinkpad running Arch".
    ...{ hints: [" run"], name: "runs a system", predicate: "uses", read: tool },
    pattern:
      /\b(?:my|our)\b[^.!?;]{0,60}?\b(?:laptop|pc|desktop|machine|computer|thinkpad|server|box|framework|workstation|nas|pi)\b[^.!?;,]{0,40}?\brun(?:s|ning) ([\p{L}]+(?: \d+)?)/iu,
  },
];

const doubtful =
  /\b(?:if|imagine|suppose|lost|quit|left|former|old|ex|previous|last|dream|upcoming|interview|offer|applied|applying|apply|would|could|should|maybe)\b/i;

// What every form has one of.
const any = /\b[Mm]y |\b[Oo]ur |\bfor an? |verything|[→⇒]/;

/** "My boss at Acme", "German is my mother tongue": what is said by the way. */
export function readAsides(sentence: string, lowerCase: boolean): readonly Aside[] {
  if (!any.test(sentence)) return [];
  const found: Aside[] = [];
  for (const { name, hints, predicate, pattern, read, change, beside } of forms) {
    if (!hints.some((hint) => sentence.includes(hint))) continue;
    const match = pattern.exec(sentence);
    if (match === null || beside?.test(sentence) === false) continue;
    const given = match[1];
    const end = match.index + match[0].length;
    if (doubtful.test(sentence.slice(0, given === undefined ? end : match.index))) continue;
    if (/^works/.test(predicate) && /\b(?:start|starts|starting|begin)\b/i.test(sentence)) continue;
    const from = given === undefined ? end : match.index + match[0].indexOf(given);
    for (const { text, at } of read(given ?? sentence.slice(end), lowerCase))
      found.push({
        draft: {
          ...{ subject: "user", predicate, object: text, reason: name },
          timing: predicate === "uses" ? "state" : "none",
          ...(change === undefined ? {} : { change }),
        },
        start: match.index,
        end: from + at + text.length,
      });
  }
  return found;
}
