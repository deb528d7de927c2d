import type { Piece } from "../../text/segment.ts";
import { type DateMention, findDates } from "../../text/time/find-dates.ts";
import { canonicalPredicate } from "../canonical.ts";
import { cardinalityOf } from "../cardinality.ts";
import { userSubject } from "../claim.ts";
import { Acquaintances } from "./acquaintances.ts";
import { readAsides } from "./asides.ts";
import { attributeRules, noted } from "./attributes.ts";
import { readOwnLine } from "./beside-name.ts";
import { type Clause, readClauses } from "./clauses.ts";
import { contrasts } from "./contrasts.ts";
import { readCorrection } from "./corrections.ts";
import { eventRules } from "./events.ts";
import { habitRules } from "./habits.ts";
import { havingRules, introduced, namedBefore, namedTogether } from "./having.ts";
import { healthRules } from "./health.ts";
import { readIntroductions } from "./introductions.ts";
import { relationOf, spokenOf } from "./kin.ts";
import { readOtherLanguages } from "./other-languages.ts";
import { personalRules } from "./personal.ts";
import { placeRules } from "./places.ts";
import { planRules } from "./plans.ts";
import { possessionRules } from "./possessions.ts";
import { relationRules } from "./relations.ts";
import type { Draft, Rule, RuleContext } from "./rule.ts";
import { skillRules } from "./skills.ts";
import type { SpannedClaim } from "./spanned-claim.ts";
import { findStatements } from "./statements.ts";
import { studyRules } from "./study.ts";
import type { Mention } from "./subject.ts";
import { tasteRules, tastesFronted } from "./tastes.ts";
import { beginningOf, timesOf } from "./times.ts";
import { readWords, type Word } from "./words.ts";
import { workRules } from "./work.ts";

export interface ExtractByRulesOptions {
  /** When the text was said, in milliseconds: what "last week" is told from. */
  readonly saidAt: number;
  /** IANA name of the time zone in which its dates are meant. Default "UTC". */
  readonly zone?: string;
  /** The subject that "I" stands for. Default `user`. */
  readonly speaker?: string;
}

/** How sure a plain statement is. What follows "I think" is half as sure, see `Clause.confidence`. */
const sure = 0.9;

const rulesByVerb = new Map<string, Rule[]>();
for (const rule of [
  ...personalRules,
  ...placeRules,
  ...workRules,
  ...studyRules,
  ...havingRules,
  ...relationRules,
  ...possessionRules,
  ...tasteRules,
  ...habitRules,
  ...healthRules,
  ...skillRules,
  ...planRules,
  ...eventRules,
  ...attributeRules,
])
  for (const verb of rule.verbs) {
    const known = rulesByVerb.get(verb);
    if (known === undefined) rulesByVerb.set(verb, [rule]);
    else known.push(rule);
  }
const rulesOfAnyVerb = rulesByVerb.get("") ?? [];
for (const [verb, rules] of rulesByVerb) if (verb !== "") rules.push(...rulesOfAnyVerb);

/**
 * Reads what a text states about its speaker and about people with names, by rules and without a model: English, and the most
 * frequent forms of names, homes, work and likes in German, Spanish, French and Portuguese. Precision goes before recall:
 * questions, conditions, requests, quotations, what others are said to have said, and what the rules do not know give no claim.
 * Pure; its time grows with the length of the text.
 *
 * @returns claims in the order of the text, each with the span of its words, and with no sources
 * @throws FluxTypeError `invalid_argument` for a time that is none or a zone that does not exist, when a date is read
 */
export function extractByRules(text: string, options: ExtractByRulesOptions): readonly SpannedClaim[] {
  const run = new Run(text, options);
  for (const statement of findStatements(text)) {
    if (statement.asked === true) run.meet(statement);
    else for (const part of apart(statement)) run.read(part);
  }
  return run.claims;
}

// "We have a kitten, her name is Mochi": whose name it is, the part before says.
const naming =
  /,\s+(?:and\s+)?(?=(?:her|his|its) name(?:['’]s| is| was)\b)|(?<=\b(?:called|named|name['’]s|name is) \p{Lu}[\p{L}'’-]{1,30})(?:,?\s+and\s+|,\s+)(?=(?:she|he)\b)/u;

function apart({ text, start }: Piece): readonly Piece[] {
  const match = naming.exec(text);
  if (match === null) return [{ text, start }];
  const at = match.index + match[0].length;
  return [
    { text: text.slice(0, match.index), start },
    { text: text.slice(at), start: start + at },
  ];
}

const another =
  /,\s+(?:but\s+)?(?:that|it)(?:['’]?s| is) (?:my|our) ([\p{L}-]+)(?: who (does|is|doesn['’]t|isn['’]t|can['’]t))?\s*(?:[.,!]|$)/iu;

const changing =
  /\b(?:now|changed|used to be|went (?:up|down)|moved|increased|dropped|(?:been|was) (?:changed|moved|raised))\b/i;

const meant =
  /^(?:(?:no|sorry|oops|wait|oh|also|btw)[,.!\s]+)*i (?:mean(?:t(?: to say)?)?|(?:also )?forgot to (?:say|mention|tell you|add)|should (?:say|mention|add|probably mention)|should(?:['’]ve| have) (?:said|mentioned))(?: that)?(?=[,:\s])/i;

// What is said in passing, and what only weakens or stresses what it stands before.
const fillers =
  /(?:,\s+)?\b(?:(?:to be (?:honest|fair|frank)|in all honesty|tbh|tbf|ngl|imo|imho|fwiw|if i['’]?m (?:being )?honest|not gonna lie|not going to lie)\b|(?:basically|literally|pretty much|practically|just about|almost|more or less) (?=every\b|each\b|all\b|daily\b)|(?<=\b(?:[\p{L}]+s|[\p{L}]+e|drink|eat|have|['’]ve got|got|about) )like (?=(?:\d|an?\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|twelve\b|twenty\b|every\b)))/giu;

// What every one of them has a part of: most sentences have none.
const filled =
  /tb[hf]|ngl|imh?o|fwiw|honest|fair|frank|\blie\b|(?:basically|literally|much|practically|about|almost|less) (?:every|each|all|daily)|like (?:[\d]|an? |one|two|three|four|five|six|seven|eight|nine|ten|twe|every)/i;

// "By May" says when something will be done, not how long it holds.
const by = /\bby\s+(?:the\s+)?$/i;

const tasted = /^(?:love|like|hate|adore|enjoy|detest|loathe|despise|dislike|stand|bear|prefer)$/;
// "My wife loves them though".
const them =
  /^(\s+(?:really |absolutely |just )?)(?:them|it|those)(?=\s*(?:[.,!;)]|$|(?:though|too|but|and|so|either|now|anymore|any more|as well)\b))/i;

const ofPeople = /^(?:has_|married_to$|engaged_to$|dating$|met$)/;

/** How a draft is said: offsets are those of the text, half-open. */
interface Saying {
  readonly start: number;
  readonly end: number;
  /** Default none. */
  readonly dates?: readonly DateMention[];
  /** 1, the default, or less. */
  readonly confidence?: number;
  /** Whether the sentence corrects what was said before. Default no. */
  readonly corrects?: boolean;
}

class Run {
  readonly claims: SpannedClaim[] = [];
  readonly #options: ExtractByRulesOptions;
  /** How dates are read. */
  readonly #clock: { readonly at: number; readonly zone?: string };
  readonly #lowerCase: boolean;
  /** Whether the text says "I" or "my". */
  readonly #speaks: boolean;
  /** Whether nothing has been said but a greeting. */
  #first = true;
  readonly #seen = new Set<string>();
  readonly #acquaintances = new Acquaintances();
  /** What was liked, eaten or avoided last in this sentence and in the one before: "them". */
  #topic: string | undefined;
  #topicBefore: string | undefined;

  constructor(text: string, options: ExtractByRulesOptions) {
    const { saidAt, zone } = options;
    this.#options = options;
    this.#clock = zone === undefined ? { at: saidAt } : { at: saidAt, zone };
    this.#speaks = /\b(?:i|im|ive|my|me)\b/i.test(text);
    // "BBC" and "xX_Moth_Xx" are written so by those who write no capitals, too.
    this.#lowerCase = !/(?<![\p{L}\p{N}_@.-])\p{Lu}\p{Ll}/u.test(text);
  }

  /** Reads of a question or an order whom it names: "what can I get my sister Nadia?". */
  meet({ text, start }: Piece): void {
    this.#begin(readWords(text));
    const { mentions } = readClauses(
      text,
      readWords(text),
      () => undefined,
      (subject) => this.#acquaintances.introduce(subject),
      false,
    );
    this.#name(text, start, mentions);
  }

  read({ text: written, start }: Piece): void {
    // "I meant to say my sister lives in Turin" says what follows.
    const said = written.replace(meant, (lead) => " ".repeat(lead.length));
    const text = (filled.test(said) ? said.replace(fillers, (filler) => " ".repeat(filler.length)) : said)
      // "I live and work in Accra": one lives there.
      .replace(/(?<=\blives?) and works?(?= in\b)/gi, (more) => " ".repeat(more.length));
    const words = readWords(text);
    this.#acquaintances.changes = changing.test(text);
    this.#begin(words);
    // "No mushrooms please, I can't stand them."
    this.#topic = /^(?:and |also |so )?no (\p{Ll}+(?: \p{Ll}+)?)(?: please| pls)?[,;]/iu.exec(text)?.[1];
    const before = this.claims.length;
    const last = this.claims.at(-1);
    const correction = readCorrection(written);
    const dates = once(() => findDates(text, this.#clock));
    const { clauses, mentions } = readClauses(
      text,
      words,
      (word) => this.#acquaintances.meant(word),
      (subject) => this.#acquaintances.introduce(subject),
      this.#acquaintances.none,
    );
    this.#acquaintances.others =
      /\b(?:he|she|they|his|her|their)\b/i.test(text) ||
      clauses.some(({ subjects }) =>
        subjects.every(
          ({ kind, impersonal }) => kind !== "user" && (kind !== "attribute" || impersonal === true),
        ),
      );
    this.#name(text, start, mentions);
    for (const clause of clauses) this.#clause(text, start, clause, dates, correction.corrects);
    for (const { draft, start: from, end } of readAsides(text, this.#lowerCase))
      this.#add(draft, { start: start + from, end: start + end });
    for (const { drafts, start: from, end } of [...tastesFronted(text), ...noted(text)])
      for (const draft of drafts) this.#add(draft, { start: start + from, end: start + end });
    // Who begins with a name and says "I" somewhere speaks of themselves.
    const own = this.#first && this.#speaks ? readOwnLine(text, this.#lowerCase) : undefined;
    this.#first = this.#first && words.length <= 3;
    for (const draft of own?.drafts ?? []) this.#add(draft, { start, end: start + text.length });
    this.#another(text, before);
    for (const { predicate, reason, name } of readIntroductions(text)) {
      const draft: Draft = { subject: userSubject, predicate, object: name.text, timing: "none", reason };
      const at = start + name.at;
      this.#add(draft, { start: at, end: at + name.text.length, corrects: correction.corrects });
    }
    if (clauses.length === 0 && mentions.length === 0) this.#foreign(text, start);
    this.#dropEnded(before);
    // A place or a company is nobody of whom the next sentence could speak.
    const told = this.claims.slice(before).filter(({ predicate }) => !ofPeople.test(predicate));
    this.#acquaintances.keep((name) => told.every(({ object }) => object?.includes(name) !== true));
    const { instead } = correction;
    if (
      this.claims.length === before &&
      instead !== undefined &&
      last?.object !== undefined &&
      alike(last.object, instead.text)
    ) {
      this.#push({
        ...last,
        object: instead.text,
        change: "correct",
        span: { start: start + instead.at, end: start + instead.at + instead.text.length },
      });
    }
  }

  #begin(words: readonly Word[]): void {
    this.#acquaintances.begin(words);
    this.#topicBefore = this.#topic;
    this.#topic = undefined;
  }

  /** Whom a sentence names on the way. */
  #name(text: string, start: number, mentions: readonly Mention[]): void {
    for (const { subject, start: from, end } of mentions)
      for (const draft of introduced(subject, text, end))
        this.#add(draft, { start: start + from, end: start + end });
    for (const { drafts, start: from, end } of [...namedTogether(text), ...namedBefore(text)])
      for (const draft of drafts) this.#add(draft, { start: start + from, end: start + end });
  }

  /** "I'm not allergic to nuts, that's my brother": who else is. */
  #another(text: string, from: number): void {
    const match = another.exec(text);
    const relation = relationOf(match?.[1]?.toLowerCase() ?? "");
    const [claim, ...others] = this.claims.slice(from);
    if (match === null || relation === undefined || relation.plural === true) return;
    if (claim === undefined || others.length > 0 || claim.change !== undefined) return;
    // "It's my flatmate who doesn't".
    const denies = /n['’]t$/i.test(match[2] ?? "");
    if (claim.subject !== this.#named(userSubject) || (claim.affirmed === false) === denies) return;
    const { affirmed: _, ...same } = claim;
    const subject = this.#named(`${userSubject}'s ${spokenOf(relation.noun)}`);
    this.#push({ ...same, subject, ...(denies ? { affirmed: false } : {}) });
  }

  /** "My dog Bruno died": that there is such a dog is not said besides. */
  #dropEnded(from: number): void {
    const ended = this.claims.slice(from).filter(({ change }) => change === "end");
    for (let at = this.claims.length - 1; at >= from && ended.length > 0; at--) {
      const claim = this.claims[at];
      const same = ended.some(
        (end) =>
          end.subject === claim?.subject && end.predicate === claim.predicate && end.object === claim.object,
      );
      if (same && claim?.change === undefined) this.claims.splice(at, 1);
    }
  }

  #clause(
    sentence: string,
    offset: number,
    written: Clause,
    dates: () => readonly DateMention[],
    corrects: boolean,
  ): void {
    const topic = this.#topic ?? this.#topicBefore;
    const clause =
      topic === undefined || !tasted.test(written.phrase.lemma)
        ? written
        : { ...written, rest: written.rest.replace(them, (_all, lead: string) => `${lead}${topic}`) };
    const own = once(() =>
      dates().filter(({ span }) => span.start >= clause.start && span.end <= clause.end),
    );
    // "I have lived here for three years".
    const since = once(() =>
      own().length === 0 && clause.phrase.perfect && clause.phrase.mode !== "ended"
        ? beginningOf(clause.rest, this.#clock)
        : own().filter(({ span, bound }) => bound !== "until" || !by.test(sentence.slice(0, span.start))),
    );
    const rules = rulesByVerb.get(clause.phrase.lemma) ?? rulesOfAnyVerb;
    const whole = clause.rest;
    const rest = once(() => withoutDates(whole, clause.restAt, own(), sentence));
    for (const subject of clause.subjects) {
      // "My wife and I": of her nothing is known but that.
      if (
        clause.subjects.length > 1 &&
        subject.known !== undefined &&
        subject.known.name === undefined &&
        clause.subjects.some(({ kind }) => kind === "user")
      )
        continue;
      const context: RuleContext = {
        ...{ clause, subject, whole, dates: own, lowerCase: this.#lowerCase, sentence },
        get rest() {
          return rest();
        },
      };
      for (const rule of rules) {
        const drafts = rule.read(context);
        if (drafts.length === 0) continue;
        for (const draft of [...drafts, ...contrasts(context, rule, drafts)])
          this.#add(draft, {
            start: offset + clause.subjectAt,
            end: offset + spanEnd(written),
            dates: draft.timing === "none" ? [] : since(),
            confidence: clause.confidence,
            corrects,
          });
      }
    }
  }

  #foreign(sentence: string, offset: number): void {
    for (const { predicate, object, reason, start } of readOtherLanguages(sentence)) {
      const draft: Draft = { subject: userSubject, predicate, object: object.text, timing: "none", reason };
      this.#add(draft, { start: offset + start, end: offset + object.start + object.text.length });
    }
  }

  #add(draft: Draft, { start, end, dates = [], confidence = 1, corrects = false }: Saying): void {
    const { subject, object, predicate, affirmed, change, cardinality, reason } = draft;
    const about = this.#named(subject);
    const what = object === undefined ? undefined : this.#named(object.replace(/ {2,}/g, " "));
    this.#acquaintances.meet(draft);
    if (what !== undefined && /^(?:likes|dislikes|prefers|eats|drinks|allergic_to|plays)$/.test(predicate))
      this.#topic = what;
    // "I'm Anna" of a speaker of that name says nothing new.
    if (predicate === "name" && about === what) return;
    // "We have a kitten, her name is Mochi" has one.
    if (reason === "is called")
      this.#drop(
        (claim) =>
          claim.subject === about &&
          claim.predicate === predicate &&
          /^\p{Ll}+$|['’]s \p{Ll}[\p{L}-]*$/u.test(claim.object ?? ""),
      );
    // Of what one has many of, the new takes nothing back.
    const single = cardinalityOf(canonicalPredicate(predicate), cardinality) === "one";
    const corrected = change ?? (corrects && single && affirmed !== false ? "correct" : undefined);
    this.#push({
      ...{ subject: about, predicate },
      ...(what === undefined ? {} : { object: what }),
      ...(affirmed === undefined ? {} : { affirmed }),
      ...(corrected === undefined ? {} : { change: corrected }),
      ...(cardinality === undefined ? {} : { cardinality }),
      confidence: Math.round(sure * confidence * 100) / 100,
      ...timesOf(draft, dates, this.#options.saidAt),
      ...{ saidAt: this.#options.saidAt, reason, span: { start, end } },
    });
  }

  #push(claim: SpannedClaim): void {
    const key = [
      claim.subject,
      claim.predicate,
      claim.object?.toLowerCase(),
      claim.affirmed,
      claim.change === "end",
    ].join("\n");
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (claim.change === "correct") this.#takeBack(claim);
    this.claims.push(claim);
  }

  #drop(without: (claim: SpannedClaim) => boolean): void {
    const at = this.claims.findLastIndex(without);
    if (at >= 0) this.claims.splice(at, 1);
  }

  /** What the same text said before and corrects is not said at all. */
  #takeBack({ subject, predicate }: SpannedClaim): void {
    this.#drop(
      (claim) =>
        claim.subject === subject &&
        claim.predicate === predicate &&
        claim.affirmed !== false &&
        claim.change === undefined,
    );
  }

  /** The speaker in the place of `user`, also in "user's sister". */
  #named(text: string): string {
    const { speaker } = this.#options;
    if (speaker === undefined) return text;
    return text === userSubject || text.startsWith(`${userSubject}'s `)
      ? speaker + text.slice(userSubject.length)
      : text;
  }
}

/** Whether two objects are of one kind: names, or figures. */
function alike(a: string, b: string): boolean {
  return /^[$€£\d]/.test(a) === /^[$€£\d]/.test(b);
}

const lead =
  /[\s,]*(?:\b(?:back\s+)?(?:in|on|at|since|from|until|till|by|for|during|around|about|over|before|after|starting|ever since|as of|effective|early|late|mid|the (?:end|beginning|start|middle|first|second|third|last) of|of|the|this|that|roughly|almost|just|only)[\s-]*){0,3}$/i;

/** What stands before the first date, without the words that lead to it. */
function withoutDates(rest: string, restAt: number, dates: readonly DateMention[], sentence: string): string {
  for (const { span, precision } of dates) {
    if (span.start < restAt) continue;
    // "A 2012 Honda Civic" is named by its year.
    if (
      precision === "year" &&
      /^\s+\p{Lu}/u.test(sentence.slice(span.end, span.end + 3)) &&
      /\b(?:an?|my|the)\s+$/i.test(sentence.slice(restAt, span.start))
    )
      continue;
    return rest.slice(0, span.start - restAt).replace(lead, "");
  }
  return rest;
}

function spanEnd(clause: Clause): number {
  return Math.min(clause.end, clause.restAt + clause.rest.replace(/[\s,;:.!]+$/, "").length);
}

function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
