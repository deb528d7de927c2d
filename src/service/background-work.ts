import { setTimeout } from "node:timers/promises";
import type { Flux } from "../flux/flux.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";

/** Milliseconds before work that ended with an error is taken up again; twice as many after each failure in a row. */
const firstPause = 1000;
const longestPause = 60_000;

/** Does the work of a memory until it is stopped. When an error ends it, it is taken up again. */
export class BackgroundWork {
  readonly #flux: Pick<Flux, "work">;
  readonly #firstPause: number;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #failure: FailureCause | undefined;

  constructor(flux: Pick<Flux, "work">, pause = firstPause) {
    this.#flux = flux;
    this.#firstPause = pause;
    this.#done = this.#run();
  }

  /** What ended it, until it is taken up again. */
  get failure(): FailureCause | undefined {
    return this.#failure;
  }

  /** Resolves when what was begun is done. */
  stop(): Promise<void> {
    this.#stop.abort();
    return this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let pause = this.#firstPause;
    while (!signal.aborted) {
      const begun = performance.now();
      this.#failure = undefined;
      try {
        await this.#flux.work({ signal });
        return;
      } catch (error) {
        this.#failure = failureCause(error);
      }
      if (performance.now() - begun > longestPause) pause = this.#firstPause;
      // It rejects when it is stopped, which the loop sees.
      await setTimeout(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, longestPause);
    }
  }
}
