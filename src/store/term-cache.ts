import { Best } from "./best.ts";
import { inverseFrequency, saturation } from "./bm25.ts";
import { goneFrom, leastLive } from "./gone.ts";
import { leadingTerms } from "./leading-terms.ts";

/** What a store holds of a partition's terms in a space, as it stands in one snapshot. */
export interface TermSource {
  /** Entries there are, and their terms together. */
  readonly entries: number;
  readonly terms: number;
  /** How often an entry was removed or replaced. */
  readonly removed: number;
  /** Entries behind a position, in its order. */
  load(after: number): Iterable<StoredTerms>;
  /** Positions of all entries, rising. None is used again for another entry. */
  positions(): readonly number[];
}

export interface StoredTerms {
  /** Rises with every entry that is added. */
  readonly position: number;
  readonly grainId: string;
  /** Terms with spaces between. */
  readonly terms: string;
}

export interface TermMatches {
  readonly frequencies: readonly number[];
  /** The best first, and of equal ones the one that was added last. */
  readonly candidates: readonly {
    readonly grainId: string;
    readonly length: number;
    readonly counts: readonly number[];
  }[];
}

/** Where a term occurs: numbers of entries, rising, each followed by how often. */
type Posting = number[];

interface TermIndex {
  removed: number;
  readonly grainIds: string[];
  readonly lengths: number[];
  /** Undefined for an entry that is gone. */
  readonly positions: (number | undefined)[];
  readonly postings: Map<string, Posting>;
  /** Entries that are not gone. */
  live: number;
  position: number;
  terms: number;
}

/** Bytes that a term of an entry takes in memory at most, in the mean, and an entry besides. */
const bytesOfTerm = 24;
const bytesOfEntry = 64;

/**
 * Terms of the partitions that were searched last, so that a search is a walk over arrays with the exact statistics of the
 * partition. What was added since is read from the store, and what went is found out by the positions that are left.
 */
export class TermCache {
  readonly #maxBytes: number;
  // In the order of their last use.
  readonly #indexes = new Map<string, TermIndex>();

  /** @param maxBytes bytes of terms that are kept, as far as they can be told */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the terms of a source may be kept. */
  fits({ entries, terms }: Pick<TermSource, "entries" | "terms">): boolean {
    return terms * bytesOfTerm + entries * bytesOfEntry <= this.#maxBytes;
  }

  /**
   * Searches a source that fits.
   *
   * @param key one string for one partition and space
   * @param limit as of `leadingTerms`
   * @param take how many are returned; default `limit`
   * @param allowed ids of grains that may be found; all when absent
   */
  match(
    key: string,
    source: TermSource,
    terms: readonly string[],
    {
      limit,
      take = limit,
      allowed,
    }: {
      readonly limit: number;
      readonly take?: number;
      readonly allowed?: ReadonlySet<string> | undefined;
    },
  ): TermMatches {
    const { grainIds, lengths, postings, live } = this.#index(key, source);
    const found = terms.map((term) => postings.get(term) ?? []);
    const frequencies = found.map(({ length }) => length / 2);
    const average = live === 0 ? 0 : source.terms / live;
    const scores = new Float64Array(grainIds.length);
    for (const place of leadingTerms(frequencies, limit)) {
      const posting = found[place] as Posting;
      const rarity = inverseFrequency(live, frequencies[place] as number);
      for (let i = 0; i < posting.length; i += 2) {
        const entry = posting[i] as number;
        const weight = saturation(posting[i + 1] as number, lengths[entry] as number, average);
        scores[entry] = (scores[entry] as number) + rarity * weight;
      }
    }
    const best = new Best(take);
    for (let entry = 0; entry < scores.length; entry++) {
      const score = scores[entry] as number;
      if (score > 0 && (allowed === undefined || allowed.has(grainIds[entry] as string)))
        best.add(entry, score);
    }
    const chosen = best.list();
    const counts = countsOf(
      chosen.map(({ item }) => item),
      found,
    );
    return {
      frequencies,
      candidates: chosen.map(({ item }, i) => ({
        grainId: grainIds[item] as string,
        length: lengths[item] as number,
        counts: counts[i] as number[],
      })),
    };
  }

  #index(key: string, source: TermSource): TermIndex {
    let index = this.#indexes.get(key);
    this.#indexes.delete(key);
    if (index !== undefined && index.removed !== source.removed) forget(index, source);
    if (index === undefined || index.live > source.entries || index.live < index.lengths.length * leastLive)
      index = newIndex(source);
    if (index.live < source.entries)
      for (const stored of source.load(index.position)) addEntry(index, stored);
    this.#indexes.set(key, index);
    this.#evict();
    return index;
  }

  #evict(): void {
    let bytes = 0;
    for (const index of this.#indexes.values()) bytes += bytesOf(index);
    for (const [key, index] of this.#indexes) {
      if (bytes <= this.#maxBytes || this.#indexes.size === 1) return;
      this.#indexes.delete(key);
      bytes -= bytesOf(index);
    }
  }

  clear(): void {
    this.#indexes.clear();
  }
}

function newIndex({ removed }: TermSource): TermIndex {
  const lists = { grainIds: [], lengths: [], positions: [], postings: new Map() };
  return { removed, ...lists, live: 0, position: 0, terms: 0 };
}

/** Takes out what is not there any more. */
function forget(index: TermIndex, source: TermSource): void {
  const gone = goneFrom(index.positions, source.positions());
  index.removed = source.removed;
  if (gone.size === 0) return;
  for (const entry of gone) {
    index.positions[entry] = undefined;
    index.terms -= index.lengths[entry] as number;
    index.live -= 1;
  }
  for (const [term, posting] of index.postings) {
    let kept = 0;
    for (let i = 0; i < posting.length; i += 2) {
      if (gone.has(posting[i] as number)) continue;
      posting[kept] = posting[i] as number;
      posting[kept + 1] = posting[i + 1] as number;
      kept += 2;
    }
    posting.length = kept;
    if (kept === 0) index.postings.delete(term);
  }
}

function bytesOf({ terms, grainIds }: TermIndex): number {
  return terms * bytesOfTerm + grainIds.length * bytesOfEntry;
}

function addEntry(index: TermIndex, { position, grainId, terms }: StoredTerms): void {
  const entry = index.grainIds.length;
  const list = terms === "" ? [] : terms.split(" ");
  index.grainIds.push(grainId);
  index.lengths.push(list.length);
  index.positions.push(position);
  index.live += 1;
  index.terms += list.length;
  index.position = position;
  for (const term of list) {
    const posting = index.postings.get(term);
    if (posting === undefined) index.postings.set(term, [entry, 1]);
    else if (posting.at(-2) === entry) posting[posting.length - 1] = (posting.at(-1) as number) + 1;
    else posting.push(entry, 1);
  }
}

/** How often each term occurs in each of some entries. */
function countsOf(entries: readonly number[], postings: readonly Posting[]): number[][] {
  const rows = new Map(entries.map((entry, row) => [entry, row]));
  const counts = entries.map(() => postings.map(() => 0));
  postings.forEach((posting, place) => {
    for (let i = 0; i < posting.length; i += 2) {
      const row = rows.get(posting[i] as number);
      if (row !== undefined) (counts[row] as number[])[place] = posting[i + 1] as number;
    }
  });
  return counts;
}
