import { differenceOf, shareOf, updateMeasures } from "./update-metrics.ts";
import type { UpdateOutcome } from "./update-run.ts";
import type { Share } from "./wilson.ts";

/** What `--json` writes. All in per cent, differences in per cent points. */
export interface UpdateReport {
  readonly file: string;
  readonly embedder: string;
  /** Questions. */
  readonly n: number;
  readonly measures: Readonly<Record<string, MeasureReport>>;
}

interface MeasureReport {
  readonly withUpdates: Share;
  readonly plain: Share;
  readonly difference: Share;
}

export function updateReport(
  file: string,
  embedder: string,
  outcomes: readonly UpdateOutcome[],
): UpdateReport {
  const measures = updateMeasures.map((measure) => {
    const own = outcomes.map(({ withUpdates }) => withUpdates[measure]);
    const other = outcomes.map(({ plain }) => plain[measure]);
    const report = { withUpdates: shareOf(own), plain: shareOf(other), difference: differenceOf(own, other) };
    return [measure, report] as const;
  });
  return { file, embedder, n: outcomes.length, measures: Object.fromEntries(measures) };
}

/** The report as a table with aligned columns. */
export function updateTable({ embedder, n, measures }: UpdateReport): string {
  const lines = [
    ["", "with updates", "95 %", "plain", "95 %", "difference", "95 %"],
    ...Object.entries(measures).map(([measure, { withUpdates, plain, difference }]) => [
      measure,
      ...[withUpdates, plain, difference].flatMap((one) => [
        one.share.toFixed(1),
        `${one.low.toFixed(1)} to ${one.high.toFixed(1)}`,
      ]),
    ]),
  ];
  const widths = (lines[0] ?? []).map((_title, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const rows = lines.map((line) =>
    line
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return [...rows, "", `questions  ${n}`, `embedder   ${embedder}`].join("\n");
}
