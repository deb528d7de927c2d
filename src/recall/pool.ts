import type { Grain } from "../model/grain.ts";
import type { Stored } from "../model/record.ts";
import type { Matches, Neighbours } from "../store/search.ts";
import type { ArmHit } from "./arm.ts";

/** Grains that the search by meaning returns at most. */
export const maxNearest = 100;

/** A grain that was found, with what scoring has to know of it. */
export interface Candidate {
  readonly grain: Stored<Grain>;
  /** How often each of the searched terms occurs in its entry. Empty when the lexical search did not return it. */
  counts: readonly number[];
  /** Terms of its entry. */
  length: number;
  /** Cosine with the query; 0 when the dense search did not return it. */
  similarity: number;
  /** What further arms say of it, by their ids: 0 to 1. */
  arms: ReadonlyMap<string, number>;
}

/** One grain stands next to another in its session. Indexes in `candidates`. */
export interface Link {
  readonly earlier: number;
  readonly later: number;
  /** Places between them, from 1. */
  readonly distance: number;
}

/** All that was found, as plain data. */
export interface Pool {
  /** Of the partition, see `Matches`. */
  readonly documents: number;
  readonly averageLength: number;
  readonly frequencies: readonly number[];
  readonly candidates: readonly Candidate[];
  /** For each candidate a number that those of its session share, from 0; -1 for those without. */
  readonly sessions: readonly number[];
  /** Names of those who said the candidates, each once. */
  readonly authors: ReadonlySet<string>;
  readonly links: readonly Link[];
}

/** More than there can be candidates, so that two of their numbers make one. */
const manyCandidates = 2 ** 26;

/** Collects what the arms found into one pool, in which every grain is once. */
export class PoolBuilder {
  readonly #candidates: Candidate[] = [];
  readonly #places = new Map<string, number>();
  readonly #sessions: number[] = [];
  readonly #sessionNumbers = new Map<string, number>();
  readonly #authors = new Set<string>();
  readonly #links = new Map<number, Link>();
  #documents = 0;
  #averageLength = 0;
  #frequencies: readonly number[] = [];

  addMatches({ documents, averageLength, frequencies, candidates }: Matches): void {
    this.#documents = documents;
    this.#averageLength = averageLength;
    this.#frequencies = frequencies;
    for (const { grain, length, counts } of candidates) {
      const candidate = this.#of(grain);
      candidate.counts = counts;
      candidate.length = length;
    }
  }

  addNearest(nearest: Neighbours): void {
    for (const { grain, similarity } of nearest) this.#of(grain).similarity = similarity;
  }

  addGrains(grains: Iterable<Stored<Grain>>): void {
    for (const grain of grains) this.#of(grain);
  }

  addArm(id: string, hits: Iterable<ArmHit>): void {
    for (const { grain, score } of hits) {
      const candidate = this.#of(grain);
      const { arms } = candidate;
      candidate.arms = new Map(arms).set(id, Math.max(arms.get(id) ?? 0, Math.min(1, score)));
    }
  }

  /** `grain` stands `distance` places from the grain `of`, which is in the pool already. */
  addLink(of: string, distance: number, grain: Stored<Grain>): void {
    const from = this.#places.get(of);
    if (from === undefined) return;
    const to = this.#placeOf(grain);
    const [earlier, later] = distance < 0 ? [to, from] : [from, to];
    this.#links.set(earlier * manyCandidates + later, { earlier, later, distance: Math.abs(distance) });
  }

  build(): Pool {
    return {
      documents: this.#documents,
      averageLength: this.#averageLength,
      frequencies: this.#frequencies,
      candidates: this.#candidates,
      sessions: this.#sessions,
      authors: this.#authors,
      links: [...this.#links.values()],
    };
  }

  #of(grain: Stored<Grain>): Candidate {
    return this.#candidates[this.#placeOf(grain)] as Candidate;
  }

  #placeOf(grain: Stored<Grain>): number {
    const known = this.#places.get(grain.id);
    if (known !== undefined) return known;
    const place = this.#candidates.length;
    this.#places.set(grain.id, place);
    this.#candidates.push(bareCandidate(grain));
    this.#sessions.push(this.#sessionOf(grain));
    if (grain.author !== undefined) this.#authors.add(grain.author);
    return place;
  }

  #sessionOf({ sessionId }: Stored<Grain>): number {
    if (sessionId === undefined) return -1;
    const known = this.#sessionNumbers.get(sessionId);
    if (known !== undefined) return known;
    const number = this.#sessionNumbers.size;
    this.#sessionNumbers.set(sessionId, number);
    return number;
  }
}

// One for all: most candidates are found by no further arm, and there are some five hundred in a recall.
const noArms: ReadonlyMap<string, number> = new Map();

/** A candidate of which no search has said anything. */
export function bareCandidate(grain: Stored<Grain>): Candidate {
  return { grain, counts: [], length: 0, similarity: 0, arms: noArms };
}
