import { canonicalKey, canonicalPredicate } from "../src/facts/canonical.ts";
import type { Fact } from "../src/facts/fact.ts";
import { Flux, type FluxMemory } from "../src/index.ts";
import { type SyntheticAttribute, syntheticAttributes } from "./synthetic-attributes.ts";

/** What happens to a value after it was told. */
export type UpdateForm =
  | "changed"
  | "changed_otherwise"
  | "corrected"
  | "ended"
  | "told_late"
  | "further"
  | "again";

/** A user who tells something, and then something else of it. */
export interface SyntheticCase {
  readonly attribute: SyntheticAttribute;
  readonly form: UpdateForm;
  /** In the order in which they arrive. */
  readonly texts: readonly { readonly text: string; readonly saidAt: number }[];
  /** Objects that hold at the end, and those that held until something else was told. */
  readonly current: readonly string[];
  readonly closed: readonly string[];
}

export interface SyntheticReport {
  readonly cases: number;
  /** Of the cases, those whose facts are exactly the expected ones, in per cent. */
  readonly right: number;
  /** Facts that hold and were known, and are closed or gone at the end. */
  readonly trueFactsClosed: number;
  readonly forms: Readonly<Record<string, { readonly cases: number; readonly right: number }>>;
  readonly wrong: readonly WrongCase[];
}

interface WrongCase {
  /** Subject and predicate. */
  readonly attribute: string;
  readonly form: UpdateForm;
  readonly texts: readonly string[];
  readonly expected: string;
  readonly found: string;
}

const hour = 3_600_000;
const day = 24 * hour;
const first = Date.UTC(2024, 2, 4, 9);
const second = first + 60 * day;
const third = second + 60 * day;

/** A fact that nothing changes. */
const companion = { text: "I was born in Kyiv.", predicate: "born_in", object: "Kyiv" } as const;

/** 25 of each attribute: five pairs of values, each in five forms. */
export function syntheticCases(): readonly SyntheticCase[] {
  return syntheticAttributes.flatMap((attribute) =>
    attribute.values.flatMap((values) => {
      const write = (template: string): string => fill(template, values);
      const told = (text: string, saidAt: number) => ({ text: write(text), saidAt });
      const [older, newer] = values;
      const base = told(`${attribute.tell} ${companion.text}`, first);
      const make = (
        form: UpdateForm,
        texts: SyntheticCase["texts"],
        current: readonly string[],
        closed: readonly string[] = [],
      ): SyntheticCase => ({ attribute, form, texts, current, closed });
      const [change, otherwise] = attribute.change;
      const { correct, end, again, many = false } = attribute;
      const changed = (form: UpdateForm, texts: SyntheticCase["texts"]): SyntheticCase =>
        many ? make("further", texts, [older, newer]) : make(form, texts, [newer], [older]);
      return [
        changed("changed", [base, told(change, second)]),
        changed("changed_otherwise", [base, told(otherwise, second)]),
        correct === undefined
          ? make("further", [base, told(change, second), told(again, third)], [older, newer])
          : make("corrected", [base, told(correct, first + hour)], [newer]),
        end === undefined
          ? changed("told_late", [told(change, second), base])
          : make("ended", [base, told(end, second)], [], [older]),
        make("again", [base, told(again, second)], [older]),
      ];
    }),
  );
}

function fill(template: string, [older, newer]: readonly [string, string]): string {
  return template
    .replaceAll(/\bA\b/g, older)
    .replaceAll(/\bB\b/g, newer)
    .replaceAll(/\ba (?=[aeiou])/g, "an ");
}

/** Tells each case to a memory of its own, as a user would, and compares what is known with what is to be known. */
export async function runSyntheticUpdates(
  signal: AbortSignal,
  cases: readonly SyntheticCase[] = syntheticCases(),
): Promise<SyntheticReport> {
  await using flux = await Flux.open("inmemory", {
    embedder: "hash",
    languageModel: false,
    autoExtract: true,
  });
  const memories = cases.map((_, i) => flux.for({ userId: `user-${i}` }));
  const known: ReadonlySet<string>[] = [];
  const rounds = Math.max(...cases.map(({ texts }) => texts.length));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { texts }] of cases.entries()) {
      signal.throwIfAborted();
      const item = texts[round];
      if (item === undefined) continue;
      const { text: content, saidAt } = item;
      await memories[i]?.storeBatch([{ role: "user", content, saidAt, sessionId: `s${round}` }], { signal });
    }
    await flux.work({ once: true, signal });
    if (round === 0)
      for (const [i, one] of cases.entries())
        known.push(openObjects(await factsOf(memories[i], signal), one));
  }
  const outcomes: Outcome[] = [];
  for (const [i, one] of cases.entries())
    outcomes.push(compare(one, await factsOf(memories[i], signal), known[i] ?? new Set()));
  return reportOf(outcomes);
}

interface Outcome {
  readonly of: SyntheticCase;
  readonly right: boolean;
  readonly lost: number;
  readonly expected: string;
  readonly found: string;
}

async function factsOf(memory: FluxMemory | undefined, signal: AbortSignal): Promise<readonly Fact[]> {
  return (await memory?.facts.query({ history: true, limit: 100, signal }))?.items ?? [];
}

function compare(one: SyntheticCase, facts: readonly Fact[], known: ReadonlySet<string>): Outcome {
  const open = openObjects(facts, one);
  const last = Math.max(...one.texts.map(({ saidAt }) => saidAt));
  const closed = new Set(
    about(facts, one)
      .filter(({ validUntil }) => validUntil !== undefined && validUntil.at > first && validUntil.at <= last)
      .map(({ object }) => keyOf(object)),
  );
  const born = facts.find(({ predicate }) => predicate === companion.predicate);
  const stands = born?.object === companion.object && born.validUntil === undefined;
  const current = new Set(one.current.map(keyOf));
  const before = new Set(one.closed.map(keyOf));
  const lost = [...current].filter((object) => known.has(object) && !open.has(object)).length;
  return {
    of: one,
    right: stands && isSame(open, current) && isSame(closed, before),
    lost: lost + (stands ? 0 : 1),
    expected: written(current, before),
    found: written(open, closed),
  };
}

function openObjects(facts: readonly Fact[], one: SyntheticCase): ReadonlySet<string> {
  return new Set(
    about(facts, one)
      .filter(({ validUntil }) => validUntil === undefined)
      .map(({ object }) => keyOf(object)),
  );
}

/** What is known of the attribute. Not to like something is to dislike it. */
function about(facts: readonly Fact[], { attribute }: SyntheticCase): readonly Fact[] {
  const predicate = canonicalPredicate(attribute.predicate);
  return facts.filter((fact) => {
    const dislikes = fact.predicate === "likes" && !fact.affirmed;
    const own = dislikes ? "dislikes" : fact.affirmed ? fact.predicate : undefined;
    return own === predicate && canonicalKey(fact.subject) === canonicalKey(attribute.subject);
  });
}

function keyOf(object: string): string {
  return canonicalKey(object).replace(/^(?:an?|the) /, "");
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((one) => b.has(one));
}

function written(open: ReadonlySet<string>, closed: ReadonlySet<string>): string {
  return `now ${[...open].join(", ") || "nothing"}; before ${[...closed].join(", ") || "nothing"}`;
}

function reportOf(outcomes: readonly Outcome[]): SyntheticReport {
  const share = (some: readonly Outcome[]): number =>
    Math.round((1000 * some.filter(({ right }) => right).length) / some.length) / 10;
  const forms = [...Map.groupBy(outcomes, ({ of }) => of.form)].map(
    ([form, some]) => [form, { cases: some.length, right: share(some) }] as const,
  );
  return {
    cases: outcomes.length,
    right: share(outcomes),
    trueFactsClosed: outcomes.reduce((sum, { lost }) => sum + lost, 0),
    forms: Object.fromEntries(forms),
    wrong: outcomes
      .filter(({ right }) => !right)
      .map(({ of, expected, found }) => ({
        attribute: `${of.attribute.subject} ${of.attribute.predicate}`,
        form: of.form,
        texts: of.texts.map(({ text }) => text),
        ...{ expected, found },
      })),
  };
}

/** The report as text, with the first wrong case of each attribute and form. */
export function syntheticTable({ cases, right, trueFactsClosed, forms, wrong }: SyntheticReport): string {
  const examples = [...Map.groupBy(wrong, ({ form, attribute }) => `${form} ${attribute}`).values()];
  return [
    `${cases} cases, ${right.toFixed(1)} % right, ${trueFactsClosed} true facts closed`,
    ...Object.entries(forms).map(
      ([form, one]) =>
        `  ${form.padEnd(18)}${String(one.cases).padStart(5)}${one.right.toFixed(1).padStart(7)} %`,
    ),
    ...examples.flatMap(([one, ...more]) =>
      one === undefined
        ? []
        : [
            `${one.form} (${more.length + 1}): ${one.texts.join(" | ")}`,
            `  expected ${one.expected}`,
            `  found    ${one.found}`,
          ],
    ),
  ].join("\n");
}
