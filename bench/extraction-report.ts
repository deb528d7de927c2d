import * as z from "zod";
import { familyOf } from "./extraction-families.ts";
import { type Figures, figures, type LabelledText, type ScoredClaim, scoreText } from "./extraction-score.ts";
import { type Share, wilson } from "./wilson.ts";

const claim = z.looseObject({
  subject: z.string().min(1),
  predicate: z.string().min(1),
  object: z.string().optional(),
  affirmed: z.boolean().optional(),
  change: z.enum(["assert", "correct", "end", "retract"]).optional(),
});
const labels = z.array(
  z.looseObject({
    text: z.string(),
    saidAt: z.iso.datetime({ offset: true }),
    zone: z.string().optional(),
    speaker: z.string().optional(),
    claims: z.array(claim),
    optional: z.array(claim).optional(),
  }),
);

/** Checks the form of labelled texts. @throws ZodError for another form */
export function readLabels(json: unknown): readonly LabelledText[] {
  return labels.parse(json);
}

/** What `--json` writes. */
export interface ExtractionReport {
  readonly texts: number;
  readonly all: Figures;
  readonly families: Readonly<Record<string, Figures>>;
  /** Recall where what a text's labels allow as another wording of a claim counts as the claim. */
  readonly inAnyWording: Share | undefined;
  /** Texts that state nothing, and those of them in which something was found. */
  readonly empty: { readonly texts: number; readonly found: number };
  readonly errors: readonly string[];
}

/** Runs an extractor over labelled texts and counts what is right. */
export function extractionReport(
  texts: readonly LabelledText[],
  extract: (text: LabelledText) => readonly ScoredClaim[],
): ExtractionReport {
  const scores = texts.map((text) => ({ text, ...scoreText(text.claims, extract(text), text.optional) }));
  const right = scores.flatMap((score) => score.right);
  const accepted = scores.flatMap((score) => score.accepted);
  const wrong = scores.flatMap((score) => score.wrong);
  const missed = scores.flatMap((score) => score.missed);
  const of = (some: readonly ScoredClaim[], family: string): number =>
    some.filter(({ predicate }) => familyOf(predicate) === family).length;
  const names = [
    ...new Set([...right, ...accepted, ...wrong, ...missed].map(({ predicate }) => familyOf(predicate))),
  ].sort();
  const families = Object.fromEntries(
    names.map((name) => {
      const hits = of(right, name);
      const more = of(accepted, name);
      const found = hits + more + of(wrong, name);
      return [name, figures(hits, { accepted: more, found, labelled: hits + of(missed, name) })] as const;
    }),
  );
  const reworded = scores.flatMap((score) => score.reworded);
  const empty = scores.filter(({ text }) => text.claims.length === 0);
  return {
    texts: texts.length,
    all: figures(right.length, {
      accepted: accepted.length,
      found: right.length + accepted.length + wrong.length,
      labelled: right.length + missed.length,
    }),
    families,
    inAnyWording: wilson(right.length + reworded.length, right.length + missed.length),
    empty: { texts: empty.length, found: empty.filter((score) => score.wrong.length > 0).length },
    errors: scores.flatMap((score) => errorsOf(score.text, score.missed, score.wrong)),
  };
}

function errorsOf(
  text: LabelledText,
  missed: readonly ScoredClaim[],
  wrong: readonly ScoredClaim[],
): readonly string[] {
  if (missed.length + wrong.length === 0) return [];
  return [
    text.text,
    ...missed.map((label) => `  missed: ${written(label)}`),
    ...wrong.map((found) => `  wrong:  ${written(found)}`),
  ];
}

function written({ subject, predicate, object, affirmed, change }: ScoredClaim): string {
  const state = [affirmed === false ? "denied" : "", change ?? ""].filter((word) => word !== "").join(" ");
  return `${subject} | ${predicate} | ${object ?? ""}${state === "" ? "" : ` (${state})`}`;
}

/** The figures as lines of a table, in per cent with 95 % intervals. */
export function extractionTable({ texts, all, families, inAnyWording, empty }: ExtractionReport): string {
  const rows = [["", "right", "found", "labels", "precision", "recall", "F1"]];
  for (const [name, own] of [...Object.entries(families), ["all", all] as const])
    rows.push([
      ...[name, `${own.right}`, `${own.found}`, `${own.labelled}`],
      ...[percent(own.precision), percent(own.recall), percent(own.f1)],
    ]);
  const widths = rows[0]?.map((_cell, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
  );
  return [
    ...lines,
    `recall in any wording that the labels allow: ${percent(inAnyWording)}`,
    `${texts} texts; ${empty.found} of ${empty.texts} without a claim gave one`,
  ].join("\n");
}

function percent(share: Share | undefined): string {
  const of = (value: number): string => (value * 100).toFixed(1);
  return share === undefined ? "–" : `${of(share.share)} (${of(share.low)}–${of(share.high)})`;
}
