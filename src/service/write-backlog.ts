import { FluxError } from "../model/errors.ts";

/** The writes that were taken on and are not done: more than so many are refused. In which order, and how many at once, the store decides. */
export class WriteBacklog {
  readonly #most: number;
  #waiting = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * @param admit throws when the call is to be refused for another reason; not asked when there is no room
   * @throws FluxError `overloaded`
   */
  async run<T>(call: () => Promise<T>, admit?: () => void): Promise<T> {
    if (this.#waiting >= this.#most) {
      throw new FluxError("overloaded", `${this.#most} writes are waiting already`, {
        hint: "Try again soon.",
        retryable: true,
      });
    }
    admit?.();
    this.#waiting++;
    try {
      return await call();
    } finally {
      this.#waiting--;
    }
  }
}
