import type { RecallTimings } from "./result.ts";

type Stage = Exclude<keyof RecallTimings, "total">;

/** Adds up how long stages take. */
export class Stopwatch {
  readonly #start = performance.now();
  readonly #stages = { analyse: 0, embed: 0, gather: 0, score: 0, read: 0, rerank: 0, pack: 0 };

  time<T>(stage: Stage, work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#stages[stage] += performance.now() - start;
    }
  }

  /** Takes a function, as work may be done before it returns its promise: a store that reads at once is one. */
  async wait<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#stages[stage] += performance.now() - start;
    }
  }

  timings(): RecallTimings {
    return { ...this.#stages, total: performance.now() - this.#start };
  }
}
