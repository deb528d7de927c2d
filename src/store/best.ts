/** The items with the highest scores, by number, kept in a heap whose root is the worst of them. */
export class Best {
  readonly #limit: number;
  readonly #items: number[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @param item of equal scores the higher number is better */
  add(item: number, score: number): void {
    const [items, scores] = [this.#items, this.#scores];
    const size = items.length;
    if (size === this.#limit) {
      if (!isWorse(score, item, scores[0] as number, items[0] as number)) this.#sink(item, score);
      return;
    }
    // What is better moves up until there is a place for it.
    let at = size;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(score, item, scores[parent] as number, items[parent] as number)) break;
      items[at] = items[parent] as number;
      scores[at] = scores[parent] as number;
      at = parent;
    }
    items[at] = item;
    scores[at] = score;
  }

  /** Score that an item must have to be among them: minus infinity while there is room. */
  get floor(): number {
    return this.#items.length < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  /** The best first. */
  list(): { readonly item: number; readonly score: number }[] {
    return this.#items
      .map((item, i) => ({ item, score: this.#scores[i] as number }))
      .sort((a, b) => b.score - a.score || b.item - a.item);
  }

  /** Puts one in the place of the worst. */
  #sink(item: number, score: number): void {
    const [items, scores] = [this.#items, this.#scores];
    const size = items.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const other = child + 1;
      if (
        other < size &&
        isWorse(
          scores[other] as number,
          items[other] as number,
          scores[child] as number,
          items[child] as number,
        )
      )
        child = other;
      if (isWorse(score, item, scores[child] as number, items[child] as number)) break;
      items[at] = items[child] as number;
      scores[at] = scores[child] as number;
      at = child;
    }
    items[at] = item;
    scores[at] = score;
  }
}

function isWorse(score: number, item: number, otherScore: number, otherItem: number): boolean {
  return score < otherScore || (score === otherScore && item < otherItem);
}
