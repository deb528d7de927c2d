import { inTurn } from "./lists.ts";
import { nouns, organisation, type Piece, person, phrase, thing } from "./objects.ts";
import { ending, event, lasting, once, type Rule, verbRule } from "./rule.ts";

const notEvents =
  /^(?:first|it|chance|opportunity|time|way|point|end|job|work|task|step|section|part|list|draft|day|week|chapter|new|one)$/i;

function isExam({ text }: Piece): boolean {
  return (
    /\b(?:exam|exams|test|bar|interview|driving test|certification|cert|assessment|viva|finals?|boards|CFA(?: level \S+)?|CPA|A-levels|GCSEs|theory test|grade \d|level \d|(?:[ABC][12]|N[1-5])(?: (?:in \p{L}+|exam|test))?)$/iu.test(
      text,
    ) ||
    /^\p{Lu}\p{L}*\p{Lu}[\p{L}\d]*(?: \d)?$/u.test(text) ||
    /^(?:chem(?:istry)?|bio(?:logy)?|maths?|physics|calc(?:ulus)?|organic chemistry|algebra|stats|statistics)(?: \d)?$/i.test(
      text,
    )
  );
}

/** What happened, with its date. */
export const eventRules: readonly Rule[] = [
  verbRule({
    ...{
      name: "attended",
      verbs: "attend",
      predicate: "attended",
      object: about,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) => !/^(?:any|to)\b/i.test(text),
  }),
  verbRule({
    ...{
      name: "went to an event",
      verbs: "go",
      after: /\s+to\b/i,
      predicate: "attended",
      object: thing,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) =>
      /\b(?:concert|gig|festival|prom|christening|graduation|rally|hackathon|demo|protest|marathon|conference|wedding|workshop|meetup|funeral|exhibition|seminar|webinar|retreat|convention|parade|gala|fundraiser|game|match|show|play|support group|book club|party|prom|opera|ballet|reunion|expo|fair)$/i.test(
        text,
      ) || /^\p{Lu}\p{L}*(?:Con|Conf|Fest)$/u.test(text),
  }),
  verbRule({
    ...{
      name: "did not go",
      verbs: "go",
      after: /\s+to\b/i,
      predicate: "attended",
      object: thing,
      timing: "event",
      who: "user",
    },
    effect: ({ phrase: { mode, negated, perfect } }) =>
      mode === "was" && negated && !perfect ? { affirmed: false } : undefined,
    accepts: ({ text }) => /^(?:\p{L}+ )?(?:prom|wedding|funeral|reunion|graduation|festival)$/iu.test(text),
  }),
  verbRule({
    // "We went to see Hadestown", "we saw Hamilton at the Victoria Palace".
    ...{
      name: "saw a show",
      verbs: "go see watch",
      after: /(?:\s+to\s+(?:see|watch)|\s+and\s+saw)?/i,
      predicate: "attended",
      object: show,
      effect: event,
      timing: "event",
    },
    when: ({ clause: { phrase: verb }, rest, whole }) =>
      verb.lemma === "go"
        ? /^\s+(?:to\s+(?:see|watch)|and\s+saw)\b/i.test(rest)
        : /\sat the (?:\p{Lu}|theatre|theater|arena|opera|stadium|cinema|ballet|local theatre)|\s(?:in the West End|on Broadway|live|in concert)\b/u.test(
            whole,
          ),
  }),
  verbRule({
    // "I was at Glastonbury in '97".
    ...{
      name: "was at an event",
      verbs: "be",
      after: /\s+at\b/i,
      predicate: "attended",
      object: show,
      timing: "event",
    },
    effect: once,
    when: ({ clause: { rest }, dates }) =>
      (dates()[0]?.precision === "year" || /\bin ['’]\d\d\b/.test(rest)) &&
      !/\bwhen\b/i.test(rest) &&
      !/\bto (?:19|20)\d\d\b/.test(rest),
    accepts: ({ text }) =>
      !/\b(?:University|College|School|Academy|Institute|Uni|Inc|Bank|Hospital)\b/.test(text),
  }),
  verbRule({
    ...{
      name: "completed",
      verbs: "complete finish",
      predicate: "completed",
      object: thing,

      effect: event,
      timing: "event",
    },
    when: ({ rest }) => /^\s+(?:my|our|an?|the|his|her)\s/i.test(rest),
    accepts: ({ text }) =>
      /\b(?:thesis|dissertation|degree|course|programme|program|bootcamp|marathon|certification|certificate|training|novel|book|internship|residency|apprenticeship|phd|mba|project|race|triathlon|class|screenplay|script|manuscript|level|painting|album|renovation|reno|extension|conversion|loft|patio|quilt|jumper|sweater|kitchen|bathroom|diploma|masters|master['’]s|gcses|traineeship)s?$/i.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "ran a race",
      verbs: "run do",
      predicate: "completed",
      object: thing,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) =>
      /\b(?:marathon|half-marathon|5k|10k|race|ultramarathon|triathlon|(?:safety|training|first[- ]aid|refresher|induction|evening|online|\p{L}+ing) course|bootcamp|internship|apprenticeship)$/iu.test(
        text,
      ),
  }),
  verbRule({
    ...{ name: "won", verbs: "win", predicate: "won", object: prize, effect: event, timing: "event" },
    accepts: ({ text }) =>
      /\b(?:tournament|award|prize|competition|contest|championship|medal|scholarship|race|election|lottery|grant|league|final|finals|silver|gold|bronze|raffle|trophy|hackathon|match|game|title|cup|pitch|bid|quiz|debate|derby|bursary|fellowship)(?: to (?:the )?\p{Lu}.*)?$/iu.test(
        text,
      ) && !notEvents.test(text),
  }),
  verbRule({
    // "I got third place in a baking competition".
    ...{
      name: "came first",
      verbs: "get take",
      predicate: "won",
      object: prize,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }, { rest }) =>
      !/\sin (?:the )?(?:queue|line|list|row)\b/i.test(rest) &&
      /^(?:first|second|third|1st|2nd|3rd) (?:place|prize)$|^(?:gold|silver|bronze)$/i.test(text),
  }),
  verbRule({
    ...{
      name: "joined a group",
      verbs: "join",
      predicate: "joined",
      object: thing,
      effect: event,
      timing: "event",
    },
    when: ({ rest }) => /^\s+(?:an?|the|my|our)\s/i.test(rest),
    accepts: ({ text }) =>
      /\b(?:club|group|gym|choir|band|team|class|league|orchestra|society|program|programme|church|course|community|tournament|brigade|union|co-?op|cooperative|association|squad|crew|board|committee|council|pta|guild|troop|reserves|allotment|waiting list|party|circle|ensemble|troupe|network)$/i.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "is in a group",
      verbs: "be",
      after: /\s+in(?=\s+(?:an?|the|my)\s)/iu,
      predicate: "member_of",
      object: thing,
      effect: lasting,
    },
    accepts: ({ text }) =>
      /\b(?:band|choir|orchestra|quartet|club|troupe|theatre group|theater group|league|ensemble|crew|union|fraternity|sorority)$/i.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "member of",
      verbs: "be",
      after: /\s+an?\s+(?:\p{L}+\s+)?member\s+of\b/iu,
      predicate: "member_of",
      object: thing,
      effect: lasting,
    },
    accepts: ({ text }) =>
      text.split(/\s+/).length <= 5 &&
      !/^(?:team|family|group|household|staff|community|society)$/i.test(text),
  }),
  verbRule({
    ...{
      name: "sits on",
      verbs: "sit serve be",
      after: /\s+on(?=\s+the\s)/i,
      predicate: "member_of",
      object: phrase,
      effect: lasting,
    },
    accepts: ({ text }) => /^(?:[\p{L}-]+ )?(?:board|committee|council|pta)(?: of [\p{L} ]+)?$/iu.test(text),
  }),
  verbRule({
    ...{
      name: "signed up for",
      verbs: "sign enrol enroll register",
      after: /\s+(?:me |myself |us |ourselves )?(?:up\s+)?(?:for|in|on)\b/i,
      predicate: "signed_up_for",
      object: (text) => thing(text.replace(/\s(?:starting|that|which|beginning|running)\s.*$/is, "")),
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) =>
      text.split(/\s+/).length <= 5 &&
      !notEvents.test(text) &&
      !/\b(?:trial|newsletter|account|version|app|website|service|beta|waitlist|demo)$/i.test(text) &&
      !/(?:University|College|School|Academy|Institute)/.test(text),
    when: ({ clause: { phrase: verb }, rest }) =>
      verb.lemma === "sign"
        ? /^\s+(?:me |myself |us )?up\s+for\b/i.test(rest)
        : /^\s+(?:for|in|on)\s+(?:an?|the)\s/i.test(rest),
  }),
  verbRule({
    ...{
      name: "met",
      verbs: "meet",
      predicate: "met",
      object: person,
      effect: event,
      timing: "event",
      who: "user",
    },
    // "Brittney's parents" are others.
    when: ({ rest }) => /^\s+\p{Lu}/u.test(rest) && !/^\s+\p{Lu}\p{L}*['’]s\b/u.test(rest),
  }),
  verbRule({
    ...{ name: "failed", verbs: "fail", predicate: "passed", object: exams, timing: "event" },
    effect: (clause) => (event(clause) === undefined ? undefined : { affirmed: false }),
    accepts: (object) =>
      isExam(object) &&
      !/\b(?:login|unit|integration|smoke|build|load|stress|regression|drug|speed|first|second) tests?$/i.test(
        object.text,
      ),
  }),
  verbRule({
    ...{
      name: "left a group",
      verbs: "leave quit step resign",
      predicate: "member_of",
      object: thing,
      effect: ending,
      after: /(?:\s+(?:down\s+)?from)?/i,
    },
    when: ({ clause: { phrase }, rest }) =>
      (phrase.lemma === "step"
        ? /^\s+down\s+from\s+(?:the|my)\b/i
        : phrase.lemma === "resign"
          ? /^\s+from\s+(?:the|my)\b/i
          : /^\s+(?:the|my|our)\s/i
      ).test(rest),
    accepts: ({ text }) =>
      /\b(?:band|choir|orchestra|club|board|committee|council|society|team|league|union|troupe|ensemble)(?: of [\p{L} ]+)?$/iu.test(
        text,
      ) &&
      !/^(?:club|team)$|\b(?:golf|night|strip|base|tennis) club$|\b(?:chess|ouija|notice|bulletin) board$/i.test(
        text,
      ),
  }),
  verbRule({
    ...{ name: "passed", verbs: "pass clear", predicate: "passed", object: exams, timing: "event" },
    effect: (clause) =>
      event(clause) ??
      (clause.phrase.mode === "was" && clause.phrase.negated && !clause.phrase.habitual
        ? { affirmed: false }
        : undefined),
    accepts: (object, { clause }) =>
      isExam(object) &&
      (clause.phrase.lemma === "pass" || /certification|exam|CFA|CPA|interview$/i.test(object.text)),
  }),
  verbRule({
    ...{
      name: "published",
      verbs: "publish release",
      predicate: "published",
      object: thing,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) =>
      !/\b(?:version|update|patch|beta)\b/i.test(text) &&
      /\b(?:book|novel|album|paper|article|song|game|memoir|podcast|single|ep|app|story|collection)$/i.test(
        text,
      ),
  }),
  verbRule({
    ...{
      name: "enrolled in",
      verbs: "enrol enroll",
      after: /\s+(?:in|at|on)\b/i,
      predicate: "studies_at",
      object: organisation,
      effect: event,
    },
    accepts: ({ text }) => /(?:University|College|School|Academy|Institute)/.test(text),
  }),
];

/** "Workshop on nonviolent communication": also what it was about. */
function about(text: string): readonly Piece[] {
  return thing(text).map((piece) => {
    const end = piece.at + piece.text.length;
    const more =
      /^\s+(?:on|about)\s+(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day)\p{Ll}[\p{L}-]+(?:\s+(?!(?:on|in|at|and|with|for|last|this|by|to|but|yesterday|today|hosted|held|led|given|run|that|which|from|last)\b)\p{L}+){0,2}/u.exec(
        text.slice(end),
      )?.[0];
    return /^(?:\p{L}+ )?(?:workshop|course|talk|lecture|seminar|webinar|conference|class)$/iu.test(
      piece.text,
    )
      ? { ...piece, text: `${piece.text}${more ?? ""}` }
      : piece;
  });
}

/** "Hadestown": a name by its capitals. */
function show(text: string): readonly Piece[] {
  const [whole = "", name = ""] =
    /^\s+(?:the\s+)?(\p{Lu}[\p{L}\d'’]+(?:\s+(?:of\s+the\s+|of\s+|the\s+|and\s+)?\p{Lu}[\p{L}\d'’]+){0,4})/u.exec(
      text,
    ) ?? [];
  return name === "" ||
    /['’]s$/.test(name) ||
    /^(?:Dr|Mr|Mrs|Ms|Prof|Mum|Mom|Dad|Grandma|Grandpa)\b/.test(name)
    ? []
    : [{ text: name, at: whole.length - name.length }];
}

/** "Scholarship to the Royal Academy"; the score stands after a comma. */
function prize(text: string): readonly Piece[] {
  const [won] = thing(text.replace(/,.*$/s, ""));
  if (won === undefined) return [];
  const to = /^\s+to\s+(?:the\s+)?\p{Lu}[\p{L}]+(?:\s+(?:of\s+)?\p{Lu}[\p{L}]+)*/u.exec(
    text.slice(won.at + won.text.length),
  )?.[0];
  return [{ ...won, text: `${won.text}${to ?? ""}` }];
}

const exam = inTurn(
  (text) =>
    nouns(text).map((piece) => {
      const language = /^\s+in\s+\p{Lu}\p{L}+/u.exec(text.slice(piece.at + piece.text.length))?.[0];
      return /^[ABC][12]$/.test(piece.text) ? { ...piece, text: `${piece.text}${language ?? ""}` } : piece;
    }),
  isExam,
);

function exams(text: string): readonly Piece[] {
  return exam(text, { lowerCase: false });
}
