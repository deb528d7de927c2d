const shortestPause = 5;
const longestPause = 25;

/**
 * Wakes those who wait for commits: those of this process at once, those of others by looking at the database's version
 * every 5 to 25 ms, and only while somebody waits.
 */
export class CommitWatch {
  readonly #version: () => number | undefined;
  readonly #waiting = new Set<() => void>();
  #seen: number | undefined;
  #pause = shortestPause;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param version a number that changes with every commit of another connection; undefined where there can be none */
  constructor(version: () => number | undefined) {
    this.#version = version;
  }

  /** Resolves at the next commit, at the end of the time-out (in milliseconds), or when the signal aborts. */
  wait(timeout: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      // A commit that came before this call wakes those who were waiting already, not this one.
      this.#look();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        this.#waiting.delete(end);
        if (this.#waiting.size === 0) this.#rest();
        resolve();
      };
      const timer = setTimeout(end, timeout);
      signal?.addEventListener("abort", end);
      this.#waiting.add(end);
      if (this.#closed || signal?.aborted) end();
      else this.#watch();
    });
  }

  /** Wakes everyone. */
  wake(): void {
    this.#pause = shortestPause;
    for (const end of [...this.#waiting]) end();
  }

  /** Wakes everyone, now and from now on. */
  close(): void {
    this.#closed = true;
    this.wake();
  }

  #look(): void {
    const version = this.#version();
    if (version === this.#seen) return;
    this.#seen = version;
    this.wake();
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#seen === undefined) return;
    // The time-outs of those who wait keep the process alive; looking for them does not.
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#pause = Math.min(this.#pause * 1.5, longestPause);
      this.#look();
      if (this.#waiting.size > 0) this.#watch();
    }, this.#pause).unref();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pause = shortestPause;
  }
}
