export interface LanesOptions {
  /** Works at most that run at the same time. */
  readonly atOnce: number;
  /** Works at most that wait or run, and what they may weigh together. */
  readonly queued: number;
  readonly weight: number;
}

/** Runs work in lanes: one after the other within a lane, and lanes side by side. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string | symbol, Promise<void>>();
  readonly #queued = new Set<Promise<void>>();
  readonly #turns: (() => void)[] = [];
  #running = 0;
  #weight = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /**
   * Takes work on, once there is room for it. Without a lane it has one of its own.
   *
   * @throws what work before it threw, after which nothing more is run
   */
  async add(lane: string | undefined, weight: number, work: () => Promise<void>): Promise<void> {
    const { queued, weight: most } = this.#options;
    while (this.#queued.size >= queued || (this.#queued.size > 0 && this.#weight + weight > most))
      await Promise.race(this.#queued);
    this.#check();
    const key = lane ?? Symbol();
    const run = (this.#lanes.get(key) ?? Promise.resolve())
      .then(() => this.#run(work))
      .finally(() => {
        this.#weight -= weight;
        this.#queued.delete(run);
        if (this.#lanes.get(key) === run) this.#lanes.delete(key);
      });
    this.#weight += weight;
    this.#lanes.set(key, run);
    this.#queued.add(run);
  }

  /** @throws what the first work that failed threw */
  async end(): Promise<void> {
    await this.settled();
    this.#check();
  }

  /** Resolves when nothing runs any more, whatever became of it. */
  async settled(): Promise<void> {
    await Promise.all(this.#queued);
  }

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.#running >= this.#options.atOnce) await new Promise<void>((turn) => this.#turns.push(turn));
    else this.#running += 1;
    try {
      if (this.#failure === undefined) await work();
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      const next = this.#turns.shift();
      // A turn is handed on as it is.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
