import { coming } from "./coming.ts";
import { changesLife, lastingDeed, technical, vagueDeed, wish } from "./deeds.ts";
import { deed, type Piece, phrase, place, things } from "./objects.ts";
import {
  type Draft,
  ending,
  event,
  lasting,
  now,
  ongoing,
  type Rule,
  type RuleContext,
  verbRule,
} from "./rule.ts";
import { verbOfIng } from "./verb-forms.ts";

/** What somebody plans, wants and aims at. */
export const planRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "plans to",
      verbs: "plan intend",
      after: /\s+(?:on\s+)?(?:to\s+)?/i,
      predicate: "plans_to",
      object: planned,
      effect: now,
      timing: "plan",
      // An errand or a dish is no plan, with a date or without.
      accepts: (piece, { dates }) =>
        changesLife(piece)
          ? !/^buy (?:some|more)\b/i.test(piece.text)
          : dates().length > 0 &&
            lastingDeed(piece) &&
            !/^(?:buy|purchase|bring|cook|bake|make|blend|present|invite|order|pick|wear|meet|discuss|call|solve|complete|submit|notify)\b/i.test(
              piece.text,
            ),
    },
    when: ({ rest }) => /^\s+(?:to|on\s+\p{L}+ing)\b/iu.test(rest),
  }),
  verbRule({
    ...{
      name: "plans a trip",
      verbs: "plan organise organize",
      predicate: "plans_to",
      object: phrase,
      timing: "plan",
    },
    effect: ongoing,
    when: ({ rest }) => /^\s+(?:an?|our|my)\s/i.test(rest),
    accepts: ({ text }) =>
      /^(?:[\p{L}-]+ ){0,3}?(?:trip|vacation|holiday|wedding|party|honeymoon|reunion|cruise|retreat|tour|move|hike)(?=$|\s+(?:to|in|at|for|with|from|around|on|across|through|and)\b)/iu.test(
        text,
      ) &&
      !/\b(?:him|her|them|it|this|that|you|store|supermarket|mall)\b/i.test(text) &&
      text.split(/\s+/).length <= 7,
  }),
  verbRule({
    ...{
      name: "hopes to",
      verbs: "hope aim",
      after: /\s+to\b/i,
      predicate: "plans_to",
      object: deed,
      effect: now,
      timing: "plan",
      accepts: changesLife,
    },
  }),
  verbRule({
    ...{
      name: "wants to",
      verbs: "want wanna",
      after: /(?:\s+to\b)?/i,
      predicate: "wants_to",
      object: deed,
      timing: "plan",
      accepts: wish,
    },
    effect: ({ phrase: { mode, negated, progressive, perfect, habitual } }) =>
      (mode === "holds" || (mode === "was" && perfect && habitual)) && !progressive
        ? negated
          ? { affirmed: false }
          : {}
        : undefined,
    when: ({ clause: { phrase: verb }, rest }) => verb.lemma === "wanna" || /^\s+to\b/i.test(rest),
  }),
  verbRule({
    ...{
      name: "dreams of",
      verbs: "dream",
      after: /\s+(?:of|about)\b/i,
      predicate: "wants_to",
      object: dreamt,
      effect: now,
      timing: "plan",
      accepts: changesLife,
    },
  }),
  verbRule({
    ...{
      name: "decided to",
      verbs: "decide",
      after: /\s+to\b/i,
      predicate: "plans_to",
      object: deed,
      effect: event,
      timing: "plan",
      accepts: changesLife,
    },
  }),
  { verbs: [""], read: coming },
  verbRule({
    ...{ name: "cancelled", verbs: "cancel", predicate: "plans_to", object: phrase, timing: "none" },
    effect: ({ phrase: { mode, negated } }) => (mode === "was" && !negated ? { change: "end" } : undefined),
    when: ({ rest }) =>
      /^\s+(?:my|our|the)\s+(?:\p{L}+ )?(?:trip|vacation|holiday|wedding|party|flight|move|visit)\b/iu.test(
        rest,
      ),
  }),
  { verbs: ["be"], read: aim },
  verbRule({
    ...{
      name: "is off to",
      verbs: "be",
      after: /\s+off\s+to\b/i,
      predicate: "plans_to",
      effect: now,
      timing: "plan",
    },
    object: (text, options) =>
      place(text, options).map((piece) => ({ ...piece, text: `go to ${piece.text}` })),
    when: ({ dates }) => dates().length > 0,
  }),
  verbRule({
    ...{
      name: "training for",
      verbs: "train",
      after: /\s+for\b/i,
      predicate: "training_for",
      object: goal,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) => text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{
      name: "preparing for",
      verbs: "prepare prep study revise cram learn",
      after: /\s+for\b/i,
      predicate: "preparing_for",
      object: goal,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) =>
      (/\b(?:exams?|finals|gcses|a-levels|a levels|sat|gre|gmat|ielts|toefl|lsat|mcat|upsc|gate|jee|neet|bar|boards|certification|marathon|triathlon|race|interview|viva|defen[cs]e|audition|recital|test)$/i.test(
        text,
      ) ||
        /^\p{Lu}(?:\p{L}*\p{Lu})+(?: \S+)?$/u.test(text)) &&
      !/^(?:exams?|finals|race|boards|tests?|interview|defen[cs]e|recital|audition)$/i.test(text) &&
      text.split(/\s+/).length <= 5,
  }),
  verbRule({
    // "I'm working towards my Grade 8".
    ...{
      name: "working towards",
      verbs: "work",
      after: /\s+towards?\b/i,
      predicate: "preparing_for",
      object: goal,
      effect: ongoing,
    },
    ...{ timing: "none" },
    accepts: ({ text }) =>
      /^\p{Lu}\S*(?: \d)?$|\b(?:exam|exams|certification|certificate|qualification|licen[cs]e|grade \d|degree|diploma)$/iu.test(
        text,
      ) && text.split(/\s+/).length <= 5,
  }),
  {
    ...verbRule({
      // "I gave up on running a marathon".
      ...{ name: "gave up on", verbs: "give", predicate: "plans_to", object: dreamt, timing: "none" },
      after: /\s+on\b/i,
      effect: ending,
    }),
    verbs: ["give up"],
  },
  verbRule({
    ...{
      name: "saving for",
      verbs: "save saving",
      after: /\s+(?:up\s+|money\s+)?(?:for|to buy)\b/i,
      predicate: "saving_for",
      object: goal,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) => text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{
      name: "trying to save for",
      verbs: "try",
      after: /\s+to\s+save\s+(?:up\s+|money\s+)?for\b/i,
      predicate: "saving_for",
      object: goal,
      timing: "none",
    },
    effect: ongoing,
    accepts: ({ text }) => text.split(/\s+/).length <= 5,
  }),
  verbRule({
    ...{ name: "reading", verbs: "read", predicate: "reading", object: title, timing: "state" },
    effect: ongoing,
  }),
  verbRule({
    ...{
      name: "working on",
      verbs: "work write",
      after: /(?:\s+on\b)?/i,
      predicate: "working_on",
      object: piece,
      timing: "none",
    },
    effect: lasting,
    when: ({ clause: { phrase: verb }, rest }) =>
      verb.progressive &&
      verb.mode === "holds" &&
      !verb.negated &&
      (verb.lemma === "work" ? /^\s+on\s+(?:an?|my|our)\b/i : /^\s+(?:an?|my|our)\b/i).test(rest),
    accepts: ({ text }, { clause: { phrase: verb } }) =>
      /\b(?:book|novel|novella|album|thesis|dissertation|startup|app|game|website|blog|podcast|screenplay|script|film|movie|documentary|memoir|song|mural|painting|quilt|phd|(?:radio|stage|one-act) play|cookbook|comic|musical|opera|zine|sculpture|collection of (?:poems|poetry|stories|essays)|(?:poetry|short story) collection)\b/i.test(
        text,
      ) &&
      (verb.lemma === "work" || !/\b(?:script|app|game|website|blog|song)\b/i.test(text)) &&
      text.split(/\s+/).length <= 6,
  }),
];

/** What one trains or saves for: what stands after a comma says more of it. */
function goal(text: string): readonly Piece[] {
  return phrase(
    text.replace(
      /(?:,|\s(?:on (?:\d|the \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|by|with|next|this|and|right|roughly|in (?:early |late |mid-?)?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter))\s).*$/isu,
      "",
    ),
  );
}

/** "Radio play about lighthouse keepers" of one for a call. */
function piece(text: string): readonly Piece[] {
  return things(text.replace(/(?:,|\s(?:for|with|to|on|at|in|and i|that|which)\s).*$/isu, ""));
}

/** "Visit Iceland", and "visiting Iceland" as that. */
function planned(text: string): readonly Piece[] {
  return deed(text).map((piece) => ({
    ...piece,
    text: piece.text.replace(
      /^(?!(?:bring|sing|sting|swing|ring|fling|cling|spring|ping)\b)(\p{L}+)ing\b/u,
      (word: string) => verbOfIng(word.toLowerCase()),
    ),
  }));
}

function dreamt(text: string): readonly Piece[] {
  return /^\s+\p{L}+ing\b/iu.test(text) ? planned(text) : [];
}

const aimed =
  /^(?:be\b|reach|give (?:my|our|kids|children)|read \d+|walk|drink|eat|sleep|exercise|pay off|reduce my|get into|make (?:my|a living)|earn|speak|be able)\b/i;
const aims =
  /^(?:main |biggest |ultimate |long-term |short-term |personal |current |new )?(?:goal|dream|aim|plan|ambition|resolution|new year's resolution)$/i;

/** "My goal is to run a half marathon". */
function aim({ clause, subject, rest }: RuleContext): readonly Draft[] {
  const { phrase: verb } = clause;
  if (
    subject.kind !== "attribute" ||
    subject.impersonal === true ||
    !aims.test(subject.attribute ?? "") ||
    verb.mode !== "holds" ||
    verb.negated
  )
    return [];
  const lead = /^\s+to\b/i.exec(rest)?.[0].length;
  const [object] = lead === undefined ? [] : deed(rest.slice(lead));
  if (/\bplan$/.test(subject.attribute ?? "") && object !== undefined && changesLife(object))
    return [
      {
        ...{ subject: subject.text, predicate: "plans_to", object: object.text.replace(/ first$/, "") },
        ...{ timing: "plan", reason: "plan" },
      },
    ];
  const far = /dream|ambition|resolution|ultimate|long-term|personal/i.test(subject.attribute ?? "");
  return object === undefined ||
    vagueDeed.test(object.text) ||
    !(far
      ? !technical.test(object.text)
      : changesLife(object) || (aimed.test(object.text) && !technical.test(object.text)))
    ? []
    : [{ subject: subject.text, predicate: "goal", object: object.text, timing: "plan", reason: "goal" }];
}

/** "Dune", "Pride and Prejudice": a title by its capitals or its quotation marks. */
function title(text: string): readonly Piece[] {
  const match =
    /^\s+["“']?(\p{Lu}[\p{L}\d'’:-]*(?:\s+(?:(?:of|the|and|or|in|a|to|on|for)\s+)*\p{Lu}[\p{L}\d'’:-]*)*)["”']?/u.exec(
      text,
    );
  const [whole = "", name = ""] = match ?? [];
  return name === "" || /^(?:The|A|I|It)$/.test(name) ? [] : [{ text: name, at: whole.indexOf(name) }];
}
