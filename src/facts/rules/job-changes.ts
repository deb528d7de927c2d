import { knownPlaces } from "../../text/name-words.ts";
import { field } from "./fields.ts";
import { occupation, organisation, type Piece, role } from "./objects.ts";
import { isOccupation } from "./occupations.ts";
import { type Draft, ending, event, past, type Rule, type RuleContext, verbRule } from "./rule.ts";

/** Jobs that somebody starts, gets, quits and loses. */
export const jobsTakenAndLost: readonly Rule[] = [
  verbRule({
    ...{
      name: "started as",
      verbs: "start begin",
      after: /\s+(?:work(?:ing)? )?as\b/i,
      predicate: "works_as",
      object: occupation,
      effect: event,
    },
  }),
  verbRule({
    ...{
      name: "started as at",
      verbs: "start begin",
      after: /\s+(?:work(?:ing)? )?as\s+an?\s+[\p{L}\s-]{3,40}?\s(?:at|for)\b/iu,
      predicate: "works_at",
      object: organisation,
      effect: event,
    },
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  verbRule({
    ...{
      name: "joined as",
      verbs: "join start begin",
      after: /\s+(?:at\s+|with\s+)?(?:\p{Lu}[^.;!?]{0,50}?\s+)as\b/u,
      predicate: "works_as",
      object: role,
      effect: event,
    },
  }),
  verbRule({
    ...{ name: "became", verbs: "become", predicate: "works_as", object: occupation, effect: event },
  }),
  verbRule({
    ...{
      name: "job at",
      verbs: "get land start accept take begin have",
      effect: jobEffect,
      predicate: "works_at",
      object: organisation,
    },
    after:
      /\s+(?:an?|my|the)\s+(?:new |great |full-time |part-time |summer |first |dream )*(?:\p{L}+ ){0,2}?(?:job|position|role|internship|offer|gig)\s+(?:at|with)\b/iu,
    accepts: ({ text, at }, { rest }) =>
      !/\boffer\b/i.test(rest.slice(0, 30)) &&
      // "At the Green Bay terminal" names no company.
      !/^\s+(?!(?:and|but|in|on|as|for|since|last|this|so|because|with|doing|where|which|after|from|next|to|at|now|starting|today|yesterday|is|downtown|until|when|while|before)\b)\p{Ll}{2,}/u.test(
        rest.slice(at + text.length),
      ) &&
      !/^[$€£\d]|\b(?:fee|salary|pay|benefits|hours)\b/i.test(text),
  }),
  verbRule({
    ...{
      name: "job as",
      verbs: "get land start accept take begin have",
      effect: jobEffect,
      predicate: "works_as",
      object: role,
    },
    after:
      /\s+(?:an?|my|the)\s+(?:new |great |full-time |part-time |summer |first |dream )*(?:\p{L}+ ){0,2}?(?:job|position|role|gig)\s+as\b/iu,
  }),
  verbRule({
    ...{
      name: "quit",
      verbs: "quit leave lose",
      predicate: "works_at",
      object: organisation,
      effect: ending,
    },
    after: /\s+(?:my|the|his|her) (?:\p{L}+ )?(?:job|position|role)\s+(?:at|with)\b/iu,
  }),
  verbRule({
    ...{
      name: "quit as",
      verbs: "quit leave lose",
      predicate: "works_as",
      object: role,
      effect: ending,
    },
    after: /\s+(?:my|the|his|her) (?:\p{L}+ )?(?:job|position|role)\s+as\b/iu,
  }),
  verbRule({
    // "I resigned as treasurer", "I retired in April after 38 years as a postman".
    ...{
      name: "resigned as",
      verbs: "resign step retire",
      predicate: "works_as",
      object: role,
      effect: ending,
    },
    after: /(?:\s+down)?(?:\s+(?:from|in|last|this|after|early)\s[^.;!?]{0,50}?)?\s+as\b/iu,
  }),
  verbRule({
    ...{
      name: "resigned",
      verbs: "resign",
      after: /\s+from\b(?:\s+my (?:job|position|role) at\b)?/i,
      predicate: "works_at",
      object: organisation,
      effect: ending,
    },
    accepts: ({ text }) => !/\b(?:board|committee|council|club|party|choir|society|band|team)$/i.test(text),
  }),
  verbRule({
    ...{
      name: "laid off",
      verbs: "be get",
      after: /\s+(?:recently |just )?(?:laid off|fired|let go|made redundant)\s+(?:from|by|at)\b/i,
    },
    ...{
      predicate: "works_at",
      object: organisation,
      effect: (clause) => (past(clause) === undefined ? undefined : { change: "end" }),
    },
  }),
];

/** What somebody qualifies and is hired as, and by whom. */
export const hirings: readonly Rule[] = [
  verbRule({
    // "I've just qualified as a teacher".
    ...{
      name: "qualified as",
      verbs: "qualify",
      after: /\s+as\b/i,
      predicate: "works_as",
      object: occupation,
      effect: event,
    },
  }),
  verbRule({
    // "I was hired as a junior developer at Revolut".
    ...{ name: "hired as", verbs: "be get", predicate: "works_as", object: role, effect: past },
    after:
      /\s+(?:recently |just )?(?:hired|recruited|taken on|employed|appointed)(?:\s+(?:by|at)\s+(?:\p{Lu}\S*\s+){1,3})?\s+as\b/iu,
  }),
  verbRule({
    ...{ name: "hired as at", verbs: "be get", predicate: "works_at", object: organisation, effect: past },
    after:
      /\s+(?:recently |just )?(?:hired|recruited|taken on|employed)\s+as\s+an?\s+[\p{L}\s-]{3,40}?\s(?:at|by)\b/iu,
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  verbRule({
    ...{
      name: "hired by",
      verbs: "be get",
      after: /\s+(?:recently |just )?(?:hired|recruited)\s+(?:by|at)\b/i,
      predicate: "works_at",
      object: organisation,
    },
    effect: past,
  }),
];

/** Employers and fields that somebody leaves, and what comes next: a promotion, another employer. */
export const movesOn: readonly Rule[] = [
  verbRule({
    ...{
      name: "retired from",
      verbs: "retire",
      after: /\s+from\b/i,
      predicate: "works_at",
      object: organisation,
      effect: ending,
    },
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  { verbs: ["leave"], read: leftFor },
  verbRule({
    // "I left the bank in September".
    ...{
      name: "left a workplace",
      verbs: "leave quit",
      predicate: "works_at",
      object: organisation,
      effect: ending,
      who: "user",
    },
    when: ({ rest }) =>
      /^\s+the\s+(?:[\p{Ll}-]+\s+)?(?:bank|agency|firm|company|army|navy|police|civil service|force|industry|nhs|startup|council|practice|consultancy|newspaper|ministry|embassy|railway|factory)\s*(?:[.,;!)]|$|(?:in|after|last|this|because|and|but|for|to|so|when|two|three|a)\b)/iu.test(
        rest,
      ) && !/\b(?:party|building|early|around|o['’]clock)\b/i.test(rest),
  }),
  verbRule({
    // "I quit teaching last summer".
    ...{ name: "left a field", verbs: "quit leave", predicate: "works_in", object: field, effect: ending },
    when: ({ rest }) =>
      /^\s+(?:teaching|nursing|banking|consulting|accounting|engineering|hospitality|retail|journalism|academia|law|medicine|marketing|sales|tech|finance)\s*(?:[.,;!]|$|\p{Ll})/u.test(
        rest,
      ),
  }),
  verbRule({
    // "I handed in my notice at Acme".
    ...{
      name: "gave notice",
      verbs: "hand give put",
      predicate: "works_at",
      object: organisation,
      effect: ending,
    },
    after: /\s+(?:in\s+)?my\s+(?:two weeks['’]? )?(?:notice|resignation)\s+(?:at|to)\b/iu,
    accepts: ({ text }) => /^\p{Lu}/u.test(text),
  }),
  verbRule({
    ...{ name: "left", verbs: "leave quit", predicate: "works_at", object: organisation, effect: ending },
    // One leaves towns, too: what else is said tells.
    when: ({ clause, rest, sentence }) =>
      /^\s+\p{Lu}/u.test(rest) &&
      (clause.phrase.lemma === "quit" ||
        /\b(?:join|joined|jobs?|started|work|hired|role|company|startup|career|position|freelanc\w*|contract\w*|consult\w*|retired)\b/i.test(
          sentence,
        )),
    accepts: ({ text }) =>
      !knownPlaces.has(text.toLowerCase()) &&
      !/^(?:Facebook|Twitter|Instagram|TikTok|Reddit|Netflix|Spotify|Whatsapp|LinkedIn|Discord)$/i.test(text),
  }),
  verbRule({
    ...{
      name: "promoted to",
      verbs: "be get",
      after:
        /\s+(?:recently |just |finally )?(?:promoted\s+to|made(?!\s+(?:redundant|up|of|by|in|from|to|for|a|an)\b)|appointed(?:\s+as)?|elected)\b/i,
      predicate: "works_as",
      object: promotion,
    },
    effect: past,
  }),
  verbRule({
    ...{
      name: "started at",
      verbs: "start begin",
      after: /\s+(?:work(?:ing)? )?(?:at|for)\b/i,
      predicate: "works_at",
      object: organisation,
      effect: event,
    },
    accepts: ({ text }) => /^\p{Lu}/u.test(text) && !/(?:University|College|School)/.test(text),
  }),
];

/** Work that ends with no word of whom it was for. */
export const endsOfWork: readonly Rule[] = [
  {
    verbs: ["be", "get", "lose", "quit", "resign"],
    read: ({ clause: { phrase, rest }, subject }) =>
      (phrase.mode === "was" || phrase.perfect) &&
      !phrase.negated &&
      subject.kind !== "attribute" &&
      (/^(?:be|get)$/.test(phrase.lemma) ? dismissed : phrase.lemma === "resign" ? resigned : jobless).test(
        rest,
      )
        ? [
            {
              subject: subject.text,
              predicate: "works_at",
              change: "end",
              timing: "state",
              reason: "lost a job",
            } satisfies Draft,
          ]
        : [],
  },
  {
    verbs: ["retire", "be"],
    read: ({ clause, subject }) =>
      (clause.phrase.lemma === "be"
        ? clause.phrase.mode === "holds" && /^\s+(?:semi-)?retired\b/i.test(clause.rest)
        : clause.phrase.mode === "was") &&
      !clause.phrase.negated &&
      subject.kind !== "attribute" &&
      !/^\s+from (?:the )?\p{Lu}/u.test(clause.rest) &&
      !/\byears (?:with|at|for)\s+(?:the\s+)?\p{L}/iu.test(clause.lead + clause.rest) &&
      /^\s*(?:retired\s*)?(?:$|[.,!]|in\b|last\b|from\b|early\b|at\b|now\b|and\b|since\b|but\b)/i.test(
        clause.rest,
      )
        ? [
            {
              subject: subject.text,
              predicate: "works_at",
              change: "end",
              timing: "state",
              reason: "retired",
            } satisfies Draft,
          ]
        : [],
  },
];

const ends = String.raw`(?=\s*(?:$|[.,!;)]|in\b|last\b|this\b|and\b|but\b|so\b|on\b|yesterday\b|today\b|after\b|because\b|during\b|to\b|two\b|a\b))`;
const dismissed = new RegExp(String.raw`^\s+(?:laid off|made redundant|fired|let go|sacked)${ends}`, "i");
const resigned = new RegExp(`^${ends}`, "i");
const jobless = new RegExp(String.raw`^\s+(?:my|his|her) (?:\p{L}+ )?job${ends}`, "iu");

/** "After 31 years with the post office I retired". */
export function retiredAfter({ clause, subject }: RuleContext): readonly Draft[] {
  const said = `${clause.lead}, ${clause.rest}`;
  const lead = /\bafter [\p{L}\d-]+(?: \p{L}+)? years (?:with|at|for)(?=\s)/iu.exec(said);
  if (event(clause) === undefined || subject.kind === "attribute" || lead === null) return [];
  const [object] = organisation(said.slice(lead.index + lead[0].length).replace(/[,\s]+$/, ""), {
    lowerCase: false,
  });
  return object === undefined
    ? []
    : [
        {
          ...{ subject: subject.text, predicate: "works_at", object: object.text },
          ...{ change: "end", timing: "state", reason: "retired after" },
        },
      ];
}

/** "Ben has left Nokia for Ericsson". */
function leftFor({ clause, subject, rest }: RuleContext): readonly Draft[] {
  if (event(clause) === undefined || subject.kind === "attribute" || subject.kind === "pet") return [];
  const match =
    /^\s+(\p{Lu}[\p{L}\d&.-]*(?:\s\p{Lu}[\p{L}\d&.-]*){0,2})\s+for\s+(\p{Lu}[\p{L}\d&.-]*(?:\s\p{Lu}[\p{L}\d&.-]*){0,2})/u.exec(
      rest,
    );
  const [, from = "", to = ""] = match ?? [];
  if (from === "" || knownPlaces.has(from.toLowerCase()) || knownPlaces.has(to.toLowerCase())) return [];
  const base = { subject: subject.text, predicate: "works_at", timing: "state", reason: "left for" } as const;
  return [
    { ...base, object: from, change: "end" },
    { ...base, object: to.replace(/\.$/, "") },
  ];
}

/** "Team lead" of "promoted to team lead": an occupation without an article, or a lead of something. */
function promotion(text: string): readonly Piece[] {
  return role(text).filter(
    ({ text: found }) =>
      isOccupation(found) ||
      /\b(?:lead|head|partner|principal|chief|officer|vp|vice president)\b/i.test(found),
  );
}

function jobEffect({
  phrase: { mode, negated, lemma },
}: RuleContext["clause"]): Pick<Draft, "change"> | undefined {
  if (negated || mode === "will" || mode === "ended") return undefined;
  return lemma === "have" ? (mode === "holds" ? {} : { change: "end" }) : mode === "was" ? {} : undefined;
}
