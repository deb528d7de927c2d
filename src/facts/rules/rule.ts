import type { DateMention } from "../../text/time/find-dates.ts";
import type { Cardinality, ClaimChange } from "../claim.ts";
import type { Clause } from "./clauses.ts";
import type { ObjectReader, Piece } from "./objects.ts";
import type { Subject } from "./subject.ts";

/** How dates beside a claim are read: of a state, of something that happened, of what is to come; or not at all. */
export type Timing = "state" | "event" | "plan" | "none";

/** A claim before its times are known. */
export interface Draft {
  readonly subject: string;
  readonly predicate: string;
  readonly object?: string;
  readonly affirmed?: false;
  readonly change?: ClaimChange;
  /** Of what has ended: the dates say when it held, not when it ended. */
  readonly during?: true;
  readonly cardinality?: Cardinality;
  readonly timing: Timing;
  readonly reason: string;
}

export interface RuleContext {
  readonly clause: Clause;
  readonly subject: Subject;
  /** What stands after the verb, up to the first date. */
  readonly rest: string;
  /** The same with its dates. */
  readonly whole: string;
  /** Dates of the clause. */
  readonly dates: () => readonly DateMention[];
  readonly lowerCase: boolean;
  /** The sentence that the clause is of. */
  readonly sentence: string;
}

export interface Rule {
  /** Verbs in their base form; "be" for all its forms, "" for any verb. */
  readonly verbs: readonly string[];
  readonly read: (context: RuleContext) => readonly Draft[];
}

/** What a clause does to what is known, by the kind of its statement. */
export type Effect = (clause: Clause) => Pick<Draft, "affirmed" | "change" | "during"> | undefined;

/** Something that lasts: "lived" and "no longer live" end it, "don't live" denies it. */
export const state: Effect = ({ phrase }) => {
  if (phrase.mode === "will" || phrase.able) return undefined;
  if (phrase.mode === "ended") return phrase.negated ? undefined : { change: "end" };
  if (phrase.mode === "was" && !phrase.perfect)
    return phrase.negated ? undefined : { change: "end", during: true };
  return phrase.negated ? { affirmed: false } : {};
};

/** What somebody is drawn to or does again and again: of the past alone, nothing is known of today. */
export const lasting: Effect = ({ phrase }) => {
  if (phrase.mode === "will" || phrase.mode === "was" || phrase.able) return undefined;
  if (phrase.mode === "ended") return phrase.negated ? undefined : { change: "end" };
  return phrase.negated ? { affirmed: false } : {};
};

/** "I've had migraines since puberty", "I've practised yoga for ten years": what has lasted lasts. */
export const lasted: Effect = ({ phrase, rest }) =>
  phrase.perfect &&
  phrase.mode === "was" &&
  !phrase.negated &&
  /\b(?:since|for|(?:all|my entire|my whole|my adult) (?:my |working )?life|as long as)\b/i.test(rest)
    ? {}
    : undefined;

/** What somebody is doing. */
export const ongoing: Effect = ({ phrase }) =>
  phrase.progressive && phrase.mode === "holds" && !phrase.negated ? {} : undefined;

/** What was so or was done, at whatever time and however often. */
export const past: Effect = ({ phrase }) =>
  (phrase.mode === "was" || (phrase.perfect && phrase.mode === "holds")) && !phrase.negated ? {} : undefined;

/** Something that happened. */
export const event: Effect = (clause) =>
  clause.phrase.habitual || clause.phrase.mode !== "was" ? undefined : past(clause);

/** "I was in Rome": what was so at one time, not over and over and not until now. */
export const once: Effect = ({ phrase: { mode, negated, progressive, perfect } }) =>
  mode === "was" && !negated && !progressive && !perfect ? {} : undefined;

/** Something that happened, and ended something else. */
export const ending: Effect = (clause) => (event(clause) === undefined ? undefined : { change: "end" });

/** Only what is affirmed of now. */
export const now: Effect = ({ phrase }) =>
  phrase.mode === "holds" && !phrase.negated && !phrase.able ? {} : undefined;

/** What something is said to be: after "is", and "hiking" of "is hiking", which is no progressive of what is a thing. */
export function complementOf({ clause, whole, sentence }: RuleContext): string | undefined {
  const { lemma, progressive } = clause.phrase;
  if (lemma === "be") return whole;
  return progressive ? ` ${/\S+$/.exec(sentence.slice(0, clause.restAt))?.[0] ?? ""}${whole}` : undefined;
}

export interface VerbRule {
  readonly name: string;
  readonly verbs: string;
  /** What stands between the verb and the object, from the verb on. Default: nothing. */
  readonly after?: RegExp;
  readonly predicate: string;
  readonly object: ObjectReader;
  readonly effect: Effect;
  readonly timing?: Timing;
  /** Whom it can be said of. Default anybody, but no attribute. */
  readonly who?: "user";
  /** The object with its offset in `rest`. */
  readonly accepts?: (object: Piece, context: RuleContext) => boolean;
  readonly when?: (context: RuleContext) => boolean;
  readonly cardinality?: Cardinality;
}

/** The rule that a line of a table describes. */
export function verbRule(line: VerbRule): Rule {
  // Looked for at the beginning alone.
  const after = line.after === undefined ? undefined : new RegExp(line.after.source, `${line.after.flags}y`);
  return {
    verbs: line.verbs.split(" "),
    read: (context) => {
      const { clause, subject } = context;
      if (subject.kind === "attribute" || (line.who === "user" && subject.kind !== "user")) return none;
      const effect = line.effect(clause);
      // What stands before the first date is asked for last, as the dates have to be found for it.
      if (effect === undefined || (after !== undefined && matchLength(after, context.whole) === undefined))
        return none;
      if (line.when?.(context) === false) return none;
      const { rest } = context;
      const lead = after === undefined ? 0 : matchLength(after, rest);
      if (lead === undefined) return none;
      return line
        .object(withoutPreposition(rest, lead), { lowerCase: context.lowerCase })
        .map((object) => ({ ...object, at: object.at + lead }))
        .filter((object) => line.accepts?.(object, context) !== false)
        .map((object) => ({
          ...{ subject: subject.text, predicate: line.predicate, object: object.text, reason: line.name },
          ...{ timing: line.timing ?? "state", ...effect },
          ...(line.cardinality === undefined ? {} : { cardinality: line.cardinality }),
        }));
    },
  };
}

const none: readonly Draft[] = [];

const again = new Map(
  ["to", "of", "at", "in", "with", "for"].map((preposition) => [
    preposition,
    new RegExp(String.raw`((?:,|\b(?:and|or)(?:,\s+\p{L}+,)?)\s+)${preposition}(?=\s)`, "giu"),
  ]),
);

/** What stands after the verb's preposition, without the same before further objects: "to nuts and to cats". */
function withoutPreposition(rest: string, lead: number): string {
  const text = rest.slice(lead);
  const preposition = /\b(?:to|of|at|in|with|for)$/i.exec(rest.slice(0, lead))?.[0];
  const pattern = preposition === undefined ? undefined : again.get(preposition.toLowerCase());
  return preposition === undefined || pattern === undefined
    ? text
    : text.replace(pattern, (_all, joint: string) => joint + " ".repeat(preposition.length));
}

function matchLength(pattern: RegExp, text: string): number | undefined {
  pattern.lastIndex = 0;
  return pattern.exec(text)?.[0].length;
}
