import type { ValueKind } from "../text/values.ts";

const past =
  /\b(?:(?:my|our|very|at) first|first (?:set|said|told|plan|start|mention|describ)\w*|original(?:ly)?|initial(?:ly)?|previous(?:ly)?|before|earlier|used to|history|formerly|(?<!how )old|in the past|back then|changed|over time|did|was|were|had)\b/i;
const present =
  /\b(?:current(?:ly)?|now|latest|most recent(?:ly)?|still|at this point|these days|today|so far)\b/i;
/** Asks for what has to be counted out of several memories. */
const counted =
  /\bhow many (?:times|days|weeks|months|hours)\b.*\b(?:between|until|after|before)\b|\bhow many times\b/i;

/** In their order: the kinds of values that answer a question with these words. */
const kinds: readonly (readonly [RegExp, readonly ValueKind[]])[] = [
  [/\bhow many\b/i, ["number", "score"]],
  [/\bhow much\b/i, ["money", "number", "percent"]],
  [/\bhow (?:long|often|old|far|tall|big|fast)\b/i, ["number", "time"]],
  [/\bwhen\b|\bdeadline\b|\bwhat (?:date|day|time)\b/i, ["date", "time", "weekday"]],
  [/\b(?:budget|price|cost|spend|salary|rent)\b/i, ["money"]],
  [/\bversions?\b/i, ["version", "number"]],
  [/\b(?:percent(?:age)?|accuracy|rate)\b/i, ["percent", "number", "score"]],
  [/^\W*(?:what|which)\b/i, ["money", "percent", "score", "version", "time", "date", "weekday", "number"]],
];

/**
 * The kinds of values that a question asks for as they are now. None for a question about the past, where an older value may
 * be the answer, and for one that no single value answers.
 */
export function askedValues(question: string): ReadonlySet<ValueKind> {
  if ((past.test(question) && !present.test(question)) || counted.test(question)) return new Set();
  return new Set(kinds.find(([words]) => words.test(question))?.[1] ?? []);
}
