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
    const size = this.#items.length;
    if (size === this.#limit) {
      const worst = this.#scores[0] as number;
      if (score < worst || (score === worst && item < (this.#items[0] as number))) return;
      this.#items[0] = item;
      this.#scores[0] = score;
      this.#sink();
      return;
    }
    this.#items.push(item);
    this.#scores.push(score);
    for (let at = size; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#worse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
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

  #sink(): void {
    const size = this.#items.length;
    for (let at = 0; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < size && this.#worse(child, worst)) worst = child;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #worse(a: number, b: number): boolean {
    const difference = (this.#scores[a] as number) - (this.#scores[b] as number);
    return difference < 0 || (difference === 0 && (this.#items[a] as number) < (this.#items[b] as number));
  }

  #swap(a: number, b: number): void {
    const [item, score] = [this.#items[a] as number, this.#scores[a] as number];
    this.#items[a] = this.#items[b] as number;
    this.#scores[a] = this.#scores[b] as number;
    this.#items[b] = item;
    this.#scores[b] = score;
  }
}
