import { cutToUnits } from "../text/cut.ts";
import { lineText } from "../text/escape.ts";
import { estimatedTokens, type TokenCounter } from "../text/token-counter.ts";
import { isNaming } from "./aliases.ts";
import { canonicalKey } from "./canonical.ts";
import { userSubject } from "./claim.ts";
import { dayText } from "./day-text.ts";
import type { EntityDetails } from "./entities.ts";
import type { Fact } from "./fact.ts";
import { validAt } from "./moments.ts";

const heading = "Known entities:";

interface RenderEntitiesOptions {
  /** Tokens that the text may have at most. What does not fit is left out, and the text says so. Default 1,000. */
  readonly maxTokens?: number | undefined;
  /** Default: an estimate. */
  readonly tokenCounter?: TokenCounter | undefined;
}

const defaultContextTokens = 1000;
/** UTF-16 units of a name, an object or a list of aliases: one that is longer must not take the room of all others. */
const longestText = 200;

/**
 * Writes for a prompt what is known of entities, a line each: `- Acme (org): located in Porto; Ann works at Acme`. Facts that do not hold
 * now stand behind the others, with their times. Names and objects are data: whatever they contain stays in its line, and nothing in it is
 * hidden from a reader.
 *
 * @returns an empty string when nothing is known, or nothing fits
 */
export function renderEntities(
  entities: readonly EntityDetails[],
  now: number,
  { maxTokens = defaultContextTokens, tokenCounter = estimatedTokens }: RenderEntitiesOptions = {},
): string {
  const known = entities.filter(isKnown);
  const lines = [heading];
  const fits = (more: readonly string[]): boolean =>
    tokenCounter.count([...lines, ...more].join("\n")) <= maxTokens;
  for (const [i, entity] of known.entries()) {
    const [head, parts] = [headOf(entity), partsOf(entity, now)];
    const note = moreEntities(known.length - i - 1);
    const whole = `${head}${parts.join("; ")}`;
    if (fits([whole, ...note])) {
      lines.push(whole);
      continue;
    }
    const some = mostThatFit(parts.length, (count) => fits([cutLine(head, parts, count), ...note]));
    if (some > 0) lines.push(cutLine(head, parts, some));
    lines.push(...(some > 0 ? note : moreEntities(known.length - i)));
    break;
  }
  return lines.length > 1 && fits([]) ? lines.join("\n") : "";
}

function cutLine(head: string, parts: readonly string[], count: number): string {
  return `${head}${parts.slice(0, count).join("; ")}; and ${parts.length - count} more`;
}

function moreEntities(count: number): string[] {
  return count === 0 ? [] : [`(and ${count} more)`];
}

/** The most, below `count`, that fit: what is longer never fits where what is shorter does not. */
function mostThatFit(count: number, fits: (count: number) => boolean): number {
  let [fit, not] = [0, count];
  while (not - fit > 1) {
    const middle = Math.floor((fit + not) / 2);
    if (fits(middle)) fit = middle;
    else not = middle;
  }
  return fit;
}

function headOf({ name, type }: EntityDetails): string {
  return `- ${shortText(name)} (${type}): `;
}

/** Whether there is anything to write of it. */
function isKnown(entity: EntityDetails): boolean {
  const { asSubject, asObject } = entity;
  return asObject.length > 0 || asSubject.some((fact) => !isNaming(fact)) || otherNames(entity).length > 0;
}

/** Its further names. Spellings of one are no news. */
function otherNames({ name, aliases }: EntityDetails): readonly string[] {
  const others = new Map([[canonicalKey(name), name]]);
  for (const alias of aliases) {
    const key = canonicalKey(alias);
    if (!others.has(key)) others.set(key, alias);
  }
  return [...others.values()].slice(1);
}

function partsOf(entity: EntityDetails, now: number): string[] {
  const { asSubject, asObject } = entity;
  const others = otherNames(entity).map(shortText);
  const facts = [
    ...asSubject.filter((fact) => !isNaming(fact)).map((fact) => ({ fact, subject: false })),
    ...asObject.map((fact) => ({ fact, subject: true })),
  ];
  const inOrder = [
    ...facts.filter(({ fact }) => validAt(fact, now)),
    ...facts.filter(({ fact }) => !validAt(fact, now)),
  ];
  return [
    ...(others.length > 0 ? [`also called ${shortText(others.join(", "))}`] : []),
    ...inOrder.map(({ fact, subject }) => factText(fact, subject ? `${subjectOf(fact)} ` : "", now)),
  ];
}

function subjectOf({ subject }: Fact): string {
  return subject === userSubject ? "the user" : shortText(subject);
}

/** @param subject in front of the predicate; empty where the line is about it */
function factText(fact: Fact, subject: string, now: number): string {
  const { predicate, object, affirmed } = fact;
  const words = `${affirmed ? "" : "not: "}${subject}${shortText(predicate.replaceAll("_", " "))} ${shortText(object)}`;
  return validAt(fact, now) ? words : `${words} (${spanOf(fact)})`;
}

function spanOf({ validFrom, validUntil }: Fact): string {
  const [from, until] = [validFrom, validUntil].map((time) =>
    time === undefined ? undefined : dayText(time),
  );
  if (from === undefined) return `until ${until}`;
  return until === undefined ? `from ${from}` : `${from} to ${until}`;
}

function shortText(text: string): string {
  // White space and what is not seen make a text shorter, so more than is shown is looked at.
  const line = lineText(cutToUnits(text, 10 * longestText));
  return line.length <= longestText ? line : `${cutToUnits(line, longestText - 1)}…`;
}
