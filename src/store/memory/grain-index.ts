import { inverseFrequency, saturation } from "../bm25.ts";
import { dotProduct } from "../dot-product.ts";
import type { GrainSearch } from "../driver.ts";
import { leadingTerms } from "../leading-terms.ts";
import type { IndexEntry } from "../search.ts";
import type { Row } from "../table.ts";
import { termCounts } from "../term-counts.ts";

interface TermEntry {
  readonly length: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** What one lexical space holds of a partition. */
class TermSpace {
  readonly entries = new Map<string, TermEntry>();
  readonly #postings = new Map<string, Map<string, number>>();
  terms = 0;

  put(id: string, entry: TermEntry): void {
    this.entries.set(id, entry);
    this.terms += entry.length;
    for (const [term, count] of entry.counts) {
      const posting = this.#postings.get(term);
      if (posting === undefined) this.#postings.set(term, new Map([[id, count]]));
      else posting.set(id, count);
    }
  }

  delete(id: string): TermEntry | undefined {
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    this.entries.delete(id);
    this.terms -= entry.length;
    for (const term of entry.counts.keys()) {
      const posting = this.#postings.get(term);
      posting?.delete(id);
      if (posting?.size === 0) this.#postings.delete(term);
    }
    return entry;
  }

  posting(term: string): ReadonlyMap<string, number> {
    return this.#postings.get(term) ?? new Map();
  }
}

/** The index of one partition's grains. */
export class GrainIndex {
  readonly #terms = new Map<number, TermSpace>();
  readonly #vectors = new Map<number, Map<string, Float32Array>>();

  put(id: string, entry: IndexEntry, undo: (() => void)[]): void {
    if ("terms" in entry) {
      const counts = termCounts(entry.terms);
      const space = of(this.#terms, entry.space, () => new TermSpace());
      const before = space.delete(id);
      space.put(id, { length: entry.terms.length, counts });
      undo.push(() => {
        space.delete(id);
        if (before !== undefined) space.put(id, before);
      });
    } else {
      const space = of(this.#vectors, entry.space, () => new Map<string, Float32Array>());
      const before = space.get(id);
      space.set(id, entry.vector);
      undo.push(() => {
        if (before === undefined) space.delete(id);
        else space.set(id, before);
      });
    }
  }

  delete(id: string, undo: (() => void)[]): void {
    for (const space of this.#terms.values()) {
      const before = space.delete(id);
      if (before !== undefined) undo.push(() => space.put(id, before));
    }
    for (const space of this.#vectors.values()) {
      const before = space.get(id);
      space.delete(id);
      if (before !== undefined) undo.push(() => space.set(id, before));
    }
  }

  clear(undo: (() => void)[]): void {
    const terms = new Map(this.#terms);
    const vectors = new Map(this.#vectors);
    this.#terms.clear();
    this.#vectors.clear();
    undo.push(() => {
      for (const [id, space] of terms) this.#terms.set(id, space);
      for (const [id, space] of vectors) this.#vectors.set(id, space);
    });
  }

  /** What all spaces together hold of these grains. */
  count(ids: readonly string[]): number {
    const spaces = [...[...this.#terms.values()].map(({ entries }) => entries), ...this.#vectors.values()];
    return ids.reduce((sum, id) => sum + spaces.filter((space) => space.has(id)).length, 0);
  }

  drop(space: number): void {
    this.#terms.delete(space);
    this.#vectors.delete(space);
  }

  /** @param grain the row of a grain, if it may be found */
  match(
    { space: id, terms, limit }: GrainSearch & { readonly terms: readonly string[] },
    grain: (id: string) => Row | undefined,
  ): readonly Row[] {
    const space = this.#terms.get(id) ?? new TermSpace();
    const postings = terms.map((term) => space.posting(term));
    const documents = space.entries.size;
    const average = documents === 0 ? 0 : space.terms / documents;
    const scores = new Map<string, number>();
    const frequencies = postings.map(({ size }) => size);
    for (const place of leadingTerms(frequencies, limit)) {
      const posting = postings[place] as ReadonlyMap<string, number>;
      const rarity = inverseFrequency(documents, posting.size);
      for (const [grainId, count] of posting) {
        const length = space.entries.get(grainId)?.length ?? 0;
        scores.set(grainId, (scores.get(grainId) ?? 0) + rarity * saturation(count, length, average));
      }
    }
    const found = best(scores, grain, limit).map(({ id: grainId, row }) => ({
      grain: row,
      length: space.entries.get(grainId)?.length,
      counts: postings.map((posting) => posting.get(grainId) ?? 0),
    }));
    return [{ documents, terms: space.terms, frequencies }, ...found];
  }

  nearest(
    { space, vector, limit }: GrainSearch & { readonly vector: Float32Array },
    grain: (id: string) => Row | undefined,
  ): readonly Row[] {
    const scores = new Map<string, number>();
    for (const [id, other] of this.#vectors.get(space) ?? []) scores.set(id, dotProduct(vector, other));
    return best(scores, grain, limit).map(({ row, score }) => ({ grain: row, similarity: score }));
  }

  /** Places that hold one of the texts among the terms. */
  search(texts: readonly string[]): number {
    let hits = 0;
    for (const { entries } of this.#terms.values()) {
      for (const { counts } of entries.values()) {
        for (const text of texts) for (const term of counts.keys()) if (term.includes(text)) hits += 1;
      }
    }
    return hits;
  }
}

/** The rows with the highest scores, and of equal ones the newest. */
function best(
  scores: ReadonlyMap<string, number>,
  grain: (id: string) => Row | undefined,
  limit: number,
): { readonly id: string; readonly row: Row; readonly score: number }[] {
  const found: { readonly id: string; readonly row: Row; readonly score: number }[] = [];
  for (const [id, score] of scores) {
    // Most are worse than those that were found before, and need not be asked for.
    if (found.length === limit && score < (found.at(-1)?.score ?? Number.POSITIVE_INFINITY)) continue;
    const row = grain(id);
    if (row === undefined) continue;
    const seq = row.seq as number;
    let [low, high] = [0, found.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = found[middle] as (typeof found)[number];
      if (other.score > score || (other.score === score && (other.row.seq as number) >= seq))
        low = middle + 1;
      else high = middle;
    }
    found.splice(low, 0, { id, row, score });
    if (found.length > limit) found.pop();
  }
  return found;
}

function of<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
