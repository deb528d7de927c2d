import { percentile } from "./measure.ts";
import { auroc, mean, type Scores } from "./recall-metrics.ts";
import type { Outcome, RecallRun } from "./recall-run.ts";
import { unanswerable } from "./recall-set.ts";

/** What `--json` writes. Scores are in per cent, times in milliseconds. */
export interface RecallReport {
  readonly file: string;
  readonly embedder: string;
  /** `ALL` is every question that has an answer. */
  readonly categories: Readonly<Record<string, CategoryReport>>;
  readonly add_ms: Percentiles;
  readonly recall_ms: Percentiles;
}

export interface CategoryReport extends Partial<Scores> {
  /** Questions, and those alone that have evidence where scores are given. */
  readonly n: number;
  /** Of the confidence: questions of `ALL` beside those of this category. Only where questions have no answer. */
  readonly auroc?: number;
}

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

export function recallReport(
  file: string,
  embedder: string,
  { outcomes, addTimes, recallTimes }: RecallRun,
): RecallReport {
  const answerable = outcomes.filter(({ category, scores }) => scores && !unanswerable.includes(category));
  const names = [...new Set(outcomes.map(({ category }) => category))];
  const categories: Record<string, CategoryReport> = { ALL: scored(answerable) };
  for (const name of names.filter((name) => !unanswerable.includes(name)).sort())
    categories[name] = scored(answerable.filter(({ category }) => category === name));
  for (const name of names.filter((name) => unanswerable.includes(name)).sort()) {
    const own = outcomes.filter(({ category }) => category === name);
    const confidences = (some: readonly Outcome[]): number[] => some.map(({ confidence }) => confidence);
    const area = auroc(confidences(answerable), confidences(own));
    categories[name] = {
      // A trap may have evidence of what it is built on; a question about nothing has none.
      ...(own.every(({ scores }) => scores) ? scored(own) : { n: own.length }),
      ...(area === undefined ? {} : { auroc: perCent(area) }),
    };
  }
  return { file, embedder, categories, add_ms: percentiles(addTimes), recall_ms: percentiles(recallTimes) };
}

function scored(outcomes: readonly Outcome[]): CategoryReport {
  const all = outcomes.flatMap(({ scores }) => scores ?? []);
  if (all.length === 0) return { n: 0 };
  const scores = Object.entries(mean(all)).map(([name, value]) => [name, perCent(value)]);
  return { n: all.length, ...Object.fromEntries(scores) };
}

function perCent(share: number): number {
  return Math.round(share * 10_000) / 100;
}

function percentiles(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: rounded(percentile(sorted, 50)), p95: rounded(percentile(sorted, 95)) };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

const columns = [
  "r5",
  "r10",
  "r20",
  "all5",
  "all10",
  "all20",
  "mrr",
  "ndcg10",
  "session_r1",
  "session_r5",
  "session_r10",
  "auroc",
] as const;

/** The report as a table with aligned columns. */
export function recallTable({ embedder, categories, add_ms, recall_ms }: RecallReport): string {
  const lines = [
    ["category", "n", ...columns],
    ...Object.entries(categories).map(([name, report]) => [
      name,
      String(report.n),
      ...columns.map((column) => report[column]?.toFixed(1) ?? ""),
    ]),
  ];
  // Columns that nothing is in are left out.
  const used = (lines[0] ?? []).map((_title, i) => lines.slice(1).some((line) => line[i] !== ""));
  const widths = (lines[0] ?? []).map((_title, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .filter((_cell, i) => used[i])
      .join("  ")
      .trimEnd(),
  );
  const times = ({ p50, p95 }: Percentiles): string => `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`;
  return [
    ...table,
    "",
    `embedder  ${embedder}`,
    `add       ${times(add_ms)} a turn`,
    `recall    ${times(recall_ms)}`,
  ].join("\n");
}
