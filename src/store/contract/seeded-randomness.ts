import type { Randomness } from "../../model/ids.ts";

/** A source of bytes that is the same for the same seed. For tests: anyone can predict it. */
export function seededRandomness(seed: number): Randomness {
  const next = generator(seed);
  return { bytes: (length) => Uint8Array.from({ length }, () => next() >>> 24) };
}

/** Choices that are the same for the same seed. */
export class Choices {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = generator(seed);
  }

  /** A whole number from 0, below the limit. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit);
  }

  /** True in so many of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of the items, of which there must be one. */
  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Each item with the given chance, in order. */
  some<T>(items: readonly T[], percent: number): T[] {
    return items.filter(() => this.chance(percent));
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return items.map(() => left.splice(this.below(left.length), 1)[0] as T);
  }
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits a step, period 2^32, plenty for tests. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
