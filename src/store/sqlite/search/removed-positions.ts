/** Positions that are remembered at most: about a megabyte. */
const mostPositions = 20_000;

/**
 * Positions of entries that this process removed from the index, until a copy of the index asks for them. To have all positions that are
 * left read instead takes as long as the partition is large.
 */
export class RemovedPositions {
  readonly #spaces = new Map<string, Set<number>>();
  #count = 0;

  /** Where the removal is taken back, `clear` has to be called. */
  add(partition: number, space: number, position: number): void {
    // Who misses some notices it by their count.
    if (this.#count === mostPositions) this.clear();
    const key = `${partition}/${space}`;
    const positions = this.#spaces.get(key) ?? new Set();
    this.#count += positions.has(position) ? 0 : 1;
    this.#spaces.set(key, positions.add(position));
  }

  /** What was removed of a partition in a space since this was called last. */
  take(partition: number, space: number): readonly number[] {
    const key = `${partition}/${space}`;
    const positions = this.#spaces.get(key) ?? new Set();
    this.#spaces.delete(key);
    this.#count -= positions.size;
    return [...positions];
  }

  clear(): void {
    this.#spaces.clear();
    this.#count = 0;
  }
}
