type Vectors = ReadonlyMap<string, Float32Array>;

/** One call to an embedder that several callers wait for. It is aborted when all of them have. */
export class SharedWork {
  readonly #controller = new AbortController();
  readonly #result: Promise<Vectors>;
  readonly #whenEnded: (() => void)[] = [];
  #waiting = 0;
  #over = false;

  constructor(work: (signal: AbortSignal) => Promise<Vectors>) {
    this.#result = work(this.#controller.signal).finally(() => this.#end());
    // Nobody may be left to hear of a failure.
    this.#result.catch(() => {});
  }

  /** Calls back once, when it has come to its end or was given up: from then on nobody may join. */
  ended(callback: () => void): void {
    this.#whenEnded.push(callback);
  }

  /** @throws what the work threw, or the signal's reason as soon as it is aborted */
  async join(signal: AbortSignal | undefined): Promise<Vectors> {
    this.#waiting++;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([this.#result, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#waiting--;
      if (this.#waiting === 0 && !this.#over) {
        this.#end();
        this.#controller.abort(signal?.reason);
      }
    }
  }

  #end(): void {
    this.#over = true;
    for (const callback of this.#whenEnded.splice(0)) callback();
  }
}
