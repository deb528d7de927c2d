import { FluxError } from "../model/errors.ts";

/** Counts the writes that were taken on and are not done, and refuses more than so many. The store decides how many it does at once. */
export class WriteQueue {
  readonly #depth: number;
  #waiting = 0;

  constructor(depth: number) {
    this.#depth = depth;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * @param admit throws when the call is to be refused for another reason; not asked when there is no room
   * @throws FluxError `overloaded`
   */
  async run<T>(call: () => Promise<T>, admit?: () => void): Promise<T> {
    if (this.#waiting >= this.#depth) {
      throw new FluxError("overloaded", `${this.#depth} writes are waiting already`, {
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
