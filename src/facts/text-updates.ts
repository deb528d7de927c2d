import type { Analyser } from "../text/analyser.ts";
import { splitSentences } from "../text/sentences.ts";
import { areRivals, type StatedValue, statedValues, states } from "../text/stated-values.ts";
import { tokensOf } from "../text/tokens-of.ts";

/** Why a text replaces an older one. */
export type TextUpdateReason = "changed_value" | "corrected" | "denied" | "affirmed_again" | "renamed";

/** That a text replaces an older one, and where it says so: an offset in UTF-16 units. */
export interface TextUpdate {
  readonly reason: TextUpdateReason;
  readonly at: number;
}

/** A text, read for what can make it replace another one or be replaced. */
export interface ReadText {
  readonly text: string;
  /** These are read when they are asked for: of most texts they are not. */
  values(): readonly StatedValue[];
  statements(): readonly Statement[];
  /** Whether it says of something that it is not so. */
  denies(): boolean;
  /** Whether it may say that a name stands in the place of another one. */
  renames(): boolean;
}

/** A sentence that states something, without its values. */
interface Statement {
  readonly text: string;
  readonly start: number;
  readonly terms: ReadonlySet<string>;
  readonly denied: boolean;
  readonly renames: boolean;
  /** Whether it tells what happened once. */
  isEvent(): boolean;
  /** The only name within it. */
  name(): string | undefined;
}

/** How much a term tells of what a text is about; from 0. A term of every text tells little. */
export type TermWeight = (term: string) => number;

const maxValues = 24;
const maxStatements = 24;
/** UTF-16 units: what states one thing. */
const longestStatement = 90;

/** Says of what follows, in the present, that it is not so. What was not so at one time ("I didn't go") denies nothing. */
const denial =
  /\b(?:do not|does not|am not|are not|is not|no longer|never|not any ?more)\b(?! sure)|\b(?:don|doesn|isn|aren)['’]?t\b|['’](?:m|s|re) not\b(?! sure)|\b(?:any ?more|any longer)\b|\b(?:stopped|quit|gave up|given up)\b/i;
const question = /\?\s*$/;
/** Something that happened once, which nothing that happens later makes untrue. */
const event =
  /(?:^|[\s,])(?:I|we|you|he|she|they|it|\p{Lu}\p{Ll}+)\s+(?:just |also |then |finally |already )?(?:\p{Ll}{2,}ed|went|saw|met|bought|ate|ran|spent|took|gave|got|made|sold|read|wrote|came|did|paid|drank|sent|lost|won|found|left|swam|rode|drove|flew|slept|caught|taught|built|was|were|had)\b/u;
const state =
  /\b(?:my|our|his|her|their|its|is|are|am|have|has|costs?|takes?|needs?|lives?|works?|weighs?|earns?|pays?)\b|['’](?:s|m|re|ve)\b|\b(?:I|we) \p{Ll}/iu;
/** A day on which something is, not one on which something was done. */
const fixture = /\b(?:is|are|takes place|starts|begins|ends|due)\b/i;
/** Opens a sentence that sets something right. */
const correction =
  /^(?:no[,.!]|actually\b|correction\b|sorry,|scratch that\b|wait,|oops\b|i meant\b|i mean\b|that['’]s wrong\b|my mistake\b|not .{1,40} but\b)/i;
/** Says of a day or an hour that it is another one than before. */
const moved =
  /\b(?:reschedul|postpon)\w*|\b(?:moved|moving|pushed|shifted|extended|delayed) (?:back |forward |out |up )?(?:to|from|by|until)\b|\bbrought forward\b|\bnew (?:date|day|time|deadline|appointment)\b|\b(?:is|are) now\b|\bnow (?:on|at|due|scheduled)\b|\binstead\b/;
/** Says of a name that it stands in the place of another one. */
const renamed = /\b(?:now|no longer|any ?more|instead|from now on|changed|switched|renamed|new)\b/i;

/** What a text says that a later one may change. Questions are read for their values alone. */
export function readForUpdates(text: string, analyser: Analyser): ReadText {
  const values = once(() => statedValues(text, analyser).slice(0, maxValues));
  return {
    ...{ text, values },
    statements: once(() => readStatements(text, values(), analyser)),
    denies: once(() => denial.test(text)),
    renames: once(() => renamed.test(text)),
  };
}

/** Calls at the first question alone. */
function once<T>(read: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => {
    answer ??= { value: read() };
    return answer.value;
  };
}

function readStatements(
  text: string,
  values: readonly StatedValue[],
  analyser: Analyser,
): readonly Statement[] {
  return splitSentences(text)
    .filter(({ text: sentence }) => sentence.length <= longestStatement && !question.test(sentence))
    .slice(0, maxStatements)
    .map(({ text: sentence, start }): Statement => {
      const inside = values.filter((value) => value.start >= start && value.end <= start + sentence.length);
      const tokens = tokensOf(analyser, sentence).filter(
        (token) =>
          !inside.some((value) => token.start + start < value.end && token.end + start > value.start),
      );
      const terms = new Set(tokens.map(({ term }) => term));
      for (const term of turns) terms.delete(term);
      return {
        ...{ text: sentence, start, terms },
        ...{ denied: denial.test(sentence), renames: renamed.test(sentence) },
        isEvent: once(() => event.test(sentence)),
        name: once(() => nameIn(sentence)),
      };
    });
}

/** Terms that say that something is otherwise than before, and not what. */
const turns = ["never", "longer", "anymor", "stop", "quit", "gave", "given", "now", "again", "instead"];

/** The terms by which texts are found that a text may replace; none for a text that replaces nothing. */
export function termsOfUpdate({ text, values, statements, denies, renames }: ReadText): readonly string[] {
  const terms = new Set(
    values().flatMap(({ unit, terms: around }) => [...(unit === undefined ? [] : [unit]), ...around]),
  );
  if (denies() || renames())
    for (const { terms: own, denied, renames: renamesIt } of statements())
      if (denied || renamesIt) for (const term of own) terms.add(term);
  // One that takes a denial back says nothing by itself: it is found by all of its words.
  if (terms.size === 0 && text.length <= longestStatement)
    for (const term of statements()[0]?.terms ?? []) terms.add(term);
  return [...terms];
}

/** Shares of what stands around two values that is common to both. */
const nearlyTheSame = 0.75;
const mostOfIt = 0.6;
const aboutTheSame = 0.45;
const related = 0.4;
/** Terms that two values have in common where they are said of one thing in other words. */
const leastCommon = 3;

/**
 * Decides whether a text replaces an older one by the same author: the same thing with another value, a statement that is
 * denied, or something that is set right. Conservative: what happened at one time is not made untrue by what
 * happens at another, and what both texts state stands.
 *
 * @param adjacent whether the older one is among the last that the author said in the session
 */
export function textUpdate(
  newer: ReadText,
  older: ReadText,
  weight: TermWeight,
  { adjacent = false }: { readonly adjacent?: boolean } = {},
): TextUpdate | undefined {
  return (
    changedValue(newer, older, weight) ??
    (adjacent ? correctedValue(newer, older) : undefined) ??
    changedStatement(newer, older, weight)
  );
}

function changedValue(newer: ReadText, older: ReadText, weight: TermWeight): TextUpdate | undefined {
  for (const value of newer.values()) {
    if (value.former || states(value, older.values())) continue;
    const sentence = newer.text.slice(value.sentence.start, value.sentence.end);
    for (const other of older.values()) {
      if (!areRivals(other, value) || states(other, newer.values())) continue;
      const common = overlap(around(value), around(other), weight);
      // "From 5 to 6", of what was 5.
      const named = newer
        .values()
        .some((one) => one.former && one.kind === other.kind && one.value === other.value);
      if (named ? isRelated(common) : saysAnew(value, sentence, common) && areNear(value, other))
        return { reason: "changed_value", at: value.start };
    }
  }
  return undefined;
}

function isRelated({ share, common }: Overlap): boolean {
  return common === 1 ? share >= nearlyTheSame : share >= related;
}

/** A sentence may hold values of several things: those of one thing have a word next to them in common. */
function areNear({ near }: StatedValue, other: StatedValue): boolean {
  return [...near].some((term) => other.near.has(term));
}

/** Whether a value is said of the same thing as another one, and in the place of it. */
function saysAnew(value: StatedValue, sentence: string, { share, part, common }: Overlap): boolean {
  const isDay = value.kind === "date" || value.kind === "time" || value.kind === "weekday";
  if (isDay ? moved.test(sentence) : value.changed) {
    if (common >= leastCommon) return share >= aboutTheSame;
    return share >= nearlyTheSame || (common > 1 && part >= mostOfIt);
  }
  if (share < nearlyTheSame || !isState(sentence)) return false;
  return !isDay || (common >= 2 && fixture.test(sentence));
}

/** Whether a sentence says how something is, not what was done or what is asked. */
function isState(sentence: string): boolean {
  return state.test(sentence) && !event.test(sentence) && !question.test(sentence);
}

function around({ unit, terms }: StatedValue): ReadonlySet<string> {
  return unit === undefined ? terms : new Set([...terms, unit]);
}

/** "No, at four": a value of the same kind as the one before, in a sentence that sets something right. */
function correctedValue(newer: ReadText, older: ReadText): TextUpdate | undefined {
  if (!setsRight(newer)) return undefined;
  const corrected = newer.values().find((value) => {
    if (value.former || states(value, older.values())) return false;
    const [only, ...others] = older.values().filter(({ kind, former }) => kind === value.kind && !former);
    const isOnly = only !== undefined && others.length === 0;
    return isOnly && (value.unit ?? only.unit) === only.unit && !states(only, newer.values());
  });
  return corrected && { reason: "corrected", at: corrected.start };
}

/** Whether a text sets something right that was said just before. */
export function setsRight({ text }: Pick<ReadText, "text">): boolean {
  return correction.test(text.trim());
}

/** The same statement denied, affirmed again, or with another name in it. */
function changedStatement(newer: ReadText, older: ReadText, weight: TermWeight): TextUpdate | undefined {
  if (!newer.denies() && !older.denies() && !newer.renames()) return undefined;
  for (const statement of newer.statements()) {
    const { start: at, denied } = statement;
    for (const other of older.statements()) {
      if (denied !== other.denied) {
        if (isAboutTheSame(statement, other, weight) && !statement.isEvent() && !other.isEvent())
          return { reason: denied ? "denied" : "affirmed_again", at };
      } else if (!denied && isRenamed(statement, other, weight)) return { reason: "renamed", at };
    }
  }
  return undefined;
}

function isAboutTheSame({ terms }: Statement, other: Statement, weight: TermWeight): boolean {
  const { share, common } = overlap(terms, other.terms, weight);
  return share >= nearlyTheSame && common >= 1;
}

/** "My dentist is Dr Amsel now": another name in a statement of which all else is the same, and that says that it changed. */
function isRenamed(statement: Statement, other: Statement, weight: TermWeight): boolean {
  if (!statement.renames) return false;
  const [name, before] = [statement.name(), other.name()];
  if (statement.isEvent() || other.isEvent()) return false;
  if (name === undefined || before === undefined || name.toLowerCase() === before.toLowerCase()) return false;
  const without = (terms: ReadonlySet<string>, written: string): ReadonlySet<string> =>
    new Set([...terms].filter((term) => !written.toLowerCase().includes(term.slice(0, 4))));
  const { share, common } = overlap(without(statement.terms, name), without(other.terms, before), weight);
  return share >= nearlyTheSame && common >= 1;
}

/** The only name within a sentence. */
function nameIn(sentence: string): string | undefined {
  const names =
    sentence.match(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}'’.-]+(?: \p{Lu}[\p{L}\p{M}'’.-]+)*/gu) ?? [];
  const others = names.filter((name) => name !== "I" && !/^I['’]/.test(name));
  return others.length === 1 ? others[0]?.replace(/[.,]+$/, "") : undefined;
}

/** How much of what two sets of terms say is common. */
interface Overlap {
  /** The cosine of their weights. */
  readonly share: number;
  /** Of the one that says less. */
  readonly part: number;
  /** Terms. */
  readonly common: number;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>, weight: TermWeight): Overlap {
  let common = 0;
  for (const term of a) if (b.has(term)) common += 1;
  if (common === 0) return { share: 0, part: 0, common };
  let [shared, whole, other] = [0, 0, 0];
  for (const term of a) {
    const own = weight(term);
    whole += own;
    if (b.has(term)) shared += own;
  }
  for (const term of b) other += weight(term);
  return { share: shared / Math.sqrt(whole * other), part: shared / Math.min(whole, other), common };
}
