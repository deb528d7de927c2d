/** A number of slots, given to those who ask in their order. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** @throws the signal's reason when it is aborted before there is a free slot */
  async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(granted);
        reject(signal?.reason);
      };
      const granted = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      this.#waiting.add(granted);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
