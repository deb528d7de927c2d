import { Best } from "./best.ts";
import { inverseFrequency, saturation } from "./bm25.ts";
import { goneFrom, leastLive, type Positions, placeOf } from "./gone.ts";
import { leadingTerms } from "./leading-terms.ts";

/** What a store holds of a partition's terms in a space, as it stands in one snapshot. */
export interface TermSource extends Positions {
  /** Entries there are, and their terms together. */
  readonly entries: number;
  readonly terms: number;
  /** Entries behind a position, in its order. */
  load(after: number): Iterable<StoredTerms>;
}

export interface StoredTerms {
  /** Rises with every entry that is added, and is never used again for another one. */
  readonly position: number;
  readonly grainId: string;
  /** Terms with spaces between. */
  readonly terms: string;
}

export interface TermMatches {
  readonly frequencies: readonly number[];
  /**
   * The best candidates.
   *
   * @param take how many at most
   * @param allowed ids of grains that may be found; all when absent
   * @returns the best first, and of equal ones the one that was added last
   */
  best(
    take: number,
    allowed?: ReadonlySet<string>,
  ): readonly { readonly grainId: string; readonly entry: number }[];
  /** What candidates hold of the terms, in their order; for each term, how often. */
  termsOf(
    entries: readonly number[],
  ): readonly { readonly length: number; readonly counts: readonly number[] }[];
}

/** Where a term occurs. */
interface Posting {
  /** Numbers of entries, rising, each followed by how often. */
  readonly entries: number[];
  /** How many entries had gone when those that had were last taken out of here. */
  gone: number;
}

interface TermIndex {
  removed: number;
  /** Undefined for an entry that is gone. */
  readonly grainIds: (string | undefined)[];
  readonly lengths: number[];
  readonly positions: number[];
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
  /** Scores of the last search, by entry: 0 for those that it did not come across. */
  #scores = new Float64Array(0);
  #scored: number[] = [];

  /** @param maxBytes bytes of terms that are kept, as far as they can be told */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the terms of a source may be kept. */
  fits({ entries, terms }: Pick<TermSource, "entries" | "terms">): boolean {
    return terms * bytesOfTerm + entries * bytesOfEntry <= this.#maxBytes;
  }

  /**
   * Searches a source that fits. The answer is to be used before the next search.
   *
   * @param key one string for one partition and space
   * @param limit as of `leadingTerms`
   */
  match(
    key: string,
    source: TermSource,
    terms: readonly string[],
    { limit }: { readonly limit: number },
  ): TermMatches {
    const index = this.#index(key, source);
    const { grainIds, lengths, live } = index;
    const found = terms.map((term) => entriesOf(index, term));
    const frequencies = found.map(({ length }) => length / 2);
    const average = live === 0 ? 0 : source.terms / live;
    const [scores, scored] = this.#blank(grainIds.length);
    for (const place of leadingTerms(frequencies, limit)) {
      const entries = found[place] as readonly number[];
      const rarity = inverseFrequency(live, frequencies[place] as number);
      for (let i = 0; i < entries.length; i += 2) {
        const entry = entries[i] as number;
        const weight = saturation(entries[i + 1] as number, lengths[entry] as number, average);
        const before = scores[entry] as number;
        if (before === 0) scored.push(entry);
        scores[entry] = before + rarity * weight;
      }
    }
    return {
      frequencies,
      best(take, allowed) {
        const best = new Best(take);
        let { floor } = best;
        for (const entry of scored) {
          const score = scores[entry] as number;
          if (score < floor || allowed?.has(grainIds[entry] as string) === false) continue;
          best.add(entry, score);
          floor = best.floor;
        }
        return best.list().map(({ item }) => ({ grainId: grainIds[item] as string, entry: item }));
      },
      termsOf(entries) {
        const rows = entries.map((entry) => ({
          length: lengths[entry] as number,
          counts: new Array<number>(terms.length).fill(0),
        }));
        // In the order of the postings, so that each is walked through once.
        const places = entries.map((_, place) => place);
        places.sort((a, b) => (entries[a] as number) - (entries[b] as number));
        for (const [term, posting] of found.entries()) {
          let at = 0;
          for (const place of places) {
            const entry = entries[place] as number;
            at = placeOf(posting, entry, 2, at);
            if (at >= posting.length) break;
            if (posting[at] === entry) (rows[place]?.counts as number[])[term] = posting[at + 1] as number;
          }
        }
        return rows;
      },
    };
  }

  /** No scores, for so many entries: those of the last search are taken back, as they are few beside what there is. */
  #blank(entries: number): readonly [Float64Array, number[]] {
    if (this.#scores.length < entries) this.#scores = new Float64Array(Math.ceil(entries * 1.25));
    else for (const entry of this.#scored) this.#scores[entry] = 0;
    this.#scored = [];
    return [this.#scores, this.#scored];
  }

  #index(key: string, source: TermSource): TermIndex {
    let index = this.#indexes.get(key);
    this.#indexes.delete(key);
    if (index !== undefined && index.removed !== source.removed && !forget(index, source)) index = undefined;
    if (index === undefined || index.live > source.entries || index.live < index.lengths.length * leastLive) {
      // What went before is of no account any more.
      source.removedHere?.();
      index = newIndex(source);
    }
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
    this.#scores = new Float64Array(0);
    this.#scored = [];
  }
}

function newIndex({ removed }: TermSource): TermIndex {
  const lists = { grainIds: [], lengths: [], positions: [], postings: new Map() };
  return { removed, ...lists, live: 0, position: 0, terms: 0 };
}

/** Takes out what is not there any more, of the postings as they are asked for; whether the store can tell. */
function forget(index: TermIndex, source: TermSource): boolean {
  const gone = goneFrom(index.positions, index.removed, source);
  if (gone === undefined) return false;
  index.removed = source.removed;
  for (const entry of gone) {
    if (index.grainIds[entry] === undefined) continue;
    index.grainIds[entry] = undefined;
    index.terms -= index.lengths[entry] as number;
    index.live -= 1;
  }
  return true;
}

/** Where a term occurs, without entries that are gone. */
function entriesOf({ postings, grainIds, live }: TermIndex, term: string): readonly number[] {
  const posting = postings.get(term);
  if (posting === undefined) return [];
  const { entries } = posting;
  const gone = grainIds.length - live;
  if (posting.gone === gone) return entries;
  posting.gone = gone;
  let kept = 0;
  for (let i = 0; i < entries.length; i += 2) {
    if (grainIds[entries[i] as number] === undefined) continue;
    entries[kept] = entries[i] as number;
    entries[kept + 1] = entries[i + 1] as number;
    kept += 2;
  }
  entries.length = kept;
  if (kept === 0) postings.delete(term);
  return entries;
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
  const gone = index.grainIds.length - index.live;
  for (const term of list) {
    const posting = index.postings.get(term);
    if (posting === undefined) index.postings.set(term, { entries: [entry, 1], gone });
    else if (posting.entries.at(-2) === entry)
      posting.entries[posting.entries.length - 1] = (posting.entries.at(-1) as number) + 1;
    else posting.entries.push(entry, 1);
  }
}
