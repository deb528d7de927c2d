import type { Summary } from "./measure.ts";

/** One line of the report. */
export interface Result {
  readonly measure: string;
  readonly case: string;
  readonly store: string;
  readonly unit: string;
  readonly figures: Summary;
  readonly peer?: { readonly store: string; readonly figures: Summary };
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
    "least to most",
    "peer",
    "its median",
    "ratio",
    "least to most",
  ];
  const rows = results.map(({ case: name, store, unit, figures, peer, ratio }) => [
    name,
    store,
    unit,
    number(figures.median),
    range(figures, number),
    peer?.store ?? "",
    peer === undefined ? "" : number(peer.figures.median),
    ratio === undefined ? "" : ratio.median.toFixed(2),
    ratio === undefined ? "" : range(ratio, (value) => value.toFixed(2)),
  ]);
  const right = new Set([3, 4, 6, 7, 8]);
  const lines = [header, ...rows];
  const widths = header.map((_title, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const pad = (cell: string, i: number): string =>
    right.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

function range({ least, most }: Summary, format: (value: number) => string): string {
  return `${format(least)}–${format(most)}`;
}

/** Three digits that count, and no more after the point than that needs. */
function number(value: number): string {
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
