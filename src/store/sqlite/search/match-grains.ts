import { inverseFrequency, saturation } from "../../bm25.ts";
import type { SearchRead } from "../../driver.ts";
import { leadingTerms } from "../../leading-terms.ts";
import type { Row } from "../../table.ts";
import type { StoredTerms, TermSource } from "../../term-cache.ts";
import { countsOf } from "../../term-counts.ts";
import type { Connection } from "../connection.ts";
import { bestThatMeet, grainsThatMeet } from "./grain-rows.ts";
import { readSize } from "./size.ts";
import { token } from "./terms.ts";

type Match = Extract<SearchRead, { readonly type: "match" }>;

/** Of how many candidates for each result BM25 is worked out, where the full-text table brings them. */
const scoredPerResult = 3;

const frequencyText = `select "doc" from "entry_vocabulary" where "term" = ?`;
const positionsText = `select rowid from "entry_tokens" where "entry_tokens" match ?`;
const entryText = `select "grain_id", "length", "terms" from "entry" where "position" = ?`;
// Of a bare parameter in a query with an order or a limit SQLite looks at the value, and plans anew at every call: hence `+?`.
const entriesText = `select "position", "grain_id", "terms" from "entry"
  where "partition" = +? and "space" = +? and "position" > +? order by "position"`;

const entryPositionsText = `select "position" from "entry"
  where "partition" = +? and "space" = +? order by "position"`;

/** Grains that hold at least one of the terms, after the partition's statistics. */
export function matchGrains(
  connection: Connection,
  partition: number | undefined,
  read: Match,
): readonly Row[] {
  const { space, terms, limit } = read;
  if (partition === undefined) return [{ documents: 0, terms: 0, frequencies: terms.map(() => 0) }];
  const { entries, terms: total, removed } = readSize(connection, partition, space);
  const load = (after: number): Iterable<StoredTerms> => entriesAfter(connection, partition, space, after);
  const positions = (): number[] =>
    connection
      .statement(entryPositionsText)
      .all(partition, space)
      .map(([position]) => position as number);
  const source: TermSource = {
    ...{ entries, terms: total, removed, load, positions },
    removedHere: () => connection.removed.entry.take(partition, space),
  };
  if (!connection.terms.fits(source)) return matchTokens(connection, partition, read, source);
  const found = connection.terms.match(`${partition}/${space}`, source, terms, { limit });
  const rows = bestThatMeet(connection, partition, read, ({ take, allowed }) => found.best(take, allowed));
  const held = found.termsOf(rows.map(({ entry }) => entry as number));
  return [
    { documents: entries, terms: total, frequencies: found.frequencies },
    ...rows.map(({ grain }, i) => ({ grain, ...held[i] })),
  ];
}

/**
 * Where the terms of a partition are too many for memory: by the full-text table. It tells where terms occur, not how often, so
 * that candidates come by the rarity of their terms, and the best of them by BM25.
 */
function matchTokens(
  connection: Connection,
  partition: number,
  read: Match,
  { entries, terms: total }: TermSource,
): readonly Row[] {
  const { space, terms, limit } = read;
  const tokenOf = (place: number): string => token(partition, space, terms[place] as string);
  const frequencies = terms.map((_term, place) => {
    const [count = 0] = connection.statement(frequencyText).get(tokenOf(place)) ?? [];
    return count as number;
  });
  const rarityOf = frequencies.map((frequency) => inverseFrequency(entries, frequency));
  const rarities = new Map<number, number>();
  for (const place of leadingTerms(frequencies, limit)) {
    const rarity = rarityOf[place] as number;
    for (const [position] of connection.statement(positionsText).all(`"${tokenOf(place)}"`))
      rarities.set(position as number, (rarities.get(position as number) ?? 0) + rarity);
  }
  const ranked = [...rarities].sort(([a, x], [b, y]) => y - x || b - a);
  const rows = grainsThatMeet(connection, partition, read, ({ take, allowed }) => {
    const some: (Entry & { readonly score: number })[] = [];
    for (const [position] of ranked) {
      if (some.length === take * scoredPerResult) break;
      const entry = readEntry(connection, position, terms);
      if (entry === undefined || allowed?.has(entry.grainId) === false) continue;
      const { length, counts } = entry;
      const weigh = (count: number, place: number): number =>
        (rarityOf[place] as number) * saturation(count, length, total / entries);
      const score = counts.reduce((sum, count, place) => sum + weigh(count, place), 0);
      some.push({ ...entry, score });
    }
    return some
      .sort((a, b) => b.score - a.score)
      .slice(0, take)
      .map(({ score: _score, ...entry }) => entry);
  });
  return [{ documents: entries, terms: total, frequencies }, ...rows];
}

interface Entry {
  readonly grainId: string;
  readonly length: number;
  readonly counts: readonly number[];
}

function readEntry(connection: Connection, position: number, terms: readonly string[]): Entry | undefined {
  const row = connection.statement(entryText).get(position);
  if (row === undefined) return undefined;
  const [grainId, length, text] = row as [string, number, string];
  return { grainId, length, counts: countsOf(text, terms) };
}

function* entriesAfter(
  connection: Connection,
  partition: number,
  space: number,
  after: number,
): Generator<StoredTerms> {
  for (const [position, grainId, terms] of connection.statement(entriesText).iterate(partition, space, after))
    yield { position: position as number, grainId: grainId as string, terms: terms as string };
}
