import type { FlushReport } from "./agent-memory.ts";

/** Milliseconds until the first of the attempts that follow by themselves; doubled with each. */
const firstPause = 1000;
const longestPause = 60_000;

/**
 * One loop that does what is left to do, begun by whoever leaves something. It never rejects: what fails stays a job of the
 * store, and is tried again after a while. A process may end while it waits.
 */
export class Background {
  readonly #pass: (signal: AbortSignal) => Promise<FlushReport>;
  readonly #stop = new AbortController();
  #wanted = false;
  #loop: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause = firstPause;

  /** @param pass does what can be done now, and says what is left */
  constructor(pass: (signal: AbortSignal) => Promise<FlushReport>) {
    this.#pass = pass;
  }

  /** There is something to do. */
  wake(): void {
    this.#pause = firstPause;
    this.#begin();
  }

  /** Resolves when there is nothing that can be done now. */
  async idle(): Promise<void> {
    await this.#loop;
  }

  /** Ends the loop; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#loop;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#wanted = true;
    this.#loop ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#wanted && !this.#stop.signal.aborted) {
      this.#wanted = false;
      const left = await this.#pass(this.#stop.signal).catch(() => undefined);
      if (left === undefined || left.waiting > 0) this.#beginLater();
    }
    this.#loop = undefined;
  }

  #beginLater(): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), this.#pause);
    // A process that has nothing else to do may end: what is left to do stays in the store.
    (this.#timer as { unref?: () => void }).unref?.();
    this.#pause = Math.min(longestPause, 2 * this.#pause);
  }
}
