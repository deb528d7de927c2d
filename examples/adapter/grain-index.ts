import {
  type GrainSearch,
  type IndexEntry,
  type Row,
  type RowRead,
  type RowWrite,
  recordTables,
} from "flux-memory/adapter";
import { cell, filtered, find, isExpired } from "./rows.ts";

/** What the spaces hold of the grains of a partition. */
export type GrainIndex = readonly { readonly grainId: string; readonly entry: IndexEntry }[];

type Read<T> = Extract<RowRead, { readonly type: T }>;

/** The index with one more entry, in the place of what its space held of the grain. */
export function indexed(
  index: GrainIndex,
  { grainId, entry }: Extract<RowWrite, { readonly type: "index" }>,
): GrainIndex {
  const others = index.filter((one) => one.grainId !== grainId || one.entry.space !== entry.space);
  return [...others, { grainId, entry }];
}

/** Grains with scores, the best first and of equal ones the newest. */
function best<T extends { readonly row: Row; readonly score: number }>(
  scored: readonly T[],
  limit: number,
): T[] {
  return scored
    .toSorted((a, b) => b.score - a.score || (b.row.seq as number) - (a.row.seq as number))
    .slice(0, limit);
}

/** The entries of a space whose grains a search may return. */
function candidates(index: GrainIndex, grains: readonly Row[], { space, where, now }: GrainSearch) {
  const { allowed, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, filter } = where;
  const byId = new Map(grains.map((row) => [row.id, row]));
  return index.flatMap(({ grainId, entry }) => {
    const row = byId.get(grainId);
    if (entry.space !== space || row === undefined || isExpired(row, now)) return [];
    const saidAt = row.saidAt as number;
    const fits = allowed.every(([column, values]) => values.includes(cell(row, column) as string));
    return fits && saidAt >= from && saidAt < until && filtered(row, filter) ? [{ row, entry }] : [];
  });
}

/** By BM25 with k1 = 1.2 and b = 0.75, over all that the partition has in the space. */
export function matchGrains(index: GrainIndex, grains: readonly Row[], read: Read<"match">): readonly Row[] {
  const countsIn = (entry: IndexEntry): number[] =>
    read.terms.map((term) => ("terms" in entry ? entry.terms.filter((other) => other === term).length : 0));
  const lengthOf = (entry: IndexEntry): number => ("terms" in entry ? entry.terms.length : 0);
  const entries = index.map(({ entry }) => entry).filter(({ space }) => space === read.space);
  const documents = entries.length;
  const terms = entries.reduce((sum, entry) => sum + lengthOf(entry), 0);
  const all = entries.map(countsIn);
  const frequencies = read.terms.map((_, i) => all.filter((counts) => (counts[i] as number) > 0).length);
  const scored = candidates(index, grains, read).flatMap(({ row, entry }) => {
    const [counts, length] = [countsIn(entry), lengthOf(entry)];
    if (counts.every((count) => count === 0)) return [];
    const saturation = 1.2 * (0.25 + (0.75 * length * documents) / terms);
    const score = counts.reduce((sum, count, i) => {
      const frequency = frequencies[i] as number;
      const rarity = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
      return sum + (rarity * count * 2.2) / (count + saturation);
    }, 0);
    return [{ row, length, counts, score }];
  });
  const found = best(scored, read.limit).map(({ row, length, counts }) => ({ grain: row, length, counts }));
  return [{ documents, terms, frequencies }, ...found];
}

/** By the cosine: vectors are of length 1, or zero. */
export function nearestGrains(
  index: GrainIndex,
  grains: readonly Row[],
  read: Read<"nearest">,
): readonly Row[] {
  const scored = candidates(index, grains, read).flatMap(({ row, entry }) =>
    "vector" in entry
      ? [{ row, score: entry.vector.reduce((sum, x, i) => sum + x * (read.vector[i] as number), 0) }]
      : [],
  );
  return best(scored, read.limit).map(({ row, score }) => ({ grain: row, similarity: score }));
}

/** The grains next to others in their sessions, on both sides. */
export function grainsAround(grains: readonly Row[], { points, reach, now }: Read<"around">): readonly Row[] {
  return points.flatMap(({ id, sessionId, ownerKind, seq }) =>
    [-1, 1].flatMap((side) =>
      find(grains, {
        type: "find",
        table: recordTables.grain,
        index: "bySession",
        prefix: [sessionId],
        range: side < 0 ? { lt: seq } : { gt: seq },
        reverse: side < 0,
        now,
      })
        .filter((row) => row.ownerKind === ownerKind)
        .slice(0, reach)
        .map((row, i) => ({ grain: row, of: id, distance: side * (i + 1) })),
    ),
  );
}
