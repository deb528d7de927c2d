import type { Summary } from "./measure.ts";

/** One line of the report. */
export interface Result {
  readonly measure: string;
  readonly case: string;
  readonly store: string;
  readonly unit: string;
  readonly figures: Summary;
  /** Microseconds of this process's processor time that a call takes at least. */
  readonly cpu?: number;
  readonly peer?: { readonly store: string; readonly figures: Summary; readonly cpu?: number };
  /** How good it is beside its peer: 1 is as good, 0.5 is half as fast or twice as large. */
  readonly ratio?: Summary;
}

/** The results as a table with aligned columns. */
export function table(results: readonly Result[]): string {
  const header = [
    "case",
    "store",
    "unit",
    "median",
    "range",
    "cpu µs",
    "peer",
    "median",
    "cpu µs",
    "ratio",
    "range",
  ];
  const rows = results.map(({ case: name, store, unit, figures, cpu, peer, ratio }) => [
    name,
    store,
    unit,
    number(figures.median),
    range(figures, number),
    cpu === undefined ? "" : number(cpu),
    peer?.store ?? "",
    peer === undefined ? "" : number(peer.figures.median),
    peer?.cpu === undefined ? "" : number(peer.cpu),
    ratio === undefined ? "" : ratio.median.toFixed(2),
    ratio === undefined ? "" : range(ratio, (value) => value.toFixed(2)),
  ]);
  // Columns that nothing is in are left out.
  const used = header.map((_title, i) => rows.some((row) => row[i] !== ""));
  const right = new Set(["median", "range", "cpu µs", "ratio"]);
  const lines = [header, ...rows];
  const widths = header.map((_title, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const pad = (cell: string, i: number): string =>
    right.has(header[i] ?? "") ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return lines
    .map((line) =>
      line
        .map(pad)
        .filter((_cell, i) => used[i])
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function range({ least, most }: Summary, format: (value: number) => string): string {
  return `${format(least)}–${format(most)}`;
}

/** Three digits that count, and no more after the point than that needs. */
function number(value: number): string {
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
