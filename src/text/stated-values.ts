import type { Analyser } from "./analyser.ts";
import { splitSentences } from "./sentences.ts";
import type { Token } from "./token.ts";
import { tokensOf } from "./tokens-of.ts";
import { findValues, mayHoldValues, type Value } from "./values.ts";

/** A value with what is said around it: what it is the value of. */
export interface StatedValue extends Value {
  /** Term of what a number counts: "commit" of "150 commits". */
  readonly unit?: string | undefined;
  /** The term directly before it: "flask" of "Flask 2.3.1". */
  readonly before?: string | undefined;
  /** The terms around it in its sentence, without other values and words of change. */
  readonly terms: ReadonlySet<string>;
  /** Those of them that stand next to it, and the unit. */
  readonly near: ReadonlySet<string>;
  /** It is named as what no longer holds or never did: "from 5 to 6", "not 5", "up from 5". */
  readonly former: boolean;
  /** The words before it say that something has changed: "increased to 6", "is now 6". */
  readonly changed: boolean;
  /** One of several of its kind side by side: "sides of 3, 4 and 5", "from 9 to 11 and from 2 to 4". */
  readonly listed: boolean;
  /** The sentence that it stands in: offsets in the text, half-open. */
  readonly sentence: { readonly start: number; readonly end: number };
}

/** Terms that are looked at on each side. */
const reach = 12;
/** Terms on each side that stand next to a value. */
const closeReach = 4;
/** UTF-16 units; what is longer is no sentence. */
const longestSentence = 2000;
/** UTF-16 units in which three values of a kind are a list. */
const listReach = 30;

/** Sentences of a text with values are read up to here: enough for a piece that recall returns. */
const maxUnits = 20_000;

const former =
  /\b(?:from|instead of|not|isn't|wasn't|rather than|was (?:initially|originally)|initially|originally|previously|formerly|than|up from|down from|used to be)\s*(?:about |around |my |the |(?:the |my )?(?:old|original|initial) )?$/i;
const formerAfter = /^\s*(?:to|→|->)\s+[$€£]?\d/i;
/** Words that say of what follows that it is so now and was not before. */
const changeWords =
  "now|new|newly|updated?|chang(?:ed?|ing)|adjust(?:ed|ing)?|increas(?:ed?|ing)|decreas(?:ed?|ing)|reduc(?:ed|ing)|rais(?:ed|ing)|lowered|mov(?:ed|ing)|reschedul(?:ed|ing)|postponed|extend(?:ed|ing)|extension|shorten(?:ed)?|reached|grown|growth|grew|dropped|rose|risen|fell|improv(?:ed|ing)|expanded|recent(?:ly)?|latest|no longer|any ?more|currently|switched|revised|pushed|upgraded";
const change = new RegExp(`\\b(?:${changeWords})\\b`, "i");
const isChange = new RegExp(`^(?:${changeWords})$`, "i");
const unitAfter =
  /^[\s-]{0,2}(?:(?:new|more|other|full|different|total|additional|small|main|good|great|correct|specific|whole|extra)\s+)?([\p{L}µ]+)/iu;
const noUnit = new Set(["to", "of", "and", "or", "in", "on", "at", "for", "with", "is", "per", "but", "so"]);
const code = /[{};=]|=>|\/\/|^\s*(?:def|import|from|const|class|return|select)\b/i;
const fenced = /```[\s\S]*?(?:```|$)/g;

/**
 * Finds the values in the prose of a text with what they are values of. Code is passed over.
 *
 * @throws FluxError `invalid_argument` for an analyser that throws
 */
export function statedValues(text: string, analyser: Analyser): StatedValue[] {
  const prose = text.slice(0, maxUnits).replace(fenced, (block) => " ".repeat(block.length));
  if (!mayHoldValues(prose)) return [];
  return splitSentences(prose).flatMap(({ text: sentence, start }) => {
    if (sentence.length > longestSentence || code.test(sentence)) return [];
    const values = findValues(sentence);
    if (values.length === 0) return [];
    const tokens = tokensOf(analyser, sentence).filter(
      (token) =>
        !values.some((value) => token.start < value.end && token.end > value.start) &&
        !isChange.test(sentence.slice(token.start, token.end)),
    );
    return values.map((value): StatedValue => {
      const { kind } = value;
      const around = surroundings(tokens, value);
      const lead = sentence.slice(Math.max(0, value.start - 60), value.start);
      const near = values.filter(
        (other) => other.kind === kind && Math.abs(other.start - value.start) < listReach,
      );
      const unit = kind === "number" ? unitOf(sentence, value, analyser) : undefined;
      return {
        ...{ kind, value: value.value, start: start + value.start, end: start + value.end },
        unit,
        before: around.before,
        terms: around.terms,
        near: unit === undefined ? around.near : new Set([...around.near, unit]),
        former: former.test(lead) || formerAfter.test(sentence.slice(value.end, value.end + 16)),
        changed: change.test(lead) || change.test(sentence.slice(value.end, value.end + 25)),
        listed: near.length >= 3,
        sentence: { start, end: start + sentence.length },
      };
    });
  });
}

function surroundings(
  tokens: readonly Token[],
  { start, end }: Value,
): Pick<StatedValue, "terms" | "near" | "before"> {
  const before = tokens.filter((token) => token.end <= start);
  const after = tokens.filter((token) => token.start >= end);
  const last = before.at(-1);
  return {
    terms: new Set([...before.slice(-reach), ...after.slice(0, reach)].map(({ term }) => term)),
    near: new Set([...before.slice(-closeReach), ...after.slice(0, closeReach)].map(({ term }) => term)),
    before: last !== undefined && start - last.end <= 4 ? last.term : undefined,
  };
}

function unitOf(sentence: string, { end }: Value, analyser: Analyser): string | undefined {
  const word = unitAfter.exec(sentence.slice(end, end + 40))?.[1]?.toLowerCase();
  return word === undefined || noUnit.has(word) ? undefined : tokensOf(analyser, word)[0]?.term;
}

/**
 * Whether two values may be those of one thing at two times: different ones of a kind, of the same unit. Versions and
 * numbers that count nothing have to follow on the same word. What is said to be former is the value of no time that counts.
 */
export function areRivals(a: StatedValue, b: StatedValue): boolean {
  if (a.kind !== b.kind || a.value === b.value) return false;
  if (a.former || b.former || a.listed || b.listed) return false;
  const sameLead = a.before !== undefined && a.before === b.before;
  if (a.kind === "version") return sameLead;
  if (a.kind !== "number") return true;
  if (a.unit !== undefined && b.unit !== undefined) return a.unit === b.unit;
  // "150 commits" and "the growth of commits, which has reached 165".
  if (a.unit !== undefined) return b.changed && b.terms.has(a.unit);
  return b.unit === undefined && sameLead;
}

/** Whether a value is among others, as one that holds. */
export function states({ kind, value }: StatedValue, values: readonly StatedValue[]): boolean {
  return values.some((other) => !other.former && other.kind === kind && other.value === value);
}
