import type { Evidence } from "../model/fact.ts";
import { isSameRef } from "../model/record.ts";
import type { Changes } from "./changes.ts";

/** A place in a record that says something. */
export type SaidAt = NonNullable<Evidence["sources"]>[number];

/** What says a fact that holds no more, and what says since when: the end of it, or the fact in its place. */
export interface ReplacedSource {
  readonly older: SaidAt;
  readonly newer: SaidAt;
}

/**
 * Which records say something that others replace, by what changes of facts came to: of a fact that another one closed,
 * corrected or that was said to have ended. What was said later of an earlier time replaces nothing that was said before it.
 */
export function replacedSources({ placed, retired }: Changes): readonly ReplacedSource[] {
  const pairs = [
    ...placed.flatMap(({ kept, interval: { sayings, closedBy } }) => {
      if (kept !== undefined) return [];
      const all = sayings.map(({ evidence }) => evidence);
      const stated = all.filter(({ ends }) => !ends);
      const ended = all.filter(({ ends }) => ends);
      return [pairsOf(stated, ended), pairsOf(stated, statedBy(closedBy))].flat();
    }),
    ...retired.flatMap(({ version, by, reason }) => {
      if (by === undefined || reason === "replaced") return [];
      return pairsOf(version.evidence?.filter(({ ends }) => !ends) ?? [], statedBy(by));
    }),
  ];
  const distinct = new Map(pairs.map((pair) => [`${keyOf(pair.older)} ${keyOf(pair.newer)}`, pair]));
  return [...distinct.values()];
}

function statedBy(interval: Changes["placed"][number]["interval"] | undefined): readonly Evidence[] {
  return interval?.sayings.map(({ evidence }) => evidence).filter(({ ends }) => !ends) ?? [];
}

/** Each older saying with the first later one that has a source. */
function pairsOf(older: readonly Evidence[], newer: readonly Evidence[]): readonly ReplacedSource[] {
  const later = newer.toSorted((a, b) => a.saidAt - b.saidAt);
  return older.flatMap(({ saidAt, sources = [] }) => {
    const by = later.find((one) => one.saidAt >= saidAt && one.sources !== undefined)?.sources?.[0];
    if (by === undefined) return [];
    return sources.flatMap((source) => (isSameRef(source, by) ? [] : [{ older: source, newer: by }]));
  });
}

function keyOf({ kind, id, start }: SaidAt): string {
  return `${kind} ${id} ${start ?? 0}`;
}
