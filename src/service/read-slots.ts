import { FluxError } from "../model/errors.ts";

/** Lets so many calls run at once; others wait in the order in which they came. */
export class ReadSlots {
  readonly #slots: number;
  readonly #mostWaiting: number;
  readonly #queue = new Set<() => void>();
  #running = 0;

  /** @param mostWaiting calls that may wait; more are refused */
  constructor(slots: number, mostWaiting = 1000) {
    this.#slots = slots;
    this.#mostWaiting = mostWaiting;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** @throws FluxError `overloaded`; the reason of the signal when it is aborted before the call began */
  async run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < this.#slots) this.#running++;
    else await this.#turn(signal);
    try {
      return await call();
    } finally {
      const [next] = this.#queue;
      if (next === undefined) this.#running--;
      // The slot is handed over, so that nobody who comes now is before those who wait.
      else next();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#queue.size >= this.#mostWaiting) {
      throw new FluxError("overloaded", `${this.#mostWaiting} recalls are waiting already`, {
        hint: "Try again soon.",
        retryable: true,
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#queue.delete(begin);
      signal?.removeEventListener("abort", abort);
    };
    const begin = (): void => {
      leave();
      resolve();
    };
    const abort = (): void => {
      leave();
      reject(signal?.reason);
    };
    this.#queue.add(begin);
    signal?.addEventListener("abort", abort);
    await promise;
  }
}
