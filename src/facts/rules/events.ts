import { nouns, organisation, type Piece, person, phrase, thing } from "./objects.ts";
import { ending, event, lasting, type Rule, verbRule } from "./rule.ts";

const notEvents =
  /^(?:first|it|chance|opportunity|time|way|point|end|job|work|task|step|section|part|list|draft|day|week|chapter|new|one)$/i;

function isExam({ text }: Piece): boolean {
  return (
    /\b(?:exam|exams|test|bar|interview|driving test|certification|finals?|boards|CFA(?: level \S+)?|CPA|A-levels|GCSEs|theory test)$/i.test(
      text,
    ) ||
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
      object: thing,
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
      /\b(?:concert|festival|conference|wedding|workshop|meetup|funeral|exhibition|seminar|webinar|retreat|convention|parade|gala|fundraiser|game|match|show|play|support group|book club|party|prom|opera|ballet|reunion|expo|fair)$/i.test(
        text,
      ) || /^\p{Lu}\p{L}*(?:Con|Conf|Fest)$/u.test(text),
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
      /\b(?:thesis|dissertation|degree|course|program|bootcamp|marathon|certification|certificate|training|novel|book|internship|residency|apprenticeship|phd|mba|project|race|triathlon|class|screenplay|script|manuscript|level|painting|album|renovation)s?$/i.test(
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
    accepts: ({ text }) => /\b(?:marathon|half-marathon|5k|10k|race|ultramarathon|triathlon)$/i.test(text),
  }),
  verbRule({
    ...{ name: "won", verbs: "win", predicate: "won", object: thing, effect: event, timing: "event" },
    accepts: ({ text }) =>
      /\b(?:tournament|award|prize|competition|contest|championship|medal|scholarship|race|election|lottery|grant|league|final|finals|silver|gold|bronze|raffle|trophy|hackathon|match|game|title|cup)$/i.test(
        text,
      ) && !notEvents.test(text),
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
      /\b(?:club|group|gym|choir|band|team|class|league|orchestra|society|program|church|course|community|tournament)$/i.test(
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
      verbs: "sign",
      after: /\s+up\s+for\b/i,
      predicate: "signed_up_for",
      object: thing,
      effect: event,
      timing: "event",
    },
    accepts: ({ text }) =>
      text.split(/\s+/).length <= 5 &&
      !notEvents.test(text) &&
      !/\b(?:trial|newsletter|account|version|app|website|service)$/i.test(text),
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
    ...{ name: "failed", verbs: "fail", predicate: "passed", object: nouns, timing: "event" },
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
    ...{ name: "passed", verbs: "pass", predicate: "passed", object: nouns, effect: event, timing: "event" },
    accepts: isExam,
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
