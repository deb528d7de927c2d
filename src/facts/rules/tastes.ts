import { isNarrowed, nouns, type Piece, phrase, thing, things } from "./objects.ts";
import {
  complementOf,
  type Draft,
  type Effect,
  lasting,
  now,
  type Rule,
  type RuleContext,
  verbRule,
} from "./rule.ts";
import { isTool } from "./skills.ts";

const intensity = /(?:\s+(?:really|always|absolutely|totally|just|both|love|like))*/i;

// Whom one loves anyway.
const loved =
  /^\s+(?:my|our)\s+(?:\p{L}+ )?(?:wife|husband|partner|girlfriend|boyfriend|family|kids?|children|sons?|daughters?|mom|mum|dad|parents|friends?|brothers?|sisters?|baby|grandma|grandpa|nieces?|nephews?|aunt|uncle|cousins?|grandson|granddaughter|grandkids|boss|coworkers?|colleagues?|team|neighbou?rs?|dogs?|cats?|puppy|kitten|pets?|haircut|life|job|body)\b(?!['’])/iu;

// "I love the texture": of something that is in sight. What there is one of is meant always.
const pointedAt =
  /^\s+(?:really |absolutely |just )?(?:(?:his|their|its)\b|her\b|the\s+(?!(?:ocean|sea|beach|mountains?|outdoors|snow|rain|sun|sunshine|cold|heat|city|countryside|country|summer|winter|spring|fall|autumn|smell|taste|sound of|feeling|theatre|theater|opera|gym|desert|woods|forest|lake|suburbs|cinema|(?:heat|dark|wind|quiet|dentist)(?=\s*(?:[.,!;]|$|and\b|but\b))|winters|summers|traffic|crowds|holidays|morning|night|water|wilderness)\b|\p{Lu}[\p{L}]+s\s*(?:[.,!;]|$|and\b)))/u;

// "I like to think", "I love seeing that" and other reactions to what was said.
const reaction =
  /^(?:to (?:be honest|think|say|know|see|hear|do (?:this|that|it)|start|get|make sure)|seeing|hearing|being able|talking (?:to|with) you|chatting|working with you|.*\b(?:you|your|that|this|it|these|those|him|them)\b)/i;

function wanted(object: Piece, { rest }: RuleContext): boolean {
  return (
    !reaction.test(object.text) &&
    !isNarrowed(object, rest) &&
    !pointedAt.test(rest) &&
    !loved.test(rest) &&
    // "Films or series that …" are some of them.
    !/^\s+(?:or|and)\s+\S+(?:\s\S+)?\s+(?:that|which|who)\b/i.test(
      rest.slice(object.at + object.text.length),
    ) &&
    !/^(?:a )?(?:good|best|nice|first|second|third|fourth|last|next)\b|\b(?:idea|theme|collection|concept|option(?: \w+)?|version|style|suggestion|plan|structure|format|part|section|approach|list|one|combination|ones|options)$/i.test(
      object.text,
    ) &&
    !/^(?:sound|look|feel|work|idea|suggestion|advice|photo|pic|picture|vibe|color scheme|job you|answer|plan|question|approach|comment|way|new .*|latest .*|recent .*)s?\b/i.test(
      object.text,
    )
  );
}

/** "I love" is said of what is liked for long; progressive ("loving this") and past are of the moment. */
const likes: Effect = (clause) => {
  const { phrase } = clause;
  // "I've always loved astronomy" holds.
  if (phrase.perfect && phrase.habitual && !phrase.negated) return {};
  // "I've never liked olives", too.
  if (phrase.perfect && phrase.negated && phrase.mode === "was") return { affirmed: false };
  return phrase.progressive || phrase.able ? undefined : lasting(clause);
};

/** What somebody likes, dislikes and prefers. */
export const tasteRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "likes",
      verbs: "love like enjoy adore",
      after: intensity,
      predicate: "likes",
      object: things,
      effect: likes,
      timing: "none",
    },
    accepts: wanted,
    when: ({ clause, rest }) =>
      !(clause.phrase.lemma === "like" && /^\s+my\b/i.test(rest)) &&
      !/^\s+(?:it\b|the (?:way|idea|fact|sound|look)|how\b|when\b)/i.test(rest),
  }),
  verbRule({
    ...{
      name: "dislikes",
      verbs: "hate dislike detest despise loathe",
      after: intensity,
      predicate: "dislikes",
      object: things,
      effect: likes,
      timing: "none",
    },
    accepts: wanted,
    when: ({ rest }) => !/^\s+to\b/i.test(rest),
  }),
  verbRule({
    ...{
      name: "cannot stand",
      verbs: "stand bear tolerate abide stomach",
      predicate: "dislikes",
      object: things,
      timing: "none",
    },
    effect: ({ phrase: { able, negated, mode } }) => (able && negated && mode === "holds" ? {} : undefined),
    accepts: wanted,
  }),
  verbRule({
    ...{
      name: "fan of",
      verbs: "be",
      predicate: "likes",
      object: things,
      effect: likes,
      timing: "none",
      accepts: wanted,
    },
    after:
      /\s+(?:such |quite |not )?(?:an?\s+)?(?:[\p{L}-]+ ){0,2}?(?:(?:fan|lover|admirer|enthusiast)\s+of|sucker\s+for)\b/iu,
  }),
  verbRule({
    ...{ name: "fond of", verbs: "be", predicate: "likes", object: things, effect: likes, timing: "none" },
    after:
      /\s+(?:really |very |super |so |big |also |more |quite |pretty |not |that |too |all |the one |also )*(?:fond of|keen on|crazy about|mad about|nuts about|wild about|big on|partial to|hooked on|addicted to|obsessed (?:with|w\/?)|passionate about|into)(?=\s)/i,
    accepts: (object, context) =>
      wanted(object, context) &&
      // "Keen on booking this one" is of the moment.
      !(
        /\bkeen on\b/i.test(context.rest) && !/^[\p{Ll}-]+(?: (?!\S+ing\b)[\p{Ll}-]+)?$/u.test(object.text)
      ) &&
      !/^(?:\p{L}+ing|exploring) (?:into|some|up|this|the)\b/iu.test(object.text) &&
      !/^(?:my|the) \d|trouble|^(?:account|bed|detail|details|week|month|day|hour)\b/i.test(object.text),
  }),
  verbRule({
    ...{
      name: "lover",
      verbs: "be",
      predicate: "likes",
      object: lovedBefore,
      effect: likes,
      timing: "none",
      accepts: wanted,
    },
  }),
  verbRule({
    ...{
      name: "passion for",
      verbs: "have",
      predicate: "likes",
      object: things,
      effect: now,
      timing: "none",
      accepts: wanted,
    },
    after: /\s+an?\s+(?:[\p{L}-]+ )?(?:passion|love|soft spot|weakness|fondness)\s+for\b/iu,
  }),
  verbRule({
    ...{
      name: "prefers",
      verbs: "prefer",
      predicate: "prefers",
      object: preferred,
      effect: likes,
      timing: "none",
    },
    accepts: (object) =>
      !/^(?:not|if|when|that you|to (?!be [a-z]+ed\b|avoid|work|eat|travel|read|drink|cook|walk|live|sleep|drive|fly|stay|use|wear|buy|shop|study|learn|exercise)|keeping|getting|to use this|using this)\b|\b(?:it|them|this|that|one|ones|version|option(?: \w)?|options|idea|approach)$/i.test(
        object.text,
      ) && !/\byou(?:r)?\b/i.test(object.text),
  }),
  verbRule({
    ...{
      name: "does not care for",
      verbs: "care",
      after: /\s+(?:much )?for\b/i,
      predicate: "likes",
      object: things,
      timing: "none",
      accepts: wanted,
    },
    effect: ({ phrase: { mode, negated } }) =>
      mode === "holds" && negated ? { affirmed: false } : undefined,
  }),
  verbRule({
    ...{
      name: "collects",
      verbs: "collect",
      predicate: "collects",
      object: nouns,
      effect: (clause) =>
        clause.phrase.progressive && clause.phrase.perfect && !clause.phrase.negated ? {} : likes(clause),
      timing: "none",
    },
    accepts: ({ text }) =>
      /^(?:[\p{L}-]+ ){0,3}[\p{L}-]+(?:s|vinyl|art|china|porcelain|memorabilia|lego|ephemera)$/iu.test(
        text,
      ) &&
      !/\b(?:data|feedback|info|information|metrics|logs|payments|samples|responses|inputs|statistics|stats|addresses|results|requirements|users?|emails|errors|events|taxes|fees|values)$/i.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "supports",
      verbs: "support",
      predicate: "likes",
      object: thing,
      effect: likes,
      timing: "none",
      who: "user",
    },
    // A team by its name: "I support Athletic Bilbao".
    accepts: ({ text }) =>
      /^(?:\p{Lu}[\p{L}.-]+|FC|AC)(?:\s+(?:\p{Lu}[\p{L}.-]+|\d+)){0,2}$/u.test(text) && !isTool(text),
  }),
  verbRule({
    ...{
      name: "gone off",
      verbs: "go",
      after: /\s+(?:right |completely |totally )?off\b/i,
      predicate: "likes",
      object: things,
      effect: ({ phrase: { mode, perfect, negated } }) =>
        perfect && mode === "was" && !negated ? { change: "end" } : undefined,
      timing: "none",
      accepts: wanted,
    },
    when: ({ rest }) =>
      !/^\s+\S*\s*off\s+(?:the|on|to|in|at|and|with|for|course|track|topic|script|grid|of)\b/i.test(rest),
  }),
  verbRule({
    ...{ name: "is by nature", verbs: "be", predicate: "is_a", object: nature, effect: now, timing: "none" },
  }),
  verbRule({
    ...{
      name: "not enough of",
      verbs: "get",
      predicate: "likes",
      object: things,
      timing: "none",
      accepts: wanted,
    },
    after: /\s+enough\s+of\b/i,
    effect: ({ phrase: { able, negated, mode } }) => (able && negated && mode === "holds" ? {} : undefined),
  }),
  { verbs: ["do"], read: doesNotDo },
  { verbs: ["rather"], read: rather },
  { verbs: ["like", "love"], read: placeOnce },
  { verbs: [""], read: favourite },
  { verbs: ["be"], read: isFavourite },
];

/** "I don't do horror films": of what one may do or like, in the plural. */
function doesNotDo({ clause: { phrase: verb }, subject, rest }: RuleContext): readonly Draft[] {
  if (verb.mode !== "holds" || !verb.negated || verb.able || verb.progressive || subject.kind === "attribute")
    return [];
  // "I don't do meetings on Fridays": on other days.
  if (/\son (?:an? )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?)\b/i.test(rest))
    return [];
  return nouns(rest)
    .slice(0, 1)
    .filter(
      ({ text }) =>
        /^(?:[\p{L}-]+ )?[\p{Ll}-]{3,}[^s]s$/u.test(text) &&
        !/\b(?:drugs|taxes|dishes|reps|sets|weights|errands|chores|things|exercises|weekends|mornings|nights|days|refunds|returns|appointments|interviews|edits|lots)$/.test(
          text,
        ),
    )
    .map(({ text }) => ({
      ...{
        subject: subject.text,
        predicate: "dislikes",
        object: text,
        timing: "none",
        reason: "does not do",
      },
    }));
}

/** "I'd rather have a phone call than a meeting": what somebody likes better, where it is said than what. */
function rather({ clause: { phrase: verb }, subject, whole }: RuleContext): readonly Draft[] {
  const [, said = ""] =
    /^\s+(?:(?:have|get|use|take|drink|eat|see|go (?:to|for))\s+)?(.+?)\s+than\s+\S/is.exec(whole) ?? [];
  const [object] = said === "" || verb.mode !== "holds" || verb.negated ? [] : phrase(` ${said}`);
  return object === undefined || subject.kind === "attribute" || /\b(?:it|this|that|you)\b/i.test(object.text)
    ? []
    : [
        {
          subject: subject.text,
          predicate: "prefers",
          object: object.text,
          timing: "none",
          reason: "would rather",
        },
      ];
}

/** "I prefer tea over coffee", "to coffee". */
function preferred(written: string): readonly Piece[] {
  // "My steak rare", "the blue one": what is in sight, and how.
  if (/^\s+(?:my|our|your|this|these|that)\s/i.test(written)) return [];
  const [first = ""] = written.split(",");
  // "Clear, measurable goals" is cut in the middle.
  if (first !== written && !/^\s*\S+\s+\S/.test(first)) return [];
  if (
    first !== written &&
    !/^,\s*(?:and|but|so|because|since|as|especially|which|rather|not|if|when|though|although|even|far|can|could|what|how|is|are|do|does|i|i['’]m|it|my|we|the|based|instead|with|like|due|to)\b/i.test(
      written.slice(first.length),
    )
  )
    return [];
  const text = first
    .replace(/\s+(?:over|to|rather than|instead of)\s.*$/is, "")
    .replace(
      /\s+(?:for|due|based|so|to|by (?:\d|mid|early|late|the end|next)|on the side|at work)(?:[\s.!].*)?$/is,
      "",
    )
    .replace(
      /\s+and\s+(?:\p{L}+ly\s+)?(?:dis)?(?:like|avoid|love|hate|enjoy|prefer|find|need|want|use|refuse)\b.*$/isu,
      "",
    );
  const whole = /^\s*to\s/i.test(first) ? first : text;
  return phrase(whole).filter((piece) => !isNarrowed(piece, whole));
}

/** "We used to love that Thai place on Smith Street": where one likes to go no more. */
function placeOnce({ clause: { phrase: verb }, subject, whole }: RuleContext): readonly Draft[] {
  const [, lead = "", said = ""] =
    /^(\s+(?:going to )?that )((?:\p{L}+ )?(?:place|caf[eé]|restaurant|bar|pub|shop|bakery|park|beach)\b(?: (?:on|in|at|by|near) (?:the )?[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*)?)/u.exec(
      whole,
    ) ?? [];
  return lead === "" || verb.mode !== "ended" || verb.negated || subject.kind === "attribute"
    ? []
    : [
        {
          subject: subject.text,
          predicate: "likes",
          object: said,
          change: "end",
          timing: "none",
          reason: "liked once",
        },
      ];
}

function lovedBefore(text: string): readonly Piece[] {
  const person =
    /^\s+(?:more of )?an?\s+((?:(?:big|real|total|huge) )?)((?:cat|dog|tea|coffee|beach|mountain|city|tennis|football|book|bike|wine|beer|cake|cheese|chocolate|country|horse|plant)s?) person\b/iu.exec(
      text,
    );
  const [, , kind] = person ?? [];
  if (kind !== undefined)
    return [
      { text: /^(?:cat|dog|book|horse|plant|bike)$/i.test(kind) ? `${kind}s` : kind, at: text.indexOf(kind) },
    ];
  const match =
    /^\s+(?:an?\s+|(?=(?:big|huge|massive)\s))(?:(?:big|huge|total|massive|real|true|avid|proud)\s+)*([\p{L}-]+(?: [\p{L}-]+)?)\s+(?:fan|lover|enthusiast|addict|fanatic|buff|nerd|geek)(?=\s*(?:[.,!;]|$|and\b|who\b|so\b|but\b|at\b|for\b|since\b|living\b|from\b|in\b))/iu.exec(
      text,
    );
  const [whole = "", what = ""] = match ?? [];
  return what === "" || /^(?:good|great|new|animal rights)$/i.test(what)
    ? []
    : [{ text: what, at: whole.indexOf(what) }];
}

/** "An early bird", "a morning person". */
function nature(text: string): readonly Piece[] {
  const found =
    /^\s+(?:more of )?an?\s+(?:(?:total|real|huge|big|bit of an?|complete|typical) )*(early bird|night owl|morning person|early riser|introvert|extrovert|homebody|only child|workaholic|perfectionist)\b/iu.exec(
      text,
    )?.[1];
  return found === undefined ? [] : [{ text: found, at: text.indexOf(found) }];
}

/** "Coffee is my favorite drink". */
function isFavourite({ clause, subject, whole }: RuleContext): readonly Draft[] {
  const { phrase: verb } = clause;
  const match =
    /^\s+my\s+((?:all-time |absolute )?favou?rite(?: [\p{L}-]+){1,2}?)(?: ever| of all time)?\s*(?:[.,!;]|$|and\b|but\b|because\b)/iu.exec(
      whole,
    );
  if (match === null || subject.kind !== "name" || verb.mode !== "holds" || verb.negated) return [];
  const kind = favouriteKind(match[1] ?? "");
  return kind === ""
    ? []
    : [
        {
          subject: "user",
          predicate: `favorite_${kind}`,
          object: subject.text,
          cardinality: "one",
          timing: "none",
          reason: "favourite",
        },
      ];
}

const fronted =
  /^(\p{L}[\p{L}\d'’&, -]{2,60}?)(?:,? (?:those are|that['’]s|these are)| (?:is|are)|['’]s) (not |n['’]t )?(?:really |just |definitely |so |totally |very much )*(?:my (?:thing|things|jam|cup of tea|passion|passions|happy place|guilty pleasure)|for me)(?=\s*(?:[.,!;]|$|but\b|and\b|though\b|so\b))/iu;

/** "Hiking, chess and bad TV, those are my things", "jazz isn't my thing". With offsets in the sentence. */
export function tastesFronted(
  sentence: string,
): readonly { readonly drafts: readonly Draft[]; readonly start: number; readonly end: number }[] {
  const [line = "", written = "", said = ""] =
    /^(?:my )?(?:fav|favou?rite) (\p{L}+(?: \p{L}+)?)\s*[:=]\s*([^.!?;]{2,40})[.!]?$/iu.exec(sentence) ?? [];
  const kind = favouriteKind(`favourite ${written}`);
  const [object] = line === "" || kind === "" ? [] : phrase(` ${said}`);
  if (object !== undefined) {
    const base = {
      subject: "user",
      predicate: `favorite_${kind}`,
      cardinality: "one",
      timing: "none",
    } as const;
    return [{ drafts: [{ ...base, object: object.text, reason: "favourite" }], start: 0, end: line.length }];
  }
  if (!/\b(?:my \p{L}|for me\b)/u.test(sentence)) return [];
  const match = fronted.exec(
    sentence.replace(/(?<=\p{L})n['’]t (?=(?:really |just )?(?:my|for me)\b)/u, " not "),
  );
  const [whole = "", list = "", not] = match ?? [];
  if (
    list === "" ||
    /^(?:it|this|that|these|those|he|she|they|there|what|which|who|i|you|here|so|and|but|if|time)\b|\b(?:my|your|his|her|the)\b/i.test(
      list,
    )
  )
    return [];
  // "For me" alone is said of all kinds of things.
  if (/for me$/i.test(whole) && not === undefined) return [];
  const drafts = things(` ${list}`).map(
    ({ text }): Draft => ({
      ...{ subject: "user", predicate: "likes", object: text, timing: "none", reason: "fronted" },
      ...(not === undefined ? {} : { affirmed: false }),
    }),
  );
  return [{ drafts, start: 0, end: whole.length }];
}

const favouriteOf =
  /^(?:all-time |absolute |personal |current )?(?:favou?rite|fave|fav|go-to|comfort)((?: [\p{L}-]+){0,3}?)(?: ever| of all time)?$/iu;

/** "color" of "favourite colour". */
export function favouriteKind(words: string): string {
  const kind =
    favouriteOf
      .exec(words)?.[1]
      ?.trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_")
      .replace(/^colour/, "color")
      .replace(/(?<=[^s])s$/, "") ?? "";
  return /(?:^|_)(?:joke|pun)$|^(?:one|ones|part|thing|memory|moment|of|things|way|so)(?:_|$)/.test(kind)
    ? ""
    : kind;
}

/** "My favourite color is teal". */
function favourite(context: RuleContext): readonly Draft[] {
  const { clause, subject } = context;
  const { phrase: verb } = clause;
  const text = complementOf(context);
  if (subject.kind !== "attribute" || verb.mode !== "holds" || verb.negated || text === undefined) return [];
  const kind = favouriteKind(subject.attribute ?? "");
  if (kind === "") return [];
  const lead =
    /^\s+(?:probably |definitely |always |still |by far |hands down |either |currently )*/i.exec(text)?.[0]
      .length ?? 0;
  const [object] = phrase(
    text.slice(lead).replace(/,?\s+(?:hands down|by far|for sure|no contest|without a doubt)\b.*$/is, ""),
  );
  if (object === undefined || /^(?:to|when|how|the one|because|that|also)\b/i.test(object.text)) return [];
  const predicate = `favorite_${kind}`;
  return [
    {
      subject: subject.text,
      predicate,
      object: object.text,
      cardinality: "one",
      timing: "none",
      reason: "favourite",
    },
  ];
}
