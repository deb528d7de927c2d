import { setTimeout } from "node:timers/promises";
import type { Flux } from "../flux/flux.ts";
import { type FailureCause, failureCause } from "../model/failure.ts";

/** Milliseconds before work that ended with an error is taken up again; doubles with every failure. */
const firstPause = 1000;
const longestPause = 60_000;

/** Does the work of a memory until it is stopped. An error that ends it is told of, and the work is taken up again. */
export class BackgroundWork {
  readonly #flux: Pick<Flux, "work">;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #failure: FailureCause | undefined;

  constructor(flux: Pick<Flux, "work">) {
    this.#flux = flux;
    this.#done = this.#run();
  }

  /** What ended it, while it is not taken up again. */
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
    for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      try {
        await this.#flux.work({ signal });
        return;
      } catch (error) {
        this.#failure = failureCause(error);
        await setTimeout(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
