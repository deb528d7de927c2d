import type { Piece } from "./segment.ts";
import { splitSentences } from "./sentences.ts";

export type PreferenceKind =
  | "like"
  | "dislike"
  | "favourite"
  | "habit"
  | "worry"
  | "wish"
  | "avoidance"
  | "allergy";

/** A statement of what its speaker likes, fears, wants or avoids. */
export interface Preference {
  readonly kind: PreferenceKind;
  /** 1 for what the speaker is drawn to, -1 for what the speaker turns from, 0 for a habit. */
  readonly polarity: 1 | 0 | -1;
  /** The statement, from its subject to the end of its clause. */
  readonly text: string;
  /** UTF-16 offsets, half-open. */
  readonly start: number;
  readonly end: number;
  /** What it is about, as written: "spicy food" of "I can't stand spicy food". */
  readonly object: Piece;
}

interface Form {
  readonly kind: PreferenceKind;
  readonly polarity: 1 | 0 | -1;
  readonly pattern: RegExp;
}

const adverb =
  "(?:(?:just|also|always|still|do|much|very|quite|tend to|sometimes|often|[a-z]{3,12}ly) ){0,3}";
const negated = "(?:don't|do not|never|no longer|can't|cannot|didn't|won't|wouldn't)";
const be = "(?:'m|’m| am|'ve been|’ve been| have been)";

function form(kind: PreferenceKind, polarity: 1 | 0 | -1, words: string): Form {
  return { kind, polarity, pattern: new RegExp(`(?<![\\p{L}'’])(?:${words})\\s+(?<object>[^\\s].*)`, "iu") };
}

/**
 * Forms of statement, tried in this order: denials before what they deny. All are of the first person, as what "she likes" or
 * "you like" says nothing about the speaker.
 */
const forms: readonly Form[] = [
  form(
    "allergy",
    -1,
    `I${be} ${adverb}(?:(?:severely|highly|deathly|mildly|very) )?(?:allergic|intolerant|sensitive) to|I (?:have|suffer from|developed) an? (?:\\w+ )?(?:allergy|intolerance|sensitivity) to|I (?:have|suffer from) an?(?= (?:\\w+ ){0,2}(?:allergy|intolerance)\\b)|I${be}(?= (?:lactose|gluten|histamine|fructose)[- ]intolerant\\b)`,
  ),
  form(
    "avoidance",
    -1,
    `I ${adverb}(?:avoid|refuse to|stay away from|steer clear of|boycott|abstain from|skip)|I(?:'d|’d| would) rather not|I ${adverb}(?:try|prefer|choose|like) (?:to avoid|not to|to stay away from)|I ${adverb}(?:don't|do not|never|can't|cannot|won't|will not|no longer) (?:eat|drink|consume|use|wear|watch|buy|touch|smoke|fly|drive|go to|attend|play|read)|I(?:'ve|’ve| have) (?:given up|stopped|quit|sworn off)|I(?:'m|’m| am) (?:not comfortable with|uncomfortable with|not interested in|not into|opposed to|against|trying to avoid|a non-)`,
  ),
  form(
    "dislike",
    -1,
    `I ${adverb}(?:hate|dislike|despise|detest|loathe|abhor|resent|dread)|I ${adverb}(?:can't|cannot|can not|couldn't) (?:stand|bear|tolerate|handle|deal with)|I ${adverb}${negated} ${adverb}(?:like|enjoy|love|care for|appreciate|find .{1,30} (?:appealing|enjoyable))|I(?:'m|’m| am) not (?:a (?:big |huge |great )?fan of|fond of|keen on|crazy about|big on)|I(?:'m|’m| am) ${adverb}(?:tired|sick|fed up) (?:of|with)|I ${adverb}find(?= .{1,60} (?:boring|annoying|overwhelming|unpleasant|frustrating|tedious|irritating|distracting|disgusting|exhausting|off-putting|stressful|uncomfortable|difficult|hard|disorienting|unsettling|confusing|tiring|distasteful|intimidating|unappealing)\\b)|I have (?:an? )?(?:\\w+ )?(?:no interest in|no desire for|no patience for|(?:ethical )?objections? to|disdain for|aversion to|distaste for|dislike (?:for|of)|hatred (?:for|of))`,
  ),
  form(
    "favourite",
    1,
    `my (?:all-time |absolute |personal |current )?(?:favou?rite|go-to|preferred)(?: [\\p{L}'’-]+){0,4}? (?:is|are|has always been|was always|would be|remains)|my (?:all-time |absolute )?favou?rites? (?:is|are)`,
  ),
  form(
    "worry",
    -1,
    `I${be} ${adverb}(?:worried|concerned|anxious|nervous|afraid|scared|terrified|stressed|frightened|apprehensive) (?:about|of|that)|I ${adverb}(?:worry|fear|stress) (?:about|that|over)|I have a (?:\\w+ )?(?:fear|phobia) of|I(?: ${adverb}|(?:'m|’m| am) ${adverb})(?:fear|terrified of)`,
  ),
  form(
    "wish",
    1,
    `I ${adverb}(?:wish|hope) (?:I could|to|I can|that I|for|I had|I were)|I(?:'d|’d| would) ${adverb}(?:love|like) to(?= (?:visit|learn|travel|try|become|own|live|move|start|work|go|build|write|meet|study|explore|run|open|retire)\\b)|I(?:'ve|’ve| have) always (?:wanted|dreamed|dreamt)(?: of| to)?|I ${adverb}(?:dream of|aspire to|long for|long to|yearn for|want to(?= (?:become|learn|visit|travel|live|own|open|retire)\\b))|my (?:dream|goal|ambition|wish) (?:is|has always been)(?: to)?|I(?:'m|’m| am) (?:hoping|dreaming) (?:to|of|for)`,
  ),
  form(
    "like",
    1,
    `I(?:'d|’d| would)? ${adverb}(?:prefer|favou?r)|I ${adverb}(?:love|like|enjoy|adore|value|cherish|treasure)(?! (?:it )?if\\b)|I(?:'m|’m| am) ${adverb}(?:a (?:big |huge |great |massive |die-hard |lifelong )?(?:fan|lover) of|fond of|passionate about|crazy about|obsessed with|keen on|into|interested in|drawn to|addicted to|committed to|enthusiastic about)|I have a (?:\\w+ )?(?:passion|preference|love|soft spot|weakness|fondness) for|I(?:'ve|’ve| have) always (?:loved|liked|enjoyed|preferred)|I find(?= .{1,60} (?:relaxing|enjoyable|fascinating|calming|soothing|therapeutic|delicious|fulfilling|rewarding)\\b)`,
  ),
  form(
    "habit",
    0,
    `I (?:only|exclusively) (?:read|watch|listen to|eat|drink|use|wear|buy|shop|follow|work|travel|stay|play|date|drive|fly|cook|do|consume)|I ${adverb}(?:follow|adhere to|stick to|keep)(?= an? (?:[\\w-]+ ){0,4}diet\\b)|I(?:'m|’m| am)(?= (?:an? )?(?:strict )?(?:vegan|vegetarian|pescatarian|teetotal(?:l?er)?)\\b)|I (?:always|usually|normally|typically|often|regularly|tend to|almost always|generally)(?! (?:wanted|dreamed|been|had|was|am|feel|felt|thought|think|wonder|knew|know|love|like|enjoy|prefer)\\b)|(?:every|each) (?:morning|evening|night|day|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day),? I(?! (?:was|had|did|would)\\b)`,
  ),
];

// What follows the first words shows that no lasting preference is stated.
const request =
  /^(?:to )?(?:know|ask|see|hear|get|have|thank|talk|discuss|understand|know|share|say|point|mention|add|confirm|schedule|book|order|find out)\b/i;
const reaction =
  /^(?:it|that|this|those|these|them|both|all|when you|to say|to think|how|what|the way|your|you|to hear|hearing|seeing that|him|her)\b/i;
const unnamed = /\b(?:it|that|this|there)(?:\s+(?:sometime|someday|soon|too|again|one day))*$/i;
const conditional =
  /\b(?:if|whether|unless|wondering|suppose|imagine|in case|as if|when (?:i was|i were))\s+(?:\p{L}+\s+){0,2}$/iu;
const reported = /\S\s*["“«]\s*$|\b(?:said|says|told|thinks?|thought|saying|claims?|asked)(?: that)?\s+$/i;
const pastOnly = /\b(?:used to|back when|when i was)\b/i;
const triggerWords = /\b(?:i|my)\b/i;

/**
 * Finds statements of preference in English text, one in a sentence at most: what the speaker likes, dislikes, avoids, wishes,
 * fears, does by habit. Precision goes before recall: questions, conditions, requests, quotations, the past ("I used to
 * love"), reactions to what was said ("I love that!") and statements about others are left out.
 */
export function findPreferences(text: string): Preference[] {
  if (!triggerWords.test(text)) return [];
  const found: Preference[] = [];
  for (const sentence of splitSentences(text)) {
    if (sentence.text.length > longestSentence || /[?？]["'”’)]*$/.test(sentence.text)) continue;
    const preference = readSentence(sentence);
    if (preference !== undefined) found.push(preference);
  }
  return found;
}

const longestSentence = 600;

function readSentence({ text, start }: Piece): Preference | undefined {
  if (!triggerWords.test(text)) return undefined;
  for (const { kind, polarity, pattern } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const clause = endOfClause(match.groups?.object ?? "");
    const before = text.slice(0, match.index);
    const head = match[0].slice(0, match[0].length - (match.groups?.object ?? "").length);
    if (
      clause.length < 3 ||
      conditional.test(before) ||
      reported.test(before) ||
      pastOnly.test(before + head)
    )
      return undefined;
    if (kind === "wish" || /(?:'d|’d|would) (?:\w+ )*(?:prefer|like|love)/i.test(head))
      if (request.test(clause)) return undefined;
    if (kind === "wish" && unnamed.test(clause)) return undefined;
    if ((kind === "like" || kind === "dislike") && reaction.test(clause)) return undefined;
    const from = start + match.index;
    const objectAt = from + head.length;
    return {
      kind,
      polarity,
      text: (head + clause).trim(),
      start: from,
      end: objectAt + clause.length,
      object: { text: clause, start: objectAt },
    };
  }
  return undefined;
}

/** The object ends where a new thought begins. */
function endOfClause(object: string): string {
  const stop =
    /[.!;:…\n]|,?\s+(?:but|because|so|although|though|since|however|which|and (?:i|my|it|that|the|we|he|she|they)|as (?:it|i|they|that))\b|,\s+(?:so|and i|could|can|do|what|especially|i)\b|\s[-–—]\s/i.exec(
      object,
    );
  return (stop === null ? object : object.slice(0, stop.index)).trimEnd().replace(/[,\s]+$/, "");
}
